#include "calibrate/distance_run.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <optional>

#include "calibrate/drawn_choice.h"
#include "calibrate/pair_sample.h"
#include "calibrate/shuffled_texts.h"
#include "evaluate/oracle.h"
#include "join/held_pairs.h"
#include "scheme/scheme.h"
#include "support/scratch_folder.h"
#include "system/files.h"
#include "text/analyzer.h"
#include "twinset/cluster.h"
#include "twinset/lexicon.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFolder;

/// A document, with a label if it has one.
struct Written {
  std::string text;
  std::string label;
};

std::vector<Written> written(const std::vector<std::string>& texts) {
  std::vector<Written> documents;
  for (const std::string& text : texts) documents.push_back({text, ""});
  return documents;
}

std::string write(const ScratchFolder& folder, const std::string& name,
                  const std::vector<Written>& documents) {
  std::string lines;
  for (const Written& of : documents) {
    lines += "{\"text\":\"" + of.text + "\"" +
             (of.label.empty() ? "" : ",\"label\":\"" + of.label + "\"") + "}\n";
  }
  return folder.write(name, lines);
}

/// Counts the terms of the inputs.
std::string df_file(const ScratchFolder& folder, const std::string& input) {
  LexiconOptions options;
  options.inputs = {input};
  options.output = input + ".df";
  options.resources.tmp = folder.path();
  EXPECT_TRUE(count_terms(options, RunControl{}).ok());
  return options.output;
}

std::vector<std::string> simhash_specs(const std::string& df) {
  return {"simhash", "simhash(bits=128)", "simhash(weights=unit)",
          "simhash(weights=unit, bits=128)", "simhash(weights=tfidf, df=\"" + df + "\")"};
}

CalibrateOptions options_of(const ScratchFolder& folder, const std::string& input) {
  CalibrateOptions options;
  options.inputs = {input};
  options.input.max_record = 1 << 20;
  options.resources.tmp = folder.path();
  options.scheme = "simhash";
  options.precision = {1, 2};
  return options;
}

Calibration calibrated(const CalibrateOptions& options) {
  Result<Calibration> done = calibrate(options, RunControl{});
  EXPECT_TRUE(done.ok()) << done.error().message;
  return done.ok() ? std::move(done).value() : Calibration();
}

/// Every pair that a run finds, and whether it is right, by comparing each document with each.
class Oracle {
 public:
  struct Pair {
    std::uint32_t later = 0;
    std::uint32_t earlier = 0;
    std::uint64_t tokens = 0;
    std::size_t distance = 0;
    bool same = false;
  };

  /// With `labels` documents without one take no part.
  Oracle(const std::string& spec, const std::vector<Written>& documents, bool labels = false) {
    const Analyzer& analyzer = *require_analyzer("words").value();
    std::vector<Analysis> analyses(documents.size());
    std::vector<GivenView> views;
    std::vector<std::span<const std::uint64_t>> tokens;
    for (std::size_t i = 0; i < documents.size(); ++i) {
      analyzer.analyze(documents[i].text, Offsets::drop, analyses[i]);
      views.emplace_back(documents[i].text, analyses[i], std::span<const std::uint64_t>(),
                         &analyzer);
      tokens.emplace_back(analyses[i].tokens);
    }
    const auto scheme = make_scheme(spec, 0.8, disk()).value();
    const SketchedDocuments sketched = sketch_documents(*scheme, views, 1);
    const ShingleCollection shingles =
        ShingleCollection::make(tokens, 5, std::uint64_t{1} << 30).value();
    const auto distance = [&](std::uint32_t a, std::uint32_t b) {
      return scheme->compare(sketched.stored[a], sketched.stored[b]).distance->differ;
    };
    std::map<std::vector<std::uint64_t>, std::uint32_t> texts;
    std::vector<std::uint32_t> firsts;  // of their signatures
    for (std::uint32_t i = 0; i < documents.size(); ++i) {
      if (labels && documents[i].label.empty()) continue;
      if (!texts.try_emplace(analyses[i].tokens, i).second) continue;
      ++distinct_;
      const auto add = [&](std::uint32_t earlier) {
        const bool same =
            labels
                ? documents[i].label == documents[earlier].label
                : shingles.pair(earlier, i).resemblance().at_least(CalibrateOptions().resemblance);
        pairs_.push_back({i, earlier, std::min(tokens[i].size(), tokens[earlier].size()),
                          distance(i, earlier), same});
      };
      const auto first = std::ranges::find_if(
          firsts, [&](std::uint32_t earlier) { return distance(i, earlier) == 0; });
      if (first != firsts.end()) {
        add(*first);
        continue;
      }
      for (const std::uint32_t earlier : firsts) {
        if (distance(i, earlier) <= 7) add(earlier);
      }
      firsts.push_back(i);
    }
  }

  const std::vector<Pair>& pairs() const { return pairs_; }
  std::size_t distinct() const { return distinct_; }

