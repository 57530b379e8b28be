#include "judge/judged_file.h"

#include <gtest/gtest.h>

#include "support/faulty_files.h"
#include "support/scratch_folder.h"

namespace twinset {
namespace {

using namespace twinset::testing;

JudgedHeader header() {
  JudgedHeader header;
  header.source = "groups";
  header.by = JudgeBy::distance;
  header.sample = 200;
  header.seed = 1;
  header.categories = Categories::parse("same,different,unclear").value();
  header.classes = {{"0", 500, 200}, {"3", 90, 90}};
  header.sampled = 290;
  header.fingerprint = 0x0123456789abcdef;
  return header;
}

SamplePair pair_of(std::uint64_t record, std::uint64_t distance) {
  SamplePair pair;
  pair.a.document = {"d\"1", "in.jsonl", record};
  pair.b.document = {"d2", "in.jsonl", 2};
  pair.value.distance = distance;
  return pair;
}

class JudgedLines : public ::testing::Test {
 protected:
  std::unique_ptr<JudgedFile> open(FileSystem& files = disk()) {
    auto opened = JudgedFile::open(files, path_, header());
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return opened.ok() ? std::move(opened).value() : nullptr;
  }
  std::string refusal(const JudgedHeader& other = header()) {
    const auto opened = JudgedFile::open(disk(), path_, other);
    return opened.ok() ? "" : opened.error().text(Door::command_line);
  }

  ScratchFolder folder_;
  std::string path_ = folder_ / "x.judged";
};

TEST_F(JudgedLines, OfLabelsSayTheyAre) {
  JudgedHeader of_labels = header();
  of_labels.kind = Judged::labels;
  of_labels.by = JudgeBy::count;
  of_labels.classes = {{"10-99", 500, 200}};
  SamplePair label;
  label.a.document.id = "131f95c51cc819465fa1797f6ccacf9d";
  label.b.document.id = "chunk";
  label.value.count = 12;
  label.value.label = "chunk";
  {
    const auto file = JudgedFile::open(disk(), path_, of_labels);
    ASSERT_TRUE(file.ok()) << file.error().message;
    ASSERT_TRUE(file.value()->add({&label, 1, "ann"}).ok());
  }
  const auto again = JudgedFile::open(disk(), path_, of_labels);
  ASSERT_TRUE(again.ok()) << again.error().message;
  const JudgedContent& content = again.value()->content();
  EXPECT_EQ(content.header.kind, Judged::labels);
  EXPECT_EQ(content.header.line(), of_labels.line());
  EXPECT_EQ(content.verdicts.at(0).identity, label.identity());
  EXPECT_EQ(content.verdicts.at(0).value, "12");
  const std::string text = folder_.read("x.judged");
  EXPECT_TRUE(text.starts_with(R"({"judged": 1, "of": "labels", "source": "groups", )")) << text;
  EXPECT_NE(text.find(R"({"class": "10-99", "labels": 500, "sampled": 200})"), std::string::npos);
  EXPECT_EQ(parse_judged(R"({"judged": 1, "of": "people"})"
                         "\n",
                         "x")
                .error()
                .code,
            ErrorCode::usage);
}

TEST_F(JudgedLines, AreReadBack) {
  const SamplePair first = pair_of(7, 3);
  {
    const auto file = open();
    ASSERT_TRUE(file->add({&first, 1, "ann"}).ok());
    EXPECT_EQ(file->content().verdicts.size(), 1U);
  }
  const auto again = open();
  ASSERT_EQ(again->content().verdicts.size(), 1U);
  const GivenVerdict& verdict = again->content().verdicts[0];
  EXPECT_EQ(verdict.identity, first.identity());
  EXPECT_EQ(verdict.value, "3");
  EXPECT_EQ(verdict.category, 1U);
  EXPECT_EQ(verdict.judge, "ann");
  const JudgedHeader& read = again->content().header;
  EXPECT_EQ(read.line(), header().line());
  EXPECT_EQ(read.source, "groups");
  const std::string text = folder_.read("x.judged");
  EXPECT_NE(text.find(R"({"a": {"id": "d\"1", "file": "in.jsonl", "record": 7}, )"
                      R"("b": {"id": "d2", "file": "in.jsonl", "record": 2}, "value": 3, )"
                      R"("verdict": "different", "judge": "ann", "at": "20)"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.substr(text.size() - 4), "Z\"}\n");
}

