// Whole runs with --cut, against rounds of brute force over every N tokens in a row.
#include "spans/cut_rounds.h"

#include <algorithm>

#include "spans/patchwork.h"
#include "spans/span_oracle.h"
#include "support_runs/job_testing.h"
#include "twinset/spans.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// The words that are kept, a text a line.
std::vector<std::string> kept_words(const SpanOracle& oracle, const std::vector<std::string>& texts,
                                    bool across) {
  const auto gone = oracle.cut(across);
  std::vector<std::string> kept;
  for (std::size_t text = 0; text < texts.size(); ++text) {
    if (oracle.texts()[text].reference) continue;
    std::string& words = kept.emplace_back();
    for (std::size_t i = 0; i < gone[text].size(); ++i) {
      if (gone[text][i]) continue;
      const TokenOffsets place = oracle.texts()[text].offsets[i];
      words += texts[text].substr(place.begin, place.end - place.begin) + " ";
    }
  }
  return kept;
}

std::vector<std::string> words_of_file(const std::string& path) {
  std::vector<std::string> kept;
  const std::string all = get_file(path);
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = all.find('\n', begin);
    const std::string line = all.substr(begin, end - begin);
    const Result<JsonNode> read = read_json(line, "line");
    EXPECT_TRUE(read.ok());
    const std::string text(read.value()["text"].text());
    std::string& words = kept.emplace_back();
    const OracleText tokens = oracle_text(text);
    for (const TokenOffsets& place : tokens.offsets) {
      words += text.substr(place.begin, place.end - place.begin) + " ";
    }
    begin = end + 1;
  }
  return kept;
}

SpansOptions cutting(const ScratchFolder& folder, std::vector<std::string> inputs,
                     std::uint64_t least, std::uint64_t seed) {
  SpansOptions options;
  options.inputs = std::move(inputs);
  options.output = folder / "out";
  options.min_tokens = least;
  options.cut = true;
  DedupOptions like;
  set_small_memory(like, 1 + static_cast<unsigned>(seed % 3), 0);
  options.resources = like.resources;
  return options;
}

TEST(CutRounds, AreThoseOfBruteForce) {
  std::size_t with_rounds = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const std::vector<std::string> texts = patchwork(seed, 60, seed % 3 == 0 ? 3 : 400);
    const std::size_t known = seed % 4 == 0 ? 20 : 0;
    const std::uint64_t least = 3 + seed % 5;
    const bool across = seed % 2 == 0;
    std::vector<OracleText> all = oracle_texts(texts);
    for (std::size_t i = 0; i < known; ++i) all[i].reference = true;
    const SpanOracle oracle(all, least);
    with_rounds += oracle.cut(across) != oracle.cut_once(across) ? 1 : 0;
    const ScratchFolder folder;
    const auto split = texts.begin() + static_cast<std::ptrdiff_t>(known);
    SpansOptions options =
        cutting(folder, {folder.write("in.jsonl", json_lines({split, texts.end()}))}, least, seed);
    if (known > 0) {
      options.against = {folder.write("known.jsonl", json_lines({texts.begin(), split}))};
    }
    options.across = across;
    options.all_pairs = seed % 5 == 0;
    const Result<SpansSummary> done = spans(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    ASSERT_EQ(words_of_file(folder / "out/cut/in.jsonl"), kept_words(oracle, texts, across))
        << seed;

    options.inputs = {folder / "out/cut/in.jsonl"};
    options.output = folder / "again";
    const Result<SpansSummary> again = spans(options, quiet_control());
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(again.value().cut_bytes, 0U);
    EXPECT_EQ(folder.read("again/cut/in.jsonl"), folder.read("out/cut/in.jsonl"));
  }
  EXPECT_GT(with_rounds, 3U);
}

// A passage that another one overlaps stays whole where it stands first; of whole copies nothing
// stays, and cutting again changes nothing.
TEST(CutRounds, KeepFirstPlacesThatOthersOverlap) {
  const ScratchFolder folder;
  const SpansOptions options = cutting(
      folder,
      {folder.write("1.txt", "a b c d e f g h"), folder.write("2.txt", "x y a b c d e f g h"),
       folder.write("3.txt", "x y a b c d e f g h"), folder.write("4.txt", "a b c d e f g h")},
      4, 1);
  ASSERT_TRUE(spans(options, quiet_control()).ok());
  EXPECT_EQ(folder.read("out/cut/1.txt"), "a b c d e f g h");
  EXPECT_EQ(folder.read("out/cut/2.txt"), "x y a b c ");
  EXPECT_EQ(folder.read("out/cut/3.txt"), "");
  EXPECT_EQ(folder.read("out/cut/4.txt"), "");
}

// "p q" closes over what was cut in two texts: that is cut in the second.
TEST(CutRounds, LookAtWhatClosesOverACut) {
  const ScratchFolder folder;
  const SpansOptions options = cutting(
      folder,
      {folder.write("1.txt", "a b c d e f"), folder.write("2.txt", "k l m n o p"),
       folder.write("3.txt", "s t a b c d e f u v"), folder.write("4.txt", "s t k l m n o p u v")},
      4, 1);
  ASSERT_TRUE(spans(options, quiet_control()).ok());
  EXPECT_EQ(folder.read("out/cut/3.txt"), "s t u v");
  EXPECT_EQ(folder.read("out/cut/4.txt"), "");
}

TEST(CutRounds, OfPartsAreApart) {
  const ScratchFolder folder;
  std::string lines;
  for (const char* const part : {"a", "b", "a"}) {
    lines += std::string(R"({"text": "one two three four five", "part": ")") + part + "\"}\n";
  }
  SpansOptions options = cutting(folder, {folder.write("in.jsonl", lines)}, 4, 1);
  options.within = "part";
  ASSERT_TRUE(spans(options, quiet_control()).ok());
  EXPECT_EQ(words_of_file(folder / "out/cut/in.jsonl"),
            (std::vector<std::string>{"one two three four five ", "one two three four five ", ""}));
}

}  // namespace
}  // namespace twinset