  /// Drawn as a run with this sample and seed should draw.
  DrawnPairs drawn(std::uint64_t sample, std::uint64_t seed) const {
    PairSample all(8, {.most = (sample + 1) / 2, .seed = seed});
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> same;
    for (const Pair& pair : pairs_) {
      all.add(pair.later, pair.earlier, pair.tokens, pair.distance);
      same[{pair.later, pair.earlier}] = pair.same;
    }
    DrawnPairs out = std::move(all).take();
    for (DrawnPair& pair : out.pairs) pair.same = same.at({pair.a, pair.b});
    return out;
  }

  /// The share of the pairs that are right; 2: there is none.
  double precision(const TokenRange& range, std::size_t value) const {
    double found = 0;
    double right = 0;
    for (const Pair& pair : pairs_) {
      if (pair.distance > value || pair.tokens < range.least) continue;
      if (range.below != 0 && pair.tokens >= range.below) continue;
      ++found;
      right += pair.same ? 1 : 0;
    }
    return found == 0 ? 2 : right / found;
  }

 private:
  std::vector<Pair> pairs_;
  std::size_t distinct_ = 0;
};

std::vector<std::string> distances() { return {"0", "1", "2", "3", "4", "5", "6", "7"}; }

void expect_equal(const Share& a, const Share& b) {
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.of, b.of);
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
}

void expect_precisions(const Calibration& made, const Choices& due) {
  ASSERT_EQ(made.classes.size(), due.classes.size());
  for (std::size_t i = 0; i < due.classes.size(); ++i) {
    EXPECT_EQ(made.classes[i].tokens.below, due.classes[i].tokens.below);
    EXPECT_EQ(made.classes[i].chosen, due.classes[i].chosen);
    ASSERT_EQ(made.classes[i].rows.size(), 8U);
    for (std::size_t value = 0; value < 8; ++value) {
      const CalibrationRow& row = made.classes[i].rows[value];
      EXPECT_EQ(row.found, due.classes[i].rows[value].found);
      expect_equal(row.choosing.precision, due.classes[i].rows[value].choosing.precision);
      expect_equal(row.held_out.precision, due.classes[i].rows[value].held_out.precision);
    }
  }
}

Choices choice_of(const DrawnPairs& drawn, std::uint64_t seed) {
  Result<Choices> done = choose_drawn(drawn, {}, distances(), {.precision = {1, 2}, .seed = seed});
  EXPECT_TRUE(done.ok()) << done.error().message;
  return done.ok() ? std::move(done).value() : Choices();
}

// Whole runs against the oracle, number by number: the pairs found, those drawn, and those right.
TEST(DistanceRun, JudgesPairsOfAJoinOverAllDocuments) {
  const ScratchFolder folder;
  const std::vector<Written> documents = written(shuffled_texts(3, 60));
  const std::string input = write(folder, "in.jsonl", documents);
  for (const std::string& spec : simhash_specs(df_file(folder, input))) {
    const Oracle oracle(spec, documents);
    for (const std::uint64_t sample : {60U, 2000U}) {
      SCOPED_TRACE(spec);
      CalibrateOptions options = options_of(folder, input);
      options.scheme = spec;
      options.sample = sample;
      options.sample_seed = sample + 5;
      const Calibration made = calibrated(options);
      EXPECT_EQ(made.found, oracle.pairs().size());
      EXPECT_EQ(made.documents, documents.size());
      EXPECT_EQ(made.sampled, std::min<std::size_t>(sample, oracle.distinct()));
      expect_precisions(made,
                        choice_of(oracle.drawn(sample, options.sample_seed), options.sample_seed));
    }
  }
}

// The chances of this test are those that the test of the same name in drawn_choice_test.cc states:
// five schemes, each with collections and seeds that make 900 runs in all, whose pairs the runs
// above draw.
TEST(StatisticsOfDistanceRun, IntervalsHoldTheTruthInNineOfTen) {
  const ScratchFolder folder;
  double missed = 0;
  double of_truths = 0;
  std::size_t runs = 0;
  for (std::uint64_t collection = 1; collection <= 6; ++collection) {
    const std::vector<Written> documents = written(shuffled_texts(collection, 50));
    const std::string input =
        write(folder, "in" + std::to_string(collection) + ".jsonl", documents);
    for (const std::string& spec : simhash_specs(df_file(folder, input))) {
      const Oracle oracle(spec, documents);
      for (std::uint64_t seed = 1; seed <= 30; ++seed, ++runs) {
        const Choices choices = choice_of(oracle.drawn(60, seed), seed);
        double rows = 0;
        double misses = 0;
        for (const CalibrationClass& of : choices.classes) {
          for (std::size_t value = 0; value < 8; ++value) {
            const double truth = oracle.precision(of.tokens, value);
            if (truth > 1) continue;
            of_truths += truth > 0.1 && truth < 0.9 ? 1 : 0;
            for (const HalfShares& half : {of.rows[value].choosing, of.rows[value].held_out}) {
              ++rows;
              misses += half.precision.low <= truth && truth <= half.precision.high ? 0 : 1;
            }
          }
        }
        missed += misses / rows;
      }
    }
  }
  ASSERT_EQ(runs, 900U);
  EXPECT_LT(missed / static_cast<double>(runs), 0.1);
  EXPECT_GT(of_truths, 900) << "the precisions are not all trivial";
}

