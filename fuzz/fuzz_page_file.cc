// Any bytes as a page that a run kept: refused, or tokens that the blocks cover, which give the
// same bytes again.
#include <string>

#include "fuzz/input.h"
#include "run/page_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  using fuzzing::require;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  PageTokens page;
  if (!decode_page(bytes, page)) return 0;
  std::uint32_t token = 0;
  for (const PageBlock& block : page.blocks) {
    require(block.begin == token && block.end > block.begin);
    token = block.end;
  }
  require(token == page.tokens.size());
  Analysis analysis;
  analysis.tokens = page.tokens;
  analysis.replaced = page.replaced;
  std::string again;
  encode_page(page.site, page.rank, analysis, page.blocks, again);
  PageTokens second;
  require(again.size() == size && decode_page(again, second));
  require(second.tokens == page.tokens && second.blocks == page.blocks);
  return 0;
}
