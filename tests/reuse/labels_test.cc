#include "twinset/labels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>

#include "labels/label_file.h"
#include "system/memory_files.h"
#include "web/chunks.h"

namespace twinset {
namespace {

const LabelFacts web{to_text(ChunkRules()), ChunkHash::xxh3};

class Labels : public ::testing::Test {
 protected:
  RunControl control() {
    RunControl control;
    control.files = &files;
    control.cancel = &stop;
    return control;
  }

  /// A file of `count` labels with texts, of which some are files.
  void make(const std::string& path, std::size_t count, unsigned seed,
            const LabelFacts& facts = web) {
    std::mt19937 random(seed);
    std::map<ChunkDigest, Label> labels;
    while (labels.size() < count) {
      Label label{.kind = random() % 5 == 0 ? LabelKind::file : LabelKind::chunk,
                  .hash = hash_chunk(std::to_string(random() % (4 * count)), facts.hash),
                  .count = random() % 20,
                  .documents = random() % 9};
      for (std::size_t i = random() % 12; i > 0; --i) {
        add_sample(label, {"http://a.org/" + std::to_string(random() % 100), random() % 99, 7});
      }
      add_text(label, std::string(random() % 100, 'w') + "\"\n");
      labels[label.hash] = label;
    }
    RunContext context;
    context.files = &files;
    LabelWriter writer(context, path, facts);
    for (const auto& [hash, label] : labels) ASSERT_TRUE(writer.append(label).ok());
    ASSERT_TRUE(writer.finish().ok());
  }

  std::string show(const std::string& path, bool json, std::uint64_t top = 0) {
    std::string out;
    const auto shown = show_labels(
        {.inputs = {path}, .top = top}, json,
        [&](std::string_view lines) -> Status {
          out += lines;
          return {};
        },
        control());
    EXPECT_TRUE(shown.ok()) << shown.error().message;
    return out;
  }

  std::string import_error(const std::string& lines, const std::string& rules = "") {
    EXPECT_TRUE(files.write("/m/in.jsonl", lines).ok());
    const auto made = import_labels(
        {.inputs = {"/m/in.jsonl"}, .output = "/m/x.labels", .rules = rules}, control());
    EXPECT_EQ(files.read("/m/x.labels").empty(), !made.ok());
    if (!made.ok()) return made.error().text(Door::command_line);
    EXPECT_TRUE(files.remove_file("/m/x.labels").ok());
    return "";
  }

