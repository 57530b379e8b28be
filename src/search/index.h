// What the verbs of an index have in common: opening it, and telling what it holds.
//
// Threads: pure functions but for files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/snapshot.h"
#include "system/context.h"
#include "twinset/index.h"
#include "twinset/result.h"

namespace twinset {

/// Error (usage) if no index is named.
Result<IndexSnapshot> open_index(FileSystem& files, const std::string& index);

IndexStats stats_of(const std::string& index, const IndexSnapshot& snapshot);

/// The document that a person names by its id, a string without its quotes, or by its URL, of whose
/// documents the last one added counts; nullopt if there is none.
Result<std::optional<IndexPlace>> find_named(const IndexSnapshot& snapshot, std::string_view name,
                                             bool by_url);

}  // namespace twinset
