// The first pass of a run made in parts: each shard reads its share of the inputs, and leaves the
// rows of its collectors in a folder; a merge takes these over in place of reading, and goes on as
// a run that read everything.
//
//   <output>/shard.state     the checkpoint at the end of the pass, with the identity of the run
//   <output>/rows/           the files that it relies on
//   <output>/quarantine.jsonl, summary.json
//
// Inputs are never cut: a shard has those whose middle lies in its part of all bytes as stored.
//
// Threads: pure functions and values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collection/collection.h"
#include "rows/options.h"
#include "run/workspace.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// The number of a shard, from 1, and of how many it is one.
struct Shard {
  std::uint64_t number = 1;
  std::uint64_t count = 1;

  std::string text() const { return std::to_string(number) + "/" + std::to_string(count); }
};

/// "3/8"; nullopt if `text` is empty. Error (usage): it is neither.
Result<std::optional<Shard>> read_shard(const std::string& text);

/// The sources [first, end) of a collection.
struct SourceRange {
  std::uint64_t first = 0;
  std::uint64_t end = UINT64_MAX;

  bool has(std::uint64_t source) const { return first <= source && source < end; }
};
/// The ranges of all shards follow each other and cover all sources. One may be empty.
SourceRange sources_of(const Shard& shard, std::span<const Source> sources);

/// What the run of a shard has left.
class ShardFolder {
 public:
  /// Errors: usage (no finished shard), io (damaged).
  static Result<ShardFolder> open(FileSystem& files, const std::string& folder);
  /// Notes in `state`, a checkpoint whose files are in `<out>/rows/`, whose it is, and writes it to
  /// the folder `out`.
  static Status write(FileSystem& files, const std::string& out, const Shard& shard,
                      const std::string& run_identity, StateFile state);

  const std::string& folder() const { return folder_; }
  const Shard& shard() const { return shard_; }
  /// Of the run that all its shards make.
  std::string run_identity() const { return state_.text("run.identity"); }
  const StateFile& state() const { return state_; }
  /// The rows `name` of its checkpoint, where the folder has them now.
  std::vector<PartLength> parts(const std::string& name) const;
  /// An error of taking its rows over, with the remedy if its own files are why.
  Error explained(Error error) const;
  /// The file of the rows, of the prefix that the run gave them.
  std::string path(const std::string& file) const { return folder_ + "/rows/" + file; }

 private:
  std::string folder_;
  Shard shard_;
  StateFile state_;
};

/// Puts the shards of the run `identity` in order. Errors (usage), by name: one of another command
/// or of inputs that have changed since, one twice, one that is missing.
Status order_shards(const std::string& identity, std::vector<ShardFolder>& shards);

}  // namespace twinset
