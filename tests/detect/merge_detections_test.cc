#include "detect/merge_detections.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "detect/detect_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

constexpr const char* lists[] = {"pages.jsonl.zst", "matches.jsonl.zst", "neighborhoods.jsonl.zst",
                                 "recursion.jsonl.zst"};

/// Detects in pages [first, end) into folder/name.
std::string detect_part(const ScratchFolder& folder, const Crawl& crawl, const std::string& name,
                        std::size_t first, std::size_t end, DetectOptions options) {
  options.inputs = {folder.write(name + ".jsonl", crawl.lines(first, end))};
  options.output = folder / name;
  const Result<DetectSummary> done = detect(options, quiet_control());
  EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().message);
  return options.output;
}

DetectOptions merge_options(const ScratchFolder& folder, std::vector<std::string> parts,
                            const std::string& name = "merged") {
  DetectOptions options;
  options.merge = std::move(parts);
  options.output = folder / name;
  return options;
}

//
TEST(MergeDetections, OneTwoAndSevenPartsAreOneRun) {
  const Crawl crawl = made_crawl(9, 700);
  const ScratchFolder folder;
  DetectOptions whole = crawl.options(folder);
  whole.threshold = "auto";
  for (const std::size_t parts : {std::size_t{1}, std::size_t{2}, std::size_t{7}}) {
    const std::string prefix = "p" + std::to_string(parts) + "-";
    std::vector<std::string> inputs;
    std::vector<std::string> folders;
    for (std::size_t i = 0; i < parts; ++i) {
      const std::size_t first = crawl.pages.size() * i / parts;
      const std::size_t end = crawl.pages.size() * (i + 1) / parts;
      const std::string name = prefix + std::to_string(i);
      folders.push_back(detect_part(folder, crawl, name, first, end, whole));
      inputs.push_back(folder / (name + ".jsonl"));
    }
    DetectOptions at_once = whole;
    at_once.inputs = inputs;
    at_once.output = folder / (prefix + "once");
    const Result<DetectSummary> once = detect(at_once, quiet_control());
    ASSERT_TRUE(once.ok()) << once.error().message;
    std::ranges::reverse(folders);
    DetectOptions merging = merge_options(folder, folders, prefix + "merged");
    set_small(merging, 1);
    const Result<DetectSummary> merged = detect(merging, quiet_control());
    ASSERT_TRUE(merged.ok()) << merged.error().message;
    for (const char* list : lists) {
      EXPECT_TRUE(folder.read(prefix + "once/" + list) == folder.read(prefix + "merged/" + list))
          << parts << " parts: " << list;
    }
    EXPECT_EQ(to_json(once.value(), Badness::chunks), to_json(merged.value(), Badness::chunks));
    EXPECT_EQ(once.value().by_contains, merged.value().by_contains);
    EXPECT_EQ(once.value().by_badness, merged.value().by_badness);
    EXPECT_EQ(once.value().page_threshold.threshold, merged.value().page_threshold.threshold);
    EXPECT_EQ(once.value().inputs.size(), merged.value().inputs.size());
  }
}

TEST(MergeDetections, MergedFoldersMergeAgain) {
  const Crawl crawl = made_crawl(10, 300);
  const ScratchFolder folder;
  DetectOptions options = crawl.options(folder);
  options.badness = Badness::pages;
  const std::string a = detect_part(folder, crawl, "a", 0, 100, options);
  const std::string b = detect_part(folder, crawl, "b", 100, 150, options);
  const std::string c = detect_part(folder, crawl, "c", 150, 300, options);
  ASSERT_TRUE(detect(merge_options(folder, {a, b}, "ab"), quiet_control()).ok());
  ASSERT_TRUE(detect(merge_options(folder, {folder / "ab", c}, "ab-c"), quiet_control()).ok());
  ASSERT_TRUE(detect(merge_options(folder, {a, b, c}, "abc"), quiet_control()).ok());
  for (const char* list : lists) {
    EXPECT_TRUE(folder.read(std::string("ab-c/") + list) == folder.read(std::string("abc/") + list))
        << list;
  }
  // The same command again finds it done.
  const Result<DetectSummary> again =
      detect(merge_options(folder, {a, b, c}, "abc"), quiet_control());
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_TRUE(again.value().already_done);
  EXPECT_FALSE(again.value().top_pages.empty());
}

