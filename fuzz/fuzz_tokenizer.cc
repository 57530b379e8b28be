// Fuzzes the analyzer `words` and the shingler: on any bytes, every SIMD level
// makes what the reference makes, offsets lie in order within the text and cover
// their tokens, and shingles are equal everywhere.
//
// The first byte chooses the shingle width and how far a text is repeated, so
// that the seams between the kernel's chunks are reached from a few bytes.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "base/cpu.h"
#include "text/analyzer.h"
#include "text/shingler.h"
#include "text/words_kernel.h"
#include "text/words_reference.h"

namespace {

using namespace twinset;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_offsets(std::string_view text, const Analysis& analysis) {
  require(analysis.offsets.size() == analysis.tokens.size());
  std::uint32_t end = 0;
  for (std::size_t i = 0; i < analysis.offsets.size(); ++i) {
    const TokenOffsets offsets = analysis.offsets[i];
    require(offsets.begin >= end && offsets.end > offsets.begin && offsets.end <= text.size());
    end = offsets.end;
    require(folded_token_hash(text.substr(offsets.begin, end - offsets.begin)) ==
            analysis.tokens[i]);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned width = 1 + data[0] % max_shingle_tokens;
  const std::size_t repeats = data[0] % 3 == 0 ? 1 + 2 * words_chunk_bytes / size : 1;
  const std::size_t bytes = (size - 1) * repeats;
  // Just as long as the text, for the sanitizer to see.
  const std::unique_ptr<char[]> copy(new char[bytes]);
  for (std::size_t i = 0; i < bytes; ++i) copy[i] = static_cast<char>(data[1 + i % (size - 1)]);
  const std::string_view text(copy.get(), bytes);

  Analysis expected;
  words_reference(text, Offsets::keep, expected);
  check_offsets(text, expected);
  std::vector<std::uint64_t> expected_shingles;
  std::vector<std::uint64_t> shingles;
  Analysis analysis;
  for (const SimdLevel level : supported_simd_levels()) {
    require(limit_simd(level).ok());
    words_simd(text, Offsets::keep, analysis);
    require(analysis.tokens == expected.tokens && analysis.offsets == expected.offsets &&
            analysis.replaced == expected.replaced);
    words_simd(text, Offsets::drop, analysis);
    require(analysis.tokens == expected.tokens && analysis.offsets.empty());
    shingle(analysis.tokens, width, shingles);
    if (level == SimdLevel::portable) expected_shingles = shingles;
    require(shingles == expected_shingles);
  }
  return 0;
}
