#include "twinset/calibrate.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "evaluate/edits.h"
#include "evaluate/random.h"
#include "evaluate/tokens_for_tests.h"
#include "io/json_read.h"
#include "run/profile.h"
#include "support_runs/job_testing.h"
#include "support_runs/small_run.h"
#include "system/files.h"
#include "twinset/cluster.h"
#include "twinset/dedup.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFolder;

struct Topics {
  std::size_t topics = 300;
  std::size_t words = 300;
  bool traps = true;  ///< every third topic has a near document of another topic
  std::uint64_t seed = 5;
};

std::string line(std::size_t id, std::size_t topic, const std::string& text) {
  return R"({"id":)" + std::to_string(id) + R"(,"topic":"t)" + std::to_string(topic) +
         R"(","text":")" + text + "\"}\n";
}

/// Each topic has a document, a copy with one word changed, and one with a tenth of them changed;
/// a trap has a fifteenth of the words changed, and a topic of its own.
std::string collection(const Topics& made) {
  std::string lines;
  SeededRandom random(made.seed);
  std::size_t id = 0;
  for (std::size_t topic = 0; topic < made.topics; ++topic) {
    const std::string text = random_text(random, made.words, 100'000);
    lines += line(id++, topic, text);
    lines += line(id++, topic, replace_words(text, 1, topic));
    lines += line(id++, topic, replace_words(text, made.words / 10, topic + 1));
    if (!made.traps || topic % 3 != 0) continue;
    lines += line(id++, made.topics + topic, replace_words(text, made.words / 15, topic + 2));
  }
  return lines;
}

CalibrateOptions options_of(const ScratchFolder& folder, const std::string& lines) {
  CalibrateOptions options;
  options.inputs = {folder.write("in.jsonl", lines)};
  options.input.max_record = 1 << 20;
  options.resources.tmp = folder.path();
  options.scheme = "simhash(weights=unit)";
  options.labels = "topic";
  return options;
}

Calibration calibrated(const CalibrateOptions& options) {
  Result<Calibration> done = calibrate(options, RunControl{});
  EXPECT_TRUE(done.ok()) << done.error().message;
  return done.ok() ? std::move(done).value() : Calibration();
}

std::string message(const CalibrateOptions& options) {
  const Result<Calibration> done = calibrate(options, RunControl{});
  EXPECT_FALSE(done.ok());
  return done.ok() ? "" : done.error().text(Door::command_line);
}

// S-31.
TEST(Calibrate, LabelsChooseADistanceWhichTheOtherHalfConfirms) {
  const ScratchFolder folder;
  CalibrateOptions options = options_of(folder, collection({}));
  const Calibration strict = calibrated(options);
  ASSERT_EQ(strict.classes.size(), 1U);
  ASSERT_TRUE(strict.classes[0].reached);
  EXPECT_EQ(strict.sampled, 1000U);
  EXPECT_EQ(strict.truth,
            "documents with one value in 'topic' are the same: 1,000 of 1,000 labeled documents");
  EXPECT_LT(strict.chosen, "7") << "traps are near";
  const CalibrationClass& of = strict.classes[0];
  const CalibrationRow& row = of.rows[*of.chosen];
  EXPECT_GE(row.choosing.precision.low, 0.95);
  EXPECT_GT(row.held_out.precision.of, 50U);
  EXPECT_GE(row.held_out.precision.high, 0.95);
  options.precision = {3, 5};
  EXPECT_GT(calibrated(options).chosen, strict.chosen) << "less precision, more bits";
}

TEST(Calibrate, NothingDependsOnThreads) {
  const ScratchFolder folder;
  CalibrateOptions options = options_of(folder, collection({.topics = 120, .words = 60}));
  options.precision = {4, 5};
  for (const char* scheme : {"simhash(weights=unit)", "mod(samples=64)"}) {
    std::vector<std::string> texts;
    for (const unsigned threads : {1U, 3U}) {
      options.scheme = scheme;
      options.resources.threads = threads;
      texts.push_back(to_json(calibrated(options)));
    }
    EXPECT_EQ(texts[0], texts[1]);
  }
}

TEST(Calibrate, WithoutLabelsExactResemblanceAndPlantedCopiesTell) {
  const ScratchFolder folder;
  CalibrateOptions options = options_of(folder, collection({.topics = 200, .words = 80}));
  options.labels.clear();
  options.precision = {4, 5};
  const Calibration made = calibrated(options);
  EXPECT_THAT(made.truth, HasSubstr("same from an exact resemblance of 0.5; recall is of planted"));
  ASSERT_EQ(made.planted.size(), 3U);
  std::uint64_t copies = 0;
  for (std::size_t i = 0; i < made.planted.size(); ++i) {
    const PlantedRecall& row = made.planted[i];
    EXPECT_EQ(row.tokens.least, 50U);
    EXPECT_EQ(row.tokens.below, 100U);
    copies += row.found[0].of;
    if (i > 0) {
      EXPECT_LT(row.found[3].value(), made.planted[i - 1].found[3].value() + 0.05)
          << "more words replaced, fewer found";
    }
  }
  EXPECT_EQ(copies, 3 * made.sampled);
  const CalibrationRow& row = made.classes[0].rows[3];
  EXPECT_EQ(row.choosing.recall.of + row.held_out.recall.of, copies);
}

TEST(Calibrate, JudgedPairsAreTheTruth) {
  const ScratchFolder folder;
  CalibrateOptions options = options_of(folder, collection({.traps = false}));
  options.labels.clear();
  std::string judged;
  for (std::size_t topic = 0; topic < 300; ++topic) {
    const std::string first = std::to_string(3 * topic);
    const std::string second = std::to_string(3 * topic + 1);
    judged += "{\"a\":" + first + ",\"b\":" + second + ",\"verdict\":\"same\"}\n";
    if (topic % 10 == 0) {
      judged += "{\"a\":" + first + ",\"b\":" + std::to_string(3 * topic + 2) +
                ",\"verdict\":\"unclear\"}\n";
    }
  }
  options.pairs = folder.write("x.judged", judged);
  const Calibration made = calibrated(options);
  EXPECT_EQ(made.pairs, 300U);
  EXPECT_EQ(made.sampled, 600U);
  EXPECT_EQ(made.chosen, "7");
  ASSERT_EQ(made.warnings.size(), 1U);
  EXPECT_THAT(made.warnings[0], HasSubstr("30 pairs of "));
  options.pairs = folder.write("y.judged", judged + "{\"a\":1,\"b\":\"nobody\",\"same\":true}\n");
  EXPECT_THAT(message(options), HasSubstr("pairs 1 id that no document of the inputs has: nobody"));
}

TEST(Calibrate, OneResemblanceIsChosenForAllLengths) {
  const ScratchFolder folder;
  CalibrateOptions options =
      options_of(folder, collection({.words = 60}) + collection({.words = 400, .seed = 6}));
  options.scheme = "mod(modulus=1)";
  options.precision = {4, 5};
  const Calibration made = calibrated(options);
  EXPECT_EQ(made.option, "resemblance");
  ASSERT_GT(made.classes.size(), 1U);
  EXPECT_FALSE(made.classes[0].chosen);
  EXPECT_TRUE(made.classes.back().chosen);
  EXPECT_THAT(made.profile, HasSubstr("\"resemblance\": " + made.chosen));
  EXPECT_THAT(made.profile, HasSubstr("\"verify\": \"exact\""));
}

TEST(Calibrate, AProfileIsMadeWholeOrNotAtAll) {
  const ScratchFolder folder;
  CalibrateOptions options = options_of(folder, collection({}));
  options.output = folder / "x.profile";
  options.labels = "nothing";
  EXPECT_THAT(message(options), HasSubstr("no record has a string or a number in its field"));
  EXPECT_FALSE(std::filesystem::exists(options.output));
  options.labels = "topic";
  const Calibration made = calibrated(options);
  const Result<std::string> written = read_whole_file(disk(), options.output, 1 << 20);
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(written.value(), made.profile);
  const Result<Profile> read = parse_profile(made.profile, "x");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value().distance, made.chosen);
  EXPECT_THAT(message(options), HasSubstr("exists"));
  EXPECT_FALSE(std::filesystem::exists(options.output + ".partial"));
}

