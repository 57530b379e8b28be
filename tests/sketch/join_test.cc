// Pairs of lines against every two lines.
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <set>

#include "base/file_header.h"
#include "io/json_read.h"
#include "support_runs/job_fixture.h"
#include "twinset/sketch.h"

namespace twinset {
namespace {

using namespace twinset::testing;

class Lines final : public RecordSink {
 public:
  Status write(std::string_view bytes) override {
    text += bytes;
    return {};
  }
  std::string text;
};

using Words = std::vector<std::uint64_t>;

std::string line_of(std::uint64_t record, const std::string& scheme, const std::string& signature,
                    const std::string& fingerprint = "00000000000000aa") {
  return "{\"id\": \"d" + std::to_string(record) +
         "\", \"file\": \"a\", \"record\": " + std::to_string(record) + ", \"scheme\": \"" +
         scheme + "\", \"fingerprint\": \"" + fingerprint + "\", \"signature\": " + signature +
         "}\n";
}
std::string hex_of(const Words& words) {
  std::string text;
  for (const std::uint64_t word : words) text += fingerprint_text(word);
  return '"' + text + '"';
}

struct Joined {
  Result<JoinSummary> summary;
  std::map<std::pair<std::string, std::string>, std::uint64_t> pairs;  ///< later and earlier id
};
Joined join_lines(const std::vector<std::string>& inputs, const char* number,
                  std::optional<std::uint64_t> distance = {}) {
  JoinOptions options;
  options.inputs = inputs;
  options.distance = distance;
  Lines lines;
  RunControl control = quiet_control();
  control.kept = &lines;
  Joined joined{join_sketches(options, control), {}};
  for (std::size_t begin = 0; begin < lines.text.size();) {
    const std::size_t end = lines.text.find('\n', begin);
    const std::string text = lines.text.substr(begin, end - begin);
    const JsonNode line = read_json(text, "line").value();
    joined.pairs[{line["id"].text(), line["other"]["id"].text()}] = *line[number].integer();
    begin = end + 1;
  }
  return joined;
}

// 64 and 128 bits, over two files and with lines without a signature.
TEST(JoinSketches, S18PairsAreThoseWithinTheDistance) {
  std::mt19937_64 random(1);
  for (const std::size_t size : {1U, 2U}) {
    const ScratchFolder folder;
    std::vector<Words> signatures;
    std::string files[2];
    for (std::uint64_t i = 0; i < 600; ++i) {
      Words words(size, 0xabcdef);
      for (std::uint64_t bits = random() % 6; bits > 0; --bits) {
        words[random() % size] ^= std::uint64_t{1} << random() % 64;
      }
      if (i % 50 == 7) words.clear();
      signatures.push_back(words);
      files[i / 300] += line_of(i, "simhash", words.empty() ? "null" : hex_of(words));
    }
    const std::vector<std::string> inputs{folder.write("a.jsonl", files[0]),
                                          folder.write("b.jsonl", files[1])};
    std::map<Words, std::size_t> first;
    std::map<std::pair<std::string, std::string>, std::uint64_t> expected;
    const auto id = [](std::size_t i) { return "d" + std::to_string(i); };
    for (std::size_t i = 0; i < signatures.size(); ++i) {
      if (signatures[i].empty()) continue;
      const auto [at, is_first] = first.try_emplace(signatures[i], i);
      if (!is_first) {
        expected[{id(i), id(at->second)}] = 0;
        continue;
      }
      for (const auto& [other, j] : first) {
        int differ = 0;
        for (std::size_t w = 0; w < size; ++w) differ += std::popcount(other[w] ^ signatures[i][w]);
        if (j != i && differ <= 3) expected[{id(i), id(j)}] = static_cast<std::uint64_t>(differ);
      }
    }
    const Joined joined = join_lines(inputs, "distance");
    ASSERT_TRUE(joined.summary.ok()) << joined.summary.error().message;
    EXPECT_EQ(joined.summary.value().lines, 600U);
    EXPECT_EQ(joined.summary.value().without, 12U);
    EXPECT_EQ(joined.summary.value().pairs, expected.size());
    EXPECT_EQ(joined.pairs, expected);
  }
}

// I-09: equal words at different coordinates are no match.
TEST(JoinSketches, OnlyTheSameCoordinateMatches) {
  const ScratchFolder folder;
  const auto list = [](const Words& words) {
    std::string text;
    for (const std::uint64_t word : words) {
      text += (text.empty() ? "[" : ", ") + (word == 0 ? "null" : hex_of({word}));
    }
    return text + "]";
  };
  const std::string input = folder.write(
      "a.jsonl", line_of(1, "imatch", list({1, 2, 3})) + line_of(2, "imatch", list({2, 3, 1})) +
                     line_of(3, "imatch", list({9, 2, 3})) + line_of(4, "imatch", list({2, 7, 8})) +
                     line_of(5, "imatch", "null") + line_of(6, "imatch", "null") +
                     line_of(7, "imatch", list({0, 5, 0})) + line_of(8, "imatch", list({0, 6, 0})));
  const Joined joined = join_lines({input}, "coordinate");
  ASSERT_TRUE(joined.summary.ok()) << joined.summary.error().message;
  EXPECT_EQ(joined.pairs, (std::map<std::pair<std::string, std::string>, std::uint64_t>{
                              {{"d3", "d1"}, 1}, {{"d4", "d2"}, 0}}));
  EXPECT_EQ(joined.summary.value().without, 2U);
}

TEST(JoinSketches, LinesOfTwoKindsAreNeverJoined) {
  const ScratchFolder folder;
  const std::string one = line_of(1, "simhash", hex_of({1}));
  const auto error_of = [&](const std::string& lines) {
    folder.write("x.jsonl", lines);
    const Joined joined = join_lines({folder / "x.jsonl"}, "distance");
    EXPECT_FALSE(joined.summary.ok());
    return joined.summary.ok() ? Error{} : joined.summary.error();
  };
  Error error = error_of(one + line_of(2, "simhash", hex_of({1}), "00000000000000bb"));
  EXPECT_EQ(error.code, ErrorCode::usage);
  EXPECT_NE(error.message.find("x.jsonl:2"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("two kinds"), std::string::npos);
  EXPECT_NE(error_of(one + line_of(2, "simhash", hex_of({1, 2}))).message.find("another length"),
            std::string::npos);
  EXPECT_NE(error_of(line_of(1, "mod", "\"Zg==\""))
                .text(Door::command_line)
                .find("--scheme simhash or imatch"),
            std::string::npos);
  EXPECT_NE(error_of(one + line_of(2, "simhash", "\"xyz\""))
                .message.find("x.jsonl:2 has a signature that is none of simhash"),
            std::string::npos);
  EXPECT_NE(error_of("{\"id\": 1}\n").text(Door::command_line).find("not of twinset sketch"),
            std::string::npos);
  const Joined far = join_lines({folder.write("y.jsonl", one)}, "distance", 8);
  EXPECT_NE(far.summary.error().message.find("above 7"), std::string::npos);
}

TEST(JoinSketches, NoLinesHaveNoPairs) {
  const ScratchFolder folder;
  const Joined joined = join_lines({folder.write("empty.jsonl", "")}, "distance");
  ASSERT_TRUE(joined.summary.ok()) << joined.summary.error().message;
  EXPECT_EQ(joined.summary.value().pairs, 0U);
}

}  // namespace
}  // namespace twinset
