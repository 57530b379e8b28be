// A scheme's spec as text: "mod(shingle=10, modulus=25)".
//
//   spec      = name [ "(" [ parameter { "," parameter } ] ")" ]
//   parameter = name "=" unsigned decimal integer
//
// Spaces are free; a parameter left out has its default. The canonical form
// names every parameter in declaration order, so that two specs that mean the
// same scheme are the same text.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scheme/scheme.h"
#include "twinset/result.h"

namespace twinset {

/// A spec, parsed but not yet checked against a declaration.
struct ParsedSpec {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::uint64_t>> parameters;  ///< as written
};

/// Longest spec read; a longer one is an error.
inline constexpr std::size_t max_spec_bytes = 4096;

/// Takes a spec apart; views point into `spec`. Error (usage) names the place.
Result<ParsedSpec> parse_spec(std::string_view spec);

/// Every parameter's value in declaration order: what was given, else the
/// default. Error (usage) for an unknown or repeated parameter, with the nearest
/// known name, and for a value out of its range.
Result<std::vector<std::uint64_t>> resolve_parameters(const SchemeDeclaration& declaration,
                                                      const ParsedSpec& spec);

/// The canonical spec. `values` are in declaration order, one a parameter.
std::string render_spec(const SchemeDeclaration& declaration,
                        std::span<const std::uint64_t> values);

/// The name in `known` that begins with `name`, else the one with the fewest
/// edits from it; empty if `known` is.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

}  // namespace twinset
