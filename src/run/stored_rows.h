// Saves rows of the spill folder in a checkpoint, and restores them from it.
//
// Threads: one thread at a time, while nothing is appended.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rows/rows.h"
#include "run/shard.h"
#include "run/workspace.h"
#include "twinset/result.h"

namespace twinset {

/// Notes parts of the rows `name` and the files that hold them.
void note_parts(const std::vector<PartLength>& parts, const std::string& name, StateFile& file);
std::vector<PartLength> noted_parts(const StateFile& file, const std::string& name);

/// Makes the rows durable and notes their files.
template <class Rows>
Status checkpoint_rows(Rows& rows, const std::string& name, StateFile& file) {
  std::vector<PartLength> parts;
  TWINSET_TRY(rows.checkpoint(parts));
  note_parts(parts, name, file);
  return {};
}

/// Gives an empty store the rows of a checkpoint, if that has some.
template <class Rows>
Status restore_rows(const StateFile* checkpoint, const std::string& name, Rows& rows) {
  if (checkpoint == nullptr || !checkpoint->has(name + ".parts")) return {};
  return rows.restore(noted_parts(*checkpoint, name));
}

/// Makes a store: empty, or with the rows of a checkpoint if that has some.
template <class Rows>
Status open_rows(const RowsOptions& options, const StateFile* checkpoint, const std::string& name,
                 std::unique_ptr<Rows>& out) {
  out = std::make_unique<Rows>(options);
  return restore_rows(checkpoint, name, *out);
}

/// Adds the rows that a shard has under this name, in one file.
template <class Row>
Status take_over_rows(const ShardFolder& shard, const std::string& name,
                      PartitionedRows<Row>& rows) {
  const std::vector<PartLength> parts = shard.parts(name);
  for (const PartLength& part : parts) TWINSET_TRY(rows.take_over(part));
  return {};
}

}  // namespace twinset
