// One pass from tag to tag. Text is copied while it is searched for "<" and "&", a vector at a
// time. After "<" a tag's name and attributes are read only to find the end of the tag; comments,
// scripts and the like end at the first bytes that can end them. Tests compare these shortcuts with
// the standard's states in tests/support/html_reference.h:
//
//   - A comment ends at the first ">" after "--" or "--!", or at once.
//   - A script that holds "<!--" goes back to plain at the first ">" after "--";
//     until then "<script" and "</script" open and close a script inside.
//   - A quote matters only where a value begins, so names are skipped first.
//
// A page that declares a shadow tree is not shown in the order of its bytes. Where the first such
// template is met, reading begins anew: one pass over the tags (TreeNotes) finds the parts of the
// page in the order in which they are shown (text/html_shadow.h), and then each part is read as
// pages are.
//
// A page in the srcdoc of an iframe is read in its place, by the same code. That nests three deep
// and no deeper; each reference is decoded once a level, so a frame costs no more than three pages
// of its size.
//
// Buffers have room for the rest of the page and one more vector, so copying checks no bounds.
// Nothing is read outside the page.
//
// This file's interface is text/html.h, html_fields.h, html_blocks.h and html_tags.h; the rest is
// private.
#include "text/html.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>

#include "text/html_blocks.h"
#include "text/html_character.h"
#include "text/html_elements.h"
#include "text/html_fields.h"
#include "text/html_shadow.h"
#include "text/html_tags.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "text/html.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3)
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

#ifndef TWINSET_TEXT_HTML_ONCE
#define TWINSET_TEXT_HTML_ONCE
namespace twinset {
namespace {

/// Copying may write so many bytes after the text.
constexpr std::size_t slack_bytes = 64;

/// Pages in an iframe's srcdoc, in one of these, and so on.
constexpr int most_frames = 3;

/// Two references are shorter than their characters, by a fifth. In larger pages these stay
/// unchanged, so that positions fit 32 bits.
constexpr std::size_t most_growing_bytes = std::size_t{3} << 30;

constexpr bool is_letter(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}
constexpr bool is_space(char byte) {
  return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\f' || byte == '\r';
}
constexpr bool ends_name(char byte) { return is_space(byte) || byte == '/' || byte == '>'; }

enum : std::uint8_t { ends_tag_name = 1, ends_attribute_name = 2, ends_unquoted_value = 4 };

constexpr auto byte_classes = [] {
  std::array<std::uint8_t, 256> classes{};
  for (const char byte : {' ', '\n', '\t', '\f', '\r', '>'}) {
    classes[static_cast<std::uint8_t>(byte)] =
        ends_tag_name | ends_attribute_name | ends_unquoted_value;
  }
  classes['/'] = ends_tag_name | ends_attribute_name;
  classes['='] = ends_attribute_name;
  return classes;
}();

/// Does `found` equal `name`, which is in small letters, regardless of case?
bool is_name(std::string_view found, std::string_view name) {
  return std::equal(name.begin(), name.end(), found.begin(), found.end(),
                    [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b | 0x20 : b); });
}

/// Does page[at, end) begin with `name`, which is in small letters, as a whole name?
bool begins_with_name(const char* at, const char* end, std::string_view name) {
  return static_cast<std::size_t>(end - at) > name.size() && ends_name(at[name.size()]) &&
         is_name({at, name.size()}, name);
}

/// An attribute's value: references decoded, U+FFFD for NUL.
std::string value_of(std::string_view source) {
  std::string value;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t plain =
        std::min(source.find_first_of(std::string_view("&\0", 2), at), source.size());
    value += source.substr(at, plain - at);
    at = plain;
    if (at == source.size()) break;
    if (source[at] == '\0') {
      value += "\xEF\xBF\xBD";
      ++at;
      continue;
    }
    const html::CharacterReference found =
        html::read_character_reference(source.substr(at), html::ReferencePlace::attribute);
    value += found.source_bytes == 0 ? source.substr(at, 1) : found.text();
    at += std::max<std::size_t>(found.source_bytes, 1);
  }
  return value;
}

/// Places in the text, in order.
struct BlockBorders {
  std::vector<std::uint32_t> blocks;  ///< ends
  std::vector<TokenOffsets> links;
};

const char* find(const char* at, const char* end, char byte) {
  if (at == end) return end;
  const void* const found = std::memchr(at, byte, static_cast<std::size_t>(end - at));
  return found == nullptr ? end : static_cast<const char*>(found);
}

/// The end of a comment whose content begins at `content`.
const char* behind_comment(const char* content, const char* end) {
  const std::string_view start(content, static_cast<std::size_t>(end - content));
  if (start.starts_with('>')) return content + 1;
  if (start.starts_with("->")) return content + 2;
  for (const char* at = content; (at = find(at, end, '>')) != end; ++at) {
    const std::string_view before(content, static_cast<std::size_t>(at - content));
    if (before.ends_with("--") || before.ends_with("--!")) return at + 1;
  }
  return end;
}

