// A table, and a hash of its names made at compile time. A name is folded and read as two numbers,
// the first eight bytes and the rest.
//
// This file's interface is text/html_elements.h; the rest is private.
#include "text/html_elements.h"

#include <array>
#include <cstddef>

namespace twinset::html {
namespace {

constexpr Element apart(std::string_view name, Role role = Role::none, Tag tag = Tag::none) {
  return {name, true, Content::markup, role, tag};
}
constexpr Element within(std::string_view name, Role role, Tag tag = Tag::none) {
  return {name, false, Content::markup, role, tag};
}

// Blocks, cells, list items, controls and pictures stand apart; the names that
// break out are those of HTML 13.2.6.5.
constexpr std::array elements{
    within("a", Role::none, Tag::a),
    apart("address"),
    apart("article"),
    apart("aside"),
    apart("audio"),
    within("b", Role::breaks_out, Tag::b),
    within("big", Role::breaks_out),
    apart("blockquote", Role::breaks_out),
    apart("body", Role::breaks_out),
    apart("br", Role::breaks_out),
    apart("button"),
    apart("canvas"),
    apart("caption"),
    apart("center", Role::breaks_out),
    within("code", Role::breaks_out, Tag::code),
    apart("col"),
    apart("colgroup"),
    apart("dd", Role::breaks_out),
    apart("details"),
    apart("dialog"),
    apart("dir"),
    apart("div", Role::breaks_out),
    apart("dl", Role::breaks_out),
    apart("dt", Role::breaks_out),
    within("em", Role::breaks_out, Tag::em),
    apart("embed", Role::breaks_out),
    apart("fieldset"),
    apart("figcaption"),
    apart("figure"),
    apart("footer"),
    apart("form"),
    apart("frame"),
    apart("frameset"),
    apart("h1", Role::breaks_out, Tag::h1),
    apart("h2", Role::breaks_out, Tag::h2),
    apart("h3", Role::breaks_out, Tag::h3),
    apart("h4", Role::breaks_out, Tag::h4),
    apart("h5", Role::breaks_out, Tag::h5),
    apart("h6", Role::breaks_out, Tag::h6),
    apart("head", Role::breaks_out),
    apart("header"),
    apart("hgroup"),
    apart("hr", Role::breaks_out),
    apart("html"),
    within("i", Role::breaks_out, Tag::i),
    Element{"iframe", true, Content::raw_hidden, Role::none, Tag::none},
    apart("image"),
    apart("img", Role::breaks_out),
    apart("input"),
    apart("legend"),
    apart("li", Role::breaks_out),
    apart("listing", Role::breaks_out),
    apart("main"),
    apart("marquee"),
    within("math", Role::foreign),
    apart("menu", Role::breaks_out),
    within("meta", Role::breaks_out),
    apart("meter"),
    apart("nav"),
    within("nobr", Role::breaks_out),
    Element{"noembed", false, Content::raw_hidden, Role::none, Tag::none},
    Element{"noframes", true, Content::raw_hidden, Role::none, Tag::none},
    Element{"noscript", false, Content::raw_hidden, Role::none, Tag::none},
    apart("object"),
    apart("ol", Role::breaks_out),
    apart("optgroup"),
    apart("option"),
    apart("p", Role::breaks_out),
    Element{"plaintext", true, Content::plaintext, Role::none, Tag::none},
    apart("pre", Role::breaks_out),
    apart("progress"),
    apart("rp"),
    apart("rt"),
    within("ruby", Role::breaks_out),
    within("s", Role::breaks_out),
    Element{"script", false, Content::script, Role::none, Tag::none},
    apart("search"),
    apart("section"),
    apart("select"),
    within("small", Role::breaks_out),
    within("span", Role::breaks_out),
    within("strike", Role::breaks_out),
    within("strong", Role::breaks_out, Tag::strong),
    Element{"style", false, Content::style, Role::none, Tag::none},
    within("sub", Role::breaks_out),
    apart("summary"),
    within("sup", Role::breaks_out),
    apart("svg", Role::foreign),
    apart("table", Role::breaks_out),
    apart("tbody"),
    apart("td"),
    within("template", Role::hides),
    Element{"textarea", true, Content::title, Role::none, Tag::none},
    apart("tfoot"),
    apart("th"),
    apart("thead"),
    Element{"title", true, Content::title, Role::none, Tag::none},
    apart("tr"),
    within("tt", Role::breaks_out),
    within("u", Role::breaks_out, Tag::u),
    apart("ul", Role::breaks_out),
    within("var", Role::breaks_out),
    apart("video"),
    Element{"xmp", true, Content::raw_seen, Role::none, Tag::none},
};

/// The folded bytes of a name, and their number.
struct Key {
  std::uint64_t first = 0;
  std::uint64_t rest = 0;  ///< with the length above
  bool operator==(const Key&) const = default;
};

constexpr Key key_of(std::string_view name) {
  Key key;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(name[i]);
    const std::uint8_t folded = byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte;
    if (i < 8) {
      key.first |= std::uint64_t{folded} << 8 * i;
    } else {
      key.rest |= std::uint64_t{folded} << 8 * (i - 8);
    }
  }
  key.rest |= std::uint64_t{name.size()} << 32;
  return key;
}

constexpr std::size_t slot_count = 512;

constexpr std::size_t slot_of(const Key& key) {
  return static_cast<std::size_t>((key.first ^ key.rest) * 0x9E3779B97F4A7C15u >> 55);
}

/// A key and its element's number from 1.
struct Slot {
  Key key;
  std::uint8_t number = 0;
};

constexpr auto slots = [] {
  std::array<Slot, slot_count> all{};
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Key key = key_of(elements[i].name);
    std::size_t slot = slot_of(key);
    while (all[slot].number != 0) slot = (slot + 1) % slot_count;
    all[slot] = {key, static_cast<std::uint8_t>(i + 1)};
  }
  return all;
}();

constexpr Element any_other;

}  // namespace

const Element& find_element(std::string_view name) {
  if (name.size() > longest_element_name) return any_other;
  const Key key = key_of(name);
  for (std::size_t slot = slot_of(key); slots[slot].number != 0; slot = (slot + 1) % slot_count) {
    if (slots[slot].key == key) return elements[slots[slot].number - 1u];
  }
  return any_other;
}

}  // namespace twinset::html
