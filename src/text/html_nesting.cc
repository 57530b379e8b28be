// A table of the names that nest in a way of their own, and walks up the open elements.
//
// This file's interface is text/html_nesting.h; the rest is private.
#include "text/html_nesting.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/hash.h"

namespace twinset::html {
namespace {

/// As deep as browsers nest elements.
constexpr std::size_t most_looked_at = 512;
constexpr std::size_t not_found = static_cast<std::size_t>(-1);

enum : std::uint32_t {
  special = 1,            ///< ends the search for the start of another element
  scope = 1 << 1,         ///< ends it for special elements, too
  is_void = 1 << 2,       ///< has no content
  host = 1 << 3,          ///< may have a shadow tree
  ends_p = 1 << 4,        ///< its start tag ends a paragraph
  in_head = 1 << 5,       ///< its start tag does not begin the body
  of_page = 1 << 6,       ///< html, head, body, frameset
  paragraph = 1 << 7,     ///< p
  heading = 1 << 8,       ///< h1 to h6
  item = 1 << 9,          ///< li
  entry = 1 << 10,        ///< dt, dd
  list = 1 << 11,         ///< ol, ul
  passed = 1 << 12,       ///< special, but an item is looked for beyond it
  button = 1 << 13,       ///< button
  option = 1 << 14,       ///< option
  options = 1 << 15,      ///< optgroup
  ruby = 1 << 16,         ///< rt, rp
  alone = 1 << 17,        ///< never in another one of its name
  table = 1 << 18,        ///< table
  cell = 1 << 19,         ///< td, th
  row = 1 << 20,          ///< tr
  rows = 1 << 21,         ///< tbody and the like
  foreign = 1 << 22,      ///< svg, math
  html_within = 1 << 23,  ///< of svg, with HTML in it
  line_break = 1 << 24    ///< br
};
constexpr std::uint32_t in_table = table | cell | row | rows;

struct Names {
  std::string_view names;
  std::uint32_t nesting;
};

constexpr std::array all_names{
    Names{"a nobr", alone},
    Names{"address", special | ends_p | passed},
    Names{"annotation-xml color-profile font-face font-face-format font-face-name font-face-src "
          "font-face-uri missing-glyph",
          0},
    Names{"applet marquee object", special | scope},
    Names{"area col embed frame image img input keygen param source track wbr", special | is_void},
    Names{"article aside blockquote footer header main nav section", special | host | ends_p},
    Names{"base basefont bgsound link meta", special | is_void | in_head},
    Names{"body", special | host | of_page},
    Names{"br", special | is_void | line_break},
    Names{"button", special | button},
    Names{"caption", special | scope | rows},
    Names{"center details dir dl fieldset figcaption figure form hgroup listing menu plaintext pre "
          "search summary xmp",
          special | ends_p},
    Names{"colgroup tbody tfoot thead", special | rows},
    Names{"dd dt", special | entry | ends_p},
    Names{"desc foreignobject", special | scope | html_within},
    Names{"dialog", ends_p},
    Names{"div", special | host | ends_p | passed},
    Names{"frameset", special | of_page},
    Names{"h1 h2 h3 h4 h5 h6", special | host | heading | ends_p},
    Names{"head", special | of_page | in_head},
    Names{"hr", special | is_void | ends_p},
    Names{"html", special | scope | of_page | in_head},
    Names{"li", special | item | ends_p},
    Names{"math svg", foreign},
    Names{"noframes noscript script style title", special | in_head},
    Names{"ol ul", special | list | ends_p},
    Names{"optgroup", options},
    Names{"option", option},
    Names{"p", special | host | paragraph | ends_p | passed},
    Names{"rp rt", ruby},
    Names{"select textarea", special},
    Names{"span", host},
    Names{"table", special | scope | table | ends_p},
    Names{"td th", special | scope | cell},
    Names{"template", special | scope | in_head},
    Names{"tr", special | row},
};

/// Names with a hyphen are those of custom elements, if the table does not have them.
std::uint32_t nesting_of(std::string_view folded) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, std::uint32_t> made;
    for (const auto& [names, nesting] : all_names) {
      for (std::size_t at = 0; at < names.size();) {
        const std::size_t end = std::min(names.find(' ', at), names.size());
        made.emplace(names.substr(at, end - at), nesting);
        at = end + 1;
      }
    }
    return made;
  }();
  if (const auto found = by_name.find(folded); found != by_name.end()) return found->second;
  return folded.find('-') == std::string_view::npos ? 0 : std::uint32_t{host};
}

void fold(std::string_view name, std::string& out) {
  out.assign(name);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

}  // namespace

bool ends_paragraph(std::string_view name, bool is_end_tag) {
  thread_local std::string folded;
  fold(name, folded);
  return (nesting_of(folded) & (ends_p | (is_end_tag ? in_table | of_page : 0U))) != 0;
}

std::uint64_t OpenElements::key_of(std::string_view name) {
  fold(name, folded_);
  return checksum(folded_);
}

/// Elements from here on may be closed by an end tag: those in the innermost template.
std::size_t OpenElements::floor() const { return templates_.empty() ? 1 : templates_.back() + 1; }

