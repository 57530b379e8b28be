// Declared fields as values of Python, and as a description from which stubs are made.
//
// Threads: those that have the interpreter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "door.h"
#include "twinset/field.h"

namespace twinset::python {

/// A dict as the JSON of these fields is: sentences name options as Python does, and a field that
/// is left out is None.
nb::dict values_of(const std::vector<Field>& fields);

/// What is known of the elements of nested lists.
enum class Elements : std::uint8_t {
  any,  ///< their fields may depend on other members, which an element made for its type has not
  alike
};

/// A tuple (name, type, help, fields of nested values or None) for each. Optional values, and
/// elements that are alike, are made for it: `fields` must be of a value that nobody needs.
nb::list described(const std::vector<Field>& fields, Elements elements = Elements::any);

/// False: a value of the field that is empty, 0 or false is left out, and so None.
bool may_be_zero(const Field& field);

/// A JSON string without its quotes and escapes, in UTF-8; other JSON as it is.
std::string unquoted(std::string_view json);

}  // namespace twinset::python
