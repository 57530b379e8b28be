// Looks chunks up among labels: most are told from labels by a filter in memory, the others in the
// file, which is mapped and whose pages are released before they take too much memory.
//
//   LabelLookup lookup(labels, filter, memory, threads);
//   lookup.contains(LabelKind::chunk, chunk.hash, rows.looked_up);   // true
//   lookup.count(rows.looked_up);   // of each batch, one at a time
//
// Threads: contains() and find() any; count() one at a time.
#pragma once

#include <cstdint>
#include <optional>

#include "labels/label_file.h"
#include "reuse/label_filter.h"
#include "twinset/result.h"

namespace twinset {

class LabelLookup {
 public:
  /// A lookup may bring so much of a file of labels into memory, which the budget counts.
  static constexpr std::uint64_t looked_up_bytes = std::uint64_t{64} << 10;

  /// All outlive it. Of the labels' pages in memory about `memory_bytes` may be in use.
  LabelLookup(const LabelFile& labels, const LabelFilter& filter, std::uint64_t memory_bytes,
              unsigned threads)
      : labels_(labels), filter_(filter), memory_bytes_(memory_bytes), threads_(threads) {}

  /// `looked_up` counts the lookups in the file that one batch makes. Error (io): it is damaged.
  Result<bool> contains(LabelKind kind, const ChunkDigest& hash, std::uint64_t& looked_up) const;
  /// Nothing if there is none.
  Result<std::optional<Label>> find(LabelKind kind, const ChunkDigest& hash,
                                    std::uint64_t& looked_up) const;
  /// Takes note of the lookups of a batch.
  void count(std::uint64_t looked_up);

  std::uint64_t chunks() const { return filter_.chunks(); }
  std::uint64_t files() const { return filter_.files(); }

 private:
  bool may_have(const ChunkDigest& hash, std::uint64_t& looked_up) const;

  const LabelFile& labels_;
  const LabelFilter& filter_;
  const std::uint64_t memory_bytes_;
  const unsigned threads_;
  std::uint64_t looked_up_ = 0;  ///< since the pages of the labels were released
};

}  // namespace twinset
