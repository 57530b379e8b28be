#include "calibrate/join_run.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "calibrate/drawn_choice.h"
#include "calibrate/found_pairs.h"
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
    std::uint32_t found = 0;  ///< bit i: at value i
    bool same = false;
  };

  /// With `labels` documents without one take no part.
  Oracle(const std::string& spec, const std::vector<Written>& documents, bool labels = false,
         Check verify = Check::sketch)
      : documents_(documents), labels_(labels) {
    const Analyzer& analyzer = *require_analyzer("words").value();
    analyses_.resize(documents.size());
    std::vector<GivenView> views;
    std::vector<std::span<const std::uint64_t>> tokens;
    std::map<std::vector<std::uint64_t>, std::uint32_t> texts;
    for (std::uint32_t i = 0; i < documents.size(); ++i) {
      analyzer.analyze(documents[i].text, Offsets::drop, analyses_[i]);
      views.emplace_back(documents[i].text, analyses_[i], std::span<const std::uint64_t>(),
                         &analyzer);
      tokens.emplace_back(analyses_[i].tokens);
      if (labels && documents[i].label.empty()) continue;
      if (texts.try_emplace(analyses_[i].tokens, i).second) distinct_.push_back(i);
    }
    shingles_.emplace(ShingleCollection::make(tokens, 5, std::uint64_t{1} << 30).value());
    FoundPairsOptions options;
    options.verify = verify;
    options.files = &disk();
    const FoundPairs found = FoundPairs::make(spec, views, *shingles_, options).value();
    values_ = found.values();
    by_length_ = found.option() == "distance";
    by_length_ ? add_near(found) : add_alike(found);
  }

  const std::vector<Pair>& pairs() const { return pairs_; }
  std::size_t distinct() const { return distinct_.size(); }
  const std::vector<std::string>& values() const { return values_; }

  /// Drawn as a run with this sample and seed should draw.
  DrawnPairs drawn(std::uint64_t sample, std::uint64_t seed) const {
    PairSample all(values_.size(), {.most = (sample + 1) / 2, .seed = seed});
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> same;
    for (const Pair& pair : pairs_) {
      all.add(pair.later, pair.earlier, pair.tokens, pair.found);
      same[{pair.later, pair.earlier}] = pair.same;
    }
    DrawnPairs out = std::move(all).take();
    for (DrawnPair& pair : out.pairs) pair.same = same.at({pair.a, pair.b});
    return out;
  }

  Choices chosen(std::uint64_t sample, std::uint64_t seed) const {
    ChoiceOptions options;
    options.precision = {1, 2};
    options.seed = seed;
    options.by_length = by_length_;
    Result<Choices> done = choose_drawn(drawn(sample, seed), {}, values_, options);
    EXPECT_TRUE(done.ok()) << done.error().message;
    return done.ok() ? std::move(done).value() : Choices();
  }

  /// The share of the pairs that are right; 2: there is none.
  double precision(const TokenRange& range, std::size_t value) const {
    double found = 0;
    double right = 0;
    for (const Pair& pair : pairs_) {
      if ((pair.found >> value & 1) == 0 || pair.tokens < range.least) continue;
      if (range.below != 0 && pair.tokens >= range.below) continue;
      ++found;
      right += pair.same ? 1 : 0;
    }
    return found == 0 ? 2 : right / found;
  }

 private:
  void add(std::uint32_t later, std::uint32_t earlier, std::uint32_t found) {
    const bool same = labels_ ? documents_[later].label == documents_[earlier].label
                              : shingles_->pair(earlier, later)
                                    .resemblance()
                                    .at_least(CalibrateOptions().resemblance);
    pairs_.push_back({later, earlier,
                      std::min(analyses_[later].tokens.size(), analyses_[earlier].tokens.size()),
                      found, same});
  }

  /// Documents of one signature are paired with the first of them.
  void add_near(const FoundPairs& values) {
    std::vector<std::uint32_t> firsts;  // of their signatures
    for (const std::uint32_t i : distinct_) {
      const auto first = std::ranges::find_if(
          firsts, [&](std::uint32_t earlier) { return (values.at(earlier, i) & 1) != 0; });
      if (first != firsts.end()) {
        add(i, *first, values.at(*first, i));
        continue;
      }
      for (const std::uint32_t earlier : firsts) {
        if (const std::uint32_t found = values.at(earlier, i); found != 0) add(i, earlier, found);
      }
      firsts.push_back(i);
    }
  }

  /// Each with each: no key here has so many documents that a run would leave out a pair.
  void add_alike(const FoundPairs& values) {
    for (std::size_t i = 0; i < distinct_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (const std::uint32_t found = values.at(distinct_[j], distinct_[i]); found != 0) {
          add(distinct_[i], distinct_[j], found);
        }
      }
    }
  }

  const std::vector<Written>& documents_;
  bool labels_;
  bool by_length_ = false;
  std::vector<Analysis> analyses_;
  std::vector<std::uint32_t> distinct_;
  std::optional<ShingleCollection> shingles_;
  std::vector<std::string> values_;
  std::vector<Pair> pairs_;
};

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
    ASSERT_EQ(made.classes[i].rows.size(), due.classes[i].rows.size());
    for (std::size_t value = 0; value < due.classes[i].rows.size(); ++value) {
      const CalibrationRow& row = made.classes[i].rows[value];
      EXPECT_EQ(row.found, due.classes[i].rows[value].found);
      expect_equal(row.choosing.precision, due.classes[i].rows[value].choosing.precision);
      expect_equal(row.held_out.precision, due.classes[i].rows[value].held_out.precision);
    }
  }
}

