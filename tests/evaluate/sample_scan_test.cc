// The sample in parts, as engines make it, against the sample of one machine.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "evaluate/document_sample.h"
#include "evaluate/random.h"
#include "support_runs/small_run.h"
#include "twinset/evaluate.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFolder;

/// Texts of which some are long, some have no word, and many are of one of a few families.
std::vector<std::string> texts_of(std::size_t count, std::uint64_t seed) {
  SeededRandom random(seed);
  const auto words = [&](std::uint64_t words) {
    std::string text;
    for (std::uint64_t i = 0; i < words; ++i)
      text += "w" + std::to_string(random.below(5000)) + " ";
    return text;
  };
  std::vector<std::string> families;
  for (int i = 0; i < 50; ++i) families.push_back(words(60));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    if (random.chance(1, 40)) {
      texts.push_back("... !");
    } else if (random.chance(1, 30)) {
      texts.push_back(words(900));
    } else if (random.chance(1, 3)) {
      texts.push_back(families[random.below(families.size())] + words(random.below(3)));
    } else {
      texts.push_back(words(1 + random.below(80)));
    }
  }
  return texts;
}

struct Drawn {
  std::set<std::uint64_t> records{};
  DrawnSample counts{};
};

/// By workers that have a part each, one after the other, and one that draws.
Drawn drawn(const std::vector<std::string>& texts, const SampleRule& rule, std::size_t parts) {
  const SampleRanker ranker = SampleRanker::make(rule).value();
  Drawn found;
  std::vector<SampleRank> left;
  std::map<double, std::uint64_t> alike;
  SampleLimits unbounded = rule.limits;
  unbounded.bytes = UINT64_MAX;
  const std::size_t part_size = texts.size() / parts + 1;
  for (std::size_t begin = 0; begin < texts.size(); begin += part_size) {
    SampleScan scan(unbounded);
    for (std::size_t i = begin; i < std::min(begin + part_size, texts.size()); ++i) {
      const std::string_view text = texts[i];
      const std::uint64_t record = i + 1;
      const RankedText ranked =
          ranker.rank(std::span(&text, 1), std::span(&record, 1)).value().front();
      found.counts.documents += ranked.has_tokens ? 1 : 0;
      found.counts.too_long += ranked.has_tokens && !ranked.rank.has_value() ? 1 : 0;
      if (ranked.rank.has_value() && scan.add(*ranked.rank)) left.push_back(*ranked.rank);
    }
    for (const auto& [score, documents] : scan.refused_alike()) alike[score] += documents;
  }
  SampleScan scan(rule.limits);
  for (const SampleRank& rank : left) scan.add(rank);
  for (const auto& [score, documents] : alike) scan.add_alike(score, documents);
  for (const SampleRank& rank : scan.held()) found.records.insert(rank.record);
  found.counts.too_alike = scan.too_alike();
  found.counts.too_much_text = scan.too_much_text();
  return found;
}

/// As JSON, without the measured times.
std::string untimed(const Evaluation& evaluation) {
  std::string json = to_json(evaluation);
  for (std::size_t at; (at = json.find("\"measured\": {")) != std::string::npos;) {
    json.erase(at, json.find('}', at) + 1 - at);
  }
  return json;
}

/// With the texts as a column, which has the labels of as many as there are.
Evaluation evaluated(EvaluateOptions options, const std::vector<std::string>& texts,
                     const DrawnSample* sample = nullptr) {
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  options.columns = {std::span<const std::string_view>(views)};
  options.drawn = sample;
  Result<Evaluation> done = evaluate(options, RunControl{});
  EXPECT_TRUE(done.ok()) << done.error().message;
  return done.ok() ? std::move(done).value() : Evaluation();
}

