// The options that discovery and detection share: how pages are cut into chunks, and where a page
// stands.
//
// Threads: pure functions.
#pragma once

#include <vector>

#include "twinset/option.h"
#include "twinset/reuse.h"

namespace twinset {

/// --chunks, --at, --content, --chunk-attributes, --hash, --hash-seed, --min-chars.
std::vector<Option> chunk_options(ChunkSettings& settings);
/// --url, --repeats.
std::vector<Option> page_options(PageSettings& settings);

}  // namespace twinset
