// Blobs: names, samples, anything of any length, numbered from 0 in the order they are added; read
// by number, in order, or in the order of a key.
//
//   BlobFile names(options);              // options.path + ".blobs" and ".places"
//   names.append("alpha");                // number 0
//   names.seal();
//   names.read(0, out);                            // out == "alpha"
//   auto sorted = sort_blobs(names, sort_options, [](std::string_view name) { return key(name); });
//   for_each_row(*sorted.value(), [&](const BlobKey& row) { return names.read(row.number, out); });
//
// A Table<BlobKey, Fingerprint> can be written from the sorted rows of all keys; then a blob is
// found by its key.
//
// Every blob and every place has a check, bound to its number: damage is an Error, never another
// blob. A blob takes 16 bytes beside its own (docs/formats/blobs.md). Memory: some 64 KiB while
// adding, about a MiB while reading in order, and what hold() was given.
//
// Threads: append(), flush(), seal(), hold() one at a time; the readers any.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "rows/cached_file.h"
#include "rows/fixed_file.h"
#include "rows/options.h"
#include "rows/sorted_rows.h"
#include "twinset/result.h"

namespace twinset {

class BlobFile {
 public:
  /// Bytes beside a blob's own.
  static constexpr std::size_t place_bytes = 16;

  explicit BlobFile(const RowsOptions& options);

  Status append(std::string_view blob);
  /// Brings all blobs so far where they can be read.
  Status flush();
  /// Ends adding. Not synced: see checkpoint().
  Status seal();

  /// Replaces `out` by a blob that was flushed. Error (io): there is none, or it is damaged.
  Status read(std::uint64_t number, std::string& out) const;
  /// All blobs in order.
  Status for_each(
      const std::function<Status(std::uint64_t number, std::string_view blob)>& use) const {
    return for_each(0, places_.rows(), use);
  }
  /// The blobs of numbers [first, end) in order, as far as there are such.
  Status for_each(
      std::uint64_t first, std::uint64_t end,
      const std::function<Status(std::uint64_t number, std::string_view blob)>& use) const;
  /// Keeps about so many bytes in memory for reads by number, until more blobs are added.
  Status hold(std::uint64_t memory_bytes);

  /// Keeps at most about so many bytes of the places, so that a blob is read in one call.
  Status hold_places(std::uint64_t memory_bytes);

  /// For reads all over the file: keeps all of it if it fits, else places. Blocks that replace each
  /// other would each be read for one blob.
  Status hold_for_any_order(std::uint64_t memory_bytes) {
    return stored_bytes() <= memory_bytes ? hold(memory_bytes) : hold_places(memory_bytes);
  }

  std::uint64_t blobs() const { return places_.rows() + pending_places_.size(); }
  /// Bytes of the files, all blobs written.
  std::uint64_t stored_bytes() const { return places_.stored_bytes() + end_; }

  /// Brings all blobs to disk and says how far the files have come.
  Status checkpoint(std::vector<PartLength>& out);
  /// Before any append: goes on where a checkpoint was; blobs added after it are cut.
  Status restore(std::span<const PartLength> lengths, OpenMode mode = OpenMode::append);
  /// Adds the blobs that another file of this fingerprint had at a checkpoint; `path` is its
  /// RowsOptions::path. It is only read. Errors as restore().
  Status take_over(const std::string& path, std::span<const PartLength> lengths);
  /// Removes the files.
  Status discard();

 private:
  struct Place {
    std::uint64_t end = 0;         ///< of the blob; it begins where the one before ends
    std::uint32_t blob_check = 0;  ///< of its bytes
    std::uint32_t check = 0;       ///< of the above, as every row of a FixedFile
  };
  static_assert(sizeof(Place) == place_bytes);

  std::string blobs_path() const { return path_ + ".blobs"; }
  Status start();
  std::uint32_t check_of(std::string_view blob) const;
  Status read_places(std::uint64_t first, std::span<Place> out) const;
  Status read_bytes(std::uint64_t begin, std::uint64_t end, std::string& out) const;

  const RunContext* context_;
  std::string path_;
  std::uint64_t fingerprint_;
  FixedFile places_;
  std::unique_ptr<File> bytes_file_;
  std::unique_ptr<CachedFile> cached_bytes_;
  std::uint64_t end_ = 0;  ///< of the bytes appended
  std::string pending_;
  std::vector<Place> pending_places_;
  bool sealed_ = false;
};

/// A blob's number under its key.
struct BlobKey {
  Fingerprint key;
  std::uint64_t number = 0;
  auto operator<=>(const BlobKey&) const = default;
};
struct BlobKeyLess {
  bool operator()(const BlobKey& a, const BlobKey& b) const { return a < b; }
  static std::uint64_t radix(const BlobKey& row) { return row.key.high; }
};
using SortedBlobs = SortedRows<BlobKey, BlobKeyLess>;

/// The numbers of all blobs in the order of `key_of(bytes)`, a Fingerprint; equal keys as added.
template <class KeyOf>
Result<std::unique_ptr<SortedBlobs>> sort_blobs(const BlobFile& blobs, const RowsOptions& options,
                                                KeyOf&& key_of) {
  auto sorted = std::make_unique<SortedBlobs>(options);
  TWINSET_TRY(blobs.for_each([&](std::uint64_t number, std::string_view bytes) {
    return sorted->append(BlobKey{key_of(bytes), number});
  }));
  TWINSET_TRY(sorted->seal());
  return sorted;
}

}  // namespace twinset
