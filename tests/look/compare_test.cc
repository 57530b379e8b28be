#include <cmath>
#include <random>
#include <set>

#include "evaluate/edits.h"
#include "support_runs/small_run.h"
#include "twinset/pair.h"

namespace twinset {
namespace {

using testing::ScratchFolder;
using testing::SmallRun;

TEST(Compare, CountsShinglesOfTextFilesExactly) {
  const ScratchFolder folder;
  CompareOptions options;
  options.a = folder.write("a.txt", "one two three four five six seven");   // 3 shingles of 5
  options.b = folder.write("b.txt", "ONE two, three four five six eight");  // 2 of them, 1 more
  const Result<ComparedTexts> found = compare(options, RunControl{});
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found.value().passages.resemblance(), 0.5);
  EXPECT_EQ(found.value().passages.shared_shingles, 2U);
  const std::string json = to_json(found.value());
  EXPECT_NE(json.find("\"resemblance\": 0.5"), std::string::npos) << json;
  EXPECT_NE(json.find("\"shared_shingles\": 2"), std::string::npos) << json;
  EXPECT_NE(json.find("\"identical\": false"), std::string::npos) << json;
}

// B-10: the verb prints what few samples of a short text in a long one tell, and its interval holds
// the exact share, which it prints beside it, in 95 of 100 pairs: of twenty ratios of length.
TEST(Compare, IntervalsHoldTheExactShares) {
  const ScratchFolder folder;
  std::mt19937_64 random(10);
  double known = 0;
  double held = 0;
  for (int ratio = 1; ratio <= 20; ++ratio) {
    for (int trial = 0; trial < 40; ++trial) {
      std::string longer;
      std::string shorter;
      const int words = 3000 / ratio;
      const auto word = [&random] { return "w" + std::to_string(random() % 100'000) + " "; };
      // Half of the short text is from the long one.
      for (int i = 0; i < 3000; ++i) {
        const std::string next = word();
        longer += next;
        if (i < words / 2) shorter += next;
      }
      for (int i = words / 2; i < words; ++i) shorter += word();
      CompareOptions options;
      options.a = folder.write("a.txt", shorter);
      options.b = folder.write("b.txt", longer);
      options.scheme = "mod(modulus=25, seed=" + std::to_string(random()) + ")";
      const Result<ComparedTexts> found = compare(options, RunControl{});
      ASSERT_TRUE(found.ok()) << found.error().message;
      const EstimatedShares& told = *found.value().estimated;
      const auto look_at = [&](const std::optional<Interval>& interval, double truth) {
        if (!interval) return;
        known += 1;
        held += interval->low <= truth && truth <= interval->high ? 1 : 0;
      };
      look_at(told.resemblance, found.value().passages.resemblance().value());
      look_at(told.containment_a_in_b, found.value().passages.containment_a_in_b().value());
      look_at(told.containment_b_in_a, found.value().passages.containment_b_in_a().value());
    }
  }
  EXPECT_GT(known, 2000);
  // The three of a pair are of one sample, so that they err together: 5.73 deviations of 800 pairs.
  EXPECT_NEAR(held / known, 0.95, 5.73 * std::sqrt(0.95 * 0.05 / 800));
}

TEST(Compare, SaysWhatSketchesTellAndWhatNot) {
  const ScratchFolder folder;
  CompareOptions options;
  options.a = folder.write("a.txt", "one two three four five six seven");
  options.b = folder.write("b.txt", "one two three four five six eight");
  options.scheme = "mod(shingle=3)";
  const Result<ComparedTexts> whole = compare(options, RunControl{});
  ASSERT_TRUE(whole.ok()) << whole.error().message;
  EXPECT_EQ(whole.value().passages.shingle_tokens, 3U) << "those of the scheme";
  EXPECT_EQ(whole.value().estimated->resemblance->low, 4.0 / 6) << "known whole";
  EXPECT_NE(to_json(whole.value()).find("\"estimated\": {\"scheme\": \"mod(shingle=3"),
            std::string::npos)
      << to_json(whole.value());
  options.scheme = "mod(modulus=1000000)";
  const Result<ComparedTexts> blind = compare(options, RunControl{});
  ASSERT_TRUE(blind.ok()) << blind.error().message;
  EXPECT_FALSE(blind.value().estimated->resemblance.has_value());
  EXPECT_NE(to_text(blind.value()).find("A in B       unknown"), std::string::npos)
      << to_text(blind.value());
  for (const char* none : {"simhash", "super_shingle", "nonsense"}) {
    options.scheme = none;
    EXPECT_FALSE(compare(options, RunControl{}).ok()) << none;
  }
}

TEST(Compare, TakesRecordsByNumber) {
  SmallRun small;
  CompareOptions options;
  options.a = small.input + ":1";
  options.b = small.input + ":2";
  const Result<ComparedTexts> found = compare(options, RunControl{});
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_TRUE(found.value().identical);
}

// Texts that dedup folds as identical have a resemblance of 1 here too, with words or without.
TEST(Compare, AgreesWithDedupOnTextsWithoutWords) {
  const ScratchFolder folder;
  const std::string input =
      folder.write("in.jsonl",
                   "{\"text\":\"... !\"}\n{\"text\":\"... !\"}\n{\"text\":\"... ?\"}\n"
                   "{\"text\":\"\"}\n{\"text\":\"\"}\n");
  DedupOptions options;
  options.inputs = {input};
  options.output = folder / "out";
  options.input.max_record = 1 << 20;
  const Result<DedupSummary> done = dedup(options, RunControl{});
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().total.identical, 2U);
  EXPECT_EQ(done.value().total.kept, 3U);
  const auto resemblance = [&](const char* a, const char* b) {
    CompareOptions compared;
    compared.a = input + a;
    compared.b = input + b;
    const Result<ComparedTexts> found = compare(compared, RunControl{});
    EXPECT_TRUE(found.ok()) << found.error().message;
    return found.value().passages.resemblance() == 1;
  };
  EXPECT_TRUE(resemblance(":1", ":2"));
  EXPECT_TRUE(resemblance(":4", ":5"));
  EXPECT_FALSE(resemblance(":1", ":3"));
  EXPECT_FALSE(resemblance(":1", ":4"));
}

TEST(Compare, SaysWhatItCannotCompare) {
  SmallRun small;
  for (const std::string& wrong : {small.input, small.input + ":99", small.input + ":5",
                                   small.folder / "missing.txt", small.folder.path()}) {
    CompareOptions options;
    options.a = wrong;
    options.b = small.input + ":1";
    EXPECT_FALSE(compare(options, RunControl{}).ok()) << wrong;
  }
}

TEST(CompareTexts, PassagesAreThoseOfBothTexts) {
  const std::string first = "we sell red apples and green pears at the market on every day";
  const std::string second = "the shop is open from nine in the morning until six at night";
  const std::string a = first + ". " + second + " but Sunday.";
  const std::string b = "News: " + second + "; " + first + "!";
  const ComparedTexts found = compare_texts(a, b).value();
  EXPECT_EQ(found.text_a, a);
  EXPECT_EQ(found.text_b, b);
  EXPECT_FALSE(found.identical);
  ASSERT_EQ(found.passages.matches.size(), 2U);
  std::set<std::string> shared;
  for (const PassageMatch& match : found.passages.matches) {
    const Passage& in_a = found.passages.a[match.a];
    const Passage& in_b = found.passages.b[match.b];
    shared.insert(a.substr(in_a.begin, in_a.end - in_a.begin));
    EXPECT_EQ(a.substr(in_a.begin, in_a.end - in_a.begin),
              b.substr(in_b.begin, in_b.end - in_b.begin));
    EXPECT_EQ(match.tokens, 13U);
  }
  EXPECT_EQ(shared, (std::set{first, second}));
  EXPECT_NE(found.passages.matches[0].moved, found.passages.matches[1].moved);
  EXPECT_EQ(found.passages.b.front().begin, 0U);
  EXPECT_FALSE(found.passages.b.front().shared);
  EXPECT_EQ(found.passages.resemblance(), resemblance(a, b).value().value);
  EXPECT_EQ(found.passages.containment_b_in_a(), containment(b, a).value().value);
  EXPECT_NE(to_text(found).find("{+News+}"), std::string::npos) << to_text(found);
  EXPECT_EQ(to_text(found, {.numbers = true}).find("News"), std::string::npos);
  EXPECT_NE(to_json(found).find("{\"a\": \"A\", \"b\": \"B\", \"resemblance\": 0."),
            std::string::npos);
}

TEST(CompareTexts, NumbersAreThoseOfResemblance) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::string a;
    for (std::size_t i = random() % 300; i > 0; --i) {
      a += "w" + std::to_string(random() % 50) + (random() % 40 == 0 ? "\xff" : " ");
    }
    const Edit& edit = edits()[random() % edits().size()];
    const std::string b = edit.apply(a, random());
    const Shingling shingling{.shingle_tokens = 1 + random() % 6};
    const Passages found = compare_texts(a, b, shingling).value().passages;
    const ShingleCounts counts = count_shingles(a, b, shingling).value();
    ASSERT_EQ(found.shared_shingles, counts.shared_shingles) << edit.name;
    ASSERT_EQ(found.shingles_a, counts.shingles_a);
    ASSERT_EQ(found.shingles_b, counts.shingles_b);
    ASSERT_EQ(found.same_without_tokens, counts.same_without_tokens);
    ASSERT_EQ(found.resemblance(), counts.resemblance());
  }
}

