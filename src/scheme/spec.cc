// A hand-written scanner: the grammar is one line, and its errors can then say
// what the user meant, which is the whole point of parsing it ourselves.
//
// This file's interface is scheme/spec.h; the rest is private.
#include "scheme/spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <charconv>

namespace twinset {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

/// Reads a spec from the left.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool at_end() {
    skip_spaces();
    return position_ == text_.size();
  }

  bool accept(char c) {
    skip_spaces();
    if (position_ == text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  std::string_view name() {
    skip_spaces();
    const std::size_t begin = position_;
    while (position_ < text_.size() && is_name(text_[position_])) ++position_;
    return text_.substr(begin, position_ - begin);
  }

  Error expected(std::string_view what) {
    skip_spaces();
    return usage_error(
        fmt::format("scheme \"{}\": expected {} at character {}", text_, what, position_ + 1));
  }

 private:
  void skip_spaces() {
    while (position_ < text_.size() && is_space(text_[position_])) ++position_;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

Result<std::uint64_t> parse_value(std::string_view digits, Scanner& scanner) {
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, value);
  if (digits.empty() || error != std::errc() || stopped != end) {
    return scanner.expected("an unsigned integer below 2^64");
  }
  return value;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

Error unknown_parameter(const SchemeDeclaration& declaration, std::string_view name) {
  if (declaration.parameters.empty()) {
    return usage_error(
        fmt::format("scheme {} has no parameter \"{}\"; it has none", declaration.name, name));
  }
  std::vector<std::string_view> known;
  std::string list;
  for (const ParameterDeclaration& parameter : declaration.parameters) {
    known.push_back(parameter.name);
    list += list.empty() ? "" : ", ";
    list += parameter.name;
  }
  return usage_error(fmt::format("scheme {} has no parameter \"{}\"; did you mean {}? It has: {}",
                                 declaration.name, name, nearest_name(name, known), list));
}

}  // namespace

Result<ParsedSpec> parse_spec(std::string_view spec) {
  if (spec.size() > max_spec_bytes) {
    return usage_error(
        fmt::format("a scheme of {} bytes; at most {} are read", spec.size(), max_spec_bytes));
  }
  Scanner scanner(spec);
  ParsedSpec parsed;
  parsed.name = scanner.name();
  if (parsed.name.empty()) return scanner.expected("a scheme's name, e.g. fss");
  if (scanner.accept('(') && !scanner.accept(')')) {
    do {
      const std::string_view name = scanner.name();
      if (name.empty()) return scanner.expected("a parameter's name");
      if (!scanner.accept('=')) return scanner.expected("'='");
      TWINSET_ASSIGN(const std::uint64_t value, parse_value(scanner.name(), scanner));
      parsed.parameters.emplace_back(name, value);
    } while (scanner.accept(','));
    if (!scanner.accept(')')) return scanner.expected("',' or ')'");
  }
  if (!scanner.at_end()) return scanner.expected("'(' with parameters, or the end");
  return parsed;
}

Result<std::vector<std::uint64_t>> resolve_parameters(const SchemeDeclaration& declaration,
                                                      const ParsedSpec& spec) {
  std::vector<std::uint64_t> values;
  for (const ParameterDeclaration& parameter : declaration.parameters) {
    values.push_back(parameter.standard);
  }
  std::vector<bool> given(values.size());
  for (const auto& [name, value] : spec.parameters) {
    std::size_t index = 0;
    while (index < values.size() && declaration.parameters[index].name != name) ++index;
    if (index == values.size()) return unknown_parameter(declaration, name);
    const ParameterDeclaration& parameter = declaration.parameters[index];
    if (given[index]) {
      return usage_error(fmt::format("scheme {}: {} is given twice", declaration.name, name));
    }
    if (value < parameter.minimum || value > parameter.maximum) {
      return usage_error(fmt::format("scheme {}: {}={} is out of its range {} to {} ({})",
                                     declaration.name, name, value, parameter.minimum,
                                     parameter.maximum, parameter.help));
    }
    given[index] = true;
    values[index] = value;
  }
  return values;
}

std::string render_spec(const SchemeDeclaration& declaration,
                        std::span<const std::uint64_t> values) {
  assert(values.size() == declaration.parameters.size());
  std::string spec(declaration.name);
  for (std::size_t i = 0; i < values.size(); ++i) {
    spec += i == 0 ? "(" : ", ";
    spec += fmt::format("{}={}", declaration.parameters[i].name, values[i]);
  }
  if (!values.empty()) spec += ')';
  return spec;
}

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known) {
  constexpr std::size_t longest = 64;  // of what a user typed; more says nothing more
  std::string_view nearest;
  std::size_t fewest = 0;
  for (const std::string_view candidate : known) {
    const std::size_t edits = !name.empty() && candidate.starts_with(name)
                                  ? 0
                                  : edit_distance(name.substr(0, longest), candidate);
    if (nearest.empty() || edits < fewest) {
      nearest = candidate;
      fewest = edits;
    }
  }
  return nearest;
}

}  // namespace twinset
