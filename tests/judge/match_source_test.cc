#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "collection/output_files.h"
#include "judge/source.h"
#include "support/scratch_folder.h"

namespace twinset {
namespace {

using namespace twinset::testing;

class MatchesToJudge : public ::testing::Test {
 protected:
  void SetUp() override { folder_.write("summary.json", R"({"run": {"verb": "detect"}})"); }

  void write_matches(const std::string& lines) {
    std::filesystem::remove(folder_ / "matches.jsonl.zst");
    auto file = WholeFile::create(disk(), "output", folder_ / "matches.jsonl.zst");
    ASSERT_TRUE(file.ok()) << file.error().message;
    ASSERT_TRUE(file.value()->write(lines).ok());
    ASSERT_TRUE(file.value()->publish().ok());
  }

  std::unique_ptr<JudgeSource> open() {
    auto opened = open_matches(disk(), folder_.path(), nullptr);
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return std::move(opened).value();
  }

  Sample sample(const PairSampleRule& rule) {
    Sampler sampler(rule);
    const Status drawn = open()->draw(sampler);
    EXPECT_TRUE(drawn.ok()) << drawn.error().message;
    return std::move(sampler).finish().value();
  }

  std::string refusal() {
    Sampler sampler({{}, 9, 1});
    const Status drawn = open()->draw(sampler);
    return drawn.ok() ? "" : drawn.error().message;
  }

  static std::string match(const std::string& url, int offset, const std::string& hash,
                           const std::string& kind = "chunk", const std::string& text = "t",
                           int length = 9) {
    return R"({"url": ")" + url + R"(", "offset": )" + std::to_string(offset) + R"(, "length": )" +
           std::to_string(length) + R"(, "kind": ")" + kind + R"(", "hash": ")" + hash +
           R"(", "text": ")" + text +
           R"(", "label": {"url": "http://known/1", "offset": 0, "length": 9}})" + "\n";
  }

  ScratchFolder folder_;
};

TEST_F(MatchesToJudge, EachLabelIsDrawnOnceWithItsMatches) {
  std::mt19937 random(3);
  std::string lines;
  std::map<std::string, std::uint64_t> expected;
  for (int page = 0; page < 300; ++page) {
    for (int i = 0; i < 5; ++i) {
      const std::string hash = "a" + std::to_string(random() % (1 + random() % 40));
      const std::string kind = random() % 9 == 0 ? "file" : "chunk";
      lines += match("http://a.org/" + std::to_string(page), i, hash, kind);
      ++expected[hash + " " + kind];
    }
  }
  write_matches(lines);
  const Sample all = sample({{}, 1000, 1});
  EXPECT_EQ(all.classes.at(0).pairs, expected.size());
  for (const SamplePair& pair : all.pairs) {
    EXPECT_EQ(pair.value.count, expected[pair.a.document.id + " " + pair.b.document.id]);
  }
  std::set<std::string> kinds;
  for (const SampleClass& of : sample({JudgeBy::label, 5, 1}).classes) kinds.insert(of.name);
  EXPECT_EQ(kinds, (std::set<std::string>{"chunk", "file"}));
  // The order of the matches changes nothing.
  std::vector<std::string> each;
  for (std::size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1) {
    each.push_back(lines.substr(at, lines.find('\n', at) + 1 - at));
  }
  std::ranges::shuffle(each, random);
  std::string shuffled;
  for (const std::string& line : each) shuffled += line;
  const std::uint64_t before = sample({JudgeBy::count, 7, 2}).fingerprint();
  write_matches(shuffled);
  EXPECT_EQ(sample({JudgeBy::count, 7, 2}).fingerprint(), before);
}

TEST_F(MatchesToJudge, AreShownWithTheTextThatWasQuoted) {
  std::string lines = match("http://b.org/2", 3, "aa", "chunk", "") +
                      match("http://b.org/2", 40, "aa", "chunk", "<p>fish") +
                      match("http://b.org/\\u001b[31m", 5, "aa", "chunk", "<p>chips");
  for (int i = 0; i < 20; ++i) lines += match("http://c.org/" + std::to_string(i), 1, "aa");
  write_matches(lines + match("http://b.org/2", 40, "bb"));
  SamplePair pair;
  pair.a.document.id = "aa";
  pair.b.document.id = "chunk";
  const auto shown = open()->read(std::span(&pair, 1));
  ASSERT_TRUE(shown.ok()) << shown.error().message;
  const JudgedPair& label = shown.value().at(0);
  EXPECT_EQ(label.a.text, "<p>fish");
  EXPECT_FALSE(label.a.cut) << "of its 9 bytes people see so many";
  EXPECT_EQ(label.name_b, "found 23 times on 22 pages; known from http://known/1");
  EXPECT_TRUE(
      label.b.text.starts_with("http://b.org/2, bytes 3 to 12\n"
                               "http://b.org/2, bytes 40 to 49\n"
                               "http://b.org/\\x1b[31m, bytes 5 to 14\n"))
      << label.b.text;
  EXPECT_EQ(std::ranges::count(label.b.text, '\n'), 10);
  pair.b.document.id = "file";
  EXPECT_FALSE(open()->read(std::span(&pair, 1)).ok());
}

TEST_F(MatchesToJudge, ATextAsLongAsIsKeptIsCutIfItsContentIsLonger) {
  for (const std::size_t bytes : {235U, 237U, 240U}) {
    for (const int length : {240, 241, 500}) {
      write_matches(match("http://b.org/", 0, "aa", "chunk", std::string(bytes, 'x'), length));
      SamplePair pair;
      pair.a.document.id = "aa";
      pair.b.document.id = "chunk";
      const auto shown = open()->read(std::span(&pair, 1));
      ASSERT_TRUE(shown.ok()) << shown.error().message;
      const bool cut = bytes > 236 && static_cast<std::size_t>(length) > bytes;
      EXPECT_EQ(shown.value().at(0).a.cut, cut) << bytes << " " << length;
    }
  }
}

TEST_F(MatchesToJudge, DamagedFoldersAreNamed) {
  EXPECT_NE(refusal().find("matches.jsonl.zst"), std::string::npos) << "missing";
  for (const char* const line :
       {"{}\n", "7\n", "x\n", "{\"hash\": \"a b\", \"kind\": \"file\"}\n"}) {
    write_matches(match("http://a.org/", 1, "aa") + line);
    EXPECT_NE(refusal().find("matches.jsonl.zst:2"), std::string::npos) << refusal();
  }
  write_matches("");
  EXPECT_EQ(refusal(), "");
}

TEST_F(MatchesToJudge, AFolderIsKnownByItsSummary) {
  const std::string path = folder_.path();
  EXPECT_TRUE(is_detection(disk(), path).value());
  folder_.write("summary.json", R"({"run": {"verb": "cluster"}})");
  EXPECT_FALSE(is_detection(disk(), path).value());
  folder_.write("summary.json", "{");
  EXPECT_FALSE(is_detection(disk(), path).ok());
  EXPECT_FALSE(is_detection(disk(), path + "/none").value());
}

}  // namespace
}  // namespace twinset
