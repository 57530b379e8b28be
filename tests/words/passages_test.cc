#include "words/passages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "words/documents.h"

namespace twinset {
namespace {

std::string text_of(const std::string& text, const Passage& passage) {
  return text.substr(passage.begin, passage.end - passage.begin);
}

TEST(Passages, OneWordReplacedCostsTheShinglesOverIt) {
  const std::string a = "a b c d e f g h i j k l m";
  const std::string b = "a b c d e f X h i j k l m";
  const Passages found = find_passages(words_of(a), words_of(b), 3);
  ASSERT_EQ(found.a.size(), 3u);
  EXPECT_EQ(text_of(a, found.a[0]), "a b c d e f");
  EXPECT_EQ(text_of(a, found.a[1]), "g");
  EXPECT_FALSE(found.a[1].shared);
  EXPECT_EQ(text_of(b, found.b[1]), "X");
  EXPECT_EQ(text_of(a, found.a[2]), "h i j k l m");
  EXPECT_EQ(found.shingles_a, 11u);
  EXPECT_EQ(found.shared_shingles, 8u);  // three windows hold the word
  EXPECT_DOUBLE_EQ(found.resemblance().value(), 8.0 / 14.0);
  ASSERT_EQ(found.matches.size(), 2u);
  EXPECT_EQ(found.matches[1].tokens, 6u);
  EXPECT_FALSE(found.matches[0].moved || found.matches[1].moved);
}

// Tokens of two letters each, as of Thai: "ab", "bc", ...
Analysis pairs_of_letters(const std::string& text) {
  Analysis analysis;
  for (std::uint32_t i = 0; i + 1 < text.size(); ++i) {
    analysis.tokens.push_back(mix64(static_cast<std::uint64_t>(text[i]) << 8 | text[i + 1]));
    analysis.offsets.push_back({i, i + 2});
  }
  return analysis;
}

std::string marked(const std::string& text, const std::vector<Passage>& passages) {
  std::string out;
  std::uint32_t end = 0;
  for (const Passage& passage : passages) {
    EXPECT_GE(passage.begin, end);
    EXPECT_GE(passage.end, passage.begin);
    EXPECT_TRUE(passage.head_end >= passage.begin && passage.head_end <= passage.end);
    EXPECT_TRUE(passage.tail_begin >= passage.begin && passage.tail_begin <= passage.end);
    end = passage.end;
    out += passage.shared ? text_of(text, passage) : "[" + text_of(text, passage) + "]";
  }
  return out;
}

TEST(Passages, TokensThatOverlapArePartedAtTheLetterThatDiffers) {
  const auto expect = [](const std::string& a, const std::string& b, const std::string& marked_a,
                         const std::string& marked_b) {
    const Passages found = find_passages(pairs_of_letters(a), pairs_of_letters(b), 3);
    EXPECT_EQ(marked(a, found.a), marked_a);
    EXPECT_EQ(marked(b, found.b), marked_b);
  };
  expect("abcdefghijklm", "abcdefXhijklm", "abcdef[g]hijklm", "abcdef[X]hijklm");
  expect("abcdefghijklm", "abcdefhijklm", "abcdef[g]hijklm", "abcdef[]hijklm");
  expect("abcdefghijklm", "Xabcdefghijklm", "abcdefghijklm", "[X]abcdefghijklm");
  expect("abcdefghijklm", "abcdefghijklmX", "abcdefghijklm", "abcdefghijklm[X]");
  // Two runs that changed places: each byte is shown once.
  const std::string one = "abcdefghijkl", two = "nopqrstuvwxyz";
  const Passages moved = find_passages(pairs_of_letters(one + two), pairs_of_letters(two + one), 3);
  for (const auto& [text, passages] :
       {std::pair(one + two, moved.a), std::pair(two + one, moved.b)}) {
    std::string shown;
    for (const Passage& passage : passages) shown += text_of(text, passage);
    EXPECT_EQ(shown, text);
    marked(text, passages);
  }
}

TEST(Passages, SharedWordsShorterThanAShingleAreNoEvidence) {
  const std::string a = "p q same words r s", b = "t u same words v w";
  const Passages found = find_passages(words_of(a), words_of(b), 3);
  EXPECT_EQ(found.shared_shingles, 0u);
  ASSERT_EQ(found.a.size(), 1u);
  EXPECT_FALSE(found.a[0].shared);
  EXPECT_EQ(text_of(a, found.a[0]), a);
}

TEST(Passages, TheLighterOfTwoSwappedPassagesHasMoved) {
  const std::string one = counted_words(0, 10), two = counted_words(50, 30);
  const std::string a = one + ' ' + two, b = two + ' ' + one;
  const Passages found = find_passages(words_of(a), words_of(b), 5);
  ASSERT_EQ(found.matches.size(), 2u);
  EXPECT_EQ(text_of(a, found.a[found.matches[0].a]), one);
  EXPECT_EQ(text_of(b, found.b[found.matches[0].b]), one);
  EXPECT_TRUE(found.matches[0].moved);
  EXPECT_FALSE(found.matches[1].moved);
}

TEST(Passages, ASecondCopyIsARepeatThatNamesItsMatch) {
  const std::string one = counted_words(0, 10);
  const std::string a = one + " x " + one, b = "y " + one;
  const Passages found = find_passages(words_of(a), words_of(b), 4);
  ASSERT_EQ(found.matches.size(), 1u);
  ASSERT_EQ(found.a.size(), 3u);
  const Passage& copy = found.a[0].repeat ? found.a[0] : found.a[2];
  EXPECT_TRUE(copy.shared && copy.repeat);
  EXPECT_EQ(copy.match, 0u);
  EXPECT_NE(found.a[0].repeat, found.a[2].repeat);
  EXPECT_EQ(found.shared_tokens_a, 20u);
  EXPECT_EQ(found.shared_tokens_b, 10u);
}

TEST(Passages, AnchorsKeepAnEarlyEchoFromTakingAPassagesPlace) {
  // The phrase opens A, but its true place is inside the common passage.
  const std::string phrase = counted_words(5, 4);
  const std::string common = counted_words(0, 20);
  const std::string a = phrase + " z " + common;
  const Passages found = find_passages(words_of(a), words_of(common), 4);
  ASSERT_EQ(found.matches.size(), 1u);
  EXPECT_EQ(found.matches[0].tokens, 20u);
  EXPECT_TRUE(found.a[0].repeat);
  EXPECT_EQ(text_of(a, found.a[2]), common);
}

TEST(Passages, DocumentsShorterThanAShingleShareAllOrNothing) {
  const Passages equal = find_passages(words_of("a b"), words_of("a b"), 5);
  EXPECT_EQ(equal.resemblance(), 1.0);
  ASSERT_EQ(equal.a.size(), 1u);
  EXPECT_TRUE(equal.a[0].shared);
  const Passages longer = find_passages(words_of("a b"), words_of("a b c d e f"), 5);
  EXPECT_EQ(longer.shared_shingles, 0u);
  EXPECT_FALSE(longer.a[0].shared);
  const Passages empty = find_passages(words_of(""), words_of("a b"), 5);
  EXPECT_TRUE(empty.a.empty());
  EXPECT_EQ(empty.shingles_a, 0u);
  EXPECT_EQ(empty.resemblance(), 0.0);
  EXPECT_EQ(find_passages(words_of(""), words_of(""), 5).resemblance(), std::nullopt);
}

TEST(Passages, HeadAndTailCoverTheContextAsked) {
  const std::string a = counted_words(0, 100);
  const Passages found = find_passages(words_of(a), words_of(a), 5, 3);
  ASSERT_EQ(found.a.size(), 1u);
  EXPECT_EQ(found.a[0].context, 3u);
  EXPECT_EQ(a.substr(0, found.a[0].head_end), "w0 w1 w2");
  EXPECT_EQ(a.substr(found.a[0].tail_begin), "w97 w98 w99");
}

// ---- Against brute force -------------------------------------------------------

using Window = std::vector<std::uint64_t>;

std::vector<Window> windows(const std::vector<std::uint64_t>& tokens, unsigned width) {
  std::vector<Window> all;
  if (tokens.empty()) return all;
  if (tokens.size() < width) return {tokens};
  for (std::size_t i = 0; i + width <= tokens.size(); ++i) {
    all.emplace_back(tokens.begin() + static_cast<std::ptrdiff_t>(i),
                     tokens.begin() + static_cast<std::ptrdiff_t>(i + width));
  }
  return all;
}

std::vector<bool> covered_by(const std::vector<std::uint64_t>& tokens,
                             const std::set<Window>& other, unsigned width) {
  std::vector<bool> covered(tokens.size());
  const std::vector<Window> own = windows(tokens, width);
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (other.count(own[i]) == 0) continue;
    for (std::size_t t = i; t < i + own[i].size(); ++t) covered[t] = true;
  }
  return covered;
}

Analysis random_words(std::mt19937_64& random, unsigned length, unsigned alphabet) {
  std::string text;
  for (unsigned i = 0; i < length; ++i) {
    text += std::to_string(random() % alphabet);
    text += ' ';
  }
  return words_of(text);
}

/// B as A with pieces cut, swapped and replaced.
Analysis edited(std::mt19937_64& random, const Analysis& a, unsigned alphabet) {
  Analysis b = random_words(random, static_cast<unsigned>(random() % 6), alphabet);
  b.tokens.clear();
  for (std::size_t i = 0; i < a.tokens.size();) {
    const std::size_t length = std::min<std::size_t>(1 + random() % 12, a.tokens.size() - i);
    const auto piece = a.tokens.begin() + static_cast<std::ptrdiff_t>(i);
    switch (random() % 6) {
      case 0:
        break;
      case 1:
        b.tokens.insert(b.tokens.begin(), piece, piece + static_cast<std::ptrdiff_t>(length));
        break;
      case 2:
        b.tokens.push_back(random());
        [[fallthrough]];
      default:
        b.tokens.insert(b.tokens.end(), piece, piece + static_cast<std::ptrdiff_t>(length));
    }
    i += length;
  }
  b.offsets.clear();
  for (std::uint32_t i = 0; i < b.tokens.size(); ++i) b.offsets.push_back({3 * i, 3 * i + 2});
  return b;
}

void check_side(const std::vector<Passage>& passages, const Analysis& analysis,
                const std::vector<bool>& covered) {
  std::size_t token = 0;
  for (const Passage& passage : passages) {
    ASSERT_EQ(passage.first_token, token);
    ASSERT_GT(passage.tokens, 0u);
    ASSERT_EQ(passage.begin, analysis.offsets[token].begin);
    ASSERT_EQ(passage.end, analysis.offsets[token + passage.tokens - 1].end);
    for (std::size_t i = 0; i < passage.tokens; ++i) {
      ASSERT_EQ(passage.shared, covered[token + i]) << "token " << token + i;
    }
    if (!passage.shared) {
      ASSERT_EQ(passage.match, no_match);
      ASSERT_FALSE(passage.repeat);
    }
    token += passage.tokens;
  }
  ASSERT_EQ(token, analysis.tokens.size());
}

/// Heaviest chain by the quadratic recurrence.
std::uint64_t heaviest_chain(const Passages& found) {
  std::vector<std::uint64_t> best(found.matches.size());
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < best.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (found.matches[j].b < found.matches[i].b) best[i] = std::max(best[i], best[j]);
    }
    best[i] += found.matches[i].tokens;
    all = std::max(all, best[i]);
  }
  return all;
}

