// The meaning of an element for the text of a page: whether it stands apart from the text around
// it, and how its content is read.
//
//   const html::Element& title = html::find_element("TITLE");
//   // title.apart, title.content == html::Content::title
//
// Both readers of pages (text/html.h, tests/support/html_reference.h) use this table.
//
// Threads: constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twinset::html {

/// How the bytes after a start tag are read, up to its end tag.
enum class Content : std::uint8_t {
  markup,      ///< tags, text, references: nearly all elements
  script,      ///< raw, hidden, with the escapes that "<!--" begins
  style,       ///< raw, hidden; of SVG too
  raw_hidden,  ///< raw, hidden: iframe, noembed, noframes, noscript
  raw_seen,    ///< raw: xmp
  title,       ///< text and references, no tags: title, textarea
  plaintext    ///< raw up to the end of the page
};

/// Elements that change in special ways how the rest is read.
enum class Role : std::uint8_t {
  none,
  hides,      ///< template: hidden markup
  foreign,    ///< svg and math: other rules inside
  breaks_out  ///< HTML elements not allowed in svg or math, which end them
};

/// Elements whose text a scheme may weigh (text/html_fields.h).
enum class Tag : std::uint8_t { none, a, b, code, em, h1, h2, h3, h4, h5, h6, i, strong, u };
inline constexpr std::size_t tag_count = 14;

struct Element {
  std::string_view name;
  bool apart = false;  ///< text before and after it is never one word
  Content content = Content::markup;
  Role role = Role::none;
  Tag tag = Tag::none;
};

/// Longer names are not in the table.
inline constexpr std::size_t longest_element_name = 10;

/// The element of that name, regardless of case; for any other name one without effect.
const Element& find_element(std::string_view name);

}  // namespace twinset::html
