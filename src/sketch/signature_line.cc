#include "sketch/signature_line.h"

#include "io/json_read.h"
#include "run/run_fields.h"
#include "scheme/scheme.h"
#include "sketch/signature_text.h"
#include "twinset/sketch.h"

namespace twinset {
namespace {

constexpr std::size_t most_words = 2;  // of a signature with a distance: 128 bits

/// A word for each element, 0 for null; false if an element is no word, or there is none.
bool read_list(const JsonNode& list, std::vector<std::uint64_t>& words) {
  std::vector<std::uint64_t> word;
  for (const JsonNode& element : list.elements()) {
    if (element.kind() == JsonKind::null) {
      words.push_back(0);
    } else if (read_hex_words(element.text(), word) && word.size() == 1 && word[0] != 0) {
      words.push_back(word[0]);
    } else {
      return false;
    }
  }
  return !words.empty();
}

}  // namespace

bool read_words(const SignatureLine& line, std::vector<std::uint64_t>& words) {
  words.clear();
  const Result<JsonNode> read = read_json(line.signature, {});
  if (!read.ok()) return false;
  const JsonNode& signature = read.value();
  if (signature.kind() == JsonKind::null) return true;
  const SchemeDeclaration* const scheme = declared_scheme(line.scheme);
  if (scheme == nullptr) return false;
  if (scheme->tells == Tells::distance) {
    return read_hex_words(signature.text(), words) && words.size() <= most_words;
  }
  return scheme->tells != Tells::coordinate || read_list(signature, words);
}

std::vector<Field> fields_of(SignatureLine& line) {
  std::vector<Field> fields = place_fields(line.document);
  add_fields(
      fields,
      {{"scheme", &line.scheme, Unit::code, "the full spec, which makes the same scheme again"},
       {"fingerprint", &line.fingerprint, Unit::code,
        "16 hexadecimal digits of everything that decides the signature: scheme, parameters, "
        "the contents of their files, analyzer, versions. Signatures of different "
        "fingerprints are never compared"},
       {"signature", AsWritten{&line.signature}, Unit::code,
        "see below; `null`: the document has none, and matches nothing"},
       if_set({"features", &line.features, Unit::count,
               "if features are listed: those that vote on the signature"}),
       if_set({"heaviest", NestedList(&line.heaviest), Unit::count,
               "likewise: the heaviest of them; of equal weights those of smaller hashes "
               "first"}),
       {"scheme and fingerprint are not empty",
        FieldRule{[&line] { return !line.scheme.empty() && !line.fingerprint.empty(); }}}});
  return fields;
}

std::vector<Field> fields_of(JoinLine& line) {
  std::vector<Field> fields = place_fields(line.later);
  add_fields(fields, {{"other", Nested([&line] { return place_fields(line.earlier); }), Unit::text,
                       "the document of the earlier line"},
                      if_set({"distance", &line.distance, Unit::count, "bits that differ"}),
                      if_set({"coordinate", &line.coordinate, Unit::count,
                              "the first place at which two lists are equal"})});
  return fields;
}

}  // namespace twinset
