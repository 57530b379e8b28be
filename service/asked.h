// What a request asks with: members of an object in its body, or parameters behind its path. They
// are declared as options and as fields are, and read by these declarations.
//
//   struct Greeting { std::string to; std::uint64_t times = 1; };
//   Members members_of(Greeting& asked) {
//     return {.options = {required({"to NAME", &asked.to, ...}), {"--times N", &asked.times,
//     ...}}};
//   }
//   Greeting asked;
//   TWINSET_TRY(read_members(tree.root(), members_of(asked)));   // {"to": "all", "times": 2}
//
// Reading is strict: an unknown member, one of another type, and a required one that is not there
// are errors that name it.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "json_tree.h"
#include "twinset/field.h"
#include "twinset/option.h"
#include "twinset/result.h"

namespace twinset::service {

/// Options take the values that they take everywhere: a share may be 0.8 or "80%", null makes an
/// optional one unset. Fields take JSON of other forms: lists of objects, any value.
struct Members {
  std::vector<Option> options{};
  std::vector<Field> fields{};  ///< one that is not if_given must be there
};

/// Errors (usage).
Status read_members(const JsonValue& object, const Members& members);

/// Names and values, decoded.
using Parameters = std::vector<std::pair<std::string, std::string>>;
/// Of "a=1&b=%20". Errors (usage): an escape that is none, bytes that are not UTF-8.
Result<Parameters> parse_parameters(std::string_view query);
/// "%20" is a space. Errors (usage), as above.
Result<std::string> decoded(std::string_view text, bool plus_is_space);
/// Of options alone. A switch is on with "", "true" or "1". Errors (usage).
Status read_parameters(const Parameters& parameters, const Members& members);

}  // namespace twinset::service