// Another tool may write the lines again with other spaces.
TEST_F(JudgedLines, AreReadWithoutSpaces) {
  std::string text = header().line() +
                     R"({"a":{"id":"x","file":"in.jsonl","record":7},"b":{"id":"y",)"
                     R"("file":"in.jsonl","record":2},"value":3,"verdict":"same","judge":"ann"})" +
                     "\n";
  const Result<JudgedContent> content = parse_judged(text, "x");
  ASSERT_TRUE(content.ok()) << content.error().message;
  EXPECT_EQ(content.value().verdicts.at(0).identity, pair_of(7, 3).identity());
}

TEST_F(JudgedLines, AHalfLineIsCutOff) {
  const SamplePair first = pair_of(7, 3);
  ASSERT_TRUE(open()->add({&first, 0, "ann"}).ok());
  const std::string whole = folder_.read("x.judged");
  const std::size_t line = whole.find('\n') + 1;
  // A kill may leave any beginning of the last line.
  for (std::size_t size = line; size < whole.size(); ++size) {
    folder_.write("x.judged", std::string_view(whole).substr(0, size));
    const auto file = open();
    ASSERT_NE(file, nullptr) << size;
    EXPECT_TRUE(file->content().verdicts.empty()) << size;
    EXPECT_EQ(file->content().cut_bytes, size - line);
    ASSERT_TRUE(file->add({&first, 0, "ann"}).ok());
    EXPECT_EQ(parse_judged(folder_.read("x.judged"), "x").value().verdicts.size(), 1U) << size;
  }
}

TEST_F(JudgedLines, AFullDiskLosesNoVerdict) {
  const SamplePair first = pair_of(7, 3);
  const SamplePair second = pair_of(8, 0);
  FaultyFiles files(disk());
  {
    const auto file = open(files);
    ASSERT_TRUE(file->add({&first, 0, "ann"}).ok());
    files.limit_bytes(20);
    const Status full = file->add({&second, 0, "ann"});
    ASSERT_FALSE(full.ok());
    EXPECT_EQ(full.error().code, ErrorCode::io);
    EXPECT_NE(full.error().message.find(path_), std::string::npos) << full.error().message;
  }
  const auto again = open();
  EXPECT_EQ(again->content().cut_bytes, 0U);
  ASSERT_EQ(again->content().verdicts.size(), 1U);
  EXPECT_EQ(again->content().verdicts[0].identity, first.identity());
}

TEST_F(JudgedLines, EveryFailureLeavesWhatWasSynced) {
  const SamplePair first = pair_of(7, 3);
  const SamplePair second = pair_of(8, 0);
  for (std::uint64_t k = 0;; ++k) {
    std::filesystem::remove(path_);
    ASSERT_TRUE(open()->add({&first, 0, "ann"}).ok());
    FaultyFiles files(disk());
    files.fail_at(k, FaultyFiles::Fault::short_transfer, FaultyFiles::Lasting::once);
    bool added = false;
    if (auto opened = JudgedFile::open(files, path_, header()); opened.ok()) {
      added = opened.value()->add({&second, 0, "ann"}).ok();
    }
    const auto content = read_judged(disk(), path_);
    ASSERT_TRUE(content.ok()) << k << ": " << content.error().message;
    ASSERT_GE(content.value().verdicts.size(), added ? 2U : 1U) << k;
    if (!files.failed()) break;
  }
}

