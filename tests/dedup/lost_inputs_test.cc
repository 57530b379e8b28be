// Lost inputs of every kind, in every verb that reads collections, given in every way: each is
// named with its cause and how far it was read, and the exit code is not 0.
#include <gtest/gtest.h>

#include <functional>

#include "io/parquet.h"
#include "support/streams.h"
#include "support_runs/job_testing.h"
#include "twinset/cluster.h"
#include "twinset/evaluate.h"
#include "twinset/plan.h"

namespace twinset {
namespace {

using testing::compressed;
using testing::sample_text;
using testing::ScratchFolder;
using testing::unsynced;
using namespace std::string_literals;

/// The disk, with a file as standard input and one file that cannot be opened.
class Given final : public ForwardingFiles {
 public:
  Given() : ForwardingFiles(unsynced()) {}

  std::string standard_input;  ///< a file's path
  std::string refused;         ///< end of a path

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    if (is_refused(path) && mode == OpenMode::read) {
      return io_error("cannot open " + path + ": Permission denied");
    }
    return below().open(path == standard_input_path ? standard_input : path, mode);
  }
  Result<bool> readable(const std::string& path) override {
    return is_refused(path) ? Result<bool>(false) : below().readable(path);
  }

 private:
  bool is_refused(const std::string& path) const {
    return !refused.empty() && path.ends_with(refused);
  }
};

/// Forty records with words of their own.
std::string records(std::uint64_t seed, const std::string& field = "text") {
  std::string lines;
  for (std::uint64_t i = 0; i < 40; ++i) {
    std::string text = sample_text(400, 100 * seed + i);
    std::replace(text.begin(), text.end(), '\n', ' ');
    lines += "{\"id\": \"" + std::to_string(seed) + "-" + std::to_string(i) + "\", \"" + field +
             "\": \"" + text + "\"}\n";
  }
  return lines;
}

std::string utf16(std::string_view text) {
  std::string out = "\xff\xfe";
  for (const char c : text) out += {c, '\0'};
  return out;
}

/// Changes the byte at `at`, counted from the end if negative.
std::string flipped(std::string bytes, std::ptrdiff_t at) {
  bytes[at < 0 ? bytes.size() - static_cast<std::size_t>(-at) : static_cast<std::size_t>(at)] ^= 1;
  return bytes;
}

/// The moment when a loss is noticed.
enum class Seen : std::uint8_t {
  before,   ///< before anything is read: the run stops
  reading,  ///< while reading: the run continues and exits with 5
  never     ///< not a loss there
};

struct Case {
  std::string name;  ///< of the file
  std::string bytes;
  Seen seen;
  std::string reason;
  std::string cause;  ///< part of it
  std::uint64_t bytes_read = 0;
  std::uint64_t records_read = 0;
  bool skipped_in_folders = false;
  Seen seen_from_pipe = Seen::before;
  std::string pipe_cause = {};  ///< from a pipe, if different
};

std::vector<Case> cases() {
  const std::string lines = records(1);
  const std::string gzip = compressed(lines, Compression::gzip);
  const std::string zstd = compressed(lines, Compression::zstd);
  std::string many;
  for (std::uint64_t seed = 10; seed < 30; ++seed) many += records(seed);
  const std::string long_gzip = compressed(many, Compression::gzip);
  const std::string bodies = records(1, "body");
  std::string csv = "id,body\n";
  for (int i = 0; i < 40; ++i) csv += std::to_string(i) + ",some words\n";
  const std::string cut_table = "PAR1\x15\x04" + std::string(100, '\0');
  std::string array = "[\n";
  std::string pretty;
  for (int i = 0; i < 40; ++i) {
    array += "  [\"some words\"],\n";
    pretty += "{\n  \"text\": \"some words\"\n}\n";
  }
  const auto size = [](const std::string& bytes) { return std::uint64_t{bytes.size()}; };
  constexpr Seen before = Seen::before;
  constexpr Seen reading = Seen::reading;
  constexpr Seen never = Seen::never;
  return {
      {"x.jsonl.gz", zstd, before, "wrong_extension", "is zstd, not gzip; rename it to", 0, 0,
       false, never},
      {"x.jsonl.zst", gzip, before, "wrong_extension", "is gzip, not zstd", 0, 0, false, never},
      {"x.jsonl.gz", lines, before, "wrong_extension", "not gzip but plain", 0, 0, false, never},
      {"x.jsonl", gzip, before, "wrong_extension", "is gzip, which its name does not say", 0, 0,
       false, never},
      {"x.jsonl", lines, before, "unreadable", "Permission denied", 0, 0, false, never},
      {"x.json", array + "[]]\n", before, "foreign_format", "jq -c '.[]'", 0, 0, true},
      {"x.json", pretty, before, "foreign_format", "jq -c .", 0, 0, true},
      {"x.jsonl", utf16(lines), before, "foreign_format", "iconv -f UTF-16"},
      {"x.csv", csv, before, "foreign_format", "has no column \"text\"", size(csv), 41, true,
       reading, "none of its 41 records is a document: not JSON"},
      {"x.parquet", cut_table, reads_parquet() ? reading : before,
       reads_parquet() ? "corrupt_stream" : "foreign_format",
       reads_parquet() ? "Parquet: it is cut off" : "make build PARQUET=1", 0, 0, false,
       reads_parquet() ? reading : before},
      {"x.jsonl.xz", "\xfd\x37zXZ\0\0\4"s, before, "binary", "xz -dc", 0, 0, true},
      {"x.pdf", "%PDF-1.7\n\x01\x02", before, "binary", "is a PDF document", 0, 0, true},
      {"x.jsonl.gz", gzip.substr(0, gzip.size() / 2), reading, "truncated_stream",
       "gzip: ends within a frame", size(gzip) / 2, 0, false, reading},
      {"x.jsonl.zst", zstd.substr(0, zstd.size() - 3), reading, "truncated_stream",
       "zstd: ends within a frame", size(zstd) - 3, 0, false, reading},
      {"x.jsonl.gz", flipped(gzip, -6), reading, "corrupt_stream",
       "gzip: checksum differs; its records may be damaged", 0, 40, false, reading},
      {"x.jsonl.zst", flipped(zstd, -2), reading, "corrupt_stream",
       "zstd: checksum differs; its records may be damaged", 0, 0, false, reading},
      {"x.jsonl.gz", long_gzip + "garbage behind the end", reading, "corrupt_stream",
       "gzip: no frame begins here", size(long_gzip), 800, false, reading},
      {"x.jsonl", bodies, reading, "no_document",
       "none of its 40 records is a document: no field \"text\"; the records have: id, body",
       size(bodies), 40, false, reading},
  };
}

/// How a run ended.
struct Outcome {
  int exit_code = 0;
  std::string message;
  RunFacts facts;
};

int exit_code(const RunFacts& facts, bool allowed) {
  return facts.lost_inputs.empty() || allowed ? 0 : 5;
}

template <class Done>
Outcome outcome(const Done& done, bool allowed) {
  if (!done.ok())
    return {static_cast<int>(done.error().code), done.error().text(Door::command_line), {}};
  return {exit_code(done.value(), allowed), "", done.value()};
}

struct Verb {
  std::string name;
  std::function<Outcome(DedupOptions, const RunControl&)> run;
};

std::vector<Verb> verbs() {
  return {{"dedup",
           [](const DedupOptions& options, const RunControl& control) {
             return outcome(dedup(options, control), options.input.allow_lost_inputs);
           }},
          {"cluster",
           [](const DedupOptions& options, const RunControl& control) {
             ClusterOptions cluster_options;
             cluster_options.inputs = options.inputs;
             cluster_options.output = options.output;
             cluster_options.input = options.input;
             cluster_options.resources = options.resources;
             return outcome(cluster(cluster_options, control), options.input.allow_lost_inputs);
           }},
          {"plan",
           [](const DedupOptions& options, const RunControl& control) {
             PlanOptions plan_options;
             plan_options.inputs = options.inputs;
             plan_options.input = options.input;
             plan_options.resources = options.resources;
             return outcome(plan(plan_options, control), options.input.allow_lost_inputs);
           }},
          {"evaluate", [](const DedupOptions& options, const RunControl& control) {
             EvaluateOptions evaluate_options;
             static_cast<ReadingOptions&>(evaluate_options) = options;
             static_cast<ComparisonOptions&>(evaluate_options) = options;
             static_cast<DecisionOptions&>(evaluate_options) = options;
             return outcome(evaluate(evaluate_options, control), options.input.allow_lost_inputs);
           }}};
}

class LostInputs : public ::testing::TestWithParam<std::size_t> {
 protected:
  /// A run of `verb` over a good file and the one of `given`, passed in this `way`.
  Outcome run(const Verb& verb, const Case& given, const std::string& way, bool allow) {
    const ScratchFolder folder;
    const std::string good = folder.write("in/good.jsonl", records(2));
    const std::string bad =
        folder.write((way == "folder" ? "in/" : "elsewhere/") + given.name, given.bytes);
    Given files;
    if (given.reason == "unreadable" && way != "pipe") files.refused = given.name;
    files.standard_input = bad;
    DedupOptions options;
    testing::set_small_memory(options, 1, 1 << 20);
    options.output = folder / "out";
    options.resources.tmp = folder / "tmp";
    std::filesystem::create_directory(options.resources.tmp);
    options.input.allow_lost_inputs = allow;
    options.inputs = {way == "folder" ? folder / "in" : good};
    if (way == "named") options.inputs.push_back(bad);
    if (way == "pipe") options.inputs.push_back("/dev/fd/0");
    if (way == "against") options.against = {bad};
    Outcome ended = verb.run(options, RunControl{nullptr, nullptr, &files});
    // A run that stopped before it began leaves nothing.
    if (ended.exit_code == 2) {
      EXPECT_FALSE(std::filesystem::exists(options.output));
      EXPECT_FALSE(std::filesystem::exists(options.output + ".partial"));
    }
    if (verb.name == "dedup" && ended.exit_code == 5) expect_the_same_again(options, files);
    return ended;
  }

