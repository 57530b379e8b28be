// A line of twinset sketch, and one of twinset join (docs/formats/signatures.md).
//
//   FieldLine<SignatureLine> line;
//   TWINSET_TRY(line.read(text, "a.jsonl:7"));
//   if (!read_words(*line, words)) ...   // it has no signature of its scheme
//
// Threads: pure functions and values.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "twinset/field.h"
#include "twinset/run.h"
#include "twinset/scheme.h"

namespace twinset {

struct SignatureLine {
  NamedDocument document;  ///< without its fingerprint
  std::string_view scheme;
  std::string_view fingerprint;
  std::string_view signature;             ///< a JSON value
  std::optional<std::uint64_t> features;  ///< that vote, if the heaviest are listed
  std::vector<WeightedFeature> heaviest;
};
std::vector<Field> fields_of(SignatureLine& line);

/// The words of a signature. None: there is no signature, or those of the scheme are neither near
/// nor equal to others. Of a list of signatures a word each; 0 is none. False if the signature is
/// not of its scheme, or nobody knows that.
bool read_words(const SignatureLine& line, std::vector<std::uint64_t>& words);

/// A pair.
struct JoinLine {
  NamedDocument later;  ///< without their fingerprints
  NamedDocument earlier;
  std::optional<std::uint64_t> distance;
  std::optional<std::uint64_t> coordinate;
};
std::vector<Field> fields_of(JoinLine& line);

}  // namespace twinset
