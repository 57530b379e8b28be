// Fuzzes the analyzers of text and the shingler: on any bytes each SIMD level gives the result of
// the reference, ranges ascend within the text and cover their tokens, and a shingle depends on its
// window alone. `words_nfkc`, `words_dehyphenated`, `code` and `skeleton` accept any bytes, and
// their ranges never descend.
//
// The first byte chooses the shingle width; some values repeat the text, so that a few bytes reach
// the seams between the kernel's chunks. The second byte chooses the level, so that most mutations
// keep it: changing it is slow.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpu.h"
#include "text/analyzer.h"
#include "text/canonical.h"
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
  TokenOffsets before;
  for (std::size_t i = 0; i < analysis.offsets.size(); ++i) {
    const TokenOffsets offsets = analysis.offsets[i];
    require(i == 0 || (offsets.begin > before.begin && offsets.end > before.end));
    require(offsets.end > offsets.begin && offsets.end <= text.size());
    before = offsets;
    const std::string_view token = text.substr(offsets.begin, offsets.end - offsets.begin);
    require(canonical_hash(token, LetterCase::fold) == analysis.tokens[i]);
  }
}

/// Checks an analyzer that has no second implementation.
void check_any(const char* name, std::string_view text) {
  Analysis analysis;
  find_analyzer(name)->analyze(text, Offsets::keep, analysis);
  require(analysis.offsets.size() == analysis.tokens.size());
  TokenOffsets before;
  std::string token;
  for (const TokenOffsets offsets : analysis.offsets) {
    require(offsets.begin >= before.begin && offsets.end >= before.end);
    require(offsets.end > offsets.begin && offsets.end <= text.size());
    before = offsets;
    token.clear();
    find_analyzer(name)->append_token(text, offsets, token);
    require(!token.empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const unsigned width = 1 + data[0] % max_shingle_tokens;
  static const std::vector<SimdLevel> levels = supported_simd_levels();
  const SimdLevel level = levels[data[1] % levels.size()];
  const std::size_t once = size - 2;
  const std::size_t bytes = data[0] % 32 == 0 ? once * (1 + words_chunk_bytes / once) : once;
  // Exactly as long as the text, so that the sanitizer sees reads beyond it.
  const std::unique_ptr<char[]> copy(new char[bytes]);
  for (std::size_t i = 0; i < bytes; ++i) copy[i] = static_cast<char>(data[2 + i % once]);
  const std::string_view text(copy.get(), bytes);
  if (simd_level() != level) require(limit_simd(level).ok());

  Analysis expected;
  words_reference(text, Offsets::keep, expected);
  check_offsets(text, expected);
  Analysis analysis;
  words_simd(text, Offsets::keep, analysis);
  require(analysis.tokens == expected.tokens && analysis.offsets == expected.offsets &&
          analysis.replaced == expected.replaced);
  words_simd(text, Offsets::drop, analysis);
  require(analysis.tokens == expected.tokens && analysis.offsets.empty());

  check_any("words_nfkc", text);
  check_any("words_dehyphenated", text);
  check_any("code", text);
  for (const char* name : {"skeleton", "skeleton(digits=letters)", "skeleton(spaced=join)"}) {
    check_any(name, text);
  }

  std::vector<std::uint64_t> shingles;
  shingle(analysis.tokens, width, shingles);
  if (analysis.tokens.size() >= width) {
    require(shingles.size() == analysis.tokens.size() - width + 1);
    // A shingle depends on the tokens of its window alone, at any position.
    std::vector<std::uint64_t> alone;
    for (std::size_t i = 0; i < shingles.size(); i += 1 + i / 8) {
      shingle(std::span(analysis.tokens).subspan(i, width), width, alone);
      require(alone.size() == 1 && alone[0] == shingles[i]);
    }
  } else {
    require(shingles.size() == (analysis.tokens.empty() ? 0 : 1));
  }
  return 0;
}
