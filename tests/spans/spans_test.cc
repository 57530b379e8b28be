// Whole runs of spans against brute force over every N tokens in a row.
#include "twinset/spans.h"

#include <gtest/gtest.h>

#include <random>

#include "spans/patchwork.h"
#include "spans/span_oracle.h"
#include "support/real_data.h"
#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

std::vector<std::string> lines_in(const std::string& output, const std::string& only_file = "") {
  std::vector<std::string> lines;
  const std::string all = get_file(output + "/spans.jsonl.zst");
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = all.find('\n', begin);
    const std::string text = all.substr(begin, end - begin);
    const Result<JsonNode> read = read_json(text, "line");
    EXPECT_TRUE(read.ok());
    const JsonNode& line = read.value();
    const auto number = [](const JsonNode& of, const char* name) {
      return of[name].integer().value_or(0);
    };
    const JsonNode a = line["a"];
    const JsonNode b = line["b"];
    if (only_file.empty() || b["file"].text() == only_file) {
      lines.push_back(span_line(number(a, "record"), number(a, "begin"), number(a, "end"),
                                number(b, "record"), number(b, "begin"), number(b, "end"),
                                number(line, "tokens"), line["place"].text()));
    }
    begin = end + 1;
  }
  return lines;
}

void set_small(SpansOptions& options, unsigned threads) {
  DedupOptions like;
  set_small_memory(like, threads, 0);
  options.resources = like.resources;
  options.input.max_record = like.input.max_record;
}

TEST(SpansOracle, FirstAndNearestPlacesOfPatchworks) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const std::uint64_t alphabet = seed % 3 == 0 ? 2 : seed % 3 == 1 ? 30 : 100'000;
    const std::vector<std::string> texts = patchwork(seed, 60, alphabet);
    const std::uint64_t least = std::vector<std::uint64_t>{1, 3, 8, 20}[seed % 4];
    const SpanOracle oracle(oracle_texts(texts), least);
    const std::vector<std::string> expected = span_lines(oracle, oracle.followed());
    const ScratchFolder folder;
    SpansOptions options;
    options.inputs = {folder.write("in.jsonl", json_lines(texts))};
    options.output = folder / "out";
    options.min_tokens = least;
    set_small(options, 1 + static_cast<unsigned>(seed % 3));
    const Result<SpansSummary> done = spans(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    ASSERT_EQ(lines_in(options.output), expected) << "seed " << seed;
    EXPECT_EQ(done.value().spans, expected.size());
    std::uint64_t reused = 0;
    for (const auto& text : oracle.reused()) {
      reused += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), true));
    }
    EXPECT_EQ(done.value().reused_tokens, reused);
    found += expected.size();
  }
  EXPECT_GT(found, 5'000U);
}

