// A hand-written scanner: the grammar is one line, and hand-written errors can say what the user
// meant.
//
// This file's interface is base/spec_text.h; the rest is private.
#include "base/spec_text.h"

#include <algorithm>
#include <optional>

namespace twinset {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

/// Reads a spec from the left.
class Scanner {
 public:
  Scanner(std::string_view text, const SpecNoun& noun) : text_(text), noun_(noun) {}

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

  /// The next value, without its quotes; nullopt if a quote is still open at the end.
  std::optional<std::string> value() {
    std::string out;
    if (!accept('"')) {
      while (position_ < text_.size() && is_plain_in_spec(text_[position_]))
        out += text_[position_++];
      return out;
    }
    while (position_ < text_.size() && text_[position_] != '"') {
      const bool escaped = text_[position_] == '\\' && position_ + 1 < text_.size();
      position_ += escaped ? 1 : 0;
      out += text_[position_++];
    }
    if (position_ == text_.size()) return std::nullopt;
    ++position_;
    return out;
  }

  Error expected(std::string_view what) {
    skip_spaces();
    return usage_error(std::string(noun_.word) + " \"" + std::string(text_) + "\": expected " +
                       std::string(what) + " at character " + std::to_string(position_ + 1));
  }

 private:
  void skip_spaces() {
    while (position_ < text_.size() && is_space(text_[position_])) ++position_;
  }

  std::string_view text_;
  const SpecNoun& noun_;
  std::size_t position_ = 0;
};

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

}  // namespace

bool is_plain_in_spec(char c) {
  return !is_space(c) && std::string_view(",()\"").find(c) == std::string_view::npos;
}

Result<ParsedSpec> parse_spec(std::string_view spec, const SpecNoun& noun) {
  if (spec.size() > max_spec_bytes) {
    return usage_error(std::string(noun.with_article) + " of " + std::to_string(spec.size()) +
                       " bytes; at most " + std::to_string(max_spec_bytes) + " are read");
  }
  Scanner scanner(spec, noun);
  ParsedSpec parsed;
  parsed.name = scanner.name();
  if (parsed.name.empty())
    return scanner.expected(std::string(noun.with_article) + "'s name, e.g. " +
                            std::string(noun.example));
  if (scanner.accept('(') && !scanner.accept(')')) {
    do {
      const std::string_view name = scanner.name();
      if (name.empty()) return scanner.expected("a parameter's name");
      if (!scanner.accept('=')) return scanner.expected("'='");
      std::optional<std::string> value = scanner.value();
      if (!value.has_value()) return scanner.expected("'\"' after the value");
      parsed.parameters.emplace_back(name, std::move(*value));
    } while (scanner.accept(','));
    if (!scanner.accept(')')) return scanner.expected("',' or ')'");
  }
  if (!scanner.at_end()) return scanner.expected("'(' with parameters, or the end");
  return parsed;
}

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known) {
  constexpr std::size_t longest = 64;  // of the user's text; more would not help
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
