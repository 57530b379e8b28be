// One pass over the tags finds all elements. A tag that is not closed ends its element at the next
// tag, unless its end comes later: "<DATE>1 May<TOPICS>" is as common as "<DATE>1 May</DATE>".
//
// This file's interface is io/news_elements.h; the rest is private.
#include "io/news_elements.h"

#include <algorithm>
#include <array>
#include <utility>

#include "io/decoded_text.h"
#include "io/http.h"
#include "io/json.h"
#include "io/json_texts.h"
#include "io/scratch.h"
#include "text/html_character.h"

namespace twinset {
namespace {

constexpr std::size_t most_elements = 4096;
constexpr std::size_t most_open = 64;
/// A sign whose tag does not end within so many bytes stands for itself.
constexpr std::size_t most_tag_bytes = 4096;

/// Where stories have a field: names of elements, "element@attribute", or "meta:NAME" for
/// <meta name="NAME" content="...">. The first place that has a value counts.
struct Places {
  std::string_view field;
  std::array<std::string_view, 7> places;
};
constexpr std::array<Places, 11> known_fields{
    {{"id", {"reuters@newid", "doc-id@id-string", "docno", "docid", "doc@id"}},
     {"title", {"hl1", "hedline", "headline", "title", "hl", "head"}},
     {"headline", {"hl1", "hedline", "headline", "title", "hl", "head"}},
     {"author", {"author", "byline"}},
     {"byline", {"byline", "author"}},
     {"date",
      {"date.issue@norm", "pubdata@date.publication", "story.date@norm", "date", "date1",
       "date_time", "pubdate"}},
     {"section", {"pubdata@position.section", "meta:online_sections", "section"}},
     {"desk", {"meta:dsk", "desk"}},
     {"topics", {"topics", "keyword@key", "classifier", "subject"}},
     {"people", {"people", "person"}},
     {"places", {"places", "location"}}}};

/// Parts of a text that are fields of their own.
constexpr std::array<std::string_view, 7> apart{"title",  "headline", "hl",     "author",
                                                "byline", "dateline", "hedline"};

/// Tags that end a line of the text.
constexpr std::array<std::string_view, 30> breaking{
    "p",  "br",  "hr",   "hl1",   "hl2",  "hedline", "headline", "title",  "hl",       "li",
    "ul", "ol",  "dl",   "dt",    "dd",   "table",   "tr",       "td",     "th",       "block",
    "bq", "pre", "note", "media", "body", "doc",     "byline",   "author", "dateline", "abstract"};

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view without_ends(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool in(std::string_view name, const auto& names) {
  return std::ranges::any_of(names, [&](std::string_view one) { return same_letters(name, one); });
}

/// What begins at a "<".
struct Tag {
  enum class Kind : std::uint8_t { none, open, close, passed, literal };
  Kind kind = Kind::none;  ///< `none`: the sign stands for itself
  std::string_view name;
  std::string_view attributes;
  std::string_view literal;  ///< text within CDATA
  bool empty = false;        ///< "<x/>"
  std::size_t end = 0;       ///< after it
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_name(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_' || c == ':';
}

Tag read_tag(std::string_view bytes, std::size_t at) {
  const std::string_view rest = bytes.substr(at);
  const auto up_to = [&](std::string_view end) {
    const std::size_t found = rest.find(end);
    return found == rest.npos ? bytes.size() : at + found + end.size();
  };
  Tag tag;
  if (rest.starts_with("<!--")) return {Tag::Kind::passed, {}, {}, {}, false, up_to("-->")};
  if (constexpr std::string_view begin = "<![CDATA["; rest.starts_with(begin)) {
    tag.kind = Tag::Kind::literal;
    tag.end = up_to("]]>");
    tag.literal = rest.substr(begin.size());
    tag.literal = tag.literal.substr(0, tag.literal.find("]]>"));
    return tag;
  }
  if (rest.starts_with("<!") || rest.starts_with("<?")) {
    return {Tag::Kind::passed, {}, {}, {}, false, up_to(">")};
  }
  const bool closes = rest.starts_with("</");
  std::size_t end = closes ? 2 : 1;
  const std::size_t begin = end;
  while (end < rest.size() && is_name(rest[end])) ++end;
  const std::size_t close = rest.substr(0, most_tag_bytes).find('>', end);
  const bool named = begin < rest.size() && is_letter(rest[begin]);
  if (!named || close == rest.npos) return tag;
  tag.kind = closes ? Tag::Kind::close : Tag::Kind::open;
  tag.name = rest.substr(begin, end - begin);
  tag.attributes = rest.substr(end, close - end);
  tag.empty = tag.attributes.ends_with('/');
  tag.end = at + close + 1;
  return tag;
}

/// Text with its references read; control characters, as agencies send them, are left out.
void append_text(std::string_view text, std::string& out) {
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('&'), text.size());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    const html::CharacterReference found = html::read_character_reference(text);
    const bool whole = found.source_bytes > 0 && text[found.source_bytes - 1] == ';';
    const std::size_t bytes = whole ? found.source_bytes : 1;
    const std::string_view read = whole ? found.text() : text.substr(0, 1);
    const auto first = static_cast<unsigned char>(read.empty() ? 0 : read.front());
    if ((first >= ' ' && first != 0x7F) || is_space(static_cast<char>(first))) out += read;
    text.remove_prefix(bytes);
  }
}

/// After the next end tag of that name; npos if there is none.
std::size_t end_of(std::string_view name, std::string_view content, std::size_t from) {
  for (std::size_t at = content.find("</", from); at != content.npos;
       at = content.find("</", at + 1)) {
    const Tag tag = read_tag(content, at);
    if (tag.kind == Tag::Kind::close && same_letters(tag.name, name)) return tag.end;
  }
  return content.npos;
}

/// The text of an element's content. `leaves_out`: elements that are fields of their own.
std::string text_of(std::string_view content, bool leaves_out) {
  std::string out;
  for (std::size_t at = 0; at < content.size();) {
    const std::size_t open = std::min(content.find('<', at), content.size());
    append_text(content.substr(at, open - at), out);
    if (open == content.size()) break;
    const Tag tag = read_tag(content, open);
    at = tag.kind == Tag::Kind::none ? open + 1 : tag.end;
    if (tag.kind == Tag::Kind::none) out += '<';
    out += tag.literal;
    if (in(tag.name, breaking) && !out.empty() && out.back() != '\n') out += '\n';
    if (!leaves_out || tag.kind != Tag::Kind::open || !in(tag.name, apart)) continue;
    const std::size_t end = end_of(tag.name, content, at);
    leaves_out =
        end != content.npos;  // Else no other is closed, or seldom; none is searched twice.
    if (leaves_out) at = end;
  }
  return std::string(without_ends(out));
}

std::string squeezed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_space(c)) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  return std::string(without_ends(out));
}

