// A line is walked once for each field, along its path only; there are few fields. Values of a path
// are gathered level by level, so nothing recurses.
//
// This file's interface is io/json_texts.h; the rest is private.
#include "io/json_texts.h"

#include <cassert>
#include <utility>

#include "base/message.h"
#include "io/json_fields.h"
#include "io/json_read.h"

namespace twinset {
namespace {

constexpr std::size_t most_fields = 16;
constexpr std::string_view escaped = ".,[]\\";

Error bad_field(std::string_view fields, std::string_view why) {
  return usage_error(option("text", fields) + ": " + std::string(why));
}

/// Several names, or some with lists.
Result<std::vector<TextPath>> parse(std::string_view fields) {
  std::vector<TextPath> paths(1);
  std::string name;
  unsigned lists = 0;
  std::size_t begin = 0;
  const auto end_step = [&]() -> Status {
    if (name.empty()) return bad_field(fields, "a name is missing");
    paths.back().steps.push_back({std::exchange(name, {}), std::exchange(lists, 0)});
    return {};
  };
  for (std::size_t i = 0; i <= fields.size(); ++i) {
    const char c = i < fields.size() ? fields[i] : ',';
    if (c == '.' || c == ',') {
      TWINSET_TRY(end_step());
      if (c == '.') continue;
      paths.back().shown = fields.substr(begin, i - begin);
      begin = i + 1;
      if (i < fields.size()) paths.emplace_back();
    } else if (c == '[') {
      if (!fields.substr(i).starts_with("[]")) return bad_field(fields, "[ needs a ] after it");
      ++lists;
      ++i;
    } else if (lists > 0) {
      return bad_field(fields, "a dot is missing after []");
    } else if (c == '\\' && i + 1 < fields.size() &&
               escaped.find(fields[i + 1]) != std::string_view::npos) {
      name += fields[++i];
    } else {
      name += c;
    }
  }
  if (paths.size() > most_fields) return bad_field(fields, "at most 16 fields are joined");
  return paths;
}

}  // namespace

bool names_several_texts(std::string_view fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i] == '\\') {
      // In a single name a backslash before any other character stands for itself.
      if (i + 1 < fields.size() && (fields[i + 1] == ',' || fields[i + 1] == '[')) return true;
      ++i;
    } else if (fields[i] == ',' || fields.substr(i).starts_with("[]")) {
      return true;
    }
  }
  return false;
}

Status check_json_texts(std::string_view fields) {
  if (!names_several_texts(fields)) return {};
  const auto parsed = parse(fields);
  return parsed.ok() ? Status() : Status(parsed.error());
}

TextPath field_path(std::string_view name) {
  TextPath path;
  path.shown = name;
  const FieldPaths split(std::span(&name, 1));
  for (const std::string& step : split[0]) path.steps.push_back({step});
  return path;
}

Result<std::vector<TextPath>> text_paths(std::string_view fields) {
  if (names_several_texts(fields)) return parse(fields);
  return std::vector<TextPath>{field_path(fields)};
}

JsonTexts::JsonTexts(std::string_view fields) : shown_(fields) {
  auto parsed = parse(fields);
  assert(parsed.ok());
  if (parsed.ok()) paths_ = std::move(parsed.value());
}

JoinedTexts JsonTexts::join(std::string_view line) const {
  JoinedTexts joined;
  const Result<JsonNode> object = read_json(line, "a record");
  bool any = false;
  for (const TextPath& path : paths_) {
    std::vector<JsonNode> values;
    if (object.ok()) values.push_back(object.value());
    for (const TextPath::Step& step : path.steps) {
      for (JsonNode& value : values) value = value[step.name];
      for (unsigned i = 0; i < step.lists; ++i) {
        std::vector<JsonNode> elements;
        for (const JsonNode& value : values) {
          for (const JsonNode& element : value.elements()) elements.push_back(element);
        }
        values = std::move(elements);
      }
    }
    for (const JsonNode& value : values) {
      if (value.kind() == JsonKind::none || value.kind() == JsonKind::null) continue;
      if (value.kind() != JsonKind::string) {
        return {{},
                BadReason::text_not_string,
                "\"" + path.shown + "\" is " + std::string(json_kind_name(value.kind()))};
      }
      if (any) joined.text += '\n';
      joined.text += value.text();
      any = true;
    }
  }
  if (!any) return {{}, BadReason::missing_text, "no field \"" + shown_ + "\""};
  return joined;
}

}  // namespace twinset
