// Token hashes of a text split at white space, for tests that need tokens and
// not an analyzer's rules; and the brute-force sets the oracle is compared with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "evaluate/random.h"
#include "text/analyzer.h"

namespace twinset {

/// Visits the pieces of `text` between white space.
template <class Visit>
void for_each_word(std::string_view text, const Visit& visit) {
  constexpr std::string_view spaces = " \t\n\v\f\r";
  for (std::size_t at = text.find_first_not_of(spaces); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(spaces, at), text.size());
    visit(text.substr(at, end - at));
    at = text.find_first_not_of(spaces, end);
  }
}

inline std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for_each_word(text, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

inline std::vector<std::uint64_t> tokens_of(std::string_view text) {
  std::vector<std::uint64_t> tokens;
  for_each_word(text,
                [&](std::string_view word) { tokens.push_back(fingerprint_bytes(word).low); });
  return tokens;
}

/// The set of w-word windows as strings: the definition, and nothing else.
inline std::set<std::vector<std::string>> shingle_strings(std::string_view text, unsigned width) {
  const std::vector<std::string> words = words_of(text);
  std::set<std::vector<std::string>> shingles;
  if (!words.empty() && words.size() < width) shingles.insert(words);
  for (std::size_t i = 0; i + width <= words.size(); ++i) {
    shingles.insert({words.begin() + static_cast<std::ptrdiff_t>(i),
                     words.begin() + static_cast<std::ptrdiff_t>(i + width)});
  }
  return shingles;
}

inline std::size_t shared_strings(const std::set<std::vector<std::string>>& a,
                                  const std::set<std::vector<std::string>>& b) {
  std::size_t shared = 0;
  for (const auto& shingle : a) shared += b.count(shingle);
  return shared;
}

/// "w17".
inline std::string numbered_word(std::uint64_t number) {
  std::string word(1, 'w');
  word += std::to_string(number);
  return word;
}

/// `words` words of a vocabulary of `vocabulary`, by spaces.
inline std::string random_text(SeededRandom& random, std::size_t words, std::size_t vocabulary) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    if (i > 0) text += ' ';
    text += numbered_word(random.below(vocabulary));
  }
  return text;
}

/// Random documents, a share of them mutations or parts of others.
inline std::vector<std::string> related_texts(std::uint64_t seed, std::size_t count) {
  SeededRandom random(seed);
  std::vector<std::string> texts;
  while (texts.size() < count) {
    if (texts.empty() || random.chance(1, 4)) {
      texts.push_back(random_text(random, random.below(40), 30));
      continue;
    }
    std::vector<std::string> words = words_of(texts[random.below(texts.size())]);
    for (std::uint64_t edit = random.below(4); edit > 0 && !words.empty(); --edit) {
      const auto at = words.begin() + static_cast<std::ptrdiff_t>(random.below(words.size()));
      if (random.chance(1, 3)) {
        words.erase(at, words.end());
      } else if (random.chance(1, 2)) {
        *at = numbered_word(random.below(30));
      } else {
        words.insert(at, numbered_word(random.below(30)));
      }
    }
    texts.emplace_back();
    for (const std::string& word : words) texts.back() += word + " ";
  }
  return texts;
}

/// Texts with their tokens.
struct Corpus {
  explicit Corpus(std::vector<std::string> given) : texts(std::move(given)) {
    for (const std::string& text : texts) tokens.push_back(tokens_of(text));
    for (const auto& each : tokens) views.emplace_back(each);
  }
  std::vector<std::string> texts;
  std::vector<std::vector<std::uint64_t>> tokens;
  std::vector<std::span<const std::uint64_t>> views;
};

/// Words by white space, lower case: a sufficient analyzer for evaluations.
class SplitAnalyzer : public Analyzer {
 public:
  std::string_view name() const override { return "split"; }
  std::uint32_t version() const override { return 1; }
  std::string_view summary() const override { return "white space"; }
  void analyze(std::string_view text, Offsets offsets, Analysis& out) const override {
    std::string folded(text);
    for (char& c : folded) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    out.tokens = tokens_of(folded);
    out.offsets.clear();
    if (offsets == Offsets::drop) return;
    constexpr std::string_view space = " \t\n\r";
    for (std::size_t at = text.find_first_not_of(space); at < text.size();) {
      const std::size_t end = std::min(text.find_first_of(space, at), text.size());
      out.offsets.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
      at = text.find_first_not_of(space, end);
    }
  }
};

}  // namespace twinset
