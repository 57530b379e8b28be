// Parts of a page beside its text: the title, links, headings and emphasized text.
//
//   HtmlFields fields;
//   extract_html_fields("<h1>A</h1><a href='/b?c&amp;d'>see</a>", text, fields);
//   // text.view() == "A\nsee"; fields.links[0].href == "/b?c&d", its text {2, 5}
//
// There is no tree: an element goes from its start tag to the next end tag of its name that no
// inner element of that name has taken, or to the end of the page; a link also ends where another
// begins. Ranges are ranges of the text. The content of templates is
// ignored, and so are pages in frames (srcdoc), whose text is read.
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
  std::string href;   ///< with character references decoded, otherwise unchanged
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
  std::vector<HtmlLink> links;  ///< in order of their start tags; those with a href
  std::vector<HtmlSpan> spans;  ///< in order of their start tags
  bool operator==(const HtmlFields&) const = default;
};

/// Replaces both: `text` is as extract_html() makes it, with its segments. Takes some
/// tenths longer; extract_html() itself collects no fields.
void extract_html_fields(std::string_view page, HtmlText& text, HtmlFields& fields,
                         Markup markup = Markup::html);

}  // namespace twinset