/// The end of a declaration or of another bogus comment.
const char* behind_bracket(const char* at, const char* end) {
  at = find(at, end, '>');
  return at == end ? end : at + 1;
}

/// After the first `mark` in page[at, end), or null.
const char* behind(const char* at, const char* end, std::string_view mark) {
  const std::string_view rest(at, static_cast<std::size_t>(end - at));
  const std::size_t found = rest.find(mark);
  return found == std::string_view::npos ? nullptr : at + found + mark.size();
}

/// The end of a document type in XML, which may hold declarations in brackets.
const char* behind_document_type(const char* at, const char* end) {
  const char* const stop = find(at, end, '>');
  const char* bracket = find(at, stop, '[');
  if (bracket == stop) return behind_bracket(at, end);
  while ((bracket = find(bracket, end, ']')) != end) {
    ++bracket;
    while (bracket != end && is_space(*bracket)) ++bracket;
    if (bracket != end && *bracket == '>') return bracket + 1;
  }
  return behind_bracket(at, end);
}

/// The "<" of the end tag of an element of XML that holds none of its name, or the end. It is in no
/// comment and no CDATA section.
const char* find_xml_end_tag(const char* at, const char* end, std::string_view name) {
  while ((at = find(at, end, '<')) != end) {
    const std::string_view rest(at, static_cast<std::size_t>(end - at));
    const char* skipped = nullptr;
    if (rest.starts_with("<!--")) {
      skipped = behind(at, end, "-->");
    } else if (rest.starts_with("<![CDATA[")) {
      skipped = behind(at, end, "]]>");
    } else if (rest.starts_with("</") && rest.substr(2).starts_with(name) &&
               rest.size() > 2 + name.size() && ends_name(rest[2 + name.size()])) {
      return at;
    }
    at = skipped == nullptr ? at + 1 : skipped;
  }
  return end;
}

/// The "<" of the end tag of raw text of that name, or the end.
const char* find_end_tag(const char* at, const char* end, std::string_view name) {
  while ((at = find(at, end, '<')) != end) {
    if (end - at > 2 && at[1] == '/' && begins_with_name(at + 2, end, name)) return at;
    ++at;
  }
  return end;
}

/// The "<" of the end tag of a script, or the end.
const char* find_script_end(const char* at, const char* end) {
  constexpr std::string_view name = "script";
  enum class Escape { plain, escaped, twice } escape = Escape::plain;
  const char* dashes = nullptr;  // of the "<!--" that opened it
  while (at != end) {
    if (escape == Escape::plain) {
      at = find(at, end, '<');
    } else {
      while (at != end && *at != '<' && *at != '>') ++at;
    }
    if (at == end) break;
    if (*at == '>') {
      if (at - dashes >= 2 && at[-1] == '-' && at[-2] == '-') escape = Escape::plain;
      ++at;
      continue;
    }
    const std::string_view rest(at, static_cast<std::size_t>(end - at));
    if (rest.starts_with("</") && begins_with_name(at + 2, end, name)) {
      if (escape != Escape::twice) return at;
      escape = Escape::escaped;
      at += 2 + name.size();
    } else if (escape == Escape::plain && rest.starts_with("<!--")) {
      escape = Escape::escaped;
      dashes = at + 2;
      at += 4;
    } else if (escape == Escape::escaped && begins_with_name(at + 1, end, name)) {
      escape = Escape::twice;
      at += 1 + name.size();
    } else {
      ++at;
    }
  }
  return end;
}

}  // namespace
}  // namespace twinset
#endif  // TWINSET_TEXT_HTML_ONCE

