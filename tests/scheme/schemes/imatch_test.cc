// I-Match against its definition, over lexicons made here: an oracle of sets of words says which
// signatures must be equal, which must differ, and which must not be there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "base/file_header.h"
#include "rows/rows_testing.h"
#include "scheme/shingle_sets.h"
#include "scheme/sub_lexicons.h"
#include "stats/english.h"
#include "stats/lexicon.h"
#include "system/memory_files.h"
#include "text/token_hash.h"

namespace twinset {
namespace {

using Words = std::vector<std::string>;
using testing::context_on;

/// Primary terms p0..., secondary ones s0... in their rank.
struct MadeLexicon {
  /// `version` of the analyzer; 0: this build's.
  MadeLexicon(std::size_t primary, std::size_t secondary, std::string_view analyzer = "words",
              std::uint32_t version = 0) {
    std::map<std::string, CountedTerm> terms;
    for (std::size_t i = 0; i < primary; ++i) {
      terms["p" + std::to_string(i)] = {{}, 500, TermPart::primary};
    }
    for (std::size_t i = 0; i < secondary; ++i) {
      terms["s" + std::to_string(i)] = {{}, secondary - i, TermPart::secondary};
    }
    TermTable table;
    table.documents = 100'000;
    table.analyzer = analyzer;
    table.analyzer_version = version != 0 ? version : find_analyzer(analyzer)->version();
    table.primary = NidfWindow{Ratio(1, 5), Ratio(1, 2), 317, 10'000, primary};
    if (secondary > 0) table.secondary = NidfWindow{Ratio(1, 2), Ratio(1, 1), 1, 316, secondary};
    const RunContext context = context_on(files);
    TermWriter writer(context, "x.lexicon", table);
    for (auto& [text, term] : terms) {
      term.text = text;
      EXPECT_TRUE(writer.append(term).ok());
    }
    EXPECT_TRUE(writer.finish().ok());
  }

  std::unique_ptr<Scheme> scheme(const std::string& parameters) {
    auto made = make_scheme("imatch(lexicon=x.lexicon, " + parameters + ")", 0.8, files);
    EXPECT_TRUE(made.ok()) << made.error().message;
    return std::move(made).value();
  }
  std::string refusal(const std::string& spec) {
    const auto made = make_scheme(spec, 0.8, files);
    EXPECT_FALSE(made.ok()) << spec;
    return made.ok() ? "" : made.error().text(Door::command_line);
  }

  MemoryFiles files;
};

Sketch sketch_words(const Scheme& scheme, const Words& words) {
  Analysis analysis;
  for (const std::string& word : words) analysis.tokens.push_back(token_hash(word));
  Sketch sketch;
  scheme.sketch(GivenView("", analysis), sketch);
  return sketch;
}

Words shuffled(Words words, std::mt19937_64& random) {
  std::ranges::shuffle(words, random);
  return words;
}

/// The sets of words of a document's signatures, by the definition.
class Oracle {
 public:
  Oracle(MadeLexicon& made, bool bag, const Ratio& drop, unsigned lists, std::uint64_t seed,
         std::uint64_t least, const Ratio& share)
      : least_(least), share_(share) {
    const Lexicon lexicon = Lexicon::load(made.files, "x.lexicon", TermTexts::keep).value();
    const SecretKey key = SecretKey::of_seed(seed);
    for (const bool primary : {true, false}) {
      const auto part = primary ? lexicon.primary() : lexicon.secondary();
      std::vector<std::uint32_t> masks(part.size(), 1);
      std::vector<std::uint64_t> hashes;
      for (const LexiconTerm& term : part) hashes.push_back(term.hash);
      if (bag) bag_terms(key, primary ? "primary" : "secondary", lists, masks);
      if (!bag) drop_terms(key, drop, lists, hashes, masks);
      for (std::size_t i = 0; i < part.size(); ++i) {
        const std::string& text = lexicon.texts()[part[i].place];
        (primary ? primary_ : secondary_).emplace_back(text, masks[i]);
      }
    }
  }