TEST(MergeDetections, UnlikeFoldersAreRefusedByName) {
  const Crawl crawl = made_crawl(11, 60);
  const ScratchFolder folder;
  const DetectOptions options = crawl.options(folder);
  const std::string a = detect_part(folder, crawl, "a", 0, 30, options);
  const auto message = [&](const DetectOptions& tried) {
    const Result<DetectSummary> done = detect(tried, quiet_control());
    EXPECT_FALSE(done.ok());
    if (done.ok()) return std::string();
    EXPECT_EQ(done.error().code, ErrorCode::usage) << done.error().message;
    EXPECT_FALSE(std::filesystem::exists(folder / "merged"));
    EXPECT_FALSE(std::filesystem::exists(folder / "merged.partial"));
    return done.error().text(Door::command_line);
  };
  const auto refused = [&](const std::string& other, const std::string& why) {
    const std::string text = message(merge_options(folder, {a, other}));
    EXPECT_NE(text.find(a), text.npos) << text;
    EXPECT_NE(text.find(other), text.npos) << text;
    EXPECT_NE(text.find(why), text.npos) << text;
  };
  DetectOptions other = options;
  other.labels = folder / "other.labels";
  write_labels(other.labels, {crawl_chunk(1000)});
  refused(detect_part(folder, crawl, "labels", 30, 60, other), "different labels");
  other = options;
  other.stop = folder / "other.labels";
  refused(detect_part(folder, crawl, "stop", 30, 60, other), "different stop chunks: none");
  other = options;
  other.pages.repeats = 0;
  refused(detect_part(folder, crawl, "repeats", 30, 60, other), "different --repeats: 3 and 0");
  other = options;
  other.badness = Badness::pages;
  refused(detect_part(folder, crawl, "badness", 30, 60, other), "different --badness");
  refused(a, "are one run");
  EXPECT_NE(message(merge_options(folder, {a, a + "/"})).find("are one run"), std::string::npos);
  std::filesystem::create_directory(folder / "none");
  EXPECT_NE(message(merge_options(folder, {a, folder / "none"})).find("no folder that detect made"),
            std::string::npos);
  DetectOptions inside = merge_options(folder, {a});
  inside.output = a + "/merged";
  EXPECT_NE(message(inside).find("lies in"), std::string::npos);
  DetectOptions more = merge_options(folder, {a});
  more.inputs = {folder / "a.jsonl"};
  EXPECT_NE(message(more).find("leave out"), std::string::npos);
  more = merge_options(folder, {a});
  more.labels = options.labels;
  EXPECT_NE(message(more).find("leave out --labels"), std::string::npos);
  more = merge_options(folder, {a});
  more.output.clear();
  EXPECT_NE(message(more).find("-o DIR"), std::string::npos);
}

TEST(MergeDetections, ADamagedListIsOneErrorWithItsLine) {
  const Crawl crawl = made_crawl(12, 200);
  const ScratchFolder folder;
  const DetectOptions options = crawl.options(folder);
  const std::string a = detect_part(folder, crawl, "a", 0, 100, options);
  const auto refused = [&](const char* list, const std::string& bytes, const std::string& place) {
    const std::string path = a + "/" + list;
    const std::string before = folder.read(std::string("a/") + list);
    std::filesystem::remove(path);
    put_file(path, bytes, Compression::zstd);
    const Result<DetectSummary> done = detect(merge_options(folder, {a}), quiet_control());
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().code, ErrorCode::io);
    EXPECT_NE(done.error().message.find(path + place), std::string::npos) << done.error().message;
    EXPECT_FALSE(std::filesystem::exists(folder / "merged"));
    folder.write(std::string("a/") + list, before);
  };
  const std::string matches = get_file(a + "/matches.jsonl.zst");
  const std::size_t line = matches.find('\n') + 1;
  refused("matches.jsonl.zst", matches.substr(line), ":");
  refused("matches.jsonl.zst", matches + matches.substr(0, line), ":");
  refused("matches.jsonl.zst", "", ":0");
  const std::string pages = get_file(a + "/pages.jsonl.zst");
  refused("pages.jsonl.zst", "{\"url\": 1}\n" + pages, ":1");
  refused("pages.jsonl.zst", pages + "{\"url\": \"", ":");
  const std::string sums = get_file(a + "/neighborhoods.jsonl.zst");
  refused("neighborhoods.jsonl.zst", sums + "{\"prefix\": \"a/\", \"pages\": 1}\n", ":");
  EXPECT_TRUE(detect(merge_options(folder, {a}), quiet_control()).ok());
}

}  // namespace
}  // namespace twinset