HWY_BEFORE_NAMESPACE();
namespace twinset {
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::CappedTag<std::uint8_t, 32>;

HWY_INLINE auto load(const char* at) {
  return hn::LoadU(Bytes(), reinterpret_cast<const std::uint8_t*>(at));
}

HWY_INLINE auto equal(hn::Vec<Bytes> bytes, char byte) {
  return hn::Eq(bytes, hn::Set(Bytes(), static_cast<std::uint8_t>(byte)));
}

/// Copies up to the first "<" or "&", or up to `end`; returns where it stopped.
HWY_INLINE const char* copy_text(const char* at, const char* end, char* write) {
  const Bytes d;
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  while (end - at >= lanes) {
    const auto bytes = load(at);
    hn::StoreU(bytes, d, reinterpret_cast<std::uint8_t*>(write));
    const std::ptrdiff_t stop = hn::FindFirstTrue(d, hn::Or(equal(bytes, '<'), equal(bytes, '&')));
    if (stop >= 0) return at + stop;
    at += lanes;
    write += lanes;
  }
  while (at != end && *at != '<' && *at != '&') *write++ = *at++;
  return at;
}

/// The first `quote`; values are short, most of them within one vector.
HWY_INLINE const char* find_quote(const char* at, const char* end, char quote) {
  const Bytes d;
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  while (end - at >= lanes) {
    const std::ptrdiff_t stop = hn::FindFirstTrue(d, equal(load(at), quote));
    if (stop >= 0) return at + stop;
    at += lanes;
  }
  while (at != end && *at != quote) ++at;
  return at;
}

HWY_INLINE const char* skip_until(const char* at, const char* end, std::uint8_t classes) {
  while (at != end && (byte_classes[static_cast<std::uint8_t>(*at)] & classes) == 0) ++at;
  return at;
}

HWY_INLINE const char* skip_space(const char* at, const char* end) {
  while (at != end && is_space(*at)) ++at;
  return at;
}

/// The end of a tag; null if the tag does not end.
struct Tag {
  const char* end = nullptr;
  bool self_closing = false;
};

/// `at` is after the name. Calls `visit` with each attribute's name and value.
template <class Visit>
HWY_INLINE Tag read_attributes(const char* at, const char* end, const Visit& visit) {
  const auto view = [](const char* from, const char* to) {
    return std::string_view(from, static_cast<std::size_t>(to - from));
  };
  while (true) {
    at = skip_space(at, end);
    if (at == end) return {};
    if (*at == '>') return {at + 1, false};
    if (*at == '/') {
      ++at;
      if (at != end && *at == '>') return {at + 1, true};
      continue;
    }
    const char* const name = at;
    const char* const name_end = skip_until(at + 1, end, ends_attribute_name);  // May begin with =.
    at = skip_space(name_end, end);
    if (at == end || *at != '=') {
      visit(view(name, name_end), {});
      continue;
    }
    at = skip_space(at + 1, end);
    if (at == end) return {};
    const char* value = at;
    if (*at == '"' || *at == '\'') {
      ++value;
      at = find_quote(value, end, *at);
      if (at == end) return {};
      visit(view(name, name_end), view(value, at));
      ++at;
    } else {
      at = skip_until(at, end, ends_unquoted_value);
      visit(view(name, name_end), view(value, at));
    }
  }
}

HWY_INLINE Tag read_attributes(const char* at, const char* end) {
  return read_attributes(at, end, [](std::string_view, std::string_view) {});
}

struct NoNotes {
  void start(const html::Element&, std::string_view, const char*, std::size_t) {}
  void end(const html::Element&, std::string_view, const char*, std::size_t) {}
  void title(const html::Element&, std::size_t, std::size_t) {}
  void apart(std::size_t) {}
  void finish(std::size_t) {}
};

/// The value of the first attribute of that name among a tag's.
HWY_INLINE std::optional<std::string_view> find_attribute(const char* attributes, const char* end,
                                                          std::string_view wanted) {
  std::optional<std::string_view> found;
  read_attributes(attributes, end, [&](std::string_view name, std::string_view value) {
    if (!found && is_name(name, wanted)) found = value;
  });
  return found;
}

HWY_INLINE std::optional<std::string_view> find_href(const char* attributes, const char* end) {
  return find_attribute(attributes, end, "href");
}

/// Records the fields of a page. Sizes are those of the text so far.
class FieldNotes {
 public:
  explicit FieldNotes(HtmlFields& fields) : fields_(&fields) {}

  void start(const html::Element& element, std::string_view name, const char* end,
             std::size_t size) {
    if (element.tag == html::Tag::none) return;
    open_[static_cast<std::size_t>(element.tag)].push_back(fields_->spans.size());
    fields_->spans.push_back({element.tag, at(size)});
    if (element.tag != html::Tag::a) return;
    end_link(size);
    const std::optional<std::string_view> href = find_href(name.data() + name.size(), end);
    if (!href) return;
    link_open_ = true;
    fields_->links.push_back({value_of(*href), at(size)});
  }

  void end(const html::Element& element, std::string_view, const char*, std::size_t size) {
    if (element.tag == html::Tag::none) return;
    std::vector<std::size_t>& open = open_[static_cast<std::size_t>(element.tag)];
    if (!open.empty()) {
      fields_->spans[open.back()].text.end = static_cast<std::uint32_t>(size);
      open.pop_back();
    }
    if (element.tag == html::Tag::a) end_link(size);
  }

  void title(const html::Element& element, std::size_t begin, std::size_t end) {
    if (titled_ || element.name != "title") return;
    titled_ = true;
    fields_->title = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  void apart(std::size_t) {}

  void finish(std::size_t size) {
    end_link(size);
    for (const std::vector<std::size_t>& open : open_) {
      for (const std::size_t span : open) {
        fields_->spans[span].text.end = static_cast<std::uint32_t>(size);
      }
    }
  }

 private:
  static TokenOffsets at(std::size_t size) {
    return {static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(size)};
  }

  void end_link(std::size_t size) {
    if (link_open_) fields_->links.back().text.end = static_cast<std::uint32_t>(size);
    link_open_ = false;
  }

  HtmlFields* fields_;
  std::array<std::vector<std::size_t>, html::tag_count> open_;  ///< spans, by tag
  bool link_open_ = false;
  bool titled_ = false;
};

/// Records where blocks and links begin and end in the text.
class BlockNotes {
 public:
  explicit BlockNotes(BlockBorders& borders) : borders_(&borders) {}

