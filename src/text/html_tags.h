// The names of a page's start tags, in the order of its bytes: what pages of one template have in
// common whatever their text is. The analyzer `tags` makes tokens of them.
//
//   std::vector<TokenOffsets> names;
//   extract_html_tags("<p>Fish<BR/>and <b>chips</b>", text, names);
//   // the bytes p, BR and b of the page
//
// Tags are those that a browser would see: none in comments, scripts, styles, the content of
// templates, or what a shadow tree hides.
//
// Threads: a pure function.
#pragma once

#include <string_view>
#include <vector>

#include "text/html.h"
#include "text/offsets.h"

namespace twinset {

/// Replaces both: `text` is as extract_html() makes it, without segments. `page` as for
/// extract_html().
void extract_html_tags(std::string_view page, HtmlText& text, std::vector<TokenOffsets>& names,
                       Markup markup = Markup::html);

}  // namespace twinset
