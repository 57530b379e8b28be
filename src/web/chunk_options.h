// How pages are cut, as people say it: options for discovery, detection and a browser, which become
// the rules of a Chunker.
//
//   ChunkSettings settings;
//   for (const Option& option : chunk_options(settings)) {
//     if (option.name() == "min_chars") TWINSET_TRY(option.set("26"));
//   }
//   TWINSET_ASSIGN(const ChunkRules rules, chunk_rules(settings));
//
// Threads: pure functions.
#pragma once

#include <vector>

#include "twinset/option.h"
#include "twinset/result.h"
#include "twinset/reuse.h"
#include "web/chunks.h"

namespace twinset {

/// --chunks, --at, --content, --chunk-attributes, --white-space, --hash, --hash-seed, --min-chars.
std::vector<Option> chunk_options(ChunkSettings& settings);

/// Errors: usage, naming the option.
Result<ChunkRules> chunk_rules(const ChunkSettings& settings);

}  // namespace twinset