/// The clusters, or removals, of a run with or without the profile.
TEST(Calibrate, AProfileChangesWhatRunsDo) {
  const ScratchFolder folder;
  CalibrateOptions options = options_of(folder, collection({}));
  options.precision = {3, 5};
  options.output = folder / "x.profile";
  const Calibration made = calibrated(options);
  const auto clustered = [&](const std::string& profile, const std::string& distance) {
    ClusterOptions run;
    run.inputs = options.inputs;
    run.scheme = options.scheme;
    run.profile = profile;
    run.typed = {"scheme"};
    run.distance = distance;
    if (!distance.empty()) run.typed.emplace_back("distance");
    run.output =
        folder / ("out" + profile.substr(profile.size() > 9 ? profile.size() - 9 : 0) + distance);
    run.resources.tmp = folder.path();
    Result<ClusterSummary> done = cluster(run, RunControl{});
    EXPECT_TRUE(done.ok()) << done.error().message;
    return done.ok() ? std::move(done).value() : ClusterSummary();
  };
  const ClusterSummary usual = clustered("", "");
  const ClusterSummary profiled = clustered(options.output, "");
  const ClusterSummary same = clustered("", made.chosen);
  const ClusterSummary typed = clustered(options.output, "3");
  EXPECT_GT(profiled.edges, usual.edges);
  EXPECT_EQ(profiled.edges, same.edges);
  EXPECT_EQ(typed.edges, usual.edges) << "typed options win";
  EXPECT_THAT(profiled.json, HasSubstr("x.profile@"));
  EXPECT_THAT(profiled.json, HasSubstr("\"distance\": \"" + made.chosen + "\""));
}

