// Requirements on every scheme, over the generated list: a new scheme file must meet all of them
// without an edit here, except for its golden sketches, which this test writes on request:
//
//   TWINSET_UPDATE_GOLDEN=1 scheme_test --gtest_filter='*Golden*'
//
// Do so after raising a scheme's version, and never without: equal versions
// promise equal sketches, to files already written and to other languages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "scheme/shingle_sets.h"
#include "support/tries.h"
#include "system/memory_files.h"

namespace twinset {
namespace {

/// The defaults, and each parameter moved to other values that are accepted.
std::vector<std::string> specs_of(const SchemeEntry& entry) {
  const std::string name(entry.declaration->name);
  std::vector<std::string> specs{name};
  for (const ParameterDeclaration& parameter : entry.declaration->parameters) {
    const auto add = [&](const std::string& value) {
      const std::string spec = name + "(" + std::string(parameter.name) + "=" + value + ")";
      if (make_scheme(spec, 0.8).ok()) specs.push_back(spec);
    };
    for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
      if (i != parameter.standard) add(std::string(parameter.choices[i]));
    }
    if (parameter.kind != ParameterKind::integer) continue;
    for (const std::uint64_t value :
         {parameter.standard + 3, parameter.standard * 2, parameter.standard / 2, parameter.minimum,
          parameter.maximum}) {
      if (value < parameter.minimum || value > parameter.maximum) continue;
      if (value == parameter.standard) continue;
      add(std::to_string(value));
    }
  }
  return specs;
}

/// Texts of every kind: plain, short, other scripts, broken, with repeats.
std::vector<std::string> texts() {
  std::string article;
  for (int i = 0; i < 900; ++i) article += "word" + std::to_string(i * i % 701) + " ";
  std::string edited = article;
  edited.replace(500, 4, "TERM");
  std::string repeated;
  for (int i = 0; i < 2000; ++i) repeated += "again and ";
  return {article,
          edited,
          repeated,
          "one",
          "two words",
          "a rose is a rose is a rose",
          "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe3\x81\xae\xe6\x96\x87\xe7\xab\xa0",
          "caf\xc3\xa9 \xce\xb1\xce\xb2\xce\xb3 \xd0\xb0\xd0\xb1\xd0\xb2",
          "broken \xff\xfe \xc3 utf \xed\xa0\x80 eight \xf8",
          std::string("nul \0 in the middle", 19)};
}

/// The schemes of all specs, made once for all tests: some read a dictionary.
const std::vector<std::unique_ptr<Scheme>>& schemes_of(const SchemeEntry& entry) {
  static std::map<const SchemeEntry*, std::vector<std::unique_ptr<Scheme>>> made;
  auto& schemes = made[&entry];
  if (schemes.empty()) {
    for (const std::string& spec : specs_of(entry)) schemes.push_back(must_make(spec));
  }
  return schemes;
}

/// Each test runs over all specs of one scheme.
class Conformance : public testing::TestWithParam<const SchemeEntry*> {
 protected:
  const std::vector<std::unique_ptr<Scheme>>& schemes_ = schemes_of(*GetParam());
};

TEST_P(Conformance, IsDeterministic) {
  for (const auto& scheme : schemes_) {
    SCOPED_TRACE(scheme->spec());
    const auto again = must_make(scheme->spec());
    for (const std::string& text : texts()) {
      const Sketch sketch = sketch_text(*scheme, text);
      const Sketch other = sketch_text(*again, text);
      EXPECT_EQ(sketch.values, other.values);
      EXPECT_EQ(sketch.stored, other.stored);
      EXPECT_EQ(sketch.empty, other.empty);
      EXPECT_EQ(keys_of(*scheme, sketch), keys_of(*again, other));
    }
  }
}

TEST_P(Conformance, ReplacesWhatTheSketchHeld) {
  for (const auto& scheme : schemes_) {
    SCOPED_TRACE(scheme->spec());
    for (const std::size_t count : {0U, 1U, 700U}) {
      Analysis analysis;
      analysis.tokens = stream_shingles(2, count);
      const GivenView document("text", analysis, analysis.tokens);
      Sketch fresh;
      scheme->sketch(document, fresh);
      Analysis other_analysis;
      other_analysis.tokens = stream_shingles(3, 900);
      Sketch used;
      scheme->sketch(GivenView("other text", other_analysis, other_analysis.tokens), used);
      scheme->sketch(document, used);
      EXPECT_EQ(used.values, fresh.values);
      EXPECT_EQ(used.stored, fresh.stored);
      EXPECT_EQ(used.empty, fresh.empty);
    }
  }
}

TEST_P(Conformance, DeclaresWhatItIs) {
  for (const auto& scheme : schemes_) {
    SCOPED_TRACE(scheme->spec());
    EXPECT_EQ(&scheme->declaration(), GetParam()->declaration);
    EXPECT_EQ(must_make(scheme->spec())->spec(), scheme->spec());
    EXPECT_LE(scheme->shingle_tokens(), max_shingle_tokens);
  }
}

TEST_P(Conformance, NoTokensIsNoSignatureOrTheBytesAlone) {
  for (const auto& scheme : schemes_) {
    SCOPED_TRACE(scheme->spec());
    const Sketch empty = sketch_text(*scheme, "");
    const Sketch marks = sketch_text(*scheme, "?! ... --");
    const std::vector<std::uint64_t> keys = keys_of(*scheme, empty);
    if (empty.empty) {
      EXPECT_TRUE(empty.stored.empty());
      EXPECT_TRUE(keys.empty());
      EXPECT_TRUE(marks.empty);
      const Comparison comparison = scheme->compare(empty.stored, marks.stored);
      EXPECT_FALSE(comparison.resemblance.has_value());
      EXPECT_FALSE(comparison.containment_a_in_b.has_value());
      EXPECT_FALSE(comparison.containment_b_in_a.has_value());
    } else {
      EXPECT_EQ(scheme->declaration().shared_key, SharedKey::equal);
      EXPECT_NE(keys, keys_of(*scheme, marks));
    }
    const Sketch word = sketch_text(*scheme, "one");
    for (const std::uint64_t key : keys_of(*scheme, word)) {
      EXPECT_THAT(keys, testing::Not(testing::Contains(key)));
    }
    EXPECT_FALSE(scheme->compare(empty.stored, word.stored).resemblance.has_value());
  }
}

TEST_P(Conformance, StoredSizeIsAsDeclared) {
  for (const auto& scheme : schemes_) {
    SCOPED_TRACE(scheme->spec());
    for (const std::string& text : texts()) {
      const Sketch sketch = sketch_text(*scheme, text);
      if (sketch.empty && scheme->facts().may_reject) continue;
      ASSERT_FALSE(sketch.empty);
      if (scheme->facts().stored_bytes != 0) {
        EXPECT_EQ(sketch.stored.size(), scheme->facts().stored_bytes);
      }
      EXPECT_FALSE(sketch.stored.empty());
    }
  }
}

TEST_P(Conformance, KeysAreEachOnce) {
  for (const auto& scheme : schemes_) {
    SCOPED_TRACE(scheme->spec());
    for (const std::string& text : texts()) {
      const std::vector<std::uint64_t> keys = keys_of(*scheme, sketch_text(*scheme, text));
      EXPECT_EQ(std::set(keys.begin(), keys.end()).size(), keys.size());
    }
  }
}

TEST_P(Conformance, KeysAreAppended) {
  for (const auto& scheme : schemes_) {
    SCOPED_TRACE(scheme->spec());
    const Sketch sketch = sketch_text(*scheme, texts().front());
    std::vector<std::uint64_t> keys{1, 2, 3};
    scheme->keys(sketch, keys);
    const std::vector<std::uint64_t> alone = keys_of(*scheme, sketch);
    ASSERT_EQ(keys.size(), alone.size() + 3);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), keys.begin() + 3));
  }
}