TEST(CompareTexts, OddTextsHaveAnAnswer) {
  const ComparedTexts nothing = compare_texts("", "").value();
  EXPECT_TRUE(nothing.identical);
  EXPECT_EQ(nothing.passages.resemblance(), 1);
  EXPECT_EQ(compare_texts("...", "!").value().passages.resemblance(), std::nullopt);
  const Passages one = compare_texts("...", "a word").value().passages;
  EXPECT_EQ(one.resemblance(), 0);
  EXPECT_EQ(one.containment_a_in_b(), std::nullopt);
  EXPECT_EQ(one.containment_b_in_a(), 0);
  const ComparedTexts pages =
      compare_texts("<p>a <b>rose</b> is a rose</p>", "a rose is a rose", {.html = true}).value();
  EXPECT_EQ(pages.text_a.find('<'), std::string::npos) << pages.text_a;
  EXPECT_EQ(pages.passages.resemblance(), 1);
  EXPECT_FALSE(pages.identical);
  EXPECT_EQ(compare_texts("a", "b", {.analyzer = "word"}).error().code, ErrorCode::usage);
  EXPECT_EQ(compare_texts("a", "b", {.shingle_tokens = 65}).error().code, ErrorCode::usage);
  const std::string_view long_text("", std::size_t{5} << 30);
  EXPECT_EQ(compare_texts("a", long_text).error().code, ErrorCode::usage);
}

}  // namespace
}  // namespace twinset
