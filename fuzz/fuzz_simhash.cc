// Any bytes as a text or a page, under each variant of simhash that reads more of it than its
// tokens: the signature is the same again and with plain C++, and its parts stay inside the text.
// And any bytes as weights by position.
#include <array>
#include <string>

#include "base/cpu.h"
#include "fuzz/input.h"
#include "scheme/position_weights.h"
#include "scheme/record_view.h"
#include "scheme/scheme.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  using fuzzing::require;
  static constexpr std::array<std::string_view, 6> specs{
      "simhash",
      "simhash(blank=numbers, position=log, bits=128)",
      "simhash(blank=tables, tags=\"b,i,h1\", weights=unit, shingle=3)",
      "simhash(blank=numbers, tags=a, position=cosine, clip=2, least=.1)",
      "simhash(fields=\"title,h1,a\", counts=h2, extremes=h3)",
      "simhash(fields=\"title,h1\", flip=9, reserve=title, most=.9, top=7)"};
  fuzzing::FuzzInput input(data, size);
  const std::string_view spec = specs[input.below(specs.size())];
  const bool page = input.below(2) != 0;
  const SimdLevel highest = supported_simd_levels().back();
  Record record;
  record.text = input.rest();
  record.markup = page ? Markup::html : Markup::none;
  const ViewRule rule{.analyzer = find_analyzer("words")};
  std::array<Sketch, 3> sketches;
  for (std::size_t i = 0; i < sketches.size(); ++i) {
    require(limit_simd(i == 2 ? SimdLevel::portable : highest).ok());
    const auto scheme = make_scheme(spec, 0.8);
    require(scheme.ok());
    RecordView view(rule);
    view.look_at(record);
    scheme.value()->sketch(view, sketches[i]);
    require(sketches[i].empty == sketches[0].empty && sketches[i].stored == sketches[0].stored);
    require(sketches[i].empty || !view.analysis().tokens.empty());
  }
  require(limit_simd(highest).ok());
  const Result<PositionWeights> positions = PositionWeights::parse(input.rest(), "positions");
  if (!positions.ok()) return 0;
  std::vector<std::uint64_t> weights;
  positions.value().append(size + 2, weights);
  for (const std::uint64_t weight : weights) require(weight <= max_position_weight);
  return 0;
}
