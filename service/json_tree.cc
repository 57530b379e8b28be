// Boost.JSON parses and checks; this file keeps what it finds in the order of the text. A string
// without escapes is a view into the text, which is most of a request.
//
// The library is used as headers alone, compiled here.
#include "json_tree.h"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/src.hpp>

namespace twinset::service {

namespace json = boost::json;

/// Gets the events of the parser. A function that returns false sets an error and ends the parse.
class JsonTreeMaker {
 public:
  using Node = JsonTree::Node;
  static constexpr std::size_t max_object_size = SIZE_MAX;
  static constexpr std::size_t max_array_size = SIZE_MAX;
  static constexpr std::size_t max_key_size = SIZE_MAX;
  static constexpr std::size_t max_string_size = SIZE_MAX;

  JsonTree tree;
  std::size_t most = 0;
  bool too_many = false;

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code& failed) { return open(JsonType::object, failed); }
  bool on_array_begin(json::error_code& failed) { return open(JsonType::array, failed); }
  bool on_object_end(std::size_t members, json::error_code&) { return close(members); }
  bool on_array_end(std::size_t elements, json::error_code&) { return close(elements); }

  bool on_key_part(json::string_view part, std::size_t, json::error_code&) { return take(part); }
  bool on_string_part(json::string_view part, std::size_t, json::error_code&) { return take(part); }
  bool on_number_part(json::string_view part, json::error_code&) { return take(part); }
  bool on_key(json::string_view part, std::size_t, json::error_code& failed) {
    return take(part) && plain(JsonType::string, failed);
  }
  bool on_string(json::string_view part, std::size_t, json::error_code& failed) {
    return take(part) && plain(JsonType::string, failed);
  }
  bool on_int64(std::int64_t, json::string_view part, json::error_code& failed) {
    return take(part) && plain(JsonType::number, failed);
  }
  bool on_uint64(std::uint64_t, json::string_view part, json::error_code& failed) {
    return take(part) && plain(JsonType::number, failed);
  }
  bool on_double(double, json::string_view part, json::error_code& failed) {
    return take(part) && plain(JsonType::number, failed);
  }
  bool on_bool(bool is, json::error_code& failed) {
    parts_ = is ? "true" : "false";
    return plain(JsonType::boolean, failed);
  }
  bool on_null(json::error_code& failed) {
    parts_ = "null";
    return plain(JsonType::null, failed);
  }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

 private:
  /// A string without escapes and a number are one piece, which lies in the text. Others come as
  /// pieces in a buffer that the next piece overwrites.
  bool take(json::string_view part) {
    const std::string_view piece(part.data(), part.size());
    if (piece.empty()) return true;
    if (parts_.empty() && in_text(piece)) {
      parts_ = piece;
      return true;
    }
    if (joined_.empty()) joined_ = parts_;
    joined_ += piece;
    parts_ = joined_;
    return true;
  }
  bool in_text(std::string_view part) const {
    const std::string& text = *tree.text_;
    return part.data() >= text.data() && part.data() + part.size() <= text.data() + text.size();
  }
  bool plain(JsonType type, json::error_code& failed) {
    if (!parts_.empty() && type != JsonType::boolean && type != JsonType::null &&
        !in_text(parts_)) {
      parts_ = *tree.decoded_.emplace_back(std::make_unique<const std::string>(parts_));
    }
    const bool added = add(type, parts_.data(), parts_.size(), failed);
    parts_ = {};
    joined_.clear();
    return added;
  }
  bool add(JsonType type, const char* begin, std::size_t size, json::error_code& failed) {
    if (tree.nodes_.size() >= most) {
      too_many = true;
      failed = json::error::array_too_large;
      return false;
    }
    const auto end = static_cast<std::uint32_t>(tree.nodes_.size() + 1);
    tree.nodes_.push_back(
        {begin, static_cast<std::uint32_t>(size), end << 3 | static_cast<std::uint32_t>(type)});
    return true;
  }
  bool open(JsonType type, json::error_code& failed) {
    open_.push_back(tree.nodes_.size());
    return add(type, nullptr, 0, failed);
  }
  bool close(std::size_t values) {
    Node& node = tree.nodes_[open_.back()];
    open_.pop_back();
    node.size = static_cast<std::uint32_t>(values);
    node.end_and_type =
        static_cast<std::uint32_t>(tree.nodes_.size()) << 3 | (node.end_and_type & 7);
    return true;
  }

  std::string_view parts_;
  std::string joined_;
  std::vector<std::size_t> open_;
};