  void start(const html::Element& element, std::string_view name, const char* end,
             std::size_t size) {
    if (element.tag != html::Tag::a) return;
    end_link(size);
    if (!find_href(name.data() + name.size(), end)) return;
    link_open_ = true;
    borders_->links.push_back({static_cast<std::uint32_t>(size), 0});
  }
  void end(const html::Element& element, std::string_view, const char*, std::size_t size) {
    if (element.tag == html::Tag::a) end_link(size);
  }
  void title(const html::Element&, std::size_t, std::size_t) {}
  void apart(std::size_t size) {
    const auto border = static_cast<std::uint32_t>(size);
    if (borders_->blocks.empty() || borders_->blocks.back() != border) {
      borders_->blocks.push_back(border);
    }
  }
  void finish(std::size_t size) {
    end_link(size);
    apart(size);
  }

 private:
  void end_link(std::size_t size) {
    if (link_open_) borders_->links.back().end = static_cast<std::uint32_t>(size);
    link_open_ = false;
  }

  BlockBorders* borders_;
  bool link_open_ = false;
};

/// Records the tags of a page.
class TagNotes {
 public:
  TagNotes(std::string_view page, std::vector<HtmlTag>& tags) : page_(page.data()), tags_(&tags) {}

  void start(const html::Element&, std::string_view name, const char* end, std::size_t) {
    add(name, end, false);
  }
  void end(const html::Element&, std::string_view name, const char* end, std::size_t) {
    if (end != nullptr) add(name, end, true);
  }
  void title(const html::Element&, std::size_t, std::size_t) {}
  void apart(std::size_t) {}
  void finish(std::size_t) {
    const auto place = [](const HtmlTag& tag) { return tag.name.begin; };
    if (!std::ranges::is_sorted(*tags_, {}, place)) std::ranges::sort(*tags_, {}, place);
  }

 private:
  void add(std::string_view name, const char* end, bool is_end) {
    const auto begin = static_cast<std::uint32_t>(name.data() - page_);
    tags_->push_back({{begin, begin + static_cast<std::uint32_t>(name.size())},
                      static_cast<std::uint32_t>(end - page_),
                      is_end});
  }

  const char* page_;
  std::vector<HtmlTag>* tags_;
};

/// Finds the parts of a page that are shown, and their order. Text is not copied.
class TreeNotes : public NoNotes {
 public:
  explicit TreeNotes(html::ShadowTrees& trees) : trees(&trees) {}

  html::ShadowTrees* trees;
};

enum class Order : std::uint8_t {
  of_page,  ///< all of the page, from begin to end
  of_trees  ///< as its shadow trees show it
};

/// `Fields` is FieldNotes, BlockNotes, TagNotes, TreeNotes, or NoNotes, which costs nothing.
template <Offsets offsets, class Fields>
class Extraction {
 public:
  Extraction(std::string_view page, bool xml, bool empties, Order order, HtmlText& out,
             Fields fields)
      : page_(page.data()),
        end_(page.data() + page.size()),
        xml_(xml),
        empties_(empties),
        order_(order),
        out_(out),
        fields_(fields) {
    if constexpr (finds_trees) return;
    if (out_.bytes.size() < page.size() + slack_bytes) {
      out_.bytes.resize(page.size() + page.size() / 8 + slack_bytes);
    }
    out_.segments.clear();
    write_ = out_.bytes.data();
  }

  /// False if the page turned out to have another order.
  bool run() {
    read_page();
    out_.size = written();
    fields_.finish(out_.size);
    return !has_trees_;
  }

  /// The same for the parts alone.
  void find_trees() { read(page_); }

 private:
  static constexpr bool finds_trees = std::is_same_v<Fields, TreeNotes>;

  /// Reads [page_, end_).
  void read_page() {
    bytes_ = static_cast<std::size_t>(end_ - page_);
    if (order_ == Order::of_page) return read(page_);
    html::ShadowTrees trees;
    HtmlText no_text;
    const std::string_view page(page_, bytes_);
    Extraction<Offsets::drop, TreeNotes>(page, xml_, empties_, order_, no_text, TreeNotes(trees))
        .find_trees();
    const char* const end = end_;
    left_outside_ += page.size();
    for (const html::ShownPart& part : trees.parts(place(end))) {
      end_ = page_ + part.end;
      foreign_ = part.begin.foreign;
      templates_ = 0;
      declared_ = part.tree;
      read(page_ + part.begin.at);
    }
    end_ = end;
    left_outside_ -= page.size();
  }

