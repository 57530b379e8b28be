// XHTML: pages by the rules of XML. A browser goes by the media type; a file has none, so its name
// or its own words decide (docs/html.md).
//
//   says_xhtml("<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>...")  // true
//   is_well_formed("<p>one<br/></p>")  // true
//   is_well_formed("<p>one<br></p>")   // false
//
// Threads: pure functions.
#pragma once

#include <string_view>

#include "text/markup.h"

namespace twinset {

/// Does it begin with an XML declaration and name XHTML, by its namespace or its document type?
bool says_xhtml(std::string_view page);

/// Are its tags, attributes and references those of XML? Names of entities and what a document type
/// says are not looked up. O(bytes); nothing recurses.
bool is_well_formed(std::string_view page);

/// The rules for a page that must be XHTML: those of XML, or looser ones if it is not well formed.
inline Markup xhtml_rules(std::string_view page) {
  return is_well_formed(page) ? Markup::xhtml : Markup::loose_xhtml;
}

}  // namespace twinset
