// A collection whose near signatures are of two kinds: versions of a text, which share most of
// their shingles, and texts of the same words in another order, which share none.
//
// Threads: pure functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "evaluate/edits.h"
#include "evaluate/random.h"
#include "evaluate/tokens_for_tests.h"

namespace twinset {

inline std::string shuffled(const std::string& text, SeededRandom& random) {
  std::vector<std::string> words = words_of(text);
  for (std::size_t i = words.size(); i > 1; --i) std::swap(words[i - 1], words[random.below(i)]);
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

/// Each subject has a text of 20 to 179 words, two versions with few words replaced, and three
/// texts of the same words, with few of them replaced, in other orders; each second one a copy,
/// too.
inline std::vector<std::string> shuffled_texts(std::uint64_t seed, std::size_t subjects) {
  SeededRandom random(seed);
  std::vector<std::string> texts;
  for (std::size_t subject = 0; subject < subjects; ++subject) {
    const std::string text = random_text(random, 20 + random.below(160), 5000);
    texts.push_back(text);
    for (int i = 0; i < 2; ++i)
      texts.push_back(replace_words(text, 1 + random.below(4), texts.size()));
    for (int i = 0; i < 3; ++i) {
      texts.push_back(shuffled(replace_words(text, random.below(4), texts.size()), random));
    }
    if (subject % 2 == 0) texts.push_back(text);
  }
  return texts;
}

}  // namespace twinset