namespace {

/// A node's place has 29 bits.
constexpr std::size_t most_nodes = (std::size_t{1} << 29) - 1;

std::string reason_of(const json::error_code& failed) {
  if (failed == json::error::too_deep) {
    return "it is more than " + std::to_string(most_json_depth) + " levels deep";
  }
  if (failed == json::error::incomplete) return "it ends too early";
  if (failed == json::error::extra_data) return "more follows after the value";
  return failed.message();
}

/// The names of an object of few members are compared with each other, those of others sorted.
bool has_twice(std::vector<std::string_view>& names, std::string_view& twice) {
  std::sort(names.begin(), names.end());
  const auto found = std::adjacent_find(names.begin(), names.end());
  if (found == names.end()) return false;
  twice = *found;
  return true;
}

}  // namespace

std::string_view name_of(JsonType type) {
  constexpr std::string_view names[] = {"null",     "true or false", "a number",
                                        "a string", "an array",      "an object"};
  return names[static_cast<std::size_t>(type)];
}

Result<JsonTree> JsonTree::parse(std::string text, std::size_t most) {
  if (text.size() > UINT32_MAX) return usage_error("a text of more than 4 GiB is not read");
  if (const std::size_t bad = invalid_utf8_at(text); bad != std::string::npos) {
    return usage_error("byte " + std::to_string(bad) + " is not valid UTF-8");
  }
  json::parse_options options;
  options.max_depth = most_json_depth;
  json::basic_parser<JsonTreeMaker> parser(options);
  JsonTreeMaker& maker = parser.handler();
  maker.tree.text_ = std::make_unique<const std::string>(std::move(text));
  maker.most = std::min(most, most_nodes);
  const std::string& kept = *maker.tree.text_;
  json::error_code failed;
  std::size_t read = parser.write_some(false, kept.data(), kept.size(), failed);
  if (!failed && read < kept.size()) failed = json::error::extra_data;
  if (failed) {
    if (maker.too_many) {
      return usage_error("it has more than " + std::to_string(most) + " values");
    }
    read = std::min(read, kept.size());
    return usage_error("no JSON at byte " + std::to_string(read) + ": " + reason_of(failed));
  }
  JsonTree tree = std::move(maker.tree);
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < tree.nodes_.size(); ++i) {
    if (tree.nodes_[i].type() != JsonType::object) continue;
    names.clear();
    for (const JsonMember& member : JsonValue(&tree, i).members()) names.push_back(member.name);
    if (std::string_view twice; has_twice(names, twice)) {
      return usage_error("an object has '" + std::string(twice) + "' twice");
    }
  }
  return tree;
}

JsonType JsonValue::type() const { return tree_->nodes_[node_].type(); }

std::string_view JsonValue::text() const {
  const JsonTree::Node& node = tree_->nodes_[node_];
  if (type() == JsonType::array || type() == JsonType::object) return {};
  return {node.begin, node.size};
}

std::size_t JsonValue::size() const { return tree_->nodes_[node_].size; }

std::vector<JsonValue> JsonValue::elements() const {
  std::vector<JsonValue> values;
  const JsonTree::Node& node = tree_->nodes_[node_];
  if (node.type() != JsonType::array) return values;
  values.reserve(node.size);
  for (std::size_t at = node_ + 1; at < node.end(); at = tree_->nodes_[at].end()) {
    values.push_back({tree_, at});
  }
  return values;
}

std::vector<JsonMember> JsonValue::members() const {
  std::vector<JsonMember> members;
  const JsonTree::Node& node = tree_->nodes_[node_];
  if (node.type() != JsonType::object) return members;
  members.reserve(node.size);
  for (std::size_t at = node_ + 1; at < node.end();) {
    const JsonValue name(tree_, at);
    const JsonValue value(tree_, at + 1);
    members.push_back({name.text(), value});
    at = tree_->nodes_[at + 1].end();
  }
  return members;
}

std::string JsonValue::raw() const {
  std::string out;
  switch (type()) {
    case JsonType::string:
      append_string(out, text());
      break;
    case JsonType::array:
      for (const JsonValue& element : elements()) out += (out.empty() ? "[" : ",") + element.raw();
      out += out.empty() ? "[]" : "]";
      break;
    case JsonType::object:
      for (const JsonMember& member : members()) {
        out += out.empty() ? "{" : ",";
        append_string(out, member.name);
        out += ':' + member.value.raw();
      }
      out += out.empty() ? "{}" : "}";
      break;
    default:
      out = text();
  }
  return out;
}

void append_string(std::string& out, std::string_view text) {
  constexpr char hex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00";
      out += {hex[byte >> 4], hex[byte & 15]};
    } else {
      out += c;
    }
  }
  out += '"';
}

std::size_t invalid_utf8_at(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned first = byte(i);
    if (first < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4) return i;
    // The least and the most of the second byte keep out long forms, surrogates and what is above
    // U+10FFFF.
    const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (byte(i + 1) < least || byte(i + 1) > most) return i;
    for (std::size_t k = 2; k < length; ++k) {
      if (byte(i + k) < 0x80 || byte(i + k) > 0xbf) return i;
    }
    i += length;
  }
  return std::string_view::npos;
}

}  // namespace twinset::service
