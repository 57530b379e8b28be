// Checks that a JSON array is a list of features: integers of any size, and strings. For anything
// else one would have to guess, so the record is quarantined.
//
//   feature_fault("[7, -3, \"C#m7\"]")   // ""
//   feature_fault("[7, 3.5]")            // "element 2 is a number with a fraction or ..."
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace twinset {

/// Describes the fault of the first element that is not a feature; empty if all are. `array` is a
/// JSON array that was checked (io/json_scan.h).
std::string feature_fault(std::string_view array);

/// The same for text that was not checked yet and may have white space around it;
/// `features` becomes the array, as written.
std::string find_feature_list(std::string_view text, std::string_view& features);

}  // namespace twinset