void expect_well_formed(const std::optional<Estimate>& estimate) {
  if (!estimate) return;
  EXPECT_GE(estimate->low, 0);
  EXPECT_LE(estimate->low, estimate->value);
  EXPECT_LE(estimate->value, estimate->high);
  EXPECT_LE(estimate->high, 1);
  EXPECT_GE(estimate->standard_error, 0);
  EXPECT_TRUE(std::isfinite(estimate->standard_error));
}

void expect_equal(const std::optional<Estimate>& a, const std::optional<Estimate>& b) {
  ASSERT_EQ(a.has_value(), b.has_value());
  if (!a) return;
  EXPECT_EQ(a->value, b->value);
  EXPECT_EQ(a->standard_error, b->standard_error);
  EXPECT_EQ(a->low, b->low);
  EXPECT_EQ(a->high, b->high);
}

TEST_P(Conformance, ComparisonIsSymmetric) {
  for (const auto& scheme : schemes_) {
    SCOPED_TRACE(scheme->spec());
    std::vector<Sketch> sketches;
    for (const std::string& text : texts()) sketches.push_back(sketch_text(*scheme, text));
    for (const Sketch& a : sketches) {
      for (const Sketch& b : sketches) {
        const Comparison forward = scheme->compare(a.stored, b.stored);
        const Comparison backward = scheme->compare(b.stored, a.stored);
        expect_equal(forward.resemblance, backward.resemblance);
        expect_equal(forward.containment_a_in_b, backward.containment_b_in_a);
        expect_equal(forward.containment_b_in_a, backward.containment_a_in_b);
        expect_well_formed(forward.resemblance);
        expect_well_formed(forward.containment_a_in_b);
        EXPECT_EQ(forward.coordinate, backward.coordinate);
        ASSERT_EQ(forward.distance.has_value(), backward.distance.has_value());
        if (forward.distance) {
          EXPECT_EQ(forward.distance->differ, backward.distance->differ);
          EXPECT_LE(forward.distance->differ, forward.distance->bits);
        }
      }
    }
  }
}