void check_all(const Analysis& a, const Analysis& b, unsigned width) {
  const Passages found = find_passages(a, b, width);
  const std::vector<Window> windows_a = windows(a.tokens, width),
                            windows_b = windows(b.tokens, width);
  const std::set<Window> set_a(windows_a.begin(), windows_a.end());
  const std::set<Window> set_b(windows_b.begin(), windows_b.end());
  std::size_t common = 0;
  for (const Window& window : set_a) common += set_b.count(window);
  ASSERT_EQ(found.shingles_a, set_a.size());
  ASSERT_EQ(found.shingles_b, set_b.size());
  ASSERT_EQ(found.shared_shingles, common);
  const std::vector<bool> covered_a = covered_by(a.tokens, set_b, width);
  const std::vector<bool> covered_b = covered_by(b.tokens, set_a, width);
  ASSERT_EQ(found.shared_tokens_a,
            static_cast<std::uint64_t>(std::count(covered_a.begin(), covered_a.end(), true)));
  ASSERT_EQ(found.shared_tokens_b,
            static_cast<std::uint64_t>(std::count(covered_b.begin(), covered_b.end(), true)));
  ASSERT_NO_FATAL_FAILURE(check_side(found.a, a, covered_a));
  ASSERT_NO_FATAL_FAILURE(check_side(found.b, b, covered_b));

  std::set<std::uint32_t> used_b;
  std::uint64_t in_order = 0, last_b = 0;
  for (std::size_t m = 0; m < found.matches.size(); ++m) {
    const PassageMatch& match = found.matches[m];
    const Passage& left = found.a[match.a];
    const Passage& right = found.b[match.b];
    ASSERT_EQ(left.match, m);
    ASSERT_EQ(right.match, m);
    ASSERT_EQ(left.tokens, match.tokens);
    ASSERT_EQ(right.tokens, match.tokens);
    ASSERT_FALSE(left.repeat || right.repeat);
    ASSERT_TRUE(used_b.insert(match.b).second);
    for (std::size_t i = 0; i < match.tokens; ++i) {
      ASSERT_EQ(a.tokens[left.first_token + i], b.tokens[right.first_token + i]);
    }
    if (match.moved) continue;
    ASSERT_TRUE(in_order == 0 || match.b > last_b);
    last_b = match.b;
    in_order += match.tokens;
  }
  ASSERT_EQ(in_order, heaviest_chain(found));
  for (const Passage& passage : found.a) {
    if (passage.match != no_match) {
      ASSERT_LT(passage.match, found.matches.size());
    }
    if (passage.shared && !passage.repeat) {
      ASSERT_NE(passage.match, no_match);
    }
  }
}

