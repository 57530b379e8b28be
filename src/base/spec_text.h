// A thing with parameters, as text: "mod(shingle=10, modulus=25)", "words(min_chars=4)".
//
//   spec      = name [ "(" [ parameter { "," parameter } ] ")" ]
//   parameter = name "=" value
//   value     = '"' { any byte, with \" and \\ for these two } '"'
//             | { any byte but space, comma, parentheses and '"' }
//
// Spaces are free. What the names and values may be is said by declarations: of schemes
// (scheme/spec.h) and of analyzers (text/analyzer.h).
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/result.h"

namespace twinset {

/// A spec, parsed but not yet checked against a declaration.
struct ParsedSpec {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::string>> parameters;  ///< as written, unquoted
};

/// Longest spec read; a longer one is an error.
inline constexpr std::size_t max_spec_bytes = 4096;

/// What a spec is of, for its errors.
struct SpecNoun {
  std::string_view word = "scheme";
  std::string_view with_article = "a scheme";
  std::string_view example = "fss";
};

/// Splits a spec; views point into `spec`. Error (usage) names the place.
Result<ParsedSpec> parse_spec(std::string_view spec, const SpecNoun& noun = {});

/// May it be part of a value without quotes?
bool is_plain_in_spec(char c);

/// The name in `known` that begins with `name`, else the one with the fewest
/// edits from it; empty if `known` is.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

}  // namespace twinset