/// The value of an attribute; empty if it is missing.
std::string attribute(std::string_view attributes, std::string_view name) {
  for (std::size_t at = 0; at < attributes.size();) {
    while (at < attributes.size() && !is_name(attributes[at])) ++at;
    const std::size_t begin = at;
    while (at < attributes.size() && is_name(attributes[at])) ++at;
    const std::string_view found = attributes.substr(begin, at - begin);
    while (at < attributes.size() && is_space(attributes[at])) ++at;
    if (at == attributes.size() || attributes[at] != '=') continue;
    do ++at;
    while (at < attributes.size() && is_space(attributes[at]));
    const char quote = at < attributes.size() ? attributes[at] : '\0';
    const bool quoted = quote == '"' || quote == '\'';
    const std::size_t from = quoted ? at + 1 : at;
    std::size_t to = from;
    while (to < attributes.size() && (quoted ? attributes[to] != quote : !is_space(attributes[to])))
      ++to;
    at = quoted ? to + 1 : to;
    if (same_letters(found, name)) return text_of(attributes.substr(from, to - from), false);
  }
  return {};
}

}  // namespace

std::string_view news_format(std::string_view head) {
  const std::string_view name = first_element(head);
  if (same_letters(name, "nitf")) return "nitf";
  if (same_letters(name, "reuters")) return "sgml";
  if (!same_letters(name, "doc")) return {};
  const NewsStory story(head);
  return story.values("id").empty() ? std::string_view() : "sgml";
}

std::string_view first_element(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  for (std::size_t at = 0; at < bytes.size();) {
    if (is_space(bytes[at])) {
      ++at;
      continue;
    }
    if (bytes[at] != '<') break;
    const Tag tag = read_tag(bytes, at);
    if (tag.kind == Tag::Kind::open) return tag.name;
    if (tag.kind != Tag::Kind::passed) break;
    at = tag.end;
  }
  return {};
}

NewsStory::NewsStory(std::string_view bytes) {
  std::vector<std::size_t> open;
  bool ends_at_tag = false;  // The last element ends at the next tag, if no other end comes.
  for (std::size_t at = bytes.find('<'); at != bytes.npos; at = bytes.find('<', at)) {
    const Tag tag = read_tag(bytes, at);
    if (tag.kind != Tag::Kind::open && tag.kind != Tag::Kind::close) {
      at = tag.kind == Tag::Kind::none ? at + 1 : tag.end;
      continue;
    }
    const auto end_at = [&](std::size_t element, std::size_t place) {
      const auto begin = static_cast<std::size_t>(elements_[element].content.data() - bytes.data());
      elements_[element].content = bytes.substr(begin, place - begin);
    };
    if (ends_at_tag) end_at(elements_.size() - 1, at);
    ends_at_tag = false;
    if (tag.kind == Tag::Kind::close) {
      const auto opened = std::find_if(open.rbegin(), open.rend(), [&](std::size_t i) {
        return same_letters(elements_[i].name, tag.name);
      });
      if (opened != open.rend()) {
        end_at(*opened, at);
        open.erase(opened.base() - 1, open.end());
      }
    } else if (elements_.size() < most_elements) {
      elements_.push_back({tag.name, tag.attributes, bytes.substr(tag.end)});
      if (tag.empty) {
        elements_.back().content = {};
      } else {
        ends_at_tag = true;
        if (open.size() < most_open) open.push_back(elements_.size() - 1);
      }
    }
    at = tag.end;
  }
}

