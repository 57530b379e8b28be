// Any declared fields (twinset/field.h) as JSON, for programs that answer with a result of their
// own beside those of this library.
//
//   struct Greeting {
//     std::string to = "all";
//   } greeting;
//   to_json({{"to", &greeting.to, Unit::text}})        // {"to": "all"}
//
// Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "twinset/field.h"

namespace twinset {

/// An object on one line, without a line end: what a result's own to_json() and the lines of its
/// files are made by. Bytes that are not UTF-8 become U+FFFD. O(bytes).
std::string to_json(const std::vector<Field>& fields);

}  // namespace twinset