// Whole runs against the oracle, number by number: the pairs found, those drawn, and those right.
TEST(JoinRun, JudgesPairsOfAJoinOverAllDocuments) {
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
      expect_precisions(made, oracle.chosen(sample, options.sample_seed));
    }
  }
}

/// Each subject has a text of 30 to 149 words and five versions of it, in which up to an eighth of
/// the words are replaced, so that two of them resemble each other by anything.
std::vector<std::string> graded_texts(std::uint64_t seed, std::size_t subjects) {
  SeededRandom random(seed);
  std::vector<std::string> texts;
  for (std::size_t subject = 0; subject < subjects; ++subject) {
    const std::uint64_t words = 30 + random.below(120);
    const std::string text = random_text(random, words, 5000);
    texts.push_back(text);
    for (int i = 0; i < 5; ++i) {
      texts.push_back(replace_words(text, 1 + random.below(words / 8), texts.size()));
    }
    if (subject % 2 == 0) texts.push_back(text);
  }
  return texts;
}

const std::vector<std::string> sketches = {"fss", "minhash", "mod(modulus=4)", "mod(samples=16)",
                                           "min(samples=32)"};

// The same of schemes that are joined by keys, which have values of their own.
TEST(JoinRun, JudgesPairsOfAllKeys) {
  const ScratchFolder folder;
  const std::vector<Written> documents = written(graded_texts(3, 60));
  const std::string input = write(folder, "in.jsonl", documents);
  std::vector<std::string> specs = sketches;
  specs.push_back("imatch(lexicon=\"" + df_file(folder, input) +
                  "\", nidf=0.1:0.9, least=1, share=0)");
  for (const std::string& spec : specs) {
    const Oracle oracle(spec, documents);
    for (const std::uint64_t sample : {60U, 2000U}) {
      SCOPED_TRACE(spec);
      CalibrateOptions options = options_of(folder, input);
      options.scheme = spec;
      options.sample = sample;
      options.sample_seed = sample + 5;
      const Calibration made = calibrated(options);
      EXPECT_EQ(made.values, oracle.values());
      EXPECT_EQ(made.sampled, std::min<std::size_t>(sample, oracle.distinct()));
      expect_precisions(made, oracle.chosen(sample, options.sample_seed));
    }
  }
}