  MemoryFiles files;
  std::atomic<bool> stop = false;
};

TEST_F(Labels, LinesImportedGiveTheSameFile) {
  for (const std::size_t count : {0, 1, 7, 3000}) {
    make("/m/a.labels", count, 1);
    ASSERT_TRUE(files.write("/m/a.jsonl", show("/m/a.labels", true)).ok());
    const auto made =
        import_labels({.inputs = {"/m/a.jsonl"}, .output = "/m/again.labels"}, control());
    ASSERT_TRUE(made.ok()) << made.error().message;
    EXPECT_EQ(files.read("/m/again.labels"), files.read("/m/a.labels"));
    EXPECT_EQ(made.value().chunks + made.value().files, count);
    EXPECT_EQ(made.value().rules, web.rules);
    // Lines in any order, and most frequent first, give the same file.
    ASSERT_TRUE(files.write("/m/a.jsonl", show("/m/a.labels", true, count + 1)).ok());
    ASSERT_TRUE(
        import_labels({.inputs = {"/m/a.jsonl"}, .output = "/m/top.labels"}, control()).ok());
    EXPECT_EQ(files.read("/m/top.labels"), files.read("/m/a.labels"));
    ASSERT_TRUE(files.remove_file("/m/again.labels").ok());
    ASSERT_TRUE(files.remove_file("/m/top.labels").ok());
  }
}

TEST_F(Labels, LinesSayWhetherTheyAreOfPages) {
  const std::string rules = R"({"rules": ")" + web.rules + R"(", )";
  const std::string label = R"({"hash": "00112233445566778899aabbccddeeff"})"
                            "\n";
  for (const bool pages : {false, true}) {
    const std::string said = pages ? R"("hash": "xxh3", "pages": true, )" : R"("hash": "xxh3", )";
    const std::string header = rules + said +
                               R"("labels": 1})"
                               "\n";
    ASSERT_TRUE(files.write("/m/one.jsonl", header + label).ok());
    ASSERT_TRUE(
        import_labels({.inputs = {"/m/one.jsonl"}, .output = "/m/one.labels"}, control()).ok());
    EXPECT_EQ(LabelFile::open(files, "/m/one.labels").value().facts().pages, pages);
    EXPECT_TRUE(show("/m/one.labels", true).starts_with(header)) << show("/m/one.labels", true);
    ASSERT_TRUE(files.remove_file("/m/one.labels").ok());
  }
}

TEST_F(Labels, ImportOfTwoListsIsTheirMerge) {
  make("/m/a.labels", 300, 1);
  make("/m/b.labels", 300, 2);
  ASSERT_TRUE(files.write("/m/a.jsonl", show("/m/a.labels", true)).ok());
  ASSERT_TRUE(files.write("/m/b.jsonl", show("/m/b.labels", true)).ok());
  const auto merged = merge_labels(
      {.inputs = {"/m/b.labels", "/m/a.labels"}, .output = "/m/both.labels"}, control());
  ASSERT_TRUE(merged.ok()) << merged.error().message;
  ASSERT_TRUE(import_labels({.inputs = {"/m/a.jsonl", "/m/b.jsonl"}, .output = "/m/lines.labels"},
                            control())
                  .ok());
  EXPECT_EQ(files.read("/m/lines.labels"), files.read("/m/both.labels"));
  const auto shown = show_labels(
      {.inputs = {"/m/both.labels"}}, true, [](std::string_view) { return Status(); }, control());
  EXPECT_EQ(to_json(shown.value()), to_json(merged.value()));
}

TEST_F(Labels, TheMostFrequentAreFirst) {
  make("/m/a.labels", 500, 3);
  // All of them, ordered by a plain sort.
  std::vector<Label> all;
  const auto file = LabelFile::open(files, "/m/a.labels");
  ASSERT_TRUE(file.value()
                  .for_each([&](const Label& label) -> Status {
                    all.push_back(label);
                    return {};
                  })
                  .ok());
  std::ranges::stable_sort(all, [](const Label& a, const Label& b) { return a.count > b.count; });
  const std::string whole = show("/m/a.labels", true, 500);
  std::size_t at = whole.find('\n') + 1;
  for (const Label& label : all) {
    const std::string begin = "{\"hash\": \"" + to_hex(label.hash, ChunkHash::xxh3) + "\"";
    EXPECT_EQ(whole.substr(at, begin.size()), begin);
    at = whole.find('\n', at) + 1;
  }
  for (const std::uint64_t top : {1, 2, 37, 499}) {
    const std::string some = show("/m/a.labels", true, top);
    EXPECT_TRUE(whole.starts_with(some)) << top;
    EXPECT_EQ(std::ranges::count(some, '\n'), static_cast<std::ptrdiff_t>(top) + 1);
  }
}

TEST_F(Labels, BadLinesAreNamed) {
  const std::string header = R"({"rules": "html(p,div) markup xxh3(seed=0) least=101"})"
                             "\n";
  const std::string good = R"({"hash": "131f95c51cc819465fa1797f6ccacf9d", "reason": "menu"})"
                           "\n";
  EXPECT_EQ(import_error(header + good), "");
  EXPECT_EQ(import_error(header + "\n" + good + "\n" + header + good), "");
  EXPECT_EQ(import_error(good, web.rules), "");
  EXPECT_EQ(import_error(header + good, web.rules), "");
  EXPECT_TRUE(
      import_error(good).starts_with("/m/in.jsonl:1 is a label, and no line before it says"));
  EXPECT_TRUE(import_error(header + good + "x\n").starts_with("/m/in.jsonl:3"));
  EXPECT_TRUE(import_error(header + good + "[]\n").starts_with("/m/in.jsonl:3 is no label"));
  EXPECT_TRUE(import_error(header + good + "{}\n").starts_with("/m/in.jsonl:3 is no label"));
  EXPECT_TRUE(import_error(header + good + "7\n").starts_with("/m/in.jsonl:3 is no label"));
  EXPECT_TRUE(import_error(header + good.substr(0, 40)).starts_with("/m/in.jsonl:2"));
  EXPECT_TRUE(
      import_error(header + "{\"hash\": \"\"}\n").starts_with("/m/in.jsonl:2 has the hash"));
  EXPECT_TRUE(import_error("{\"rules\": \"all\"}\n").starts_with("/m/in.jsonl:1 has the rules"));
  EXPECT_TRUE(import_error("").starts_with("there is no label in /m/in.jsonl"));
  // Other rules, from any place.
  EXPECT_TRUE(
      import_error(header + R"({"rules": "hadoop sha1 least=0"})"
                            "\n")
          .starts_with("/m/in.jsonl:2 has labels of \"hadoop sha1 least=0\"; /m/in.jsonl:1 of "));
  EXPECT_TRUE(import_error(header, "hadoop sha1 least=0").find("--rules of \"hadoop") !=
              std::string::npos);
  EXPECT_TRUE(import_error(header, "hadoop").starts_with("--rules \"hadoop\" is not known"));
}

TEST_F(Labels, ListsOfAuntieTunaAreKnownByTheirBegin) {
  const std::string hashes =
      R"("hashes": ["131f95c51cc819465fa1797f6ccacf9d494aaaff46fa3eac73ae63ffbdfd8267"])";
  const std::string lists[] = {"{\"domain\": \"a.test\", " + hashes + "}",
                               "[{" + hashes + "}]",
                               "{\n  " + hashes + "\n}\n",
                               "\n[\n{" + hashes + "\n}\n]",
                               "[\n]",
                               "[]"};
  for (const std::string& list : lists) {
    EXPECT_EQ(import_error(list), "") << list;
  }
  EXPECT_EQ(import_error("{" + hashes + "}", to_text(auntietuna_chunks())), "");
  EXPECT_TRUE(import_error("{" + hashes + "}", web.rules).find("they never meet") !=
              std::string::npos);
  EXPECT_TRUE(import_error("{\"hashes\": [\"131f\"]}").find("/m/in.jsonl has \"131f\"") !=
              std::string::npos);
  EXPECT_FALSE(import_error("{\n\"domain\": 7\n}").empty());
}

TEST_F(Labels, WhatCannotBeIsRefusedBeforeAnythingIsRead) {
  make("/m/a.labels", 5, 1);
  make("/m/tuna.labels", 5, 1, {to_text(auntietuna_chunks()), ChunkHash::sha256});
  const std::string before = files.read("/m/a.labels");
  const auto refused = [&](const Result<LabelsSummary>& done, std::string_view words) {
    ASSERT_FALSE(done.ok()) << words;
    EXPECT_EQ(done.error().code, ErrorCode::usage) << words;
    EXPECT_NE(done.error().text(Door::command_line).find(words), std::string::npos)
        << done.error().message;
  };
  const auto run = control();
  refused(merge_labels({.inputs = {"/m/a.labels"}, .output = "/m/a.labels"}, run), "exists");
  refused(merge_labels({.inputs = {"/m/a.labels"}}, run), "-o FILE");
  refused(merge_labels({.inputs = {}, .output = "/m/x"}, run), "no file of labels");
  refused(merge_labels({.inputs = {"/m/a.labels", "/m/a.labels"}, .output = "/m/x"}, run),
          "named twice");
  refused(merge_labels({.inputs = {"/m/a.labels", "/m/tuna.labels"}, .output = "/m/x"}, run),
          "tuna.labels has labels of \"auntietuna");
  refused(merge_labels({.inputs = {"/m/a.labels"}, .output = "/m/x", .top = 3}, run), "--top");
  refused(merge_labels({.inputs = {"/m/a.labels"}, .output = "/m/x", .rules = "r"}, run),
          "--rules");
  refused(import_labels({.inputs = {"/m/a.jsonl"}, .output = "/m/a.labels"}, run), "exists");
  refused(import_labels({.inputs = {"/m/a.jsonl"}, .output = "/m/x"}, run),
          "there is no /m/a.jsonl");
  refused(import_labels({.inputs = {}, .output = "/m/x"}, run), "no list");
  refused(import_labels({.inputs = {"/m/a.jsonl"}, .output = "/m/x", .top = 3}, run), "--top");
  const auto none = [](std::string_view) { return Status(); };
  refused(show_labels({.inputs = {"/m/a.labels", "/m/tuna.labels"}}, false, none, run), "one file");
  refused(show_labels({.inputs = {"/m/a.labels"}, .output = "/m/x"}, false, none, run),
          "makes no file");
  refused(show_labels({.inputs = {"/m/a.labels"}, .rules = "r"}, false, none, run), "--rules");
  EXPECT_EQ(files.read("/m/a.labels"), before);
  EXPECT_EQ(files.list("/m").value().size(), 2U);
}

TEST_F(Labels, AStopLeavesNothing) {
  make("/m/a.labels", 5000, 1);
  ASSERT_TRUE(files.write("/m/a.jsonl", show("/m/a.labels", true)).ok());
  stop = true;
  const auto run = control();
  for (const Result<LabelsSummary>& done :
       {merge_labels({.inputs = {"/m/a.labels"}, .output = "/m/x"}, run),
        import_labels({.inputs = {"/m/a.jsonl"}, .output = "/m/x"}, run),
        show_labels(
            {.inputs = {"/m/a.labels"}}, true, [](std::string_view) { return Status(); }, run)}) {
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().code, ErrorCode::interrupted);
  }
  EXPECT_EQ(files.list("/m").value().size(), 2U);
}

TEST_F(Labels, TextIsSafeForATerminal) {
  RunContext context;
  context.files = &files;
  Label label{.hash = hash_chunk("x", ChunkHash::xxh3), .count = 1234567, .documents = 12};
  add_sample(label, {"http://a.org/\x1b[31m", 0, 7});
  add_text(label, "<p>red\n \x1b[31m fish");
  LabelWriter writer(context, "/m/a.labels", web);
  ASSERT_TRUE(writer.append(label).ok());
  ASSERT_TRUE(writer.finish().ok());
  EXPECT_EQ(show("/m/a.labels", false),
            "          count    documents  kind   hash, first page, words\n"
            "      1,234,567           12  chunk  " +
                to_hex(label.hash, ChunkHash::xxh3) +
                "  http://a.org/\\x1b[31m\n"
                "                              <p>red \\x1b[31m fish\n");
}

}  // namespace
}  // namespace twinset