TEST_P(Conformance, ADocumentResemblesItself) {
  for (const auto& scheme : schemes_) {
    SCOPED_TRACE(scheme->spec());
    for (const std::string& text : texts()) {
      const Sketch sketch = sketch_text(*scheme, text);
      if (sketch.empty && scheme->facts().may_reject) continue;
      const Comparison comparison = scheme->compare(sketch.stored, sketch.stored);
      if (scheme->declaration().tells == Tells::coordinate) {
        EXPECT_EQ(comparison.coordinate, 0U) << text;
        continue;
      }
      if (scheme->declaration().tells == Tells::distance) {
        ASSERT_TRUE(comparison.distance.has_value());
        EXPECT_EQ(comparison.distance->differ, 0U);
        continue;
      }
      // An empty sample knows nothing, not even of itself.
      const bool blind = scheme->facts().blind_shingles != 0 && sketch.values.empty();
      ASSERT_EQ(comparison.resemblance.has_value(), !blind) << text;
      for (const auto& estimate :
           {comparison.resemblance, comparison.containment_a_in_b, comparison.containment_b_in_a}) {
        if (estimate) {
          EXPECT_EQ(estimate->value, 1) << text;
        }
      }
    }
  }
}

TEST_P(Conformance, BrokenStoredFormsAreUnknownOrAnEstimate) {
  for (const auto& scheme : schemes_) {
    SCOPED_TRACE(scheme->spec());
    const Sketch sketch = sketch_text(*scheme, texts().front());
    for (const std::size_t size : {0U, 1U, 7U, 8U, 9U, 16U, 100U, 4096U}) {
      for (const std::uint8_t byte : std::array<std::uint8_t, 3>{0x00, 0x01, 0xff}) {
        const std::vector<std::uint8_t> broken(size, byte);
        expect_well_formed(scheme->compare(sketch.stored, broken).resemblance);
        expect_well_formed(scheme->compare(broken, broken).containment_a_in_b);
      }
    }
  }
}

