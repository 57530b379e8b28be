// Any bytes as a page: by any rules its chunks are in order, with those left out they cover the
// page, each is hashed as the normalized content of its own bytes, and every SIMD level gives the
// same.
//
// The first bytes choose the rules.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpu.h"
#include "fuzz/input.h"
#include "web/chunks.h"
#include "web/white_space.h"

namespace {

using twinset::Chunk;
using twinset::Chunker;
using twinset::ChunkRules;
using twinset::fuzzing::require;

void check(std::string_view page, ChunkRules rules) {
  Chunker chunker(rules);
  std::vector<Chunk> chunks;
  chunker.read(page, chunks);
  const std::size_t left_out = chunker.short_chunks();

  rules.least_characters = 0;
  Chunker whole(rules);
  std::vector<Chunk> all;
  whole.read(page, all);
  require(!all.empty() && whole.short_chunks() == 0 && all.size() == chunks.size() + left_out);
  std::uint32_t end = 0;
  std::size_t next = 0;
  for (const Chunk& chunk : all) {
    require(chunk.bytes.begin == end && (chunk.bytes.end > end || page.empty()));
    end = chunk.bytes.end;
    const std::string_view content =
        whole.content(page.substr(chunk.bytes.begin, end - chunk.bytes.begin));
    require(chunk.hash == twinset::hash_chunk(content, rules.hash, rules.seed));
    if (next < chunks.size() && chunks[next] == chunk) ++next;
  }
  require(end == page.size() && next == chunks.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  fuzzing::FuzzInput input(data, size);
  ChunkRules rules;
  rules.cuts = static_cast<ChunkCuts>(input.below(4));
  rules.elements = static_cast<std::uint8_t>(input.below(64));
  rules.content = static_cast<ChunkContent>(input.below(2));
  rules.attributes = static_cast<ChunkAttributes>(input.below(2));
  rules.white_space = static_cast<ChunkWhiteSpace>(input.below(2));
  rules.hash = static_cast<ChunkHash>(input.below(3));
  rules.least_characters = static_cast<std::uint32_t>(input.below(40));
  // Exactly as long as the page, so that the sanitizer sees reads beyond it.
  const std::string_view rest = input.rest();
  const std::unique_ptr<char[]> copy(new char[rest.size()]);
  rest.copy(copy.get(), rest.size());
  const std::string_view page(copy.get(), rest.size());
  check(page, rules);

  static const std::vector<SimdLevel> levels = supported_simd_levels();
  std::string expected;
  for (const SimdLevel level : {levels.front(), levels.back()}) {
    require(limit_simd(level).ok());
    std::string collapsed(page.size() + white_space_slack_bytes, '\0');
    collapsed.resize(collapse_white_space(page, collapsed.data()));
    require(level == levels.front() || collapsed == expected);
    expected = collapsed;
  }
  return 0;
}
