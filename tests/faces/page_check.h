// A strict reader of the pages that faces/ writes: anything but the template's
// own tags and attributes, properly nested, is an error. Stricter than a browser
// on purpose; what passes here can not hold markup that came from a document. What is in scripts
// and styles is for the caller to look at.
//
// Threads: pure functions.
#pragma once

#include <cctype>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace twinset {

/// The tags of the template, each with the attributes it may carry.
inline const std::map<std::string, std::set<std::string>>& template_tags() {
  static const std::map<std::string, std::set<std::string>> tags = {
      {"html", {"lang"}},
      {"head", {}},
      {"meta", {"charset", "http-equiv", "content", "name"}},
      {"title", {}},
      {"style", {}},
      {"script", {"type", "id"}},
      {"body", {"data-live"}},
      {"main", {"id"}},
      {"header", {}},
      {"footer", {}},
      {"h1", {}},
      {"h2", {}},
      {"h3", {}},
      {"a", {"href"}},
      {"bdi", {"class"}},
      {"section", {"id"}},
      {"article", {"class", "id"}},
      {"p", {"class", "role"}},
      {"dl", {}},
      {"dt", {}},
      {"dd", {}},
      {"small", {}},
      {"span", {"class"}},
      {"b", {}},
      {"code", {}},
      {"table", {"class"}},
      {"thead", {}},
      {"tbody", {}},
      {"tr", {"class"}},
      {"th", {"scope"}},
      {"td", {"class"}},
      {"details", {"id"}},
      {"summary", {}},
      {"ul", {}},
      {"ol", {}},
      {"li", {"id"}},
      {"mark", {"class"}},
      {"del", {}},
      {"ins", {}},
  };
  return tags;
}

/// Reads a page; `errors` names the first few things that should not be there.
class PageCheck {
 public:
  explicit PageCheck(std::string_view page, bool whole_page = true) : page_(page) {
    if (whole_page && !take("<!DOCTYPE html>\n")) fail("no doctype");
    while (at_ < page_.size() && errors.size() < 5) {
      if (page_[at_] == '<')
        tag();
      else
        text();
    }
    for (const std::string& name : open_) fail("never closed: " + name);
  }

  std::vector<std::string> errors;
  std::map<std::string, std::size_t> tags;  ///< how often each was opened
  std::string content;                      ///< all text, references decoded
  /// By element: what stands between its tags, as it is there.
  std::vector<std::string> scripts;
  std::vector<std::string> styles;

 private:
  bool take(std::string_view expected) {
    if (page_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }

  void fail(const std::string& what) {
    errors.push_back(what + " at byte " + std::to_string(at_) + ": " +
                     std::string(page_.substr(at_, 60)));
  }

  void text() {
    const std::size_t end = std::min(page_.find('<', at_), page_.size());
    characters(page_.substr(at_, end - at_), content);
    at_ = end;
  }

  /// Text or an attribute's value: known references only, no controls.
  void characters(std::string_view raw, std::string& out) {
    static const std::map<std::string, std::string> references = {
        {"amp", "&"}, {"lt", "<"},     {"gt", ">"},      {"quot", "\""},
        {"#39", "'"}, {"middot", "-"}, {"hellip", "..."}};
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const char c = raw[i];
      const auto byte = static_cast<std::uint8_t>(c);
      if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f) return fail("control character");
      if (c == '>' || c == '<') return fail("bare angle bracket in text");
      if (c != '&') {
        out += c;
        continue;
      }
      const std::size_t end = raw.find(';', i);
      const auto found = end == std::string_view::npos
                             ? references.end()
                             : references.find(std::string(raw.substr(i + 1, end - i - 1)));
      if (found == references.end()) return fail("unknown reference");
      out += found->second;
      i = end;
    }
  }

  std::string name() {
    std::string result;
    while (at_ < page_.size() &&
           (std::isalnum(static_cast<unsigned char>(page_[at_])) != 0 || page_[at_] == '-')) {
      result += page_[at_++];
    }
    return result;
  }

  void tag() {
    if (take("</")) {
      const std::string closed = name();
      if (!take(">")) return skip("malformed end tag");
      if (open_.empty() || open_.back() != closed) return skip("end tag out of place: " + closed);
      open_.pop_back();
      return;
    }
    take("<");
    const std::string opened = name();
    const auto known = template_tags().find(opened);
    if (known == template_tags().end()) return skip("unknown tag: " + opened);
    ++tags[opened];
    std::set<std::string> seen;
    while (take(" ")) {
      const std::string attribute = name();
      if (known->second.count(attribute) == 0) return skip("unknown attribute: " + attribute);
      if (!seen.insert(attribute).second) return skip("attribute twice: " + attribute);
      if (!take("=\"")) return skip("unquoted attribute");
      const std::size_t end = page_.find('"', at_);
      if (end == std::string_view::npos) return skip("endless attribute");
      std::string value;
      characters(page_.substr(at_, end - at_), value);
      if (attribute == "href" && (value.empty() || value[0] != '#'))
        return skip("link that leaves");
      at_ = end + 1;
    }
    if (!take(">")) return skip("malformed tag");
    if (opened != "meta") open_.push_back(opened);
    if (opened == "style" || opened == "script") raw(opened);
  }

  /// The content of a <script> or <style> ends where a browser ends it, in any case of letters.
  void raw(const std::string& opened) {
    std::string lower(page_.substr(at_));
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c;
    const std::size_t bytes = lower.find("</" + opened);
    if (bytes == std::string::npos) return skip("endless " + opened);
    // After "<!--" and "<script" a browser would look for another end.
    if (lower.substr(0, bytes).find("<!--") != std::string::npos) return skip("comment in script");
    (opened == "style" ? styles : scripts).emplace_back(page_.substr(at_, bytes));
    at_ += bytes;
  }

  void skip(const std::string& what) {
    fail(what);
    at_ = page_.size();
  }

  std::string_view page_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
};

}  // namespace twinset
