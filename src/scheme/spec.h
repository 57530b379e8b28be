// A scheme's spec as text (base/spec_text.h): "mod(shingle=10, modulus=25)".
//
// A value is read by its parameter's declaration: an unsigned integer, a share (.33, 1/3), one of
// some words, a text, or a file. A file is NAME or NAME@HASH, with the 32 hexadecimal digits of
// its content's fingerprint: another content is an error.
//
// A parameter left out has its default. The canonical form
// names every parameter in declaration order, so that two specs that mean the
// same scheme are the same text. Only one that was added later is left out at its default.
//
// Threads: pure functions, except for reading files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/spec_text.h"
#include "scheme/scheme.h"
#include "twinset/result.h"

namespace twinset {

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

}  // namespace twinset
