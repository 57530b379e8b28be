// This file's interface is text/xhtml.h; the rest is private.
#include "text/xhtml.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace twinset {
namespace {

/// A page names XHTML within so many bytes.
constexpr std::size_t xhtml_head_bytes = 4096;
constexpr std::string_view xml_space = " \t\r\n";

bool is_xml_space(char c) { return xml_space.find(c) != std::string_view::npos; }

bool begins_xml_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_in_xml_name(char c) {
  return begins_xml_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

std::string_view without_mark_or_space(std::string_view page) {
  if (page.starts_with("\xef\xbb\xbf")) page.remove_prefix(3);
  page.remove_prefix(std::min(page.find_first_not_of(xml_space), page.size()));
  return page;
}

/// Reads a page once, with the names of open elements on a stack.
class XmlCheck {
 public:
  explicit XmlCheck(std::string_view page) : rest_(without_mark_or_space(page)) {}

  bool check() {
    while (!rest_.empty()) {
      const std::size_t size = std::min(rest_.find('<'), rest_.size());
      if (!check_text(rest_.substr(0, size))) return false;
      rest_.remove_prefix(size);
      if (!rest_.empty() && !check_markup()) return false;
    }
    return any_root_ && open_.empty();
  }

 private:
  bool check_text(std::string_view text) const {
    if (open_.empty()) return text.find_first_not_of(xml_space) == std::string_view::npos;
    return check_references(text);
  }

  static bool check_references(std::string_view text) {
    for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at)) {
      std::size_t end = ++at;
      const bool number = end < text.size() && text[end] == '#';
      if (number) ++end;
      const std::size_t begin = end;
      while (end < text.size() && is_in_xml_name(text[end])) ++end;
      if (end == begin || end == text.size() || text[end] != ';') return false;
      if (!number && !begins_xml_name(text[begin])) return false;
      at = end;
    }
    return true;
  }

  bool check_markup() {
    if (rest_.starts_with("<!--")) return skip_behind(4, "-->");
    if (rest_.starts_with("<![CDATA[")) return !open_.empty() && skip_behind(9, "]]>");
    if (rest_.starts_with("<?")) return skip_behind(2, "?>");
    if (rest_.starts_with("<!DOCTYPE")) return !any_root_ && skip_document_type();
    if (rest_.starts_with("</")) return check_end_tag();
    return check_start_tag();
  }

  bool skip_behind(std::size_t from, std::string_view mark) {
    const std::size_t found = rest_.find(mark, from);
    if (found == std::string_view::npos) return false;
    rest_.remove_prefix(found + mark.size());
    return true;
  }

  bool skip_document_type() {
    const std::size_t end = rest_.find('>');
    const std::size_t bracket = rest_.find('[');
    if (bracket < end && !skip_behind(bracket, "]")) return false;
    return skip_behind(0, ">");
  }

  std::string_view take_name() {
    std::size_t size = 0;
    while (size < rest_.size() && is_in_xml_name(rest_[size])) ++size;
    const std::string_view name = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return !name.empty() && begins_xml_name(name.front()) ? name : std::string_view();
  }

  bool take_space() {
    const std::size_t size = std::min(rest_.find_first_not_of(xml_space), rest_.size());
    rest_.remove_prefix(size);
    return size > 0;
  }

  bool take(std::string_view bytes) {
    if (!rest_.starts_with(bytes)) return false;
    rest_.remove_prefix(bytes.size());
    return true;
  }

  bool check_end_tag() {
    take("</");
    const std::string_view name = take_name();
    take_space();
    if (open_.empty() || name != open_.back() || !take(">")) return false;
    open_.pop_back();
    return true;
  }

  bool check_start_tag() {
    take("<");
    const std::string_view name = take_name();
    if (name.empty() || (open_.empty() && any_root_)) return false;
    any_root_ = true;
    while (true) {
      const bool spaced = take_space();
      if (take("/>")) return true;
      if (take(">")) {
        open_.push_back(name);
        return true;
      }
      if (!spaced || !check_attribute()) return false;
    }
  }

  bool check_attribute() {
    if (take_name().empty()) return false;
    take_space();
    if (!take("=")) return false;
    take_space();
    if (rest_.empty() || (rest_.front() != '"' && rest_.front() != '\'')) return false;
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) return false;
    const std::string_view value = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return value.find('<') == std::string_view::npos && check_references(value);
  }

  std::string_view rest_;
  std::vector<std::string_view> open_;
  bool any_root_ = false;
};

}  // namespace

bool says_xhtml(std::string_view page) {
  const std::string_view head = without_mark_or_space(page).substr(0, xhtml_head_bytes);
  if (!head.starts_with("<?xml") || head.size() < 6 || !is_xml_space(head[5])) return false;
  return head.find("http://www.w3.org/1999/xhtml") != std::string_view::npos ||
         head.find("-//W3C//DTD XHTML ") != std::string_view::npos;
}

bool is_well_formed(std::string_view page) { return XmlCheck(page).check(); }

}  // namespace twinset
