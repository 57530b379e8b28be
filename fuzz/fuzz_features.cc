// Any bytes as a list of features: if the reader accepts them, the analyzer finds the elements that
// the JSON reader finds, each with the same text.
#include <string>

#include "fuzz/input.h"
#include "io/feature_list.h"
#include "io/json_read.h"
#include "text/analyzer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  using fuzzing::require;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Analyzer& features = *find_analyzer("features");
  Analysis analysis;
  features.analyze(text, Offsets::keep, analysis);
  require(analysis.offsets.size() == analysis.tokens.size());
  std::uint32_t last_end = 0;
  std::string token;
  for (const TokenOffsets offsets : analysis.offsets) {
    require(last_end <= offsets.begin && offsets.begin < offsets.end && offsets.end <= size);
    last_end = offsets.end;
    token.clear();
    features.append_token(text, offsets, token);
  }
  std::string_view list;
  if (!find_feature_list(text, list).empty()) return 0;
  const auto elements = read_json(text, "list").value().elements();
  require(elements.size() == analysis.tokens.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    token.clear();
    features.append_token(text, analysis.offsets[i], token);
    const bool is_string = elements[i].kind() == JsonKind::string;
    require(is_string ? token == elements[i].text()
                      : token == (elements[i].raw() == "-0" ? "0" : elements[i].raw()));
  }
  return 0;
}
