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
  EXPECT_EQ(compare_texts("...", "!").value().passages.resemblance(), 0);
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
