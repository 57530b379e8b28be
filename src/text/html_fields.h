// Parts of a page apart from its text: the title, links, and what is marked as a
// heading or as weighty.
//
//   HtmlFields fields;
//   extract_html_fields("<h1>A</h1><a href='/b?c&amp;d'>see</a>", text, fields);
//   // text.view() == "A\nsee"; fields.links[0].href == "/b?c&d", its text {2, 5}
//
// There is no tree: an element goes from its start tag to the next end tag of its
// name that no other of its name within has taken, or to the end of the page; a link
// ends where another begins, too. Ranges are of the text. What a template holds is
// not noted.
//
// Threads: a pure function; an HtmlFields belongs to one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/html.h"
#include "text/html_elements.h"
#include "text/offsets.h"

namespace twinset {

struct HtmlLink {
  std::string href;   ///< with its character references read; as it stands otherwise
  TokenOffsets text;  ///< of the anchor; may be empty
  bool operator==(const HtmlLink&) const = default;
};

struct HtmlSpan {
  html::Tag tag = html::Tag::none;
  TokenOffsets text;  ///< may be empty
  bool operator==(const HtmlSpan&) const = default;
};

struct HtmlFields {
  TokenOffsets title;           ///< of the first title; empty if there is none
  std::vector<HtmlLink> links;  ///< by their start tags; those with a href
  std::vector<HtmlSpan> spans;  ///< by their start tags
  bool operator==(const HtmlFields&) const = default;
};

/// Replaces both: `text` as extract_html() makes it, its segments kept. Costs some
/// tenths more; extract_html() itself notes nothing.
void extract_html_fields(std::string_view page, HtmlText& text, HtmlFields& fields);

}  // namespace twinset
