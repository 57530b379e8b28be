// The options that discovery and detection share, beside those of chunks (web/chunk_options.h):
// where a page stands.
//
// Threads: pure functions.
#pragma once

#include <vector>

#include "twinset/option.h"
#include "twinset/reuse.h"

namespace twinset {

/// --url, --repeats.
std::vector<Option> page_options(PageSettings& settings);

}  // namespace twinset
