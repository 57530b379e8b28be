// Any bytes as a JSON value to read, and as text to write: written JSON can be read and has the
// same value.
#include <string>
#include <string_view>

#include "fuzz/input.h"
#include "io/json.h"
#include "io/json_fields.h"
#include "io/json_read.h"
#include "io/json_string.h"
#include "io/json_texts.h"
#include "support/json_object.h"

namespace twinset {
namespace {

using fuzzing::require;

/// Reads every part of a node, a level at a time.
void look(JsonNode top) {
  std::vector<JsonNode> nodes{top};
  for (std::size_t i = 0; i < nodes.size() && i < 1000; ++i) {
    const JsonNode node = nodes[i];
    node.text();
    node.integer();
    node.real();
    for (const auto& [name, value] : node.fields()) {
      require(node[name].kind() != JsonKind::none);
      nodes.push_back(value);
    }
    for (const JsonNode& element : node.elements()) nodes.push_back(element);
  }
}

}  // namespace
}  // namespace twinset

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  fuzzing::FuzzInput input(data, size);
  const std::string path(input.take(input.below(12)));
  const std::string text(input.rest());

  const Result<JsonNode> node = read_json(text, "x");
  if (node.ok()) look(node.value());

  const std::string_view names[] = {path, "a"};
  const FieldPaths paths(names);
  FoundField found[2];
  std::string room(text.size() + json_string_slack, '\0');
  JsonFault fault;
  const bool valid = find_json_fields(text, paths, found, room.data(), fault);
  // A walk that enters objects accepts the same texts as one that does not.
  require(valid == (node.ok() && node.value().kind() == JsonKind::object));
  if (!valid) require(fault.at >= text.data() && fault.at <= text.data() + text.size());

  // Texts of several fields are never longer than the line, but for the line ends between them.
  if (valid && names_several_texts(path) && check_json_texts(path).ok()) {
    const JoinedTexts texts = JsonTexts(path).join(text);
    require((texts.bad == BadReason::none) == texts.detail.empty());
    require(texts.text.size() <= 16 * (text.size() + 1));
  }

  std::string line;
  twinset::testing::JsonObject(line).string(text, text).end();
  const Result<JsonNode> back = read_json(line, "x");
  require(back.ok() && back.value().fields().size() == 1);
  std::string once;
  append_json_string(once, text);
  std::string twice;
  append_json_string(twice, back.value().fields()[0].first);
  require(once == twice);
  return 0;
}
