// The text of a record that lies in several fields of its JSON.
//
//   JsonTexts texts("title,messages[].content");
//   texts.join(line).text      // the title, then what each message says, a line each
//
// Fields are separated by commas and nested by dots; "[]" after a name means each element of the
// list. In a name, a backslash stands before a dot, comma, bracket or backslash.
//
// Threads: an object is immutable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/record.h"
#include "twinset/result.h"

namespace twinset {

/// Does `fields` name more than one plain field?
bool names_several_texts(std::string_view fields);

/// Error (usage) if `fields` cannot be read.
Status check_json_texts(std::string_view fields);

struct JoinedTexts {
  std::string text;
  BadReason bad = BadReason::none;  ///< missing_text, text_not_string, or none
  std::string detail;
};

/// A name of a text: the members of objects that lead to it.
struct TextPath {
  struct Step {
    std::string name;
    unsigned lists = 0;  ///< lists within lists that are its value
  };
  std::vector<Step> steps;
  std::string shown;  ///< as the caller wrote it
};

/// The names in `fields`. Errors: as check_json_texts().
Result<std::vector<TextPath>> text_paths(std::string_view fields);
/// A single name, as FieldPaths reads it.
TextPath field_path(std::string_view name);

class JsonTexts {
 public:
  /// `fields` as check_json_texts() takes them.
  explicit JsonTexts(std::string_view fields);

  /// The strings of all fields in the order of their names, joined by line ends. Fields that are
  /// missing or null have none; it is a fault if all are, or if one is neither a string nor null.
  /// `line`: an object, checked before. O(line) for each field.
  JoinedTexts join(std::string_view line) const;

 private:
  std::vector<TextPath> paths_;
  std::string shown_;
};

}  // namespace twinset