TEST(SpansOracle, EveryTwoPlacesOfPatchworks) {
  std::size_t found = 0;
  for (std::uint64_t seed = 100; seed < 108; ++seed) {
    const std::vector<std::string> texts = patchwork(seed, 20, seed % 2 == 0 ? 3 : 1000);
    const std::uint64_t least = std::vector<std::uint64_t>{2, 5, 9, 20}[seed % 4];
    const SpanOracle oracle(oracle_texts(texts), least);
    std::vector<std::string> expected = span_lines(oracle, oracle.all_pairs());
    const ScratchFolder folder;
    SpansOptions options;
    options.inputs = {folder.write("in.jsonl", json_lines(texts))};
    options.output = folder / "out";
    options.min_tokens = least;
    options.all_pairs = true;
    set_small(options, 2);
    ASSERT_TRUE(spans(options, quiet_control()).ok());
    std::vector<std::string> lines = lines_in(options.output);
    std::sort(lines.begin(), lines.end());
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(lines, expected) << "seed " << seed;
    found += expected.size();
  }
  EXPECT_GT(found, 1'000U);
}

TEST(SpansOracle, LicensesAt35Words) {
  const std::string path = real_data("scancode-licences/licences.jsonl.zst");
  if (path.empty()) GTEST_SKIP() << "scancode-licences is not below TWINSET_DATA";
  constexpr std::size_t one_in = 4;
  std::vector<std::string> texts;
  const std::string all = get_file(path);
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < all.size(); ++number) {
    const std::size_t end = all.find('\n', begin);
    if (number % one_in == 0) {
      texts.push_back(read_json(std::string_view(all).substr(begin, end - begin), "line")
                          .value()["text"]
                          .text());
    }
    begin = end + 1;
  }
  const SpanOracle oracle(oracle_texts(texts), 35);
  const ScratchFolder folder;
  SpansOptions options;
  options.inputs = {folder.write("in.jsonl", json_lines(texts))};
  options.output = folder / "out";
  options.min_tokens = 35;
  ASSERT_TRUE(spans(options, quiet_control()).ok());
  const std::vector<std::string> expected = span_lines(oracle, oracle.followed());
  EXPECT_GT(expected.size(), 5'000U);
  EXPECT_EQ(lines_in(options.output), expected);
}

// The bytes of a run depend on its inputs and options alone.
TEST(Spans, SameBytesForThreadsMemoryAndPacking) {
  const std::vector<std::string> texts = patchwork(7, 400, 5000);
  std::map<std::string, std::string> first;
  for (const unsigned threads : {1U, 3U}) {
    for (const std::string name : {"in.jsonl", "in.jsonl.gz"}) {
      const ScratchFolder folder;
      SpansOptions options;
      options.inputs = {folder / name};
      put_file(options.inputs[0], json_lines(texts), compression_of(name));
      options.output = folder / "out";
      options.min_tokens = 8;
      options.cut = true;
      set_small(options, threads);
      if (threads == 1) options.resources.memory = std::uint64_t{1} << 30;
      ASSERT_TRUE(spans(options, quiet_control()).ok());
      std::vector<std::string> lines = lines_in(options.output);
      std::map<std::string, std::string> made{{"spans", ::testing::PrintToString(lines)},
                                              {"cut", get_file(options.output + "/cut/" + name)}};
      if (first.empty()) first = made;
      EXPECT_EQ(made, first) << threads << " " << name;
    }
  }
}

// References come first and are never the later place, nor cut.
TEST(Spans, ReferencesAreEarlierPlacesOnly) {
  const std::vector<std::string> texts = patchwork(11, 80, 2000);
  const std::vector<std::string> known(texts.begin(), texts.begin() + 30);
  const std::vector<std::string> others(texts.begin() + 30, texts.end());
  std::vector<OracleText> all = oracle_texts(texts);
  for (std::size_t i = 0; i < known.size(); ++i) all[i].reference = true;
  const SpanOracle oracle(all, 6);
  std::vector<OracleSpan> expected = oracle.followed();
  ASSERT_FALSE(expected.empty());
  const ScratchFolder folder;
  SpansOptions options;
  options.inputs = {folder.write("in.jsonl", json_lines(others))};
  options.against = {folder.write("known.jsonl", json_lines(known))};
  options.output = folder / "out";
  options.min_tokens = 6;
  options.cut = true;
  ASSERT_TRUE(spans(options, quiet_control()).ok());
  std::vector<std::string> lines = lines_in(options.output);
  // Records are counted from 1 in each file.
  std::vector<std::string> expected_lines;
  for (OracleSpan& span : expected) {
    const auto& a = oracle.texts()[span.earlier].offsets;
    const auto& b = oracle.texts()[span.later].offsets;
    const std::size_t shift = span.earlier >= known.size() ? known.size() : 0;
    expected_lines.push_back(span_line(
        span.earlier - shift + 1, a[span.earlier_begin].begin,
        a[span.earlier_begin + span.tokens - 1].end, span.later - known.size() + 1,
        b[span.begin].begin, b[span.begin + span.tokens - 1].end, span.tokens, span.place));
  }
  EXPECT_EQ(lines, expected_lines);
  EXPECT_FALSE(std::filesystem::exists(options.output + "/cut/known.jsonl"));
}

TEST(Spans, PagesHaveOffsetsInTheRawPage) {
  const ScratchFolder folder;
  const std::string passage = "one <b>two</b> three &amp; four<br>five six";
  SpansOptions options;
  options.inputs = {folder.write("in/a.html", "<p>start here " + passage + " end</p>"),
                    folder.write("in/b.html", "<h1>Other</h1><p>words " + passage + "</p>")};
  options.output = folder / "out";
  options.min_tokens = 6;
  ASSERT_TRUE(spans(options, quiet_control()).ok());
  EXPECT_EQ(lines_in(options.output),
            (std::vector<std::string>{
                span_line(1, 14, 14 + passage.size(), 1, 23, 23 + passage.size(), 6, "both")}));
}

TEST(Spans, RefusesWhatItCannotDo) {
  const ScratchFolder folder;
  SpansOptions options;
  options.inputs = {folder.write("in.html", "<p>one two</p>")};
  EXPECT_NE(spans(options, quiet_control()).error().text(Door::command_line).find("-o DIR"),
            std::string::npos);
  options.output = folder / "out";
  options.min_tokens = 0;
  EXPECT_NE(spans(options, quiet_control()).error().message.find("1 to 10000"), std::string::npos);
  options.min_tokens = 5;
  options.cut = true;
  EXPECT_NE(spans(options, quiet_control()).error().message.find("has pages"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(options.output + ".partial"));
}

TEST(Spans, AllPairsOfMuchRepeatedTextAreRefusedWithTheirNumber) {
  const ScratchFolder folder;
  std::string all;
  for (int i = 0; i < 200; ++i) all += "{\"text\": \"one two three four five six\"}\n";
  SpansOptions options;
  options.inputs = {folder.write("in.jsonl", all)};
  options.output = folder / "out";
  options.min_tokens = 5;
  options.all_pairs = true;
  options.max_meetings = 39'799;
  const Result<SpansSummary> done = spans(options, quiet_control());
  ASSERT_FALSE(done.ok());
  // Two runs of five words in each of 200 texts.
  EXPECT_NE(done.error().message.find("39,800 pairs of places"), std::string::npos)
      << done.error().message;
  options.max_meetings = 39'800;
  ASSERT_TRUE(spans(options, quiet_control()).ok());
  EXPECT_EQ(lines_in(options.output).size(), 200U * 199 / 2);
}

}  // namespace
}  // namespace twinset