  /// Of one coordinate; nothing if there is no signature.
  std::optional<std::set<std::string>> set_of(const Words& words, unsigned list) const {
    const std::set<std::string> unique(words.begin(), words.end());
    std::set<std::string> set;
    for (const auto& [term, mask] : primary_) {
      if ((mask >> list & 1) != 0 && unique.contains(term)) set.insert(term);
    }
    const auto reaches = [&] {
      return set.size() * share_.denominator() >= unique.size() * share_.numerator();
    };
    for (const auto& [term, mask] : secondary_) {
      if (reaches()) break;
      if ((mask >> list & 1) != 0 && unique.contains(term)) set.insert(term);
    }
    if (!reaches() || set.size() < least_) return std::nullopt;
    return set;
  }

 private:
  std::uint64_t least_;
  Ratio share_;
  std::vector<std::pair<std::string, std::uint32_t>> primary_;
  std::vector<std::pair<std::string, std::uint32_t>> secondary_;
};

/// Few words, so that documents often have equal sets.
Words drawn_words(std::mt19937_64& random, std::size_t most) {
  Words words;
  for (std::size_t i = random() % (most + 1); i > 0; --i) {
    const std::uint64_t kind = random() % 8;
    words.push_back((kind < 4 ? "p" : kind < 6 ? "s" : "other") + std::to_string(random() % 9));
  }
  return words;
}

// Over every pair of documents and every coordinate: equal signatures if and only if equal sets.
// I-05, I-06, I-11: sets of the primary terms and of the fewest secondary ones, each list sampled.
TEST(IMatch, SignaturesAreEqualIfAndOnlyIfTheSetsAre) {
  MadeLexicon made(9, 9);
  std::mt19937_64 random(1);
  for (const bool bag : {true, false}) {
    for (const char* digest : {"sum", "sha1"}) {
      for (const Ratio& share : {Ratio(0, 1), Ratio(1, 2), Ratio(4, 5)}) {
        const std::uint64_t seed = random() % 1000;
        const std::uint64_t least = 1 + random() % 3;
        const auto scheme =
            made.scheme("signatures=7, least=" + std::to_string(least) + ", share=" + share.text() +
                        ", digest=" + digest + ", drop=2/5, seed=" + std::to_string(seed) +
                        ", sampling=" + (bag ? "bag" : "drop"));
        const Oracle oracle(made, bag, Ratio(2, 5), 7, seed, least, share);
        std::array<std::map<std::uint64_t, std::set<std::string>>, 8> set_of;
        std::array<std::map<std::set<std::string>, std::uint64_t>, 8> signature_of;
        std::uint64_t none = 0;
        for (int document = 0; document < 2500; ++document) {
          const Words words = drawn_words(random, 14);
          const Sketch sketch = sketch_words(*scheme, words);
          for (unsigned list = 0; list < 8; ++list) {
            const auto set = oracle.set_of(words, list);
            const std::uint64_t signature = sketch.empty ? 0 : sketch.values[list];
            ASSERT_EQ(set.has_value(), signature != 0) << scheme->spec() << " " << list;
            if (!set.has_value()) {
              ++none;
              continue;
            }
            ASSERT_EQ(set_of[list].emplace(signature, *set).first->second, *set);
            ASSERT_EQ(signature_of[list].emplace(*set, signature).first->second, signature);
          }
        }
        EXPECT_GT(none, 100U) << scheme->spec();
        EXPECT_GT(set_of[0].size(), 50U);
        EXPECT_LT(set_of[0].size(), 2000U) << "many documents have equal sets";
      }
    }
  }
}

// Reliability A8: a million random sets, permuted, and with one word more.
// I-05.
TEST(Statistics, IMatchTellsAMillionSetsApart) {
  MadeLexicon made(5000, 0);
  const auto scheme = made.scheme("signatures=0, least=1, share=0");
  std::vector<std::uint64_t> terms;
  for (int i = 0; i < 5000; ++i) terms.push_back(token_hash("p" + std::to_string(i)));
  std::mt19937_64 random(8);
  Sketch sketch;
  std::set<std::uint64_t> seen;
  Analysis analysis;
  for (int i = 0; i < 1'000'000; ++i) {
    analysis.tokens.clear();
    for (int j = 0; j < 12; ++j) analysis.tokens.push_back(terms[random() % terms.size()]);
    scheme->sketch(GivenView("", analysis), sketch);
    const std::uint64_t signature = sketch.values[0];
    std::ranges::reverse(analysis.tokens);
    std::swap(analysis.tokens[3], analysis.tokens[7]);
    scheme->sketch(GivenView("", analysis), sketch);
    ASSERT_EQ(sketch.values[0], signature);
    const std::uint64_t more = terms[random() % terms.size()];
    const bool is_new = std::ranges::find(analysis.tokens, more) == analysis.tokens.end();
    analysis.tokens.push_back(more);
    scheme->sketch(GivenView("", analysis), sketch);
    ASSERT_EQ(sketch.values[0] != signature, is_new);
    if (i >= 200'000) continue;
    ASSERT_TRUE(seen.insert(signature).second) << "12 of 5,000 words again";
  }
}

// I-05.
TEST(IMatch, OrderRepeatsAndOtherWordsChangeNothing) {
  MadeLexicon made(300, 0);
  const auto scheme = made.scheme("share=0");
  std::mt19937_64 random(2);
  for (int round = 0; round < 500; ++round) {
    Words words;
    for (int i = 0; i < 30; ++i) words.push_back("p" + std::to_string(random() % 300));
    const Sketch sketch = sketch_words(*scheme, words);
    ASSERT_FALSE(sketch.empty);
    Words more = shuffled(words, random);
    more.insert(more.end(), words.begin(), words.begin() + static_cast<int>(random() % 30));
    for (std::uint64_t i = random() % 50; i > 0; --i) {
      more.push_back("other" + std::to_string(random()));
    }
    EXPECT_EQ(sketch_words(*scheme, shuffled(more, random)).stored, sketch.stored);
    EXPECT_EQ(scheme->compare(sketch.stored, sketch.stored).coordinate, 0U);
  }
}

// Without the secondary lexicon a banner that many documents begin with makes them equal; with it
// they differ, or have no signature (002, Fig. 1).
// I-08.
TEST(IMatch, ABannerIsNoSignature) {
  MadeLexicon made(20, 40);
  Words banner;
  for (int i = 0; i < 8; ++i) banner.push_back("p" + std::to_string(i));
  const auto with_payload = [&](const std::string& name, int first) {
    Words words = banner;
    for (int i = 0; i < 40; ++i) words.push_back(name + std::to_string(i));
    for (int i = first; i < first + 6; ++i) words.push_back("s" + std::to_string(i));
    return words;
  };
  const Words a = with_payload("wine", 0);
  const Words b = with_payload("bread", 20);
  const auto without = made.scheme("signatures=0, share=0");
  EXPECT_EQ(sketch_words(*without, a).stored, sketch_words(*without, b).stored);
  const auto topped_up = made.scheme("signatures=0, share=0.2");
  ASSERT_FALSE(sketch_words(*topped_up, a).empty);
  ASSERT_FALSE(sketch_words(*topped_up, b).empty);
  EXPECT_NE(sketch_words(*topped_up, a).stored, sketch_words(*topped_up, b).stored);
  const auto rejected = made.scheme("signatures=0, share=0.5");
  EXPECT_TRUE(sketch_words(*rejected, a).empty);
  EXPECT_TRUE(sketch_words(*rejected, b).empty);
}

// I-07.
TEST(IMatch, NoSignatureMatchesNothing) {
  MadeLexicon made(20, 0);
  const auto scheme = made.scheme("least=3, share=0.5, signatures=5");
  for (const Words& words : {Words{}, Words{"p1"}, Words{"p1", "p2"}, Words{"a", "b", "c", "d"},
                             Words{"p1", "p2", "p3", "a", "b", "c", "d"}}) {
    const Sketch sketch = sketch_words(*scheme, words);
    EXPECT_TRUE(sketch.empty);
    EXPECT_TRUE(sketch.stored.empty());
    EXPECT_TRUE(sketch.values.empty());
    std::vector<std::uint64_t> keys;
    scheme->keys(sketch, keys);
    EXPECT_TRUE(keys.empty());
    EXPECT_FALSE(scheme->compare(sketch.stored, sketch.stored).coordinate.has_value());
  }
  EXPECT_FALSE(sketch_words(*scheme, {"p1", "p2", "p3", "a", "b", "c"}).empty);
}

// The same set under two lists is no match: it says nothing about the words that each leaves out.
// I-09.
TEST(IMatch, EqualityAcrossCoordinatesIsNoMatch) {
  MadeLexicon made(12, 0);
  const auto scheme = made.scheme("least=1, share=0, signatures=4, sampling=drop, drop=1/2");
  std::mt19937_64 random(4);
  int crossed = 0;
  for (int round = 0; round < 20'000; ++round) {
    const auto draw = [&] {
      Words words;
      for (int i = 0; i < 12; ++i) {
        if (random() % 2 == 0) words.push_back("p" + std::to_string(i));
      }
      return sketch_words(*scheme, words);
    };
    const Sketch a = draw();
    const Sketch b = draw();
    if (a.empty || b.empty) continue;
    std::optional<std::uint32_t> first;
    bool across = false;
    for (unsigned i = 0; i < 5; ++i) {
      if (a.values[i] == 0) continue;
      if (!first.has_value() && a.values[i] == b.values[i]) first = i;
      for (unsigned j = 0; j < 5; ++j) across |= i != j && a.values[i] == b.values[j];
    }
    EXPECT_EQ(scheme->compare(a.stored, b.stored).coordinate, first);
    const auto keys_a = keys_of(*scheme, a);
    const auto keys_b = keys_of(*scheme, b);
    const bool share = std::ranges::any_of(
        keys_a, [&](std::uint64_t key) { return std::ranges::find(keys_b, key) != keys_b.end(); });
    EXPECT_EQ(share, first.has_value());
    crossed += across && !first.has_value() ? 1 : 0;
  }
  EXPECT_GT(crossed, 100);
}

// 002 Eq. 1: documents that differ in n words of the lexicon match with chance 1 - (1 - p^n)^K,
// whether the words were taken away or added.
// I-12.
TEST(Statistics, IMatchSurvivesEditsAsEquationOneSays) {
  constexpr int terms = 2000;
  constexpr int seeds = 100;
  constexpr int pairs = 4000;
  MadeLexicon made(terms, 0);
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < terms; ++i) hashes.push_back(token_hash("p" + std::to_string(i)));
  std::mt19937_64 random(12);
  const std::array edits{1, 2, 3, 5};
  const std::array lists{1U, 2U, 5U, 10U};
  double matched[4][4] = {};
  Analysis analysis;
  Sketch whole;
  Sketch edited;
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto scheme =
        made.scheme("share=0, least=1, sampling=drop, drop=1/3, seed=" + std::to_string(seed));
    for (int pair = 0; pair < pairs; ++pair) {
      analysis.tokens.clear();
      for (int i = 0; i < 30; ++i) {
        std::swap(hashes[static_cast<std::size_t>(i)],
                  hashes[static_cast<std::size_t>(i) + random() % (terms - 30)]);
        analysis.tokens.push_back(hashes[static_cast<std::size_t>(i)]);
      }
      scheme->sketch(GivenView("", analysis), whole);
      for (std::size_t e = 0; e < edits.size(); ++e) {
        Analysis less;
        less.tokens.assign(analysis.tokens.begin() + edits[e], analysis.tokens.end());
        if (pair % 2 == 0) {
          // Added in place of taken away: other words of the lexicon.
          less.tokens = analysis.tokens;
          for (int i = 0; i < edits[e]; ++i) {
            less.tokens.push_back(hashes[static_cast<std::size_t>(100 + i)]);
          }
          std::sort(less.tokens.begin(), less.tokens.end());
          if (std::ranges::adjacent_find(less.tokens) != less.tokens.end()) continue;
        }
        scheme->sketch(GivenView("", less), edited);
        ASSERT_NE(edited.values[0], whole.values[0]);
        for (std::size_t k = 0; k < lists.size(); ++k) {
          bool match = false;
          for (unsigned list = 1; list <= lists[k]; ++list) {
            match |= edited.values[list] == whole.values[list];
          }
          matched[e][k] += match ? 1 : 0;
        }
      }
    }
  }
  for (std::size_t e = 0; e < edits.size(); ++e) {
    for (std::size_t k = 0; k < lists.size(); ++k) {
      const double expected = 1 - std::pow(1 - std::pow(1.0 / 3, edits[e]), lists[k]);
      EXPECT_NEAR(matched[e][k] / (seeds * pairs), expected, 0.01)
          << edits[e] << " words, " << lists[k] << " lexicons";
    }
  }
}

// `edits` drops as much as lets 95 % of copies match, and not a thousandth more. The expected share
// of 100 seeds by 1,000 pairs lies within 0.0009 of the chance with a standard deviation; the
// tolerance is more than six of them.
// I-13: p is chosen for the edits, not only K.
TEST(Statistics, IMatchDropsWhatWantedEditsTake) {
  constexpr int terms = 2000;
  MadeLexicon made(terms, 0);
  const auto chance = [](double dropped, unsigned edits, unsigned lists) {
    return 1 - std::pow(1 - std::pow(dropped, edits), lists);
  };
  for (const unsigned edits : {1U, 2U, 5U, 10U, 100U}) {
    for (const unsigned lists : {10U, 31U}) {
      const auto scheme =
          made.scheme("edits=" + std::to_string(edits) + ", signatures=" + std::to_string(lists));
      const std::string spec = scheme->spec();
      const std::size_t at = spec.find(", drop=") + 7;
      const double dropped = Ratio::parse(spec.substr(at, spec.find(',', at) - at)).value().value();
      EXPECT_GE(chance(dropped, edits, lists), 0.95) << spec;
      EXPECT_LT(chance(dropped - 0.001, edits, lists), 0.95) << spec;
      EXPECT_NEAR(*scheme->survival(edits, lists + 1), chance(dropped, edits, lists), 1e-12);
      EXPECT_EQ(make_scheme(spec, 0.8, made.files).value()->spec(), spec);
    }
  }
  EXPECT_NE(
      made.refusal("imatch(lexicon=x.lexicon, edits=3, signatures=0)").find("more signatures"),
      std::string::npos);

  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < terms; ++i) hashes.push_back(token_hash("p" + std::to_string(i)));
  std::mt19937_64 random(31);
  constexpr int seeds = 100;
  constexpr int pairs = 1000;
  int matched = 0;
  double expected = 0;
  Sketch whole;
  Sketch edited;
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto scheme = made.scheme("share=0, least=1, edits=5, seed=" + std::to_string(seed));
    expected = *scheme->survival(5, 11);
    for (int pair = 0; pair < pairs; ++pair) {
      for (std::size_t i = 0; i < 100; ++i) {
        std::swap(hashes[i], hashes[i + random() % (terms - i)]);
      }
      Analysis all;
      all.tokens.assign(hashes.begin(), hashes.begin() + 100);
      scheme->sketch(GivenView("", all), whole);
      Analysis less;
      less.tokens.assign(hashes.begin() + 5, hashes.begin() + 100);
      scheme->sketch(GivenView("", less), edited);
      matched += scheme->compare(whole.stored, edited.stored).coordinate.has_value() ? 1 : 0;
    }
  }
  EXPECT_NEAR(static_cast<double>(matched) / (seeds * pairs), expected, 0.006);
}

