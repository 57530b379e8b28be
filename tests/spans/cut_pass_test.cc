// Copies of inputs, against the tokens that brute force says are cut.
#include "spans/cut_pass.h"

#include "spans/span_oracle.h"
#include "support_runs/job_testing.h"
#include "twinset/spans.h"

namespace twinset {
namespace {

using namespace twinset::testing;

SpansOptions cutting(const ScratchFolder& folder, std::vector<std::string> inputs,
                     std::uint64_t least) {
  SpansOptions options;
  options.inputs = std::move(inputs);
  options.output = folder / "out";
  options.min_tokens = least;
  options.cut = true;
  return options;
}

TEST(CutPass, ChangesTheTextFieldAlone) {
  const ScratchFolder folder;
  // Escapes, a surrogate pair, bytes that are not UTF-8, and fields around the text.
  const std::string first =
      R"({"id": 1, "text": "one two thr\u00e9e four \ud83d\ude00 five", "n": [1,  2]})"
      "\n";
  const std::string second =
      "{ \"text\" :\t\"zero \xff one two thr\xc3\xa9"
      "e four, \\ud83d\\ude00 five;\\tlast\" ,\"z\":{}}\r\n";
  const SpansOptions options =
      cutting(folder, {folder.write("in.jsonl", first + "\n" + second)}, 5);
  const Result<SpansSummary> done = spans(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(folder.read("out/cut/in.jsonl"),
            first + "{ \"text\" :\t\"zero \xff last\" ,\"z\":{}}\r\n");
  EXPECT_EQ(done.value().cut_bytes, std::string("one two thr\xc3\xa9"
                                                "e four, \xf0\x9f\x98\x80 five;\t")
                                        .size());
}

TEST(CutPass, KeepsWhatBruteForceKeeps) {
  const MadeCollection made = planted_collection(
      {.seed = 9, .documents = 300, .files = 3, .most_words = 60, .compressed = true});
  const ScratchFolder folder;
  const DedupOptions like = made.write(folder);
  std::vector<OracleText> texts;
  std::vector<std::string> bytes;
  for (const MadeFile& file : made.files) {
    for (const MadeRecord& record : file.records) {
      texts.push_back(oracle_text(record.text));
      bytes.push_back(record.text);
    }
  }
  const SpanOracle oracle(texts, 6);
  const SpansOptions options = cutting(folder, like.inputs, 6);
  const Result<SpansSummary> done = spans(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const auto cut_tokens = oracle.cut();
  std::uint64_t cut = 0;
  std::size_t at = 0;
  for (const MadeFile& file : made.files) {
    std::string expected;
    for (const MadeRecord& record : file.records) {
      const auto& offsets = texts[at].offsets;
      std::string kept;
      std::size_t from = 0;
      for (std::size_t i = 0; i < offsets.size(); ++i) {
        if (!cut_tokens[at][i]) continue;
        kept += record.text.substr(from, std::max<std::size_t>(offsets[i].begin, from) - from);
        from = i + 1 < offsets.size() ? offsets[i + 1].begin : record.text.size();
      }
      kept += record.text.substr(from);
      const auto& gone = cut_tokens[at];
      if (!gone.empty() && std::count(gone.begin(), gone.end(), false) == 0) kept.clear();
      cut += record.text.size() - kept.size();
      expected += MadeRecord{record.id, kept, record.order}.line();
      ++at;
    }
    EXPECT_EQ(get_file(options.output + "/cut/" + file.name), expected) << file.name;
  }
  EXPECT_GT(cut, 5'000U);
  EXPECT_EQ(done.value().cut_bytes, cut);
}

TEST(CutPass, ShortensTextFilesAndKeepsTheFirstPlace) {
  const ScratchFolder folder;
  const std::string utf16 = std::string("\xff\xfe", 2);
  std::string wide = utf16;
  for (const char c : std::string("a b c d e f")) wide += std::string{c, '\0'};
  const SpansOptions options = cutting(
      folder,
      {folder.write("in/1.txt", "x a b c d e f y"), folder.write("in/2.txt", "p a b c d e f, q\n"),
       folder.write("in/3.txt", wide), folder.write("in/4.txt", "")},
      6);
  ASSERT_TRUE(spans(options, quiet_control()).ok());
  EXPECT_EQ(folder.read("out/cut/1.txt"), "x a b c d e f y");
  EXPECT_EQ(folder.read("out/cut/2.txt"), "p q\n");
  EXPECT_EQ(folder.read("out/cut/3.txt"), "");
  EXPECT_EQ(folder.read("out/cut/4.txt"), "");
}

TEST(CutPass, LeavesNothingOfAWholeCopy) {
  const ScratchFolder folder;
  const SpansOptions options = cutting(
      folder,
      {folder.write("in/1.txt", "A b c d e, f!"), folder.write("in/2.txt", "(A b c d e f...)\n"),
       folder.write("in/3.txt", "(Z) a b c d e f?!")},
      6);
  const Result<SpansSummary> done = spans(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(folder.read("out/cut/1.txt"), "A b c d e, f!");
  EXPECT_EQ(folder.read("out/cut/2.txt"), "");
  EXPECT_EQ(folder.read("out/cut/3.txt"), "(Z) ");
  EXPECT_EQ(done.value().cut_bytes, 17U + 13U);
}

// A text that repeats itself, and another that repeats both.
TEST(CutPass, WithinATextUnlessToldOtherwise) {
  for (const bool across : {false, true}) {
    const ScratchFolder folder;
    SpansOptions options = cutting(folder,
                                   {folder.write("in/1.txt", "x a b c d y a b c d z"),
                                    folder.write("in/2.txt", "p a b c d q a b c d r")},
                                   4);
    options.across = across;
    const Result<SpansSummary> done = spans(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(folder.read("out/cut/1.txt"), across ? "x a b c d y a b c d z" : "x a b c d y z");
    EXPECT_EQ(folder.read("out/cut/2.txt"), "p q r");
    options.output = folder / "pairs";
    options.cut = false;
    options.all_pairs = true;
    const Result<SpansSummary> pairs = spans(options, quiet_control());
    ASSERT_TRUE(pairs.ok()) << pairs.error().message;
    EXPECT_EQ(pairs.value().spans, across ? 4U : 6U);
  }
}

TEST(CutPass, RefusesListsOfFeatures) {
  const ScratchFolder folder;
  SpansOptions options = cutting(folder, {folder.write("in.jsonl", "{\"text\": [1, 2, 3]}\n")}, 2);
  options.analyzer = "features";
  const Result<SpansSummary> done = spans(options, quiet_control());
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().message.find("lists of ids"), std::string::npos);
  options.cut = false;
  EXPECT_TRUE(spans(options, quiet_control()).ok());
}

}  // namespace
}  // namespace twinset