TEST_P(Conformance, EveryInstructionSetGivesTheSameSketch) {
  const SimdLevelGuard guard;
  std::vector<Sketch> portable;  // of all specs, one after another
  for (const SimdLevel level : supported_simd_levels()) {
    ASSERT_TRUE(limit_simd(level).ok());
    std::vector<Sketch> sketches;
    const std::vector<std::string> specs = specs_of(*GetParam());
    for (std::size_t i = 0; i < specs.size(); i += sanitized ? 3 : 1) {
      const auto scheme = must_make(specs[i]);  // made at this level
      for (const std::string& text : texts()) sketches.push_back(sketch_text(*scheme, text));
      for (std::size_t count = 1; count < 70; ++count) {
        sketches.push_back(sketch_of_tokens(*scheme, stream_shingles(count, count)));
      }
      for (const std::size_t count : {255U, 256U, 257U, 600U, 1025U, 4000U}) {
        sketches.push_back(sketch_of_tokens(*scheme, stream_shingles(count, count)));
      }
    }
    if (portable.empty()) portable = sketches;
    for (std::size_t i = 0; i < sketches.size(); ++i) {
      ASSERT_EQ(sketches[i].values, portable[i].values) << simd_level_name(level) << " " << i;
      ASSERT_EQ(sketches[i].stored, portable[i].stored) << simd_level_name(level) << " " << i;
    }
  }
}

// match_probability() is a lower bound: pairs share a key at least as often, up to 5.73 standard
// deviations (one false alarm in 10^8).
TEST_P(Conformance, KeysAreSharedAsOftenAsDeclared) {
  for (const auto& scheme : schemes_) {
    SCOPED_TRACE(scheme->spec());
    if (!scheme->match_probability(0.8)) continue;
    EXPECT_EQ(*scheme->match_probability(1), 1);
    EXPECT_EQ(*scheme->match_probability(0), 0);
    constexpr int pairs = tries(300);
    for (const double resemblance : {0.5, 0.8, 0.95, 1.0}) {
      double expected = 0;
      int sharing = 0;
      for (int i = 0; i < pairs; ++i) {
        const SetPair pair =
            make_pair_of_sets(static_cast<std::uint64_t>(i) + 1, 190, shared_for(190, resemblance));
        expected += *scheme->match_probability(pair.resemblance);
        const auto a = keys_of(*scheme, sketch_of(*scheme, pair.a));
        const auto b = keys_of(*scheme, sketch_of(*scheme, pair.b));
        const std::set<std::uint64_t> left(a.begin(), a.end());
        sharing += std::ranges::any_of(b, [&](std::uint64_t key) { return left.contains(key); });
      }
      const double share = expected / pairs;
      EXPECT_GE(sharing, expected - 5.73 * std::sqrt(pairs * share * (1 - share)) - 1e-9)
          << "at " << resemblance;
    }
  }
}

/// Does it sample shingles by a seed of its own? That of another program is shorter. I-Match, which
/// samples a lexicon, has tests of its own.
bool samples_by_a_seed(const SchemeEntry& entry) {
  if (entry.declaration->tells == Tells::coordinate) return false;
  return std::ranges::any_of(entry.declaration->parameters, [](const auto& parameter) {
    return parameter.name == "seed" && parameter.maximum == UINT64_MAX;
  });
}

/// A scheme with a secret in place of the seed, or with a seed alone.
std::unique_ptr<Scheme> with_secret(const SchemeEntry& entry, const std::string& digits,
                                    const std::string& more = "") {
  MemoryFiles files;
  EXPECT_TRUE(files.write("key", digits).ok());
  const std::string name(entry.declaration->name);
  const std::string secret = digits.empty() ? "" : "secret=key";
  auto scheme = make_scheme(
      name + "(" + secret + (secret.empty() || more.empty() ? "" : ", ") + more + ")", 0.8, files);
  EXPECT_TRUE(scheme.ok()) << scheme.error().message;
  return std::move(scheme).value();
}