// Of a part of the lexicon that keeps 1 - p, `edits` asks for 1 - p of the share; of the whole for
// all of it.
TEST(IMatch, EditsAskAPartOfTheLexiconForItsPartOfTheShare) {
  MadeLexicon made(300, 0);
  const auto member = made.scheme("edits=5, share=0, least=1");
  const auto scheme = made.scheme("edits=5, share=0.1, least=3");
  const std::string spec = scheme->spec();
  const std::size_t at = spec.find(", drop=") + 7;
  const Ratio drop = Ratio::parse(spec.substr(at, spec.find(',', at) - at)).value();
  std::mt19937_64 random(17);
  int unsigned_ones = 0;
  int signed_ones = 0;
  for (int round = 0; round < 200; ++round) {
    const std::uint64_t terms = 20 + random() % 60;
    std::set<std::string> chosen;
    while (chosen.size() < terms) chosen.insert("p" + std::to_string(random() % 300));
    Words words(chosen.begin(), chosen.end());
    std::vector<std::uint64_t> counts(11);
    for (const std::string& word : chosen) {
      const Sketch alone = sketch_words(*member, {word});
      for (std::size_t list = 0; list < 11; ++list) counts[list] += alone.values[list] != 0 ? 1 : 0;
    }
    const std::uint64_t others = random() % 900;
    for (std::uint64_t i = 0; i < others; ++i) words.push_back("other" + std::to_string(i));
    const Sketch sketch = sketch_words(*scheme, words);
    for (std::size_t list = 0; list < 11; ++list) {
      const std::uint64_t part =
          list == 0 ? drop.denominator() : drop.denominator() - drop.numerator();
      const bool suffices =
          counts[list] >= 3 && counts[list] * 10 * drop.denominator() >= words.size() * part;
      EXPECT_EQ(!sketch.empty && sketch.values[list] != 0, suffices) << round << " " << list;
      ++(suffices ? signed_ones : unsigned_ones);
    }
  }
  EXPECT_GT(signed_ones, 300);
  EXPECT_GT(unsigned_ones, 300);
}