TEST(SampleScan, PartsDrawTheSampleOfTheWhole) {
  struct Case {
    SampleLimits limits;
    bool too_much_text;
  };
  std::uint64_t too_alike = 0;
  for (const Case& each : {Case{{.documents = 60, .document_bytes = 4000}, false},
                           Case{{.documents = 100, .document_bytes = 4000, .bytes = 9000}, true},
                           Case{{.documents = 5000, .document_bytes = 4000}, false}}) {
    const std::vector<std::string> texts = texts_of(4'000, each.limits.documents);
    SampleRule rule;
    rule.seed = 7;
    rule.limits = each.limits;
    const Drawn whole = drawn(texts, rule, 1);
    EXPECT_GT(whole.counts.too_long, 20u);
    too_alike += whole.counts.too_alike;
    EXPECT_EQ(whole.counts.too_much_text, each.too_much_text);
    EXPECT_LE(whole.records.size(), each.limits.documents);
    for (const std::size_t parts : {2, 7, 300}) {
      const Drawn in_parts = drawn(texts, rule, parts);
      EXPECT_EQ(in_parts.records, whole.records) << parts;
      EXPECT_EQ(in_parts.counts.documents, whole.counts.documents);
      EXPECT_EQ(in_parts.counts.too_long, whole.counts.too_long);
      EXPECT_EQ(in_parts.counts.too_alike, whole.counts.too_alike) << parts;
      EXPECT_EQ(in_parts.counts.too_much_text, each.too_much_text);
    }
  }
  EXPECT_GT(too_alike, 100u);
}

TEST(SampleScan, CountsThoseTooAlikeInAnyOrder) {
  std::vector<SampleRank> ranks;
  SeededRandom random(3);
  for (std::uint64_t i = 0; i < 3'000; ++i) {
    const std::uint64_t shingle = random.below(60);
    ranks.push_back({static_cast<double>(shingle) / 8, random.next(), shingle, 1, i});
  }
  SampleScan forward({.documents = 200});
  SampleScan backward({.documents = 200});
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    forward.add(ranks[i]);
    backward.add(ranks[ranks.size() - 1 - i]);
  }
  EXPECT_EQ(forward.held(), backward.held());
  EXPECT_EQ(forward.held().size(), 200u);
  EXPECT_EQ(forward.too_alike(), backward.too_alike());
  // Twenty families are held; the last of these is at the bound, and not counted.
  EXPECT_NEAR(static_cast<double>(forward.too_alike()), 20 * 40, 250);
}

TEST(SampleScan, EvaluateAnswersFromADrawnSampleAsFromAll) {
  const std::vector<std::string> texts = texts_of(1'500, 4);
  const ScratchFolder folder;
  EvaluateOptions options;
  options.resources.tmp = folder.path();
  options.sample = 80;
  options.schemes = "fss";
  const Evaluation whole = evaluated(options, texts);
  const SampleRule rule = sample_rule(options, RunControl{}).value();
  const Drawn found = drawn(texts, rule, 5);
  EXPECT_EQ(found.records.size(), 80u);
  std::vector<std::string> sampled;
  DrawnSample counts = found.counts;
  for (const std::uint64_t record : found.records) {
    // Rows that are there for their labels alone.
    if (sampled.size() % 3 == 0) {
      sampled.push_back(texts[0]);
      counts.sampled.push_back(false);
    }
    sampled.push_back(texts[record - 1]);
    counts.sampled.push_back(true);
  }
  const Evaluation from_sample = evaluated(options, sampled, &counts);
  EXPECT_THAT(whole.sampled_so, HasSubstr("too like others taken"));
  // Rows have no ids of their own here, and those that are made differ.
  const auto without_names = [](Evaluation evaluation) {
    for (WrongPair& pair : evaluation.methods[0].run->missed) pair.document = pair.other = "";
    for (WrongPair& pair : evaluation.methods[0].run->wrong) pair.document = pair.other = "";
    return untimed(evaluation);
  };
  EXPECT_EQ(without_names(from_sample), without_names(whole));
}

TEST(SampleRule, IsThatOfTheOptions) {
  EvaluateOptions options;
  options.scheme = "fss(shingle=3)";
  options.input.format = "html";
  options.sample_seed = 9;
  const SampleRule rule = sample_rule(options, RunControl{}).value();
  EXPECT_EQ(rule.analyzer, "words");
  EXPECT_EQ(rule.shingle_tokens, 3u);
  EXPECT_TRUE(rule.html);
  EXPECT_EQ(rule.seed, 9u);
  EXPECT_EQ(rule.limits.documents, 2'000u);
  options.sample = 0;
  EXPECT_THAT(sample_rule(options, RunControl{}).error().message, HasSubstr("at least 1"));
}

TEST(SampleRanker, CountsWhatIsCompared) {
  SampleRule rule;
  rule.html = true;
  const SampleRanker ranker = SampleRanker::make(rule).value();
  const std::vector<std::string_view> texts{"<p>one two</p>", "<hr>"};
  const std::vector<std::uint64_t> records{1, 2};
  const std::vector<RankedText> ranked = ranker.rank(texts, records).value();
  EXPECT_EQ(ranked[0].bytes, ranked[0].rank->bytes);
  EXPECT_LT(ranked[0].bytes, texts[0].size());
  EXPECT_FALSE(ranked[1].has_tokens);
  EXPECT_FALSE(ranked[1].rank.has_value());
  rule.analyzer = "none";
  EXPECT_EQ(SampleRanker::make(rule).error().code, ErrorCode::usage);
}

}  // namespace
}  // namespace twinset