// B-29, I-25: whoever samples by a seed can do so by a secret, which no spec tells.
TEST_P(Conformance, ASecretDecidesTheSampleAndIsNotTold) {
  if (!samples_by_a_seed(*GetParam())) return;
  const std::string digits = "00112233445566778899aabbccddeeff";
  const auto open = with_secret(*GetParam(), "");
  const auto secret = with_secret(*GetParam(), digits);
  EXPECT_EQ(secret->spec().find("778899"), std::string::npos) << secret->spec();
  EXPECT_NE(secret->spec().find("secret=key@"), std::string::npos) << secret->spec();
  EXPECT_EQ(secret->content_spec(), with_secret(*GetParam(), digits + "\n")->content_spec());
  const std::string text = texts().front();
  std::set<std::vector<std::uint64_t>> sketches;
  for (const auto* scheme : {open.get(), secret.get()}) {
    sketches.insert(sketch_text(*scheme, text).values);
  }
  for (const char* seed : {"seed=1", "seed=2"}) {
    sketches.insert(sketch_text(*with_secret(*GetParam(), "", seed), text).values);
    sketches.insert(sketch_text(*with_secret(*GetParam(), digits, seed), text).values);
  }
  sketches.insert(sketch_text(*with_secret(*GetParam(), digits.substr(1) + "0"), text).values);
  EXPECT_EQ(sketches.size(), 7U);
  EXPECT_EQ(sketch_text(*with_secret(*GetParam(), digits), text).values,
            sketch_text(*secret, text).values);
  for (const std::string& bad : {digits.substr(1), digits + "0", std::string("x")}) {
    MemoryFiles files;
    ASSERT_TRUE(files.write("key", bad).ok());
    const auto refused =
        make_scheme(std::string(GetParam()->declaration->name) + "(secret=key)", 0.8, files);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message.find("7788"), std::string::npos);
  }
}

using Keys = std::vector<std::uint64_t>;

/// The keys that both have, of two sorted lists.
Keys shared_keys(const Keys& a, const Keys& b) {
  Keys both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both;
}

/// The sorted keys of a text of these words.
std::vector<std::uint64_t> keys_of_words(const Scheme& scheme, const Shingles& words) {
  Analysis analysis;
  analysis.tokens = words;
  Shingles shingles;
  shingle(words, scheme.shingle_tokens(), shingles);
  Sketch sketch;
  scheme.sketch(GivenView("", analysis, shingles), sketch);
  std::vector<std::uint64_t> keys = keys_of(scheme, sketch);
  std::ranges::sort(keys);
  return keys;
}

