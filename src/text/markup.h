// The markup of a document's text, which decides which part of it is read.
//
// Threads: values.
#pragma once

#include <cstdint>

namespace twinset {

enum class Markup : std::uint8_t {
  none,         ///< all of it
  html,         ///< the part that a reader of the page sees (text/html.h)
  xhtml,        ///< the same, by the rules of XML, of a page that keeps them (text/xhtml.h)
  loose_xhtml,  ///< of XHTML that does not: as HTML, but `<x/>` is empty and CDATA is text
  by_text       ///< html if the text begins like it, else none; of inputs, not of a decoded record
};

constexpr bool is_page(Markup markup) { return markup != Markup::none; }

}  // namespace twinset