TEST(DistanceRun, FindsThePairsThatClusterFinds) {
  const ScratchFolder folder;
  CalibrateOptions options =
      options_of(folder, write(folder, "in.jsonl", written(shuffled_texts(4, 50))));
  const Calibration made = calibrated(options);
  for (std::size_t value = 0; value < 8; ++value) {
    ClusterOptions run;
    run.inputs = options.inputs;
    run.input.max_record = 1 << 20;
    run.scheme = options.scheme;
    run.distance = std::to_string(value);
    run.output = folder / ("out" + run.distance);
    const Result<ClusterSummary> done = cluster(run, RunControl{});
    ASSERT_TRUE(done.ok()) << done.error().message;
    std::uint64_t found = 0;
    for (const CalibrationClass& of : made.classes) found += of.rows[value].found;
    EXPECT_EQ(done.value().edges, found) << value;
  }
}

// Unlabeled documents and copies take no part, so a labeled copy of an unlabeled document does.
TEST(DistanceRun, WithLabelsOnlyLabeledDocumentsTakePart) {
  const ScratchFolder folder;
  std::vector<Written> documents = written(shuffled_texts(5, 60));
  SeededRandom random(9);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (random.chance(2, 3)) documents[i].label = "l" + std::to_string(i / 9);
  }
  CalibrateOptions options = options_of(folder, write(folder, "in.jsonl", documents));
  options.labels = "label";
  options.sample = 120;
  const Oracle oracle(options.scheme, documents, true);
  const Calibration made = calibrated(options);
  expect_precisions(made, choice_of(oracle.drawn(120, 1), 1));
  // Recall is of all pairs of a label, because these are few.
  std::map<std::vector<std::string>, std::string> labels;  // of texts: of their first documents
  for (const Written& of : documents) {
    if (!of.label.empty()) labels.try_emplace(words_of(of.text), of.label);
  }
  std::map<std::string, std::uint64_t> sizes;
  for (const auto& [text, label] : labels) ++sizes[label];
  std::uint64_t of_label = 0;
  for (const auto& [label, size] : sizes) of_label += size * (size - 1) / 2;
  std::uint64_t recall = 0;
  for (const CalibrationClass& of : made.classes) {
    recall += of.rows[7].choosing.recall.of + of.rows[7].held_out.recall.of;
  }
  EXPECT_EQ(recall, of_label);
}

TEST(DistanceRun, NothingDependsOnThreadsMemoryOrTheKindOfInput) {
  const ScratchFolder folder;
  const std::vector<Written> documents = written(shuffled_texts(6, 80));
  CalibrateOptions options = options_of(folder, write(folder, "in.jsonl", documents));
  options.sample = 100;
  const std::string once = to_json(calibrated(options));
  options.resources.threads = 3;
  EXPECT_EQ(to_json(calibrated(options)), once);
  options.resources.threads = 1;
  options.resources.memory = std::uint64_t{96} << 20;
  EXPECT_EQ(to_json(calibrated(options)), once);
  options.resources = {};
  options.resources.tmp = folder.path();
  options.sample_seed = 2;
  EXPECT_NE(to_json(calibrated(options)), once);
}

// Half of the documents have 15 words, half 600. If 400 of them are drawn evenly, a quarter more or
// fewer than a half are short with a chance of at most 2 exp(-2 * 400 / 16) < 1e-21 (Hoeffding, who
// covers draws without replacement). Drawn by a hash of their words, 15 / 615 would be short.
TEST(DistanceRun, CopiesArePlantedInDocumentsOfAllLengths) {
  const ScratchFolder folder;
  SeededRandom random(4);
  std::vector<std::string> texts;
  for (int i = 0; i < 1000; ++i) {
    texts.push_back(random_text(random, i % 2 == 0 ? 15 : 600, 100'000));
    if (i % 10 < 2) texts.push_back(replace_words(texts.back(), 1, texts.size()));
  }
  CalibrateOptions options = options_of(folder, write(folder, "in.jsonl", written(texts)));
  options.sample = 400;
  const Calibration made = calibrated(options);
  EXPECT_EQ(made.sampled, 400U);
  std::uint64_t shorter = 0;
  for (const PlantedRecall& row : made.planted) {
    if (row.tokens.below == 50) shorter += row.found[0].of;
  }
  EXPECT_GT(shorter, 3 * 100U);
  EXPECT_LT(shorter, 3 * 300U);
}

TEST(DistanceRun, TooLittleMemoryForTheSampleIsRefused) {
  const ScratchFolder folder;
  CalibrateOptions options =
      options_of(folder, write(folder, "in.jsonl", written(shuffled_texts(7, 20))));
  options.sample = 100'000;
  options.resources.memory = std::uint64_t{64} << 20;
  const Result<Calibration> done = calibrate(options, RunControl{});
  ASSERT_FALSE(done.ok());
  EXPECT_THAT(done.error().message, HasSubstr("memory"));
}

}  // namespace
}  // namespace twinset
