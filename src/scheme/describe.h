// The schemes' declarations as a reader sees them: the text of `twinset schemes`
// and the page docs/schemes.md, both made from the same constants as the parser.
//
// Threads: pure functions.
#pragma once

#include <string>

namespace twinset {

/// Every scheme with its parameters, for a terminal of 100 columns.
std::string describe_schemes_text();

/// The whole page docs/schemes.md. A test compares the page with it.
std::string describe_schemes_markdown();

/// The same as JSON: an array of objects {name, version, shared_key, summary,
/// source, parameters: [{name, minimum, maximum, default, help}]}; a parameter that is not an
/// integer has kind and choices in place of minimum and maximum.
std::string describe_schemes_json();

}  // namespace twinset