// B-29, I-25: an attacker who knows the seed changes one word after the other, wherever that takes
// a key from the copy, until it shares none with its source. The keys of a secret catch it.
TEST_P(Conformance, ACopyThatDodgesAKnownSeedIsCaughtByASecret) {
  if (!samples_by_a_seed(*GetParam())) return;
  const auto known = with_secret(*GetParam(), "", "seed=1");
  constexpr int copies = tries(10);
  constexpr std::size_t size = 6000;
  int caught = 0;
  double alike = 0;
  std::size_t edits = 0;
  for (int copy = 0; copy < copies; ++copy) {
    const Shingles source = stream_shingles(static_cast<std::uint64_t>(copy), size);
    const Keys source_keys = keys_of_words(*known, source);
    Shingles words = source;
    Keys left = source_keys;
    ASSERT_FALSE(left.empty());
    for (int round = 0; round < 4 && !left.empty(); ++round) {
      // A shingle has one word at a multiple of its width.
      for (std::size_t i = 0; i < size && !left.empty(); i += known->shingle_tokens()) {
        const std::uint64_t word = std::exchange(words[i], mix64(~source[i]));
        Keys now = shared_keys(source_keys, keys_of_words(*known, words));
        // Of the smallest hashes, another one may come back for the one that goes.
        if (now.size() <= left.size() && now != left) {
          left = std::move(now);
          ++edits;
        } else {
          words[i] = word;
        }
      }
    }
    EXPECT_TRUE(left.empty()) << "the attack does not work, and the test shows nothing";
    const auto secret =
        with_secret(*GetParam(), "00112233445566778899aabbccddee" + std::to_string(10 + copy));
    const Keys caught_by =
        shared_keys(keys_of_words(*secret, source), keys_of_words(*secret, words));
    caught += caught_by.empty() ? 0 : 1;
    Shingles a;
    Shingles b;
    shingle(source, 5, a);
    shingle(words, 5, b);
    std::ranges::sort(a);
    std::ranges::sort(b);
    const auto both = static_cast<double>(shared_keys(a, b).size());
    alike += both / (static_cast<double>(a.size() + b.size()) - both) / copies;
  }
  std::cout << GetParam()->declaration->name << ": copies of resemblance " << alike << " after "
            << edits / copies << " edits: 0 of " << copies << " caught under the known seed, "
            << caught << " under a secret\n";
  EXPECT_GT(alike, 0.5) << "copies";
  EXPECT_EQ(caught, copies);
}

std::string scheme_name(const testing::TestParamInfo<const SchemeEntry*>& info) {
  return std::string(info.param->declaration->name);
}

INSTANTIATE_TEST_SUITE_P(Schemes, Conformance,
                         testing::ValuesIn(schemes().begin(), schemes().end()), scheme_name);

// Golden sketches. A line each: the document (`shingles` S N is the N values
// mix64(mix64(S) + i), i from 0, as tokens and as shingles alike; its text is
// "S N"), the stored form, the keys.

std::string hex_of(std::span<const std::uint8_t> bytes) {
  std::string hex;
  for (const std::uint8_t byte : bytes) {
    hex += "0123456789abcdef"[byte >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

std::string golden_text(const SchemeEntry& entry, const std::vector<std::string>& specs) {
  std::ostringstream text;
  text << "# Sketches of scheme " << entry.declaration->name << ", version "
       << entry.declaration->version << ". Written by tests/scheme/conformance_test.cc.\n";
  for (const std::string& spec : specs) {
    const auto scheme = must_make(spec);
    text << "\n" << scheme->spec() << "\n";
    for (const std::size_t count : {0U, 1U, 4U, 30U, 300U, 3000U}) {
      const Sketch sketch = sketch_of_tokens(*scheme, stream_shingles(count + 1, count));
      text << "shingles " << count + 1 << " " << count << " | " << hex_of(sketch.stored) << " |";
      std::ostringstream keys;
      for (const std::uint64_t key : keys_of(*scheme, sketch)) keys << " " << std::hex << key;
      text << keys.str() << "\n";
    }
  }
  return text.str();
}

TEST(GoldenSketches, AreReproducedBitForBit) {
  const auto folder = std::filesystem::path(__FILE__).parent_path() / "../golden";
  for (const SchemeEntry* entry : schemes()) {
    // The defaults, and one other value of each parameter.
    std::vector<std::string> specs;
    std::set<std::string> seen;
    for (const std::string& spec : specs_of(*entry)) {
      if (seen.insert(spec.substr(0, spec.find('='))).second) specs.push_back(spec);
    }
    const std::string name(entry->declaration->name);
    const std::string expected = golden_text(*entry, specs);
    const auto path = folder / ("sketches_" + name + ".txt");
    if (std::getenv("TWINSET_UPDATE_GOLDEN") != nullptr) {
      std::ofstream(path, std::ios::binary) << expected;
    }
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    EXPECT_TRUE(text.str() == expected)
        << path << " differs. Where sketches were meant to change, raise the version in scheme "
        << name << " and run this test with TWINSET_UPDATE_GOLDEN=1.";
  }
}

}  // namespace
}  // namespace twinset