TEST(JoinRun, WithLabelsTextsDecideWhichPairsAreFound) {
  const ScratchFolder folder;
  std::vector<Written> documents = written(graded_texts(5, 60));
  SeededRandom random(9);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (random.chance(2, 3)) documents[i].label = "l" + std::to_string(i / 9);
  }
  const std::string input = write(folder, "in.jsonl", documents);
  for (const std::string spec : {"fss", "mod(modulus=4)", "super_shingle"}) {
    SCOPED_TRACE(spec);
    CalibrateOptions options = options_of(folder, input);
    options.scheme = spec;
    options.labels = "label";
    options.sample = 2000;
    const Oracle oracle(spec, documents, true, Check::exact);
    const Calibration made = calibrated(options);
    expect_precisions(made, oracle.chosen(2000, 1));
    std::uint64_t right = 0;
    std::uint64_t found = 0;
    for (const Oracle::Pair& pair : oracle.pairs()) right += pair.same && pair.found >> 13 & 1;
    const CalibrationRow& row = made.classes.back().rows.back();
    found = row.choosing.recall.count + row.held_out.recall.count;
    EXPECT_EQ(found, right) << "recall is of all pairs of a label, because these are few";
  }
}

/// The share of the rows of each run whose interval misses the precision of all pairs, over all
/// runs: so many seeds of each of these collections under each scheme.
struct Missed {
  double share = 0;
  double not_trivial = 0;  ///< rows with a precision that is neither nearly 0 nor nearly 1
};
Missed missed(const std::vector<std::vector<Written>>& collections,
              const std::function<std::vector<std::string>(std::size_t)>& specs,
              std::uint64_t seeds) {
  Missed found;
  std::size_t runs = 0;
  for (std::size_t collection = 0; collection < collections.size(); ++collection) {
    for (const std::string& spec : specs(collection)) {
      const Oracle oracle(spec, collections[collection]);
      for (std::uint64_t seed = 1; seed <= seeds; ++seed, ++runs) {
        const Choices choices = oracle.chosen(60, seed);
        double rows = 0;
        double misses = 0;
        for (const CalibrationClass& of : choices.classes) {
          for (std::size_t value = 0; value < oracle.values().size(); ++value) {
            const double truth = oracle.precision(of.tokens, value);
            if (truth > 1) continue;
            found.not_trivial += truth > 0.1 && truth < 0.9 ? 1 : 0;
            for (const HalfShares& half : {of.rows[value].choosing, of.rows[value].held_out}) {
              ++rows;
              misses += half.precision.low <= truth && truth <= half.precision.high ? 0 : 1;
            }
          }
        }
        found.share += misses / rows;
      }
    }
  }
  found.share /= static_cast<double>(runs);
  return found;
}

// The chances of these tests are those that the test of the same name in drawn_choice_test.cc
// states: 900 runs and more in all, whose pairs the runs above draw.
TEST(StatisticsOfJoinRun, IntervalsHoldTheTruthInNineOfTen) {
  const ScratchFolder folder;
  std::vector<std::vector<Written>> collections;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    collections.push_back(written(shuffled_texts(seed, 50)));
  }
  const auto specs = [&](std::size_t of) {
    const std::string name = "in" + std::to_string(of) + ".jsonl";
    return simhash_specs(df_file(folder, write(folder, name, collections[of])));
  };
  const Missed found = missed(collections, specs, 30);
  EXPECT_LT(found.share, 0.1);
  EXPECT_GT(found.not_trivial, 900) << "the precisions are not all trivial";
}

TEST(StatisticsOfJoinRun, IntervalsOfKeysHoldTheTruthInNineOfTen) {
  std::vector<std::vector<Written>> collections;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    collections.push_back(written(graded_texts(seed, 50)));
  }
  const Missed found = missed(
      collections, [](std::size_t) { return sketches; }, 30);
  EXPECT_LT(found.share, 0.1);
  EXPECT_GT(found.not_trivial, 900) << "the precisions are not all trivial";
}