std::vector<std::string> NewsStory::values(std::string_view name) const {
  std::vector<std::string> found;
  const auto add = [&](std::string value) {
    if (!value.empty()) found.push_back(std::move(value));
  };
  const auto look = [&](std::string_view place) {
    constexpr std::string_view meta = "meta:";
    const std::size_t at = place.find('@');
    const std::string_view element = place.substr(0, at);
    const char* end = nullptr;
    for (const NewsElement& one : elements_) {
      if (place.starts_with(meta)) {
        if (same_letters(one.name, "meta") &&
            same_letters(attribute(one.attributes, "name"), place.substr(meta.size()))) {
          add(squeezed(attribute(one.attributes, "content")));
        }
      } else if (!same_letters(one.name, element)) {
        continue;
      } else if (at != place.npos) {
        add(squeezed(attribute(one.attributes, place.substr(at + 1))));
      } else {
        // A list is written <TOPICS><D>tea</D><D>rubber</D></TOPICS>.
        if (one.content.data() < end) continue;  // Within one of the same name.
        end = one.content.data() + one.content.size();
        const std::size_t before = found.size();
        for (auto item = elements_.begin() + (&one - elements_.data()) + 1;
             item != elements_.end() && item->content.data() <= end; ++item) {
          if (same_letters(item->name, "d")) add(squeezed(text_of(item->content, false)));
        }
        if (found.size() == before) add(squeezed(text_of(one.content, false)));
      }
    }
  };
  const auto known = std::ranges::find_if(
      known_fields, [&](const Places& one) { return same_letters(one.field, name); });
  if (known == known_fields.end()) {
    look(name);
    return found;
  }
  for (const std::string_view place : known->places) {
    if (found.empty() && !place.empty()) look(place);
  }
  return found;
}

std::optional<std::string> NewsStory::text(std::string_view name) const {
  const auto all_of = [&](std::string_view element, bool leaves_out) -> std::optional<std::string> {
    std::optional<std::string> joined;
    const char* end = nullptr;
    for (const NewsElement& one : elements_) {
      if (!same_letters(one.name, element) || one.content.data() < end) continue;
      end = one.content.data() + one.content.size();
      if (joined.has_value() && !joined->empty()) *joined += '\n';
      joined = joined.value_or("") + text_of(one.content, leaves_out);
    }
    return joined;
  };
  if (same_letters(name, "text")) {
    for (const std::string_view body : {"body.content", "body"}) {
      if (std::optional<std::string> found = all_of(body, false); found.has_value()) return found;
    }
    std::optional<std::string> found = all_of("text", true);
    return found.has_value() && found->empty() ? all_of("text", false) : found;
  }
  if (same_letters(name, "body")) {
    if (std::optional<std::string> found = all_of("body.content", false); found.has_value()) {
      return found;
    }
    return all_of("body", false);
  }
  std::vector<std::string> found = values(name);
  if (found.empty()) return std::nullopt;
  std::string joined = std::move(found.front());
  for (std::size_t i = 1; i < found.size(); ++i) joined += '\n' + found[i];
  return joined;
}

void decode_story(const NewsStory& story, const FieldNames& fields, Record& record,
                  RecordBatch& batch) {
  const auto name_of = [](const TextPath& path) {
    std::string name;
    for (const TextPath::Step& step : path.steps) name += (name.empty() ? "" : ".") + step.name;
    return name;
  };
  const auto token = [&](const std::string& field) -> std::string_view {
    const std::vector<std::string> found = story.values(name_of(field_path(field)));
    if (found.empty()) return {};
    if (found.size() == 1) return value_token(batch.scratch->keep(found.front()), batch);
    std::string list;
    for (const std::string& value : found) {
      list += list.empty() ? "[" : ", ";
      append_json_string(list, value);
    }
    return batch.scratch->keep(list + "]");
  };
  record.id = token(fields.id);
  std::vector<std::string_view>& values = batch.scratch->fields;
  const std::size_t first = values.size();
  for (const std::string& name : fields.named) values.push_back(token(name));
  record.fields = std::span(values).subspan(first);
  record.field_names = fields.named;
  std::optional<std::string> text;
  if (const Result<std::vector<TextPath>> paths = text_paths(fields.text); paths.ok()) {
    for (const TextPath& path : paths.value()) {
      std::optional<std::string> found = story.text(name_of(path));
      if (!found.has_value()) continue;
      text = text.has_value() ? *text + '\n' + *found : *found;
    }
  }
  if (!text.has_value()) {
    record.bad = BadReason::missing_text;
    record.detail = batch.scratch->keep("no field \"" + fields.text + "\"");
    return;
  }
  set_text_of_utf8(batch.scratch->keep(std::move(*text)), record, batch);
  check_features(fields, record, batch);
}

}  // namespace twinset