TEST_F(JudgedLines, AnotherSampleIsRefused) {
  open();
  JudgedHeader other = header();
  other.source = "elsewhere/groups";
  EXPECT_EQ(refusal(other), "");  // Another name of the same pairs.
  other.seed = 2;
  other.by = {};
  EXPECT_EQ(refusal(other), path_ +
                                " is of another sample: --by was distance and is not given, --seed "
                                "was 1 and is 2; repeat its options, or choose another -o");
  other = header();
  other.fingerprint = 5;
  EXPECT_NE(refusal(other).find("other pairs"), std::string::npos);
  other = header();
  other.categories = Categories::parse("same,different").value();
  EXPECT_NE(refusal(other).find("--categories was same,different,unclear"), std::string::npos);
}

TEST_F(JudgedLines, NothingElseIsOverwritten) {
  for (const char* text : {"", "{}", "{\"id\": 1}\n", "text\n", "\n", "{\"judged\": 1"}) {
    folder_.write("x.judged", text);
    EXPECT_NE(refusal(), "") << text;
    EXPECT_EQ(folder_.read("x.judged"), text);
    EXPECT_FALSE(std::filesystem::exists(path_ + ".lock")) << text;
  }
  folder_.write("x.judged", "{\"judged\": 2}\n");
  EXPECT_NE(refusal().find("another version"), std::string::npos);
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  EXPECT_NE(refusal().find("no regular file"), std::string::npos);
}

TEST_F(JudgedLines, DamageIsNamed) {
  const auto fault = [](const std::string& line) {
    const auto content = parse_judged(header().line() + "\n" + line + "\n", "x");
    return content.ok() ? "" : content.error().text(Door::command_line);
  };
  EXPECT_EQ(fault("").rfind("x:2", 0), 0U);
  const auto good = [](const char* value, const char* verdict) {
    return std::string(R"({"a": {"id": "x"}, "b": {"id": "y"}, "value": )") + value +
           R"(, "verdict": ")" + verdict + R"(", "judge": "ann"})";
  };
  const auto content = [](const std::string& line) {
    return parse_judged(header().line() + line + "\n", "x");
  };
  EXPECT_TRUE(content(good("3", "same")).ok());
  EXPECT_EQ(content(good("3", "fine")).error().message,
            "x:2 has the verdict 'fine', and the header has same,different,unclear");
  EXPECT_NE(content(good("2", "same")).error().message.find("in no class"), std::string::npos);
  EXPECT_NE(content(good("\"y\"", "same")).error().message.find("in no class"), std::string::npos);
  EXPECT_NE(content("{\"a\": {}}").error().message.find("x:2 is no verdict"), std::string::npos);
  EXPECT_NE(content("nonsense").error().message.find("x:2"), std::string::npos);
  EXPECT_NE(parse_judged("{\"judged\": 1}\n", "x").error().message.find("x:1 is damaged"),
            std::string::npos);
}

TEST_F(JudgedLines, AnyChangedByteIsReadOrRefused) {
  const SamplePair first = pair_of(7, 3);
  ASSERT_TRUE(open()->add({&first, 0, "ann"}).ok());
  const std::string whole = folder_.read("x.judged");
  std::size_t refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char byte : {'\0', '"', '{', '}', '9', '\n', '\xff'}) {
      std::string changed = whole;
      changed[at] = byte;
      const Result<JudgedContent> content = parse_judged(changed, "x");
      if (content.ok()) {
        EXPECT_LE(content.value().verdicts.size(), 1U);
        EXPECT_LE(content.value().whole_bytes + content.value().cut_bytes, changed.size());
      } else {
        ++refused;
        EXPECT_EQ(content.error().message.rfind("x", 0), 0U) << content.error().message;
      }
    }
  }
  EXPECT_GT(refused, whole.size());
}

TEST_F(JudgedLines, OneCallAtATime) {
  const auto file = open();
  EXPECT_NE(refusal().find("is being judged by another"), std::string::npos);
}

}  // namespace
}  // namespace twinset