TEST(JoinRun, FindsThePairsThatClusterFinds) {
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

TEST(JoinRun, FindsThePairsOfKeysThatClusterFinds) {
  const ScratchFolder folder;
  for (const std::string spec : {"fss", "mod(modulus=4)"}) {
    CalibrateOptions options =
        options_of(folder, write(folder, spec.substr(0, 3), written(graded_texts(4, 50))));
    options.scheme = spec;
    const Calibration made = calibrated(options);
    for (const std::size_t value : {3U, 9U}) {
      ClusterOptions run;
      run.inputs = options.inputs;
      run.input.max_record = 1 << 20;
      run.scheme = spec;
      run.resemblance = Ratio::parse(made.values[value]).value();
      run.verify = Check::sketch;
      run.output = folder / (spec.substr(0, 3) + ".out" + std::to_string(value));
      const Result<ClusterSummary> done = cluster(run, RunControl{});
      ASSERT_TRUE(done.ok()) << done.error().message;
      EXPECT_EQ(done.value().edges, made.classes.back().rows[value].found) << spec << " " << value;
    }
  }
}

// Keys of a footer are common: what two sketches share of these makes no pair, as in a run.
TEST(JoinRun, CommonKeysMakeNoPairs) {
  const ScratchFolder folder;
  SeededRandom random(9);
  const std::string footer = " " + random_text(random, 60, 5000);
  std::vector<std::string> texts = graded_texts(8, 50);
  for (std::string& text : texts) text += footer;
  CalibrateOptions options = options_of(folder, write(folder, "in.jsonl", written(texts)));
  options.scheme = "min(samples=32)";
  options.max_group = 100;
  const Calibration made = calibrated(options);
  ClusterOptions run;
  run.inputs = options.inputs;
  run.input.max_record = 1 << 20;
  run.scheme = options.scheme;
  run.max_group = options.max_group;
  run.verify = Check::sketch;
  for (const std::size_t value : {0U, 3U, 6U}) {
    run.resemblance = Ratio::parse(made.values[value]).value();
    run.output = folder / ("out" + std::to_string(value));
    const Result<ClusterSummary> done = cluster(run, RunControl{});
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(done.value().edges, made.classes.back().rows[value].found) << made.values[value];
  }
}

/// Of all pairs that are found at a value and are of one label, and of those looked for.
std::pair<std::uint64_t, std::uint64_t> right_and_recalled(const Calibration& made,
                                                           std::size_t value) {
  const CalibrationRow& row = made.classes.back().rows[value];
  return {row.choosing.precision.count + row.held_out.precision.count,
          row.choosing.recall.count + row.held_out.recall.count};
}

/// Families of texts, of which each ends with one footer.
std::vector<Written> with_footer(std::uint64_t seed, std::size_t footer_words) {
  SeededRandom random(seed);
  const std::string footer = " " + random_text(random, footer_words, 5000);
  std::vector<Written> documents = written(graded_texts(seed, 50));
  for (std::size_t i = 0; i < documents.size(); ++i) {
    documents[i].text += footer;
    documents[i].label = "l" + std::to_string(i / 9);
  }
  return documents;
}

// Every pair is looked at, so the recall is of just the pairs that the run finds.
TEST(JoinRun, RecallIsOfWhatIsFoundWithoutCommonKeys) {
  const ScratchFolder folder;
  const std::string input = write(folder, "in.jsonl", with_footer(8, 60));
  for (const std::string spec : {"min(samples=32)", "mod(modulus=2)"}) {
    for (const Check verify : {Check::sketch, Check::exact}) {
      CalibrateOptions options = options_of(folder, input);
      options.scheme = spec;
      options.labels = "label";
      options.sample = 100'000;
      options.verify = verify;
      std::uint64_t before = 0;
      for (const std::uint64_t most : {20U, 0U}) {
        options.max_group = most;
        const Calibration made = calibrated(options);
        for (std::size_t value = 0; value < made.values.size(); ++value) {
          const auto [right, recalled] = right_and_recalled(made, value);
          EXPECT_EQ(recalled, right) << spec << " " << most << " " << made.values[value];
        }
        const std::uint64_t last = right_and_recalled(made, made.values.size() - 1).second;
        if (most == 0 && verify == Check::sketch) {
          EXPECT_NE(last, before);
        }
        before = last;
      }
    }
  }
}

// Documents that consist of a common footer are read again, as in a run; and of the pairs that the
// other keys leave four standard errors below a value, none is compared for it.
TEST(JoinRun, DocumentsThatLoseTheirKeysAreReadAgain) {
  const ScratchFolder folder;
  const std::vector<Written> documents = with_footer(8, 2000);
  const std::string input = write(folder, "in.jsonl", documents);
  for (const std::string spec : {"min(samples=64)", "mod(modulus=4)"}) {
    CalibrateOptions options = options_of(folder, input);
    options.scheme = spec;
    options.max_group = 20;
    options.verify = Check::exact;
    options.labels = "label";
    options.sample = 100'000;
    const Calibration made = calibrated(options);
    for (const std::size_t value : {0U, 2U, 5U, 9U, 12U, 13U}) {
      ClusterOptions run;
      run.inputs = options.inputs;
      run.input.max_record = 1 << 20;
      run.scheme = spec;
      run.max_group = options.max_group;
      run.verify = Check::exact;
      run.resemblance = Ratio::parse(made.values[value]).value();
      run.output = folder / (spec.substr(0, 3) + std::to_string(value));
      const Result<ClusterSummary> done = cluster(run, RunControl{});
      ASSERT_TRUE(done.ok()) << done.error().message;
      EXPECT_GT(done.value().edges, 100U);
      EXPECT_EQ(made.classes.back().rows[value].found, done.value().edges) << spec << value;
      const auto [right, recalled] = right_and_recalled(made, value);
      EXPECT_GT(recalled, 0U);
      EXPECT_GE(recalled, right) << "a run pairs a group's documents with a few of them";
    }
  }
}

// Unlabeled documents and copies take no part, so a labeled copy of an unlabeled document does.
TEST(JoinRun, WithLabelsOnlyLabeledDocumentsTakePart) {
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
  expect_precisions(made, oracle.chosen(120, 1));
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

TEST(JoinRun, NothingDependsOnThreadsMemoryOrTheKindOfInput) {
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
  // The same of keys, whose texts are held a block at a time.
  options = options_of(folder, write(folder, "graded.jsonl", written(graded_texts(6, 120))));
  for (const std::string& spec : sketches) {
    options.scheme = spec;
    options.resources.threads = 0;
    options.resources.memory = 0;
    const std::string usual = to_json(calibrated(options));
    options.resources.threads = 2;
    options.resources.memory = std::uint64_t{136} << 20;
    EXPECT_EQ(to_json(calibrated(options)), usual) << spec;
  }
  // Pairs of a label, and documents that lose their keys, are read again.
  options = options_of(folder, write(folder, "footer.jsonl", with_footer(6, 2000)));
  options.labels = "label";
  options.max_group = 20;
  options.sample = 500;
  options.scheme = "mod(modulus=4)";
  const std::string usual = to_json(calibrated(options));
  options.resources.threads = 2;
  options.resources.memory = std::uint64_t{136} << 20;
  EXPECT_EQ(to_json(calibrated(options)), usual);
}

// Half of the documents have 15 words, half 600. If 400 of them are drawn evenly, a quarter more or
// fewer than a half are short with a chance of at most 2 exp(-2 * 400 / 16) < 1e-21 (Hoeffding, who
// covers draws without replacement). Drawn by a hash of their words, 15 / 615 would be short.
TEST(JoinRun, CopiesArePlantedInDocumentsOfAllLengths) {
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

TEST(JoinRun, TooLittleMemoryForTheSampleIsRefused) {
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