TEST(PassagesOracle, AgreeWithBruteForceOnEditedDocuments) {
  std::mt19937_64 random(20261122);
  for (unsigned round = 0; round < 400; ++round) {
    const unsigned alphabet = round % 3 == 0 ? 2 : round % 3 == 1 ? 5 : 1000;
    const Analysis a = random_words(random, static_cast<unsigned>(random() % 120), alphabet);
    const Analysis b = edited(random, a, alphabet);
    for (const unsigned width : {1u, 3u, 5u}) {
      ASSERT_NO_FATAL_FAILURE(check_all(a, b, width)) << "round " << round << " width " << width;
      ASSERT_NO_FATAL_FAILURE(check_all(b, a, width)) << "round " << round << " width " << width;
    }
  }
}

TEST(PassagesOracle, EveryTokenOfIdenticalDocumentsIsPairedInOneRunWhenWordsDiffer) {
  const std::string text = counted_words(0, 500);
  const Passages found = find_passages(words_of(text), words_of(text), 5);
  ASSERT_EQ(found.matches.size(), 1u);
  EXPECT_EQ(found.matches[0].tokens, 500u);
}

// Quadratic work here would be 10^11 steps and end in the test's time limit.
Analysis repeated(std::size_t tokens, const std::vector<std::uint64_t>& pattern) {
  Analysis analysis;
  for (std::uint32_t i = 0; i < tokens; ++i) {
    analysis.tokens.push_back(pattern[i % pattern.size()]);
    analysis.offsets.push_back({2 * i, 2 * i + 1});
  }
  return analysis;
}