/// The innermost open element that matches, if none that stops the search is before it.
template <class Matches>
std::size_t OpenElements::find(Matches matches, std::uint32_t stops) const {
  const std::size_t end = floor();
  for (std::size_t at = open_.size(), steps = 0; at > end && steps < most_looked_at; ++steps) {
    --at;
    if (matches(open_[at])) return at;
    if ((open_[at].nesting & stops) != 0) break;
  }
  return not_found;
}

void OpenElements::keep(std::size_t count) {
  for (; open_.size() > count; open_.pop_back()) {
    if ((open_.back().nesting & paragraph) != 0) --paragraphs_;
  }
  while (!templates_.empty() && templates_.back() >= count) templates_.pop_back();
}

void OpenElements::begin_body(Change& change) {
  change.begins_body = true;
  open_.push_back({checksum("body"), nesting_of("body")});
}

OpenElements::Change OpenElements::text() {
  Change change;
  if (open_.empty()) begin_body(change);
  change.kept = open_.size();
  change.makes_child = true;
  return change;
}

/// Closes the elements that a start tag ends.
void OpenElements::close_before(std::uint64_t key, std::uint32_t nesting) {
  const auto close = [&](auto matches, std::uint32_t stops) {
    const std::size_t found = find(matches, stops);
    if (found != not_found) keep(found);
  };
  const auto any = [](std::uint32_t wanted) {
    return [wanted](const Open& open) { return (open.nesting & wanted) != 0; };
  };
  const auto close_innermost = [&](std::uint32_t wanted) {
    if (open_.size() > floor() && any(wanted)(open_.back())) keep(open_.size() - 1);
  };
  if ((nesting & (item | entry)) != 0) {
    const std::uint32_t own = nesting & (item | entry);
    const std::size_t found = find(
        [own](const Open& open) {
          return (open.nesting & own) != 0 ||
                 ((open.nesting & special) != 0 && (open.nesting & passed) == 0);
        },
        0);
    if (found != not_found && any(own)(open_[found])) keep(found);
  }
  if ((nesting & ends_p) != 0 && paragraphs_ > 0) close(any(paragraph), scope | button);
  if ((nesting & heading) != 0) close_innermost(heading);
  if ((nesting & (option | options)) != 0) close_innermost(option);
  if ((nesting & options) != 0) close_innermost(options);
  if ((nesting & ruby) != 0) close_innermost(ruby);
  if ((nesting & (cell | row | rows)) != 0) close(any(cell), table);
  if ((nesting & (row | rows)) != 0) close(any(row), table);
  if ((nesting & rows) != 0) close(any(rows), table);
  if ((nesting & button) != 0) close(any(button), scope);
  if ((nesting & alone) != 0) close([key](const Open& open) { return open.key == key; }, special);
}

OpenElements::Change OpenElements::start(std::string_view name, bool closed, Around around) {
  Change change;
  const std::uint64_t key = key_of(name);
  const std::uint32_t nesting = nesting_of(folded_);
  if (around == Around::foreign && !open_.empty()) {
    change.kept = open_.size();
    change.makes_child = true;
    change.opens = !closed && (nesting & (foreign | html_within)) != 0;
    if (change.opens) open_.push_back({key, nesting});
    return change;
  }
  if (open_.empty() && (nesting & in_head) == 0) {
    begin_body(change);
  }
  if (open_.empty() || (nesting & of_page) != 0) {
    change.kept = open_.size();
    return change;
  }
  if (around == Around::left_foreign) {
    while (open_.size() > floor() && (open_.back().nesting & foreign) != 0) {
      keep(open_.size() - 1);
    }
  }
  close_before(key, nesting);
  change.kept = open_.size();
  change.makes_child = true;
  change.opens = !closed && (nesting & is_void) == 0;
  if (change.opens) {
    open_.push_back({key, nesting});
    if ((nesting & paragraph) != 0) ++paragraphs_;
  }
  return change;
}

OpenElements::Change OpenElements::end(std::string_view name) {
  Change change;
  const std::uint64_t key = key_of(name);
  const std::uint32_t nesting = nesting_of(folded_);
  const auto is_this = [key](const Open& open) { return open.key == key; };
  std::size_t found = not_found;
  if (open_.empty()) {
    const bool begins = (nesting & line_break) != 0 ||
                        ((nesting & of_page) != 0 && folded_ != "head" && folded_ != "frameset");
    if (begins) begin_body(change);
  } else if (folded_ == "template") {
    if (!templates_.empty()) found = templates_.back();
  } else if ((nesting & (is_void | of_page)) != 0) {
    change.makes_child = (nesting & line_break) != 0;
  } else if ((nesting & paragraph) != 0) {
    if (paragraphs_ > 0) found = find(is_this, scope | button);
    change.makes_child = found == not_found;
  } else if ((nesting & heading) != 0) {
    found = find([](const Open& open) { return (open.nesting & heading) != 0; }, scope);
  } else if ((nesting & in_table) != 0) {
    found = find(is_this, table);
  } else if ((nesting & special) != 0) {
    found = find(is_this, (nesting & item) != 0 ? scope | list : std::uint32_t{scope});
  } else {
    found = find(is_this, special);
  }
  if (found != not_found) keep(found);
  change.kept = open_.size();
  return change;
}

bool OpenElements::may_host() const { return !open_.empty() && (open_.back().nesting & host) != 0; }

void OpenElements::open_template() {
  templates_.push_back(open_.size());
  open_.push_back({checksum("template"), nesting_of("template")});
}

}  // namespace twinset::html
