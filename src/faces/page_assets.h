// The front end as it was built from page/ (page/built), embedded by CMake.
//
// Threads: constants.
#pragma once

#include <string_view>

namespace twinset {

/// One classic script, and a style sheet. Neither has a byte that would end its element, or that a
/// browser reads as another (a carriage return), so that each may stand in a page.
std::string_view page_script();
std::string_view page_style();

}  // namespace twinset
