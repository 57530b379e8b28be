// A scheme's spec as text: "mod(shingle=10, modulus=25)".
//
//   spec      = name [ "(" [ parameter { "," parameter } ] ")" ]
//   parameter = name "=" value
//   value     = '"' { any byte, with \" and \\ for these two } '"'
//             | { any byte but space, comma, parentheses and '"' }
//
// A value is read by its parameter's declaration: an unsigned integer, a share (.33, 1/3), one of
// some words, a text, or a file. A file is NAME or NAME@HASH, with the 32 hexadecimal digits of
// its content's fingerprint: another content is an error.
//
// Spaces are free; a parameter left out has its default. The canonical form
// names every parameter in declaration order, so that two specs that mean the
// same scheme are the same text.
//
// Threads: pure functions, except for reading files.
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
  std::vector<std::pair<std::string_view, std::string>> parameters;  ///< as written, unquoted
};

/// Longest spec read; a longer one is an error.
inline constexpr std::size_t max_spec_bytes = 4096;

/// Splits a spec; views point into `spec`. Error (usage) names the place.
Result<ParsedSpec> parse_spec(std::string_view spec);

/// Every parameter's value in declaration order: the given one, else the default; files are read
/// for their fingerprints. Errors (usage): an unknown or repeated parameter, with the nearest known
/// name; a value that its declaration forbids; a file whose content does not match its hash. Error
/// (io): a file that cannot be read.
Result<Parameters> resolve_parameters(const SchemeDeclaration& declaration, const ParsedSpec& spec,
                                      FileSystem& files);

/// How a rendered spec names a file.
enum class FilesAs : std::uint8_t {
  named,   ///< NAME@HASH
  content  ///< @HASH: the part that decides a sketch; also of a table in place of no file
};

/// The canonical spec.
std::string render_spec(const SchemeDeclaration& declaration, const Parameters& values,
                        FilesAs files = FilesAs::named);

/// The spec, with shingles of one token if the analyzer takes features, which have no order. A
/// spec that sets the width, or whose scheme has no shingles, is unchanged. make_scheme() reports
/// the mistakes in a spec.
std::string spec_for(const Analyzer& analyzer, const std::string& spec);

/// The spec with the parameter `seed`, unless that is 0.
std::string seeded_spec(const std::string& spec, std::uint64_t seed);

/// The name in `known` that begins with `name`, else the one with the fewest
/// edits from it; empty if `known` is.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

}  // namespace twinset
