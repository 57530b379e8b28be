// The options that discovery and detection share, beside those of chunks (web/chunk_options.h):
// where a page stands.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "twinset/option.h"
#include "twinset/reuse.h"

namespace twinset {

/// --url.
Option url_option(std::string& url);
/// --url, --repeats.
std::vector<Option> page_options(PageSettings& settings);
/// --stop, of verbs that look for labels.
Option stop_option(std::string& stop);

}  // namespace twinset