// I-25: an adversary who adds a word that all lists of a guessed secret have dodges every signature
// under the guess. Under the true secret each list lacks the word with chance 1/3, so a copy is
// found as often as equation 1 says of one edit.
TEST(Statistics, IMatchWithASecretWithstandsAGuess) {
  constexpr int terms = 1000;
  constexpr int secrets = 100;
  constexpr unsigned lists = 10;
  MadeLexicon made(terms, 0);
  const auto with_secret = [&](int number) {
    const std::string digits = std::to_string(100'000 + number);
    EXPECT_TRUE(made.files.write("key", std::string(26, '0') + digits).ok());
    auto scheme = made.scheme("share=0, least=1, sampling=drop, drop=1/3, secret=key");
    EXPECT_TRUE(made.files.remove_file("key").ok());
    return scheme;
  };
  const auto found = [](const Scheme& scheme, const Sketch& a, const Words& words) {
    return scheme.compare(a.stored, sketch_words(scheme, words).stored).coordinate.has_value();
  };
  Words words;
  for (int i = 0; i < 20; ++i) words.push_back("p" + std::to_string(i));
  double dodging = 0;
  double caught = 0;
  for (int number = 0; number < secrets; ++number) {
    const auto guess = with_secret(2 * number);
    const auto secret = with_secret(2 * number + 1);
    const Sketch by_guess = sketch_words(*guess, words);
    const Sketch by_secret = sketch_words(*secret, words);
    for (int i = 20; i < terms; ++i) {
      Words copy = words;
      copy.push_back("p" + std::to_string(i));
      if (found(*guess, by_guess, copy)) continue;
      dodging += 1;
      caught += found(*secret, by_secret, copy) ? 1 : 0;
    }
  }
  const double in_all = std::pow(2.0 / 3, lists);
  const double tried = secrets * (terms - 20);
  EXPECT_NEAR(dodging / tried, in_all, 5.73 * std::sqrt(in_all * (1 - in_all) / tried));
  EXPECT_NEAR(caught / dodging, 1 - in_all, 5.73 * std::sqrt(in_all * (1 - in_all) / dodging));
}

// I-25.
TEST(IMatch, NobodyReadsASecretInItsSpec) {
  MadeLexicon made(20, 0);
  const std::string digits = "00112233445566778899aabbccddeeff";
  ASSERT_TRUE(made.files.write("key", digits + "\n").ok());
  ASSERT_TRUE(made.files.write("same", digits).ok());
  ASSERT_TRUE(made.files.write("other", "f" + digits.substr(1)).ok());
  const auto scheme = made.scheme("signatures=3, secret=key");
  EXPECT_NE(scheme->spec().find("secret=key@"), std::string::npos) << scheme->spec();
  EXPECT_EQ(scheme->spec().find("778899"), std::string::npos) << scheme->spec();
  EXPECT_EQ(scheme->content_spec(), made.scheme("signatures=3, secret=same")->content_spec());
  EXPECT_NE(scheme->content_spec(), made.scheme("signatures=3, secret=other")->content_spec());
  EXPECT_TRUE(make_scheme(scheme->spec(), 0.8, made.files).ok());
  const Words words{"p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"};
  EXPECT_NE(sketch_words(*scheme, words).values,
            sketch_words(*made.scheme("signatures=3, secret=other"), words).values);
  EXPECT_NE(sketch_words(*scheme, words).values,
            sketch_words(*made.scheme("signatures=3"), words).values);
  ASSERT_TRUE(made.files.remove_file("key").ok());
  ASSERT_TRUE(made.files.write("key", "f" + digits.substr(1)).ok());
  EXPECT_NE(made.refusal(scheme->spec()).find("another content"), std::string::npos);
}

// I-07.
TEST(IMatch, TellsWhyThereIsNoSignature) {
  MadeLexicon made(20, 0);
  const auto scheme = made.scheme("least=3, share=0.5");
  EXPECT_EQ(sketch_words(*scheme, {}).reason, NoSignature::words);
  EXPECT_EQ(sketch_words(*scheme, {"p1", "p2", "a"}).reason, NoSignature::terms);
  const Sketch thin = sketch_words(*scheme, {"p1", "p2", "p3", "a", "b", "c", "d"});
  EXPECT_TRUE(thin.empty);
  EXPECT_EQ(thin.reason, NoSignature::share);
}

// SHA-1 of the terms in order, a line end after each: printf 'p1\np10\np2\n' | sha1sum
TEST(IMatch, Sha1IsOfTheSortedTerms) {
  MadeLexicon made(20, 0);
  const auto scheme = made.scheme("digest=sha1, least=1, share=0, signatures=0");
  const Sketch sketch = sketch_words(*scheme, {"p2", "p10", "other", "p1", "p2"});
  const std::vector<std::uint8_t> digest{0x63, 0x80, 0x1f, 0x18, 0xa7, 0xfe, 0x24, 0x85};
  EXPECT_EQ(sketch.stored, digest);
}

TEST(IMatch, SketchesStayAsTheyAre) {
  MadeLexicon made(20, 5);
  const auto scheme = made.scheme("least=2, share=0.4, signatures=2");
  const Sketch sketch = sketch_words(*scheme, {"p1", "p2", "p3", "p4", "p5", "s0", "a", "b", "c"});
  std::string hex;
  for (const std::uint64_t value : sketch.values) hex += fingerprint_text(value) + " ";
  EXPECT_EQ(hex, "e796c75cfdeb2feb 7b73bb1ad28bb12d 7ea4dcb60d17f9a0 ");
}

// I-04: signatures of two lexicons never meet.
TEST(IMatch, TheLexiconIsInTheFingerprint) {
  ViewRule rule;
  rule.analyzer = find_analyzer("words");
  MadeLexicon made(20, 0);
  MadeLexicon other(21, 0);
  const auto a = made.scheme("signatures=3");
  const auto b = other.scheme("signatures=3");
  EXPECT_NE(scheme_fingerprint(*a, rule), scheme_fingerprint(*b, rule));
  EXPECT_NE(a->spec().find("x.lexicon@"), std::string::npos);
  EXPECT_TRUE(make_scheme(a->spec(), 0.8, made.files).ok());
  EXPECT_FALSE(make_scheme(a->spec(), 0.8, other.files).ok());
  // The built-in lexicon, which has no file.
  const auto english = must_make("imatch");
  EXPECT_NE(english->spec().find("lexicon=\"\""), std::string::npos) << english->spec();
  EXPECT_NE(english->content_spec().find("@" + fingerprint_text(english_hash())), std::string::npos)
      << english->content_spec();
  EXPECT_EQ(must_make(english->spec())->content_spec(), english->content_spec());
}

TEST(IMatch, EnglishTextHasASignature) {
  const auto scheme = must_make("imatch");
  const std::string text =
      "The library will be closed on Monday for the yearly cleaning of its halls and the repair of "
      "the old heating; books may be returned at the front desk as usual.";
  const Sketch sketch = sketch_text(*scheme, text);
  EXPECT_FALSE(sketch.empty);
  EXPECT_EQ(sketch.stored.size(), 88U);
  EXPECT_EQ(fingerprint_text(sketch.values[0]), "59282dbc8730b11c");
  const Sketch again = sketch_text(
      *scheme,
      "As usual, the books may be returned at the front desk: the old library will be "
      "closed on Monday for the yearly cleaning of halls and the repair of its heating.");
  EXPECT_EQ(again.stored, sketch.stored) << "the same words in another order";
}

TEST(IMatch, WhatCannotBeIsOneClearError) {
  MadeLexicon made(20, 0);
  const auto message = [&](const std::string& parameters) {
    return made.refusal("imatch(lexicon=x.lexicon, " + parameters + ")");
  };
  EXPECT_NE(message("drop=0").find("above 0 and below 1"), std::string::npos);
  EXPECT_NE(message("drop=1").find("above 0 and below 1"), std::string::npos);
  ASSERT_TRUE(made.files.write("short", "0123").ok());
  EXPECT_NE(message("secret=short").find("must hold 32 hexadecimal digits"), std::string::npos);
  EXPECT_NE(message("secret=nowhere").find("nowhere"), std::string::npos);
  EXPECT_NE(message("signatures=32").find("out of its range 0 to 31"), std::string::npos);
  EXPECT_NE(message("sampling=half").find("expected one of bag, drop"), std::string::npos);
  EXPECT_NE(made.refusal("imatch(lexicon=none)").find("none"), std::string::npos);
  ASSERT_TRUE(made.files.write("y.jsonl", "{}\n").ok());
  EXPECT_NE(made.refusal("imatch(lexicon=y.jsonl)").find("not a file twinset wrote"),
            std::string::npos);
  MadeLexicon code(20, 0, "code");
  const auto scheme = code.scheme("signatures=3");
  const Status fits = check_analyzer(*scheme, *find_analyzer("words"));
  ASSERT_FALSE(fits.ok());
  EXPECT_EQ(fits.error().text(Door::command_line),
            "scheme imatch has terms of analyzer code 2, and the texts are read with words 3; give "
            "--analyzer code, or a lexicon that was counted with words");
  EXPECT_TRUE(check_analyzer(*scheme, *find_analyzer("code")).ok());
}

// An analyzer's version is raised with its rules and with Unicode (text/analyzer_test.cc), so terms
// of another Unicode are refused, too.
TEST(IMatch, TermsOfAnotherVersionOfTheAnalyzerAreRefused) {
  const Analyzer& words = *find_analyzer("words");
  const auto refused = [&](std::uint32_t version) {
    MadeLexicon made(20, 0, "words", version);
    const Status fits = check_analyzer(*made.scheme("signatures=3"), words);
    return fits.ok() ? "" : fits.error().text(Door::command_line);
  };
  EXPECT_EQ(refused(words.version()), "");
  EXPECT_EQ(refused(words.version() - 1),
            "scheme imatch has terms of analyzer words 2, and the texts are read with words 3; "
            "count and build its lexicon again");
  EXPECT_NE(refused(words.version() + 1), "");
}

// I-01: a lexicon that was counted under one rule for words serves no other; the one that is
// compiled in serves each, because it cannot be counted again. Signatures of two rules never meet.
TEST(IMatch, ARuleForWordsIsPartOfTheLexiconAndTheFingerprint) {
  MadeLexicon made(20, 0, "words(min_chars=4)");
  const auto scheme = made.scheme("signatures=3");
  EXPECT_TRUE(check_analyzer(*scheme, *find_analyzer("words(min_chars=4)")).ok());
  for (const char* other : {"words", "words(min_chars=3)", "words(min_chars=4, max_digits=1)"}) {
    const Status fits = check_analyzer(*scheme, *find_analyzer(other));
    ASSERT_FALSE(fits.ok()) << other;
    EXPECT_EQ(fits.error().text(Door::command_line),
              std::string("scheme imatch has terms of analyzer words(min_chars=4) 3, and the texts "
                          "are read with ") +
                  other +
                  " 3; give --analyzer 'words(min_chars=4)', or a lexicon that was counted "
                  "with " +
                  other);
  }
  const auto german = make_scheme("imatch(lexicon=german)", 0.8);
  ASSERT_TRUE(german.ok());
  EXPECT_TRUE(check_analyzer(*german.value(), *find_analyzer("words(min_chars=4)")).ok());
  EXPECT_FALSE(check_analyzer(*german.value(), *find_analyzer("code")).ok());
  const auto english = make_scheme("imatch", 0.8);
  ASSERT_TRUE(english.ok());
  std::set<std::uint64_t> fingerprints;
  for (const char* rule : {"words", "words(min_chars=4)", "words(min_chars=4, max_digits=1)"}) {
    EXPECT_TRUE(check_analyzer(*english.value(), *find_analyzer(rule)).ok()) << rule;
    ViewRule view;
    view.analyzer = find_analyzer(rule);
    fingerprints.insert(scheme_fingerprint(*english.value(), view));
  }
  EXPECT_EQ(fingerprints.size(), 3U);
  for (const char* other : {"words(punctuation=keep)", "words(punctuation=drop)", "words_nfkc"}) {
    EXPECT_FALSE(check_analyzer(*english.value(), *find_analyzer(other)).ok()) << other;
  }
}

}  // namespace
}  // namespace twinset