  /// Reads [at, end_).
  void read(const char* at) {
    while (true) {
      if constexpr (finds_trees) {
        const char* const stop = find(at, end_, '<');
        note_text(at, stop);
        at = stop;
      } else if (templates_ == 0) {
        at = copy_run(at);
      } else {
        at = find(at, end_, '<');
      }
      if (at == end_) break;
      at = *at == '&' ? read_reference(at) : read_markup(at);
    }
  }

  std::size_t written() const { return static_cast<std::size_t>(write_ - out_.bytes.data()); }
  std::uint32_t place(const char* at) const { return static_cast<std::uint32_t>(at - page_); }

  /// Fields are those of the page itself.
  bool notes() const { return templates_ == 0 && frames_ == 0; }

  // ---- Text ----

  /// Begins a segment of copied text, unless the last one continues.
  HWY_INLINE void note_copied(const char* at) {
    if constexpr (offsets == Offsets::drop) return;
    if (frames_ > 0) return;  // All of a frame's text comes from its tag.
    const auto begin = static_cast<std::uint32_t>(written());
    if (!out_.segments.empty()) {
      const HtmlSegment& last = out_.segments.back();
      if (last.page_bytes == 0 && place(at) - last.page_begin == begin - last.text_begin) return;
    }
    out_.segments.push_back({begin, place(at), 0});
  }

  void note_made(const char* at, std::size_t bytes) {
    if constexpr (offsets == Offsets::drop) return;
    if (frames_ > 0) return;
    out_.segments.push_back(
        {static_cast<std::uint32_t>(written()), place(at), static_cast<std::uint32_t>(bytes)});
  }

  HWY_INLINE const char* copy_run(const char* at) {
    const char* const stop = copy_text(at, end_, write_);
    if (stop == at) return at;
    note_copied(at);
    write_ += stop - at;
    return stop;
  }

  void copy(const char* at, const char* stop) {
    if constexpr (finds_trees) return note_text(at, stop);
    if (at == stop || templates_ > 0) return;
    note_copied(at);
    std::memcpy(write_, at, static_cast<std::size_t>(stop - at));
    write_ += stop - at;
  }

  const char* read_reference(const char* at) {
    const html::CharacterReference found =
        html::read_character_reference({at, static_cast<std::size_t>(end_ - at)});
    const bool grows = found.text_bytes > found.source_bytes;
    if (found.source_bytes == 0 || (grows && bytes_ > most_growing_bytes)) {
      copy(at, at + 1);
      return at + 1;
    }
    if (grows) make_room(static_cast<std::size_t>(end_ - at));
    note_made(at, found.source_bytes);
    std::memcpy(write_, found.utf8, found.text_bytes);
    write_ += found.text_bytes;
    return at + found.source_bytes;
  }

  /// Room for `left` bytes and what a reference may add to them.
  void make_room(std::size_t left) {
    const std::size_t needed = written() + left + left_outside_ + 2 * slack_bytes;
    if (out_.bytes.size() >= needed) return;
    const std::size_t done = written();
    out_.bytes.resize(needed + (left + left_outside_) / 4);
    write_ = out_.bytes.data() + done;
  }

  /// Replaces a tag by a line end, unless there is one already.
  HWY_INLINE void stand_apart(const html::Element& element, const char* at, const char* stop) {
    if (!element.apart || templates_ > 0) return;
    break_line(at, stop);
  }

  HWY_INLINE void break_line(const char* at, const char* stop) {
    if constexpr (finds_trees) return;
    fields_.apart(written());
    if (write_ == out_.bytes.data() || write_[-1] == '\n') return;
    note_made(at, static_cast<std::size_t>(stop - at));
    *write_++ = '\n';
  }

  // ---- The tree of a page, for TreeNotes ----

  html::PagePlace place_in_tree(const char* at) const {
    return {place(at), static_cast<std::uint32_t>(foreign_)};
  }

  void note_text(const char* at, const char* stop) {
    if (at == stop || templates_ > 0) return;
    fields_.trees->text({at, static_cast<std::size_t>(stop - at)}, place_in_tree(at));
  }

  void note_start(const html::Element& element, std::string_view name, const Tag& tag) {
    const char* const attributes = name.data() + name.size();
    const auto value = [&](std::string_view wanted) {
      return value_of(find_attribute(attributes, tag.end, wanted).value_or(std::string_view()));
    };
    const bool raw = element.content != html::Content::markup ||
                     (element.role == html::Role::hides && foreign_ == 0);
    const std::string slot = value("slot");
    const std::string name_of_slot = value("name");
    fields_.trees->start({
        .name = name,
        .closed = raw || (tag.self_closing && (empties_ || foreign_ > 0)),
        .around = foreign_ == 0                            ? html::Around::html
                  : element.role == html::Role::breaks_out ? html::Around::left_foreign
                                                           : html::Around::foreign,
        .begin = place_in_tree(name.data() - 1),
        .end = place(tag.end),
        .slot = slot,
        .name_of_slot = name_of_slot,
    });
  }