  /// Runs the command once more: it is done, and still exits with 5 unless losses are allowed now.
  static void expect_the_same_again(DedupOptions options, Given& files) {
    if (options.inputs.back() == "/dev/fd/0") return;  // Standard input: never the same run.
    const RunControl control{nullptr, nullptr, &files};
    for (const bool allow : {false, true}) {
      options.input.allow_lost_inputs = allow;
      const Result<DedupSummary> again = dedup(options, control);
      ASSERT_TRUE(again.ok()) << again.error().message;
      EXPECT_TRUE(again.value().already_done);
      EXPECT_EQ(exit_code(again.value(), allow), allow ? 0 : 5);
    }
  }

  static void expect(const Outcome& ended, const Case& given, const std::string& way) {
    const bool pipe = way == "pipe";
    Seen seen = pipe ? given.seen_from_pipe : given.seen;
    const std::string cause = pipe && !given.pipe_cause.empty() ? given.pipe_cause : given.cause;
    if (way == "folder" && given.skipped_in_folders) {
      EXPECT_EQ(ended.exit_code, 0);
      ASSERT_EQ(ended.facts.skipped.size(), 1U);
      EXPECT_NE(ended.facts.skipped[0].find(given.name + ": "), std::string::npos);
      EXPECT_NE(ended.facts.skipped[0].find(cause), std::string::npos) << ended.facts.skipped[0];
      return;
    }
    const std::string name = pipe ? "-" : given.name;
    switch (seen) {
      case Seen::never:
        EXPECT_EQ(ended.exit_code, 0) << ended.message;
        EXPECT_TRUE(ended.facts.lost_inputs.empty());
        return;
      case Seen::before:
        EXPECT_EQ(ended.exit_code, given.reason == "unreadable" ? 4 : 2);
        EXPECT_NE(ended.message.find(name + " "), std::string::npos) << ended.message;
        // With a pipe the command has no file name.
        EXPECT_NE(ended.message.find(cause), std::string::npos) << ended.message;
        EXPECT_NE(ended.message.find("--allow-lost-inputs"), std::string::npos);
        return;
      case Seen::reading:
        EXPECT_EQ(ended.exit_code, 5) << ended.message;
        ASSERT_EQ(ended.facts.lost_inputs.size(), 1U);
        const LostInput& lost = ended.facts.lost_inputs[0];
        EXPECT_TRUE(lost.file.ends_with(name)) << lost.file;
        EXPECT_NE(lost.cause.find(cause), std::string::npos) << lost.cause;
        EXPECT_EQ(lost.reason, given.seen == Seen::reading ? given.reason : "no_document");
        if (given.bytes_read != 0) {
          EXPECT_EQ(lost.bytes_read, given.bytes_read);
        }
        if (given.records_read != 0) {
          EXPECT_EQ(lost.records_read, given.records_read);
        }
        return;
    }
  }
};

TEST_P(LostInputs, AreNamedWithCauseAndExitCode) {
  const Case given = cases()[GetParam()];
  for (const Verb& verb : verbs()) {
    for (const std::string way : {"named", "folder", "pipe", "against"}) {
      if (way == "against" && verb.name != "dedup") continue;
      SCOPED_TRACE(verb.name + " " + way + " " + given.name + " " + given.cause);
      expect(run(verb, given, way, false), given, way);
    }
  }
}

TEST_P(LostInputs, MayBeAllowed) {
  const Case given = cases()[GetParam()];
  for (const Verb& verb : verbs()) {
    SCOPED_TRACE(verb.name + " " + given.name + " " + given.cause);
    const Outcome ended = run(verb, given, "named", true);
    EXPECT_EQ(ended.exit_code, 0) << ended.message;
    ASSERT_EQ(ended.facts.lost_inputs.size(), 1U);
    EXPECT_EQ(ended.facts.lost_inputs[0].reason, given.reason);
    EXPECT_NE(ended.facts.lost_inputs[0].cause.find(given.cause), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, LostInputs, ::testing::Range(std::size_t{0}, cases().size()));

// plan and evaluate fail with the loss only if no input is left.
TEST(LostInputsAlone, AreTheAnswerOfPlanAndEvaluate) {
  const ScratchFolder folder;
  DedupOptions options;
  testing::set_small_memory(options, 1, 1 << 20);
  options.inputs = {folder.write("x.jsonl", records(1, "body"))};
  options.resources.tmp = folder.path();
  for (const Verb& verb : verbs()) {
    options.output = folder / ("out " + verb.name);
    const Outcome ended = verb.run(options, testing::quiet_control());
    EXPECT_EQ(ended.exit_code, 5) << verb.name << ": " << ended.message;
    const std::string told =
        ended.facts.lost_inputs.empty() ? ended.message : ended.facts.lost_inputs[0].cause;
    EXPECT_NE(told.find("no field \"text\"; the records have: id, body"), std::string::npos)
        << told;
  }
}

TEST(LostInputsAlone, EachOfManyIsNamed) {
  const ScratchFolder folder;
  DedupOptions options;
  testing::set_small_memory(options, 1, 1 << 20);
  options.output = folder / "out";
  const std::string gzip = compressed(records(1), Compression::gzip);
  options.inputs = {folder.write("a.jsonl", records(2)), folder.write("b.jsonl", gzip),
                    folder.write("c.jsonl.zst", gzip)};
  const Result<DedupSummary> done = dedup(options, testing::quiet_control());
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, ErrorCode::usage);
  EXPECT_NE(done.error().message.find("/b.jsonl is gzip"), std::string::npos);
  EXPECT_NE(done.error().message.find("/c.jsonl.zst is gzip"), std::string::npos);
}

// A damaged input changes nothing else in the output, for any number of threads.
TEST(LostInputsAlone, AreTheSameForAnyThreads) {
  const ScratchFolder folder;
  std::string many;
  for (std::uint64_t seed = 10; seed < 40; ++seed)
    many += records(seed, seed % 3 ? "text" : "body");
  const std::string gzip = compressed(many, Compression::gzip);
  // A stray byte in a text that is UTF-8, beyond ASCII, too.
  const std::string stray_byte =
      "{\"text\": \"\xc3\xa9l\xc3\xa8ve pr\xc3\xa9s for\xc3\xaat gar\xc3\xa7on \xff\"}\n";
  std::string first;
  for (const unsigned threads : {1U, 3U}) {
    DedupOptions options;
    testing::set_small_memory(options, threads, 1 << 20);
    options.inputs = {folder.write("in/a.jsonl.gz", gzip.substr(0, gzip.size() / 3)),
                      folder.write("in/b.jsonl", many + stray_byte)};
    options.output = folder / ("out" + std::to_string(threads));
    const Result<DedupSummary> done = dedup(options, testing::quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(done.value().invalid_utf8.records, 1U);
    EXPECT_EQ(done.value().invalid_utf8.files, 1U);
    EXPECT_TRUE(done.value().invalid_utf8.first.ends_with("in/b.jsonl"));
    std::string facts;
    for (const LostInput& lost : done.value().lost_inputs) {
      facts += lost.file + lost.cause + std::to_string(lost.bytes_read) + " " +
               std::to_string(lost.records_read) + "\n";
    }
    for (const std::string& warning : done.value().warnings) facts += warning + "\n";
    if (first.empty()) first = facts;
    EXPECT_EQ(facts, first);
  }
}

}  // namespace
}  // namespace twinset
