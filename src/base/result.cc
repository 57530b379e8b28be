// Marks in messages, and their spelling at each door.
//
// A mark is "\0{" BODY "\0}". BODY is NAME, an option; NAME=VALUE; NAME!, a switch; or NAME(), a
// verb. NAME is of lower-case letters, digits and _, and of spaces in a verb; VALUE has no NUL.
// Opening and closing differ, so that a NUL in a text does not turn the marks after it inside out:
// the first NUL after an opening ends a mark if a closing brace follows it, ; otherwise there is no
// mark.
//
// This file's interface is render_message(), and what base/message.h declares.
#include "twinset/result.h"

#include <algorithm>
#include <cassert>

#include "base/message.h"

namespace twinset {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view opening = "\0{"sv;
constexpr std::string_view closing = "\0}"sv;
constexpr std::size_t longest_name = 40;

struct Mark {
  enum class Kind : std::uint8_t { option, option_with_value, switch_on, verb };
  Kind kind = Kind::option;
  std::string_view name;
  std::string_view value;
};

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/// False: `body` is nothing that the functions below put between the ends of a mark.
bool read_mark(std::string_view body, Mark& mark) {
  const std::string_view whole = body;
  if (body.ends_with("()")) {
    mark.kind = Mark::Kind::verb;
    body.remove_suffix(2);
  }
  const auto end = std::find_if_not(body.begin(), body.end(), [&](char c) {
    return is_name_character(c) || (c == ' ' && mark.kind == Mark::Kind::verb);
  });
  mark.name = body.substr(0, static_cast<std::size_t>(end - body.begin()));
  if (mark.name.empty() || mark.name.size() > longest_name) return false;
  const std::string_view rest = whole.substr(mark.name.size());
  if (rest.starts_with('=')) {
    mark.kind = Mark::Kind::option_with_value;
    mark.value = rest.substr(1);
    return true;
  }
  if (rest == "!") mark.kind = Mark::Kind::switch_on;
  return rest.empty() || rest == "!" || rest == "()";
}

/// "max-record" of max_record.
std::string replaced(std::string_view name, char from, char to) {
  std::string out(name);
  std::replace(out.begin(), out.end(), from, to);
  return out;
}

/// The flag that messages use. The output is called -o in all of them, as in the examples of help.
std::string flag(std::string_view name) {
  return name == "output" ? "-o" : "--" + replaced(name, '_', '-');
}

/// A value for a shell: quoted if it has characters that a shell gives a meaning.
std::string shell_value(std::string_view value) {
  if (!value.empty() &&
      value.find_first_of(" \t\n()[]{}*?;&|<>$`\"'\\#~!") == std::string_view::npos) {
    return std::string(value);
  }
  std::string out = "'";
  for (const char c : value) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// A value for Python: numbers as they are, 1,000 as 1_000, and words in capitals, which stand for
/// a value.
std::string python_value(std::string_view value) {
  const bool number = !value.empty() && value.find_first_not_of("0123456789.,") == value.npos;
  const bool placeholder = !value.empty() && value.front() >= 'A' && value.front() <= 'Z' &&
                           value.find_first_of("abcdefghijklmnopqrstuvwxyz") == value.npos;
  if (number || placeholder) return replaced(value, ',', '_');
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string on_the_command_line(const Mark& mark) {
  switch (mark.kind) {
    case Mark::Kind::verb:
      return "twinset " + std::string(mark.name);
    case Mark::Kind::option_with_value:
      return flag(mark.name) + " " + shell_value(mark.value);
    default:
      return flag(mark.name);
  }
}

std::string in_python(const Mark& mark) {
  switch (mark.kind) {
    case Mark::Kind::verb:
      return "twinset." + replaced(mark.name, ' ', '_');
    case Mark::Kind::option_with_value:
      return std::string(mark.name) + "=" + python_value(mark.value);
    case Mark::Kind::switch_on:
      return std::string(mark.name) + "=True";
    default:
      return std::string(mark.name) + "=";
  }
}

std::string in_plain_words(const Mark& mark) {
  std::string out(mark.name);
  if (mark.kind == Mark::Kind::option_with_value) out += "=" + std::string(mark.value);
  return out;
}

std::string spelled(Door door, const Mark& mark) {
  switch (door) {
    case Door::command_line:
      return on_the_command_line(mark);
    case Door::python:
      return in_python(mark);
    default:
      return in_plain_words(mark);
  }
}

std::string marked(std::string_view name, std::string_view rest) {
  std::string out(opening);
  out.append(name).append(rest).append(closing);
  [[maybe_unused]] Mark mark;
  assert(read_mark(std::string_view(out).substr(opening.size(), name.size() + rest.size()), mark));
  return out;
}

}  // namespace

std::string render_message(Door door, std::string_view message) {
  std::string out;
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t open = std::min(message.find(opening, at), message.size());
    out += message.substr(at, open - at);
    at = open;
    if (open == message.size()) break;
    const std::size_t body = open + opening.size();
    const std::size_t nul = std::min(message.find('\0', body), message.size());
    Mark mark;
    if (message.substr(nul).starts_with(closing) &&
        read_mark(message.substr(body, nul - body), mark)) {
      out += spelled(door, mark);
      at = nul + closing.size();
    } else {
      out += message[at++];
    }
  }
  return out;
}

std::string option(std::string_view name) { return marked(name, ""); }

std::string option(std::string_view name, std::string_view value) {
  // A value with a NUL would end the mark.
  if (value.find('\0') != value.npos) return option(name) + " " + std::string(value);
  return marked(name, "=" + std::string(value));
}

std::string switch_on(std::string_view name) { return marked(name, "!"); }

std::string verb(std::string_view name) { return marked(name, "()"); }

}  // namespace twinset