  // ---- Markup: each takes the position of "<" and returns where to continue ----

  HWY_INLINE const char* read_markup(const char* at) {
    const char next = end_ - at > 1 ? at[1] : '\0';
    if (is_letter(next)) return read_start_tag(at);
    if (next == '/') return read_end_tag(at);
    if (next == '!') return read_declaration(at);
    if (next == '?') {
      const char* const stop = empties_ ? behind(at + 2, end_, "?>") : nullptr;
      return stop != nullptr ? stop : behind_bracket(at + 2, end_);
    }
    // Other names are those of elements that HTML does not know.
    if (xml_ && !is_space(next)) return read_start_tag(at);
    copy(at, at + 1);
    return at + 1;
  }

  const char* read_declaration(const char* at) {
    const std::string_view rest(at + 2, static_cast<std::size_t>(end_ - at - 2));
    if (rest.starts_with("--")) {
      const char* const stop = xml_ ? behind(at + 4, end_, "-->") : nullptr;
      return stop != nullptr ? stop : behind_comment(at + 4, end_);
    }
    if ((foreign_ == 0 && !empties_) || !rest.starts_with("[CDATA[")) {
      return empties_ ? behind_document_type(at + 2, end_) : behind_bracket(at + 2, end_);
    }
    const char* const content = at + 9;
    const std::size_t size = rest.substr(7).find("]]>");
    const char* const stop = size == std::string_view::npos ? end_ : content + size;
    copy(content, stop);
    return stop == end_ ? end_ : stop + 3;
  }

  HWY_INLINE const char* read_end_tag(const char* at) {
    if (end_ - at == 2) {
      copy(at, end_);
      return end_;
    }
    if (!is_letter(at[2])) return behind_bracket(at + 2, end_);
    const char* const name_end = skip_until(at + 2, end_, ends_tag_name);
    const Tag tag = read_attributes(name_end, end_);
    if (tag.end == nullptr) return end_;
    const std::string_view name(at + 2, static_cast<std::size_t>(name_end - at - 2));
    const html::Element& element = element_of(name);
    if (notes()) fields_.end(element, name, tag.end, written());
    if (xml_) end_xml_element(element);
    if constexpr (finds_trees) {
      const bool hides = element.role == html::Role::hides && foreign_ > 0;
      if (templates_ == 0 && !hides) {
        fields_.trees->end(name, place_in_tree(at), place(tag.end));
      }
    }
    if (element.role != html::Role::none) end_role(element, at, tag.end);
    stand_apart(element, at, tag.end);
    return tag.end;
  }

  /// Names of XML have small letters or are other names.
  HWY_INLINE const html::Element& element_of(std::string_view name) const {
    const html::Element& element = html::find_element(name);
    return xml_ && element.name != name ? html::find_element({}) : element;
  }

  void end_xml_element(const html::Element& element) {
    if (!title_open_ || element.name != "title") return;
    title_open_ = false;
    if (notes()) fields_.title(element, title_begin_, written());
  }

  void end_role(const html::Element& element, const char* at, const char* stop) {
    if (element.role == html::Role::foreign && foreign_ > 0) --foreign_;
    if (element.role != html::Role::hides || foreign_ > 0) return;
    if (templates_ > 0) {
      --templates_;
    } else if (declared_) {
      break_line(at, stop);
    }
  }

  HWY_INLINE const char* read_start_tag(const char* at) {
    const char* const name_end = skip_until(at + 1, end_, ends_tag_name);
    const Tag tag = read_attributes(name_end, end_);
    if (tag.end == nullptr) return end_;
    const std::string_view name(at + 1, static_cast<std::size_t>(name_end - at - 1));
    const html::Element& element = element_of(name);
    const bool empty = empties_ && tag.self_closing;
    const bool hides = element.role == html::Role::hides && foreign_ == 0 && !empty;
    if constexpr (finds_trees) {
      if (templates_ == 0 && !hides) note_start(element, name, tag);
    }
    if (element.role == html::Role::breaks_out) foreign_ = 0;
    stand_apart(element, at, tag.end);
    if (notes()) fields_.start(element, name, tag.end, written());
    if (element.role == html::Role::foreign && !tag.self_closing) ++foreign_;
    if (hides) begin_template(element, name, tag);
    if (element.content != html::Content::markup) return read_content(element, at, name_end, tag);
    if (empty && notes()) fields_.end(element, name, nullptr, written());
    return tag.end;
  }

  /// The content of a template is hidden, unless it is declared as the shadow tree of the element
  /// around it, which no page of XML can do.
  void begin_template(const html::Element& element, std::string_view name, const Tag& tag) {
    const char* const at = name.data() - 1;
    if (templates_ == 0 && asks_for_tree(name.data() + name.size())) {
      if constexpr (finds_trees) {
        if (fields_.trees->declare(place_in_tree(at), place(tag.end))) return;
      } else if (order_ == Order::of_page) {
        has_trees_ = true;
        end_ = tag.end;
      } else if (declared_) {
        return break_line(at, tag.end);
      }
    }
    if constexpr (finds_trees) {
      if (templates_ == 0) note_start(element, name, tag);
    }
    ++templates_;
  }

