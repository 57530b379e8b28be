// The elements that are open at a place of a page, by the rules of HTML for end tags that are left
// out or that fit nothing (13.2.6.4.7, "in body"). Only pages that declare shadow trees need them.
//
//   OpenElements open;
//   open.start("x-a", ...);
//   open.start("p", ...);
//   open.start("div", ...);        // change.kept == 2, the body and x-a: a div ends a paragraph
//   open.end("x-a");               // change.kept == 3: it does not end a div
//
// Left out are the rules that move content elsewhere: text in tables, and misnested <b> and <i>.
// An end tag looks back for its start tag over so many elements as a browser nests, and no further,
// so that time is linear in the page.
//
// Threads: an OpenElements belongs to one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twinset::html {

/// Where a start tag stands.
enum class Around : std::uint8_t {
  html,
  foreign,      ///< in svg or math
  left_foreign  ///< in svg or math, which it ends: it is no part of them
};

/// A tag of this name ends an open paragraph, whose own end tag may be left out: the start tag of a
/// block, or the end tag of what the paragraph stands in. The case of the name is ignored.
bool ends_paragraph(std::string_view name, bool is_end_tag);

class OpenElements {
 public:
  /// The effects of a tag or text, in this order.
  struct Change {
    bool begins_body = false;  ///< which had not begun: it is the first open element
    std::size_t kept = 0;      ///< so many elements stay open
    bool makes_child = false;  ///< of the innermost one
    bool opens = false;        ///< the child stays open
  };

  /// Text, or a start tag; `closed` if it can have no elements in it: `<x/>` or raw text.
  Change text();
  Change start(std::string_view name, bool closed, Around around);
  Change end(std::string_view name);

  /// The innermost open element may have a shadow tree (DOM 4.9, "attach a shadow root").
  bool may_host() const;
  /// A template that is declared as a shadow tree.
  void open_template();
  bool has_body() const { return !open_.empty(); }

 private:
  struct Open {
    std::uint64_t key;
    std::uint32_t nesting;
  };

  std::uint64_t key_of(std::string_view name);
  std::size_t floor() const;
  template <class Matches>
  std::size_t find(Matches matches, std::uint32_t stops) const;
  void keep(std::size_t count);
  void close_before(std::uint64_t key, std::uint32_t nesting);
  void begin_body(Change& change);

  std::vector<Open> open_;
  std::vector<std::size_t> templates_;  ///< their places in it
  std::size_t paragraphs_ = 0;          ///< that are open
  std::string folded_;                  ///< the last name, in small letters
};

}  // namespace twinset::html