TEST(Calibrate, AProfileChangesWhatDedupRemoves) {
  const ScratchFolder folder;
  CalibrateOptions options = options_of(folder, collection({.topics = 200, .traps = false}));
  options.scheme = "fss";
  options.precision = {9, 10};
  options.output = folder / "x.profile";
  const Calibration made = calibrated(options);
  EXPECT_EQ(made.option, "resemblance");
  EXPECT_LT(made.chosen, "0.8");
  const auto removed = [&](const std::string& profile, bool typed) {
    DedupOptions run;
    run.inputs = options.inputs;
    run.profile = profile;
    if (typed) run.typed = {"resemblance"};
    run.dry_run = true;
    run.resources.tmp = folder.path();
    Result<DedupSummary> done = dedup(run, RunControl{});
    EXPECT_TRUE(done.ok()) << done.error().message;
    return done.ok() ? done.value().total.removed() : 0;
  };
  EXPECT_GT(removed(options.output, false), removed("", false));
  EXPECT_EQ(removed(options.output, true), removed("", false)) << "0.8, as typed";
}

TEST(Calibrate, BadOptionsAreRefused) {
  const ScratchFolder folder;
  const CalibrateOptions good = options_of(folder, collection({.topics = 20}));
  const auto refusal = [&](const std::function<void(CalibrateOptions&)>& change) {
    CalibrateOptions options = good;
    change(options);
    return message(options);
  };
  EXPECT_THAT(refusal([](auto& o) { o.scheme.clear(); }), HasSubstr("no --scheme given"));
  EXPECT_THAT(refusal([](auto& o) { o.precision = {0, 1}; }), HasSubstr("--precision 0"));
  EXPECT_THAT(refusal([](auto& o) { o.precision = {1, 1}; }), HasSubstr("--precision 1"));
  EXPECT_THAT(refusal([](auto& o) { o.pairs = "x"; }), HasSubstr("leave one out"));
  EXPECT_THAT(refusal([](auto& o) { o.resemblance = {0, 1}; }), HasSubstr("--resemblance 0"));
  EXPECT_THAT(refusal([](auto& o) { o.sample = 0; }), HasSubstr("--sample is at least 1"));
  EXPECT_THAT(refusal([](auto& o) { o.sample = 1'000'000; }), HasSubstr("--sample is at most"));
  EXPECT_THAT(refusal([](auto& o) { o.verify = Check::exact; }), HasSubstr("--verify is for"));
  EXPECT_THAT(refusal([](auto& o) {
                o.labels.clear();
                o.verify = Check::exact;
              }),
              HasSubstr("which is also the truth"));
  EXPECT_THAT(refusal([](auto& o) { o.scheme = "exact"; }), HasSubstr("no threshold to choose"));
  EXPECT_THAT(refusal([](auto& o) { o.labels = "id"; }), HasSubstr("no two of"));
  EXPECT_THAT(refusal([](auto&) {}), HasSubstr("too few found pairs to tell a precision of 0.95"));
  EXPECT_THAT(refusal([&](auto& o) {
                o.inputs = {folder.write("one.jsonl", line(1, 1, "a b c") + line(2, 1, "d e f"))};
              }),
              HasSubstr("all 2 sampled documents have one value in field 'topic'"));
}

TEST(Calibrate, ADocumentWithoutATokenIsNotCounted) {
  const ScratchFolder folder;
  CalibrateOptions options = options_of(folder, line(1, 1, "?!"));
  EXPECT_THAT(message(options), HasSubstr("no document has a token"));
}

}  // namespace
}  // namespace twinset
