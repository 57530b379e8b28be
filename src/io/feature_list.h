// Is this JSON array a list of features? Integers of any size and strings are;
// anything else would have to be guessed at, so the record is quarantined.
//
//   feature_fault("[7, -3, \"C#m7\"]")   // ""
//   feature_fault("[7, 3.5]")            // "element 2 is a number with a fraction or ..."
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace twinset {

/// The fault of the first element that is not a feature, in words; empty if all are
/// features. `array` is a JSON array that was checked (io/json_scan.h).
std::string feature_fault(std::string_view array);

/// The same for text that was not checked yet and may have white space around it;
/// `features` becomes the array, as written.
std::string find_feature_list(std::string_view text, std::string_view& features);

}  // namespace twinset
