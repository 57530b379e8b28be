// The walk enters only objects on the way to a named field; everything else is scanned and skipped.
// Its state is one number for each path: how many of its steps the entered objects have matched. A
// path is live in the current object if that number is the object's depth.
//
// This file's interface is io/json_fields.h; the rest is private.
#include "io/json_fields.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "io/inputs.h"
#include "io/json_read.h"
#include "io/json_string.h"

namespace twinset {
namespace {

constexpr std::size_t max_paths = 32;
constexpr std::size_t max_steps = 64;

class Walk {
 public:
  Walk(std::string_view line, const FieldPaths& paths, std::span<FoundField> found, char* room,
       JsonFault& fault)
      : p_(line.data()),
        end_(line.data() + line.size()),
        paths_(paths),
        found_(found),
        room_(room),
        fault_(fault) {}

  bool run() {
    for (FoundField& field : found_) field = {};
    space();
    if (!at('{')) return refuse("not an object");
    ++p_;
    space();
    bool first = true;
    while (true) {
      if (at('}')) {
        ++p_;
        space();
        if (depth_ == 0) break;
        leave();
        first = false;
        continue;
      }
      if (!first) {
        if (!at(',')) return refuse("a comma or } is missing");
        ++p_;
        space();
      }
      bool entered = false;
      if (!member(entered)) return false;
      first = entered;
    }
    return p_ == end_ || refuse("something follows the object");
  }

 private:
  bool at(char byte) const { return p_ < end_ && *p_ == byte; }
  void space() { p_ = skip_json_space(p_, end_); }
  bool refuse(std::string_view what) {
    fault_ = {p_, p_ == end_ ? "the value ends too early" : what};
    return false;
  }

  /// Reads a key and its value; `entered` if the value is an object that is now walked.
  bool member(bool& entered) {
    if (!at('"')) return refuse("a key is missing");
    const char* const key_begin = p_ + 1;
    const JsonString key_string = read_json_string(key_begin, end_, nullptr);
    if (key_string.end == nullptr) return string_fault(key_string);
    const std::string_view key(key_begin, static_cast<std::size_t>(key_string.end - 1 - key_begin));
    p_ = key_string.end;
    space();
    if (!at(':')) return refuse("a colon is missing");
    ++p_;
    space();
    const Wanted wanted = wanted_at(key);
    const char* const value_begin = p_;
    if (wanted.here != 0 || wanted.within == 0) {
      if (!value(wanted.here)) return false;
      space();
    }
    if (wanted.within != 0 && *value_begin == '{') {
      enter(wanted.within);
      p_ = value_begin + 1;
      space();
      entered = true;
    }
    return true;
  }

  struct Wanted {
    std::uint32_t here = 0;    ///< paths that name this value
    std::uint32_t within = 0;  ///< paths that continue below it
  };

  /// Drops what the live paths that contain `key` found before: the last one wins.
  Wanted wanted_at(std::string_view key) {
    Wanted wanted;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      const std::span<const std::string> steps = paths_[i];
      if (matched_[i] != depth_ || depth_ >= steps.size() || !json_key_is(key, steps[depth_])) {
        continue;
      }
      found_[i] = {};
      const std::uint32_t bit = std::uint32_t{1} << i;
      if (depth_ + 1 == steps.size()) {
        wanted.here |= bit;
      } else if (at('{')) {
        wanted.within |= bit;
      }
    }
    return wanted;
  }

  /// Reads and checks the current value; keeps it for the paths of `here`.
  bool value(std::uint32_t here) {
    FoundField field;
    if ((here & 1) != 0 && at('"')) {
      const char* const begin = p_ + 1;
      const JsonString string = read_json_string(begin, end_, room_);
      if (string.end == nullptr) return string_fault(string);
      field.value = {JsonKind::string,
                     std::string_view(p_, static_cast<std::size_t>(string.end - p_))};
      field.text = std::string_view(string.escaped ? room_ : begin, string.decoded_bytes);
    } else {
      field.value = scan_json_value(p_, end_, max_json_depth - depth_ - 1, fault_);
      if (field.value.kind == JsonKind::none) return false;
    }
    p_ += field.value.raw.size();
    for (std::size_t i = 0; here != 0; ++i, here >>= 1) {
      if ((here & 1) != 0) found_[i] = {field.value, i == 0 ? field.text : std::string_view{}};
    }
    return true;
  }

  void enter(std::uint32_t within) {
    ++depth_;
    for (std::size_t i = 0; within != 0; ++i, within >>= 1) {
      if ((within & 1) != 0) matched_[i] = depth_;
    }
  }

  void leave() {
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      if (matched_[i] == depth_) --matched_[i];
    }
    --depth_;
  }

  bool string_fault(const JsonString& string) {
    fault_ = {string.fault_at, string.fault};
    return false;
  }

  const char* p_;
  const char* const end_;
  const FieldPaths& paths_;
  const std::span<FoundField> found_;
  char* const room_;
  JsonFault& fault_;
  std::size_t depth_ = 0;  ///< objects entered below the outermost
  std::array<std::size_t, max_paths> matched_{};
};

}  // namespace

FieldPaths::FieldPaths(std::span<const std::string_view> names) {
  assert(names.size() <= max_paths);
  paths_.reserve(names.size());
  for (const std::string_view name : names) {
    std::vector<std::string>& steps = paths_.emplace_back();
    if (name.empty()) continue;
    steps.emplace_back();
    for (std::size_t i = 0; i < name.size(); ++i) {
      const bool escapes =
          name[i] == '\\' && i + 1 < name.size() && (name[i + 1] == '.' || name[i + 1] == '\\');
      if (escapes) {
        steps.back() += name[++i];
      } else if (name[i] == '.') {
        steps.emplace_back();
      } else {
        steps.back() += name[i];
      }
    }
    if (steps.size() > max_steps) steps.clear();
  }
}

std::string_view object_of(std::string_view raw) {
  if (raw.starts_with("\xEF\xBB\xBF")) raw.remove_prefix(3);
  const auto without_space = [&] {
    const char* const end = raw.data() + raw.size();
    raw = {skip_json_space(raw.data(), end), end};
  };
  without_space();
  if (raw.starts_with(',')) raw.remove_prefix(1);
  without_space();
  return raw;
}

std::vector<std::string> json_field_names(std::string_view line) {
  constexpr std::size_t most_names = 12;
  constexpr std::size_t most_bytes = 40;
  std::vector<std::string> names;
  const std::size_t begin = line.find('{');  // A byte order mark may stand before it.
  if (begin == std::string_view::npos) return names;
  const Result<JsonNode> object = read_json(line.substr(begin), "a record");
  if (!object.ok()) return names;
  for (const auto& [name, value] : object.value().fields()) {
    if (names.size() == most_names) break;
    names.push_back(shown_path(name.substr(0, most_bytes)));
  }
  return names;
}

bool find_json_fields(std::string_view line, const FieldPaths& paths, std::span<FoundField> found,
                      char* room, JsonFault& fault) {
  assert(found.size() == paths.size());
  return Walk(line, paths, found, room, fault).run();
}

}  // namespace twinset