TEST(PassagesWork, OneShingleHundredsOfThousandsOfTimes) {
  const Analysis a = repeated(400'000, {7}), b = repeated(300'000, {7});
  const Passages found = find_passages(a, b, 5);
  EXPECT_EQ(found.shared_shingles, 1u);
  EXPECT_EQ(found.shared_tokens_a, 400'000u);
  ASSERT_EQ(found.matches.size(), 1u);
  EXPECT_EQ(found.matches[0].tokens, 300'000u);
  ASSERT_EQ(found.a.size(), 2u);
  EXPECT_TRUE(found.a[1].repeat);
}

TEST(PassagesWork, AFewShinglesBrokenEverywhere) {
  Analysis a = repeated(300'000, {1, 2, 1, 1, 2}), b = repeated(300'000, {2, 1, 1, 2, 1});
  std::mt19937_64 random(5);
  for (std::size_t i = 0; i < a.tokens.size(); i += 40 + random() % 20) a.tokens[i] = random();
  for (std::size_t i = 0; i < b.tokens.size(); i += 40 + random() % 20) b.tokens[i] = random();
  const Passages found = find_passages(a, b, 5);
  EXPECT_GT(found.shared_tokens_a, 150'000u);
  std::uint64_t paired = 0;
  for (const PassageMatch& match : found.matches) paired += match.tokens;
  EXPECT_GT(paired, 100'000u);
}

}  // namespace
}  // namespace twinset
