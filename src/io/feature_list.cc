// Elements are checked by kind, and numbers by their characters; nothing is converted, so no id is
// too large.
//
// This file's interface is io/feature_list.h.
#include "io/feature_list.h"

#include "io/json_scan.h"

namespace twinset {
namespace {

bool is_integer(std::string_view number) {
  return number.find_first_of(".eE") == std::string_view::npos;
}

}  // namespace

std::string feature_fault(std::string_view array) {
  const char* const end = array.data() + array.size();
  const char* p = skip_json_space(array.data() + 1, end);
  JsonFault fault;
  for (std::size_t place = 1; p < end && *p != ']'; ++place) {
    // Depth 0 stops at an object or array; it is never a feature.
    const JsonKind opened = *p == '{'   ? JsonKind::object
                            : *p == '[' ? JsonKind::array
                                        : JsonKind::none;
    const JsonValue value =
        opened == JsonKind::none ? scan_json_value(p, end, 0, fault) : JsonValue{opened, {}};
    const bool whole = value.kind == JsonKind::number && is_integer(value.raw);
    if (!whole && value.kind != JsonKind::string) {
      return "element " + std::to_string(place) + " is " + std::string(json_kind_name(value.kind)) +
             (value.kind == JsonKind::number ? " with a fraction or an exponent" : "") +
             "; features are integers and strings";
    }
    p = skip_json_space(p + value.raw.size(), end);
    if (p < end && *p == ',') p = skip_json_space(p + 1, end);
  }
  return {};
}

std::string find_feature_list(std::string_view text, std::string_view& features) {
  const char* const end = text.data() + text.size();
  const char* const begin = skip_json_space(text.data(), end);
  JsonFault fault;
  const JsonValue value = scan_json_value(begin, end, max_json_depth, fault);
  if (value.kind == JsonKind::none) {
    return std::string(fault.what) + " at byte " + std::to_string(fault.at - text.data());
  }
  if (value.kind != JsonKind::array) {
    return "it is " + std::string(json_kind_name(value.kind)) + ", not an array of features";
  }
  if (skip_json_space(begin + value.raw.size(), end) != end) {
    return "something follows the array of features";
  }
  features = value.raw;
  return feature_fault(value.raw);
}

}  // namespace twinset
