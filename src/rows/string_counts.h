// The number of times each byte string was added: document frequencies of terms, if each document
// adds each of its terms once. Out of core; read in the order of the strings.
//
//   StringCounts terms(options);             // files options.path + ".strings", ".strings1", ...
//   terms.add("rose", 1);                    // any number, in any order
//   terms.seal();
//   terms.for_each([&](std::string_view term, std::uint64_t count) { ...; return Status(); });
//
// Strings are counted in a hash table. When its memory is full, they are written as a sorted run,
// and reading merges the runs: more at once need more passes, never more memory than
// options.memory_bytes. The strings and counts read depend only on those added.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rows/block_file.h"
#include "rows/options.h"
#include "rows/region.h"
#include "twinset/result.h"

namespace twinset {

class StringCounts {
 public:
  /// A longer string is an Error (usage).
  static constexpr std::size_t max_string_bytes = 4096;

  /// At least 1 MiB is used, whatever options.memory_bytes says.
  explicit StringCounts(const RowsOptions& options);

  Status add(std::string_view string, std::uint64_t count);
  /// Ends adding.
  Status seal();
  /// Calls `use`, which returns a Status, for each different string, in ascending order of bytes,
  /// with the sum of its counts. As often as wanted. Errors (io): a run is damaged.
  Status for_each(
      const std::function<Status(std::string_view string, std::uint64_t count)>& use) const;

  /// Brings all counts so far to disk and says how far the file has come.
  Status checkpoint(std::vector<PartLength>& out);
  /// Before any add: continues from a checkpoint; runs after it are cut.
  Status restore(std::span<const PartLength> lengths);
  /// Removes the files.
  Status discard();
  /// Bytes of the runs written.
  std::uint64_t stored_bytes() const;

 private:
  struct Entry {
    std::uint64_t prefix = 0;  ///< its first 8 bytes, big-endian: most comparisons need no more
    std::uint64_t count = 0;
    std::uint32_t offset = 0;  ///< in the arena
    std::uint32_t bytes = 0;
  };
  /// The blocks of a run: bytes [begin, end) of a file, each block with the run's tag.
  struct Run {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint32_t tag = 0;
  };
  class RunWriter;
  class RunReader;

  Status allocate();
  Status spill();
  Status start_file();
  void sort_entries() const;
  std::string_view text(const Entry& entry) const;
  std::string file_path(unsigned level) const;
  BlockLayout layout() const;
  using Use = std::function<Status(std::string_view string, std::uint64_t count)>;
  Status merge(const BlockFile& file, std::span<const Run> runs, const Use& use) const;
  Result<std::unique_ptr<BlockFile>> merge_some(const BlockFile& file, unsigned level,
                                                std::vector<Run>& runs) const;

  const RunContext* context_;
  std::string path_;
  std::uint64_t memory_bytes_;
  std::uint64_t fingerprint_;
  Region region_;
  std::span<Entry> room_;           ///< the first `entries_` are used
  std::span<std::uint32_t> slots_;  ///< number of an entry plus 1; 0: free
  std::span<char> arena_;
  std::size_t entries_ = 0;
  std::size_t arena_used_ = 0;
  std::unique_ptr<BlockFile> file_;
  std::vector<Run> runs_;
  std::size_t fan_in_ = 0;  ///< runs that are merged at once
  bool sealed_ = false;
};

}  // namespace twinset
