#include "sketch/signature_line.h"

#include <optional>

#include "io/json.h"
#include "io/json_read.h"
#include "scheme/scheme.h"
#include "sketch/signature_text.h"

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

bool read_signature_line(std::string_view text, SignatureLine& line) {
  line = {};
  const Result<JsonNode> read = read_json(text, {});
  if (!read.ok()) return false;
  const JsonNode& node = read.value();
  line.scheme = node["scheme"].text();
  line.fingerprint = node["fingerprint"].text();
  const std::optional<std::uint64_t> record = node["record"].integer();
  const JsonNode signature = node["signature"];
  if (line.scheme.empty() || line.fingerprint.empty() || !node["id"] || !record || !signature) {
    return false;
  }
  JsonObject name(line.name);
  name.raw("id", node["id"].raw()).string("file", node["file"].text()).number("record", *record);
  line.name.erase(0, 1);
  if (signature.kind() == JsonKind::null) return true;
  const SchemeDeclaration* const scheme = declared_scheme(line.scheme);
  if (scheme == nullptr) return false;
  if (scheme->tells == Tells::distance) {
    return read_hex_words(signature.text(), line.words) && line.words.size() <= most_words;
  }
  return scheme->tells != Tells::coordinate || read_list(signature, line.words);
}

}  // namespace twinset
