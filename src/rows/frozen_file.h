// A frozen file: named parts of bytes, written once, one after the other, then mapped and only
// read.
//
//   FrozenWriter writer(context, path, {.format = "segment", .version = 1, .fingerprint = f});
//   writer.begin("ids");
//   writer.append(bytes);                            // any number of times
//   TWINSET_ASSIGN(const Fingerprint hash, writer.finish());   // durable from here on
//
//   TWINSET_ASSIGN(const FrozenFile file, FrozenFile::open(files, path, kind));
//   TWINSET_ASSIGN(const FrozenPart ids, file.part("ids"));
//   TWINSET_ASSIGN(const std::string_view first, ids.read(0, 16));
//
// Each block of 4 KiB has a checksum, which is compared when a byte of the block is first read:
// damage is an Error, never other bytes. Parts begin at multiples of 8 bytes, of the file and of
// memory (docs/formats/index_folder.md).
//
// Memory: the pages in use, which the system can take back, and a byte a block. Writing holds a
// buffer and 1/512 of the file, its checksums.
//
// Threads: a FrozenFile any; a writer one at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_header.h"
#include "base/hash.h"
#include "rows/mapped_file.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

/// What a frozen file holds. A file of another kind, version or fingerprint is not opened.
struct FrozenKind {
  std::string_view format;  ///< 1 to 8 bytes
  std::uint32_t version = 1;
  std::uint64_t fingerprint = 0;
};

class FrozenFile;

/// A part of a frozen file, which it does not outlive.
class FrozenPart {
 public:
  FrozenPart() = default;

  std::uint64_t size() const { return size_; }
  /// Bytes [begin, end) of the part. Error (io): there are no such bytes, or a block is damaged.
  Result<std::string_view> read(std::uint64_t begin, std::uint64_t end) const;
  /// That the part is damaged at a byte of it, whatever its checksums say.
  Error damaged(std::uint64_t offset, const std::string& how) const;

 private:
  friend class FrozenFile;
  const FrozenFile* file_ = nullptr;
  std::uint64_t begin_ = 0;  ///< in the file
  std::uint64_t size_ = 0;
};

class FrozenFile {
 public:
  static constexpr std::uint64_t block_bytes = 4096;
  static constexpr std::size_t most_name_bytes = 16;

  /// Errors (io): missing, not a frozen file, damaged; of another kind, version or fingerprint.
  static Result<std::unique_ptr<const FrozenFile>> open(FileSystem& files, const std::string& path,
                                                        const FrozenKind& kind);

  /// Error (io): the file has no part of that name.
  Result<FrozenPart> part(std::string_view name) const;

  /// Of all parts, with their names.
  const Fingerprint& hash() const { return hash_; }
  const std::string& path() const { return path_; }
  /// Of the whole file.
  std::uint64_t bytes() const { return bytes_.size(); }

  /// Reads the whole file: its checksums and its hash.
  Status verify(const RunContext& context) const;
  /// Takes all pages out of the memory of this process, until they are used again.
  void release() const { file_.release(0, bytes_.size()); }

  Error damaged(std::uint64_t offset, const std::string& how) const;

 private:
  friend class FrozenPart;
  struct Entry {
    std::string name;
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
  };

  Status decode(const FrozenKind& kind);
  std::string_view block(std::uint64_t number) const;
  Status check(std::uint64_t number) const;
  Status check(std::uint64_t begin, std::uint64_t end) const {
    for (std::uint64_t number = begin / block_bytes; number * block_bytes < end; ++number) {
      if (!checked_[number].load(std::memory_order_relaxed)) TWINSET_TRY(check(number));
    }
    return {};
  }

  std::string path_;
  MappedFile file_;
  std::string_view bytes_;  ///< of the file
  std::uint64_t fingerprint_ = 0;
  std::uint64_t body_end_ = 0;  ///< the header and all parts
  const char* checksums_ = nullptr;
  std::vector<Entry> parts_;
  Fingerprint hash_;
  mutable std::vector<std::atomic<bool>> checked_;  ///< one for each block
};

class FrozenWriter {
 public:
  /// Writes under a temporary name; an existing file of its name is replaced at the end.
  FrozenWriter(const RunContext& context, std::string path, const FrozenKind& kind);
  /// Removes an unfinished file.
  ~FrozenWriter();
  FrozenWriter(const FrozenWriter&) = delete;
  FrozenWriter& operator=(const FrozenWriter&) = delete;

  /// Ends the last part and begins the next, of another name.
  Status begin(std::string_view name);
  Status append(std::string_view bytes);
  /// Bytes of the current part.
  std::uint64_t part_bytes() const { return end_ - parts_.back().begin; }
  /// Syncs the file, gives it its name, and returns its hash.
  Result<Fingerprint> finish();

 private:
  struct Part {
    std::string name;
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
  };

  Status start();
  Status flush();
  Status add(std::string_view bytes);
  void end_part();

  const RunContext& context_;
  std::string path_;
  std::string partial_;
  FrozenKind kind_;
  std::string format_;
  std::unique_ptr<File> file_;
  bool failed_ = false;
  std::uint64_t end_ = 0;      ///< of the bytes added
  std::uint64_t written_ = 0;  ///< of them, those in the file
  std::string buffer_;         ///< the rest
  std::vector<Part> parts_;
  std::string checksums_;
  RunningFingerprint hash_;
};

inline Result<std::string_view> FrozenPart::read(std::uint64_t begin, std::uint64_t end) const {
  if (begin > end || end > size_) return damaged(size_, "it ends too early");
  TWINSET_TRY(file_->check(begin_ + begin, begin_ + end));
  return file_->bytes_.substr(static_cast<std::size_t>(begin_ + begin),
                              static_cast<std::size_t>(end - begin));
}

}  // namespace twinset
