// A page's tags, in the order of its bytes: what pages of one template have in common whatever
// their text is. The analyzer `tags` makes tokens of the start tags; pages are cut into chunks at
// tags.
//
//   std::vector<HtmlTag> tags;
//   extract_html_tags("<p>Fish<BR/>and <b>chips</b>", text, tags);
//   // p, BR, b and the end of b
//
// Tags are those that a browser would see: none in comments, scripts, styles, the content of
// templates, or what a shadow tree hides.
//
// Threads: a pure function.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/html.h"
#include "text/offsets.h"

namespace twinset {

struct HtmlTag {
  TokenOffsets name;
  std::uint32_t end = 0;  ///< after its ">"
  bool is_end = false;    ///< an end tag
};

/// Replaces both: `text` is as extract_html() makes it, without segments. `page` as for
/// extract_html().
void extract_html_tags(std::string_view page, HtmlText& text, std::vector<HtmlTag>& tags,
                       Markup markup = Markup::html);

}  // namespace twinset
