// A JSON text from outside, parsed strictly: RFC 8259 and nothing more, valid UTF-8, at most 64
// levels deep, and no member twice in an object.
//
//   Result<JsonTree> tree = JsonTree::parse(R"({"id": 17})", most_values);
//   for (const JsonMember member : tree.value().root().members()) use(member.value.raw());
//
// A value takes 16 bytes beside the text, so the text's length bounds what a tree takes.
//
// Threads: a tree is immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/result.h"

namespace twinset::service {

inline constexpr std::size_t most_json_depth = 64;

enum class JsonType : std::uint8_t { null, boolean, number, string, array, object };
/// "a string".
std::string_view name_of(JsonType type);

class JsonTree;
struct JsonMember;

/// A value of a tree, which must outlive it.
class JsonValue {
 public:
  JsonType type() const;
  /// The content of a string; the digits of a number; "true" or "false".
  std::string_view text() const;
  /// As it is written, but for strings of the text that have escapes, which are written anew.
  std::string raw() const;
  std::vector<JsonValue> elements() const;
  std::vector<JsonMember> members() const;
  std::size_t size() const;  ///< of an array: its elements

 private:
  friend class JsonTree;
  JsonValue(const JsonTree* tree, std::size_t node) : tree_(tree), node_(node) {}
  const JsonTree* tree_;
  std::size_t node_;
};

struct JsonMember {
  std::string_view name;
  JsonValue value;
};

class JsonTree {
 public:
  /// Errors (usage): it is no JSON, with the byte; it has more than `most` values.
  static Result<JsonTree> parse(std::string text, std::size_t most);

  JsonValue root() const { return {this, 0}; }

 private:
  friend class JsonValue;
  friend class JsonTreeMaker;
  /// A value, or the name of a member before its value. Those within it follow it.
  struct Node {
    const char* begin = nullptr;     ///< of a plain value: its text; of arrays and objects: "["
    std::uint32_t size = 0;          ///< bytes of that; of arrays and objects: values within
    std::uint32_t end_and_type = 0;  ///< the node after it, times 8, and its JsonType
    JsonType type() const { return static_cast<JsonType>(end_and_type & 7); }
    std::size_t end() const { return end_and_type >> 3; }
  };

  std::unique_ptr<const std::string> text_;  ///< at a place that stays
  std::vector<std::unique_ptr<const std::string>> decoded_;
  std::vector<Node> nodes_;
};

/// Appends `text`, which is UTF-8, as a JSON string.
void append_string(std::string& out, std::string_view text);
inline std::string json_string(std::string_view text) {
  std::string out;
  append_string(out, text);
  return out;
}

/// The first byte that is not part of valid UTF-8; npos: there is none.
std::size_t invalid_utf8_at(std::string_view text);

}  // namespace twinset::service
