// JSON Schema (2020-12, that of OpenAPI 3.1) of what is declared: options, fields.
//
//   schema_of(members_of(asked))       // {"type": "object", "properties": {...}, ...}
//
// Threads: pure functions; those that take fields set their members.
#pragma once

#include <string>
#include <vector>

#include "asked.h"

namespace twinset::service {

std::string schema_of(const Option& option);
/// Of objects that have no other members.
std::string schema_of(const Members& members);
std::string schema_of(const std::vector<Field>& fields);
/// Of a result of several kinds: members that one of them lacks may be lacking. In a list, its
/// elements are the kinds.
std::string schema_of(const std::vector<std::vector<Field>>& kinds);

}  // namespace twinset::service
