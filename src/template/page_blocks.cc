#include "template/page_blocks.h"

#include <algorithm>

namespace twinset {

void read_page_blocks(const Analyzer& analyzer, std::string_view page, Analysis& analysis,
                      std::vector<PageBlock>& blocks) {
  std::vector<HtmlBlock> places;
  extract_html_blocks(page, analysis.html, places);
  analyzer.analyze(analysis.html.view(), Offsets::keep, analysis);
  blocks.clear();
  std::size_t token = 0;
  for (const HtmlBlock& place : places) {
    const std::size_t begin = token;
    while (token < analysis.tokens.size() && analysis.offsets[token].begin < place.text.end) {
      ++token;
    }
    if (begin == token) continue;
    blocks.push_back(
        {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(token), place.is_links()});
  }
  // An analyzer may take white space for a token, behind the last block.
  if (token < analysis.tokens.size()) {
    blocks.push_back({static_cast<std::uint32_t>(token),
                      static_cast<std::uint32_t>(analysis.tokens.size()), false});
  }
  analysis.html.release_large();
}

std::string host_of(std::string_view url) {
  const std::size_t slashes = url.find("//");
  if (slashes == std::string_view::npos || url.find_first_of("/?#") < slashes) return {};
  std::string_view host = url.substr(slashes + 2);
  host = host.substr(0, host.find_first_of("/?#\\"));
  if (const std::size_t at = host.rfind('@'); at != std::string_view::npos) {
    host = host.substr(at + 1);
  }
  const std::size_t bracket = host.find(']');  // of an IPv6 address
  const std::size_t port = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
  host = host.substr(0, port);
  if (host.ends_with('.')) host.remove_suffix(1);
  std::string small(host);
  std::ranges::transform(small, small.begin(), [](char byte) {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte | 0x20) : byte;
  });
  return small;
}

}  // namespace twinset