  bool asks_for_tree(const char* attributes) const {
    if (xml_) return false;
    const std::optional<std::string_view> mode = find_attribute(attributes, end_, "shadowrootmode");
    return mode && (is_name(*mode, "open") || is_name(*mode, "closed"));
  }

  /// Reads an element with its own rules, up to its end tag.
  const char* read_content(const html::Element& element, const char* at, const char* attributes,
                           const Tag& tag) {
    if (foreign_ > 0) {
      const bool raw =
          element.content == html::Content::script || element.content == html::Content::style;
      if (!raw || tag.self_closing) return tag.end;
    }
    if (element.name == "iframe") read_frame(at, attributes, tag.end);
    if (empties_ && tag.self_closing) return tag.end;
    if (xml_) return read_xml_content(element, tag.end);
    const char* const stop = end_of_content(element, tag.end);
    // Of a broken page nothing is lost.
    if (empties_ && stop == end_ && element.content != html::Content::plaintext) return tag.end;
    if (element.content == html::Content::title) return read_title(element, tag.end, stop);
    if constexpr (finds_trees) return stop;
    const bool seen =
        element.content == html::Content::raw_seen || element.content == html::Content::plaintext;
    if (seen) copy(tag.end, stop);
    return stop;
  }

  const char* end_of_content(const html::Element& element, const char* content) const {
    switch (element.content) {
      case html::Content::markup:
        return content;
      case html::Content::script:
        return find_script_end(content, end_);
      case html::Content::plaintext:
        return end_;
      default:
        return find_end_tag(content, end_, element.name);
    }
  }

  /// In XML all content is markup; elements that are hidden have an end tag, for the page is well
  /// formed.
  const char* read_xml_content(const html::Element& element, const char* content) {
    const bool hidden = element.content == html::Content::script ||
                        element.content == html::Content::style ||
                        element.content == html::Content::raw_hidden;
    if (hidden) return find_xml_end_tag(content, end_, element.name);
    if (element.name == "title" && !title_open_) {
      title_open_ = true;
      title_begin_ = written();
    }
    return content;
  }

  /// Reads the page in the srcdoc of an iframe, if it has one.
  void read_frame(const char* at, const char* attributes, const char* stop) {
    if constexpr (finds_trees) return;
    if (templates_ > 0 || frames_ == most_frames || bytes_ > most_growing_bytes) return;
    const std::optional<std::string_view> source = find_attribute(attributes, end_, "srcdoc");
    if (!source || source->empty()) return;
    const std::string page = value_of(*source);
    note_made(at, static_cast<std::size_t>(stop - at));
    const auto outside =
        std::tuple(page_, end_, bytes_, xml_, empties_, foreign_, declared_, title_open_);
    const auto left = static_cast<std::size_t>(end_ - source->data());
    left_outside_ += left;
    ++frames_;
    page_ = page.data();
    end_ = page_ + page.size();
    xml_ = empties_ = false;
    declared_ = false;
    make_room(page.size());
    read_page();
    templates_ = 0;
    std::tie(page_, end_, bytes_, xml_, empties_, foreign_, declared_, title_open_) = outside;
    --frames_;
    left_outside_ -= left;
    break_line(at, stop);
  }

  /// Text and references; a "<" in it is text.
  const char* read_title(const html::Element& element, const char* at, const char* stop) {
    if (finds_trees || templates_ > 0) return stop;
    const std::size_t begin = written();
    while (at != stop) {
      const char* const ampersand = find(at, stop, '&');
      copy(at, ampersand);
      at = ampersand == stop ? stop : read_reference(ampersand);
    }
    if (notes()) fields_.title(element, begin, written());
    return stop;
  }

