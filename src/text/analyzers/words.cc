// The default analyzer: words in any script, regardless of case and of how a letter is written
// (composed, or with its marks apart); ideographs one by one, and letters of scripts without spaces
// in pairs. text/words_reference.h is the exact definition.
//
// Its parameters are a rule for words (text/word_rule.h). Every rule within their ranges is an
// analyzer of its own, with a name of its own, that exists as long as the program: so an analyzer
// is a pointer to a constant, whatever its rule.
//
// This file's interface is text/analyzer.h; the rest is private.
#include <algorithm>
#include <array>
#include <deque>
#include <string>

#include "text/analyzer_list.h"
#include "text/word_rule.h"
#include "text/words_kernel.h"

namespace twinset {
namespace {

namespace parameter {
enum : std::size_t { min_chars, max_digits, punctuation, min_different, count };
}
constexpr std::array<std::string_view, 11> digit_limits{"any", "0", "1", "2", "3", "4",
                                                        "5",   "6", "7", "8", "9"};
constexpr std::array<std::string_view, 3> punctuations{"split", "keep", "drop"};
constexpr std::array<ParameterDeclaration, parameter::count> word_parameters{{
    {"min_chars", 1, 10, 1,
     "letters and digits that a word has at least; shorter ones are left out"},
    {"max_digits", 0, 0, 0, "decimal digits that a word has at most; one with more is left out",
     ParameterKind::choice, "any", digit_limits},
    {"punctuation", 0, 0, 0,
     "punctuation and symbols inside a word, without space: split it, keep them in it, or drop "
     "them",
     ParameterKind::choice, "split", punctuations},
    {"min_different", 0, 10, 0,
     "different words that a text has at least; one with fewer counts as one without words"},
}};

WordRule rule_of(std::span<const std::uint64_t> values) {
  const std::uint64_t limit = values[parameter::max_digits];
  return {static_cast<std::uint32_t>(values[parameter::min_chars]),
          limit == 0 ? WordRule::any_digits : static_cast<std::uint32_t>(limit - 1),
          static_cast<Punctuation>(values[parameter::punctuation])};
}

/// Are there so many different ones, `least` being few? Ends when they are found.
bool has_different(std::span<const std::uint64_t> tokens, std::uint64_t least) {
  std::array<std::uint64_t, 10> seen;
  std::uint64_t different = 0;
  for (std::size_t i = 0; i < tokens.size() && different < least; ++i) {
    const auto end = seen.begin() + static_cast<std::ptrdiff_t>(different);
    if (std::find(seen.begin(), end, tokens[i]) == end) seen[different++] = tokens[i];
  }
  return different >= least;
}

class Words final : public Analyzer {
 public:
  explicit Words(std::span<const std::uint64_t> values)
      : rule_(rule_of(values)),
        min_different_(values[parameter::min_different]),
        name_(analyzer_name("words", word_parameters, values)) {}

  std::string_view name() const override { return name_; }
  std::uint32_t version() const override { return 3; }
  std::string_view summary() const override {
    return "runs of letters, digits and marks, whatever their case; each CJK ideograph and emoji a "
           "word, and "
           "of kana, Thai and other scripts without spaces each two letters";
  }
  void analyze(std::string_view text, Offsets offsets, Analysis& out) const override {
    words_simd(text, rule_, offsets, out);
    if (!has_different(out.tokens, min_different_)) {
      out.tokens.clear();
      out.offsets.clear();
    }
  }
  void append_token(std::string_view text, TokenOffsets token, std::string& out) const override {
    append_joined(text.substr(token.begin, token.end - token.begin), rule_, out);
  }

 private:
  const WordRule rule_;
  const std::uint64_t min_different_;
  const std::string name_;
};

/// The least values, too.
constexpr std::array<std::uint64_t, parameter::count> defaults{1, 0, 0, 0};
constexpr std::uint64_t last_value(std::size_t parameter) {
  const ParameterDeclaration& declared = word_parameters[parameter];
  return declared.kind == ParameterKind::choice ? declared.choices.size() - 1 : declared.maximum;
}
const Words words(defaults);

/// All rules within the ranges, the default first: each parameter in turn, the last one fastest.
const std::deque<Words>& all_rules() {
  static const std::deque<Words> rules = [] {
    std::deque<Words> made;
    std::array<std::uint64_t, parameter::count> values = defaults;
    for (;;) {
      made.emplace_back(values);
      std::size_t at = values.size();
      for (; at > 0 && values[at - 1] == last_value(at - 1); --at) {
        values[at - 1] = defaults[at - 1];
      }
      if (at == 0) break;
      ++values[at - 1];
    }
    return made;
  }();
  return rules;
}

const Analyzer& words_with(std::span<const std::uint64_t> values) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    at = at * (last_value(i) - defaults[i] + 1) + (values[i] - defaults[i]);
  }
  return at == 0 ? words : all_rules()[at];
}

}  // namespace

extern const AnalyzerEntry words_analyzer;
const AnalyzerEntry words_analyzer{words, word_parameters, words_with};

}  // namespace twinset
