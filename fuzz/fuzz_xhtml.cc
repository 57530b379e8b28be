// Any bytes as XHTML: the check of its form and both readers end, the text is no longer than a
// fifth more than the page, each byte of it is mapped into the page, and a page that is well formed
// loses no CDATA section at its end.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/input.h"
#include "text/html.h"
#include "text/html_blocks.h"
#include "text/html_fields.h"
#include "text/html_tags.h"
#include "text/xhtml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  using fuzzing::require;
  const std::string_view page(reinterpret_cast<const char*>(data), size);
  says_xhtml(page);
  const Markup rules = xhtml_rules(page);
  for (const Markup markup : {rules, Markup::xhtml, Markup::loose_xhtml}) {
    HtmlText text;
    extract_html(page, Offsets::drop, text, markup);
    const std::string seen(text.view());
    extract_html(page, Offsets::keep, text, markup);
    require(text.view() == seen);
    // Shadow trees show a page in another order.
    const bool in_order = std::ranges::is_sorted(text.segments, {}, &HtmlSegment::page_begin);
    std::vector<TokenOffsets> sources;
    for (std::uint32_t i = 0; i < text.size; ++i) sources.push_back({i, i + 1});
    map_to_page(text, sources);
    std::uint32_t begin = 0;
    for (const TokenOffsets source : sources) {
      require((!in_order || source.begin >= begin) && source.begin < source.end &&
              source.end <= size);
      begin = source.begin;
    }
    HtmlFields fields;
    extract_html_fields(page, text, fields, markup);
    require(text.view() == seen);
    std::vector<HtmlBlock> blocks;
    extract_html_blocks(page, text, blocks, markup);
    require(text.view() == seen);
    std::vector<HtmlTag> tags;
    extract_html_tags(page, text, tags, markup);
    for (const HtmlTag& tag : tags) {
      require(tag.name.begin <= tag.name.end && tag.name.end < tag.end && tag.end <= size);
    }
  }
  if (rules == Markup::xhtml) {
    HtmlText text;
    const std::string longer =
        "<html>" + std::string(page.substr(page.find('<'))) + "<![CDATA[the end]]></html>";
    if (is_well_formed(longer)) {
      extract_html(longer, Offsets::drop, text, Markup::xhtml);
      // A line ends behind the last element.
      const std::string_view seen = text.view();
      require(seen.substr(0, seen.find_last_not_of(" \n") + 1).ends_with("the end"));
    }
  }
  return 0;
}