  const char* page_;
  const char* end_;        ///< of the page, or of the part of it that is read
  std::size_t bytes_ = 0;  ///< of the page
  bool xml_;               ///< by the rules of XML
  bool empties_;           ///< `<x/>` is empty, and CDATA is text
  Order order_;
  HtmlText& out_;
  Fields fields_;
  char* write_;
  std::size_t foreign_ = 0;    ///< svg and math that are open
  std::size_t templates_ = 0;  ///< that are open and hidden
  bool declared_ = false;      ///< what is read is a tag of a shadow tree's template
  bool has_trees_ = false;     ///< which were found while reading in the order of the page
  bool title_open_ = false;    ///< of a page of XML
  std::size_t title_begin_ = 0;
  int frames_ = 0;                ///< around this page
  std::size_t left_outside_ = 0;  ///< of the pages around it, in bytes
};

/// Reads the page as it is shown; `make` gives new Fields, at most twice.
template <Offsets offsets, class Make>
void extract(std::string_view page, Markup markup, HtmlText& out, const Make& make) {
  const bool xml = markup == Markup::xhtml;
  const bool empties = xml || markup == Markup::loose_xhtml;
  using Fields = decltype(make());
  for (const Order order : {Order::of_page, Order::of_trees}) {
    if (Extraction<offsets, Fields>(page, xml, empties, order, out, make()).run()) return;
  }
}

void Extract(std::string_view page, Markup markup, Offsets offsets, HtmlText& out) {
  const auto make = [] { return NoNotes(); };
  if (offsets == Offsets::keep) {
    extract<Offsets::keep>(page, markup, out, make);
  } else {
    extract<Offsets::drop>(page, markup, out, make);
  }
}

void ExtractFields(std::string_view page, Markup markup, HtmlText& out, HtmlFields& fields) {
  extract<Offsets::keep>(page, markup, out, [&] {
    fields = {};
    return FieldNotes(fields);
  });
}

void ExtractBorders(std::string_view page, Markup markup, HtmlText& out, BlockBorders& borders) {
  extract<Offsets::drop>(page, markup, out, [&] {
    borders = {};
    return BlockNotes(borders);
  });
}

void ExtractTags(std::string_view page, Markup markup, HtmlText& out, std::vector<HtmlTag>& tags) {
  extract<Offsets::drop>(page, markup, out, [&] {
    tags.clear();
    return TagNotes(page, tags);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace twinset
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset {
namespace {
HWY_EXPORT(Extract);
HWY_EXPORT(ExtractTags);
HWY_EXPORT(ExtractFields);
HWY_EXPORT(ExtractBorders);

/// The code points of text[begin, end) that are neither white space nor U+00A0.
std::uint32_t count_characters(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  std::uint32_t count = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const char byte = text[i];
    const bool continues = (static_cast<std::uint8_t>(byte) & 0xC0U) == 0x80U;
    const bool no_break = byte == '\xC2' && i + 1 < text.size() && text[i + 1] == '\xA0';
    count += static_cast<std::uint32_t>(!continues && !no_break && !is_space(byte));
  }
  return count;
}

TokenOffsets page_bytes_of(const HtmlSegment& segment, std::uint32_t text_byte) {
  if (segment.page_bytes != 0) {
    return {segment.page_begin, segment.page_begin + segment.page_bytes};
  }
  const std::uint32_t at = segment.page_begin + (text_byte - segment.text_begin);
  return {at, at + 1};
}

/// Of a page with shadow trees, what is shown later may stand earlier.
TokenOffsets from_to(TokenOffsets first, TokenOffsets last) {
  return {std::min(first.begin, last.begin), std::max(first.end, last.end)};
}

}  // namespace

void extract_html(std::string_view page, Offsets offsets, HtmlText& out, Markup markup) {
  HWY_DYNAMIC_DISPATCH(Extract)(page, markup, offsets, out);
}

void extract_html_tags(std::string_view page, HtmlText& text, std::vector<HtmlTag>& tags,
                       Markup markup) {
  HWY_DYNAMIC_DISPATCH(ExtractTags)(page, markup, text, tags);
}

void extract_html_fields(std::string_view page, HtmlText& text, HtmlFields& fields, Markup markup) {
  HWY_DYNAMIC_DISPATCH(ExtractFields)(page, markup, text, fields);
}

void extract_html_blocks(std::string_view page, HtmlText& text, std::vector<HtmlBlock>& blocks,
                         Markup markup) {
  BlockBorders borders;
  HWY_DYNAMIC_DISPATCH(ExtractBorders)(page, markup, text, borders);
  blocks.clear();
  std::uint32_t begin = 0;
  auto link = borders.links.begin();
  for (const std::uint32_t end : borders.blocks) {
    HtmlBlock block{{begin, end}, count_characters(text.view(), begin, end), 0};
    while (link != borders.links.end() && link->begin < end) {
      block.link_characters +=
          count_characters(text.view(), std::max(begin, link->begin), std::min(end, link->end));
      if (link->end > end) break;  // It goes on in the next block.
      ++link;
    }
    if (block.characters > 0) blocks.push_back(block);
    begin = end;
  }
}

void map_to_page(const HtmlText& text, std::span<TokenOffsets> offsets) {
  // A begin may lie before the end of the previous range, so begins and ends are walked apart.
  const auto bytes_of = [&](std::size_t& at, std::uint32_t byte) {
    while (at + 1 < text.segments.size() && text.segments[at + 1].text_begin <= byte) ++at;
    return page_bytes_of(text.segments[at], byte);
  };
  std::size_t begin_at = 0;
  std::size_t end_at = 0;
  for (TokenOffsets& token : offsets) {
    const TokenOffsets begin = bytes_of(begin_at, token.begin);
    token = from_to(begin, bytes_of(end_at, token.end - 1));
  }
}

}  // namespace twinset
#endif  // HWY_ONCE
