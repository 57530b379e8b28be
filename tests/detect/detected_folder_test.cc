#include "detect/detected_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "detect/detect_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(DetectedFolder, AFolderIsReadAsItWasWritten) {
  const ScratchFolder folder;
  DetectOptions options = made_crawl(6, 200).options(folder);
  options.badness = Badness::pages;
  options.pages.repeats = 4;
  options.stop = folder / "stop.labels";
  write_labels(options.stop, {crawl_chunk(1003)});
  const Result<DetectSummary> done = detect(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const Result<DetectedFolder> read = read_detected_folder(unsynced(), options.output + "/");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value().folder, options.output);
  EXPECT_EQ(read.value().summary.badness, Badness::pages);
  EXPECT_EQ(read.value().options.badness, Badness::pages);
  EXPECT_EQ(read.value().options.pages.repeats, 4U);
  EXPECT_EQ(read.value().summary.stop_hash.size(), 32U);
  DetectSummary summary = read.value().summary;
  EXPECT_EQ(summary.by_badness, done.value().by_badness);
  EXPECT_EQ(summary.by_contains, done.value().by_contains);
  EXPECT_EQ(summary.page_threshold.threshold, done.value().page_threshold.threshold);
  EXPECT_EQ(summary.neighborhood_threshold.deviation,
            done.value().neighborhood_threshold.deviation);
  summary.top_pages = done.value().top_pages;
  summary.top_neighborhoods = done.value().top_neighborhoods;
  EXPECT_EQ(to_json(summary, Badness::pages), to_json(done.value(), Badness::pages));
  EXPECT_EQ(read.value().counts.pages_without_chunks,
            summary.pages - done.value().page_threshold.of);
  ASSERT_EQ(summary.inputs.size(), 1U);
  EXPECT_EQ(summary.inputs[0].lines, 200U);
}

TEST(DetectedFolder, OtherFoldersAreNone) {
  const ScratchFolder folder;
  const auto code = [&](const std::string& name) {
    const Result<DetectedFolder> read = read_detected_folder(unsynced(), folder / name);
    EXPECT_FALSE(read.ok());
    return read.ok() ? ErrorCode::usage : read.error().code;
  };
  std::filesystem::create_directory(folder / "empty");
  EXPECT_EQ(code("empty"), ErrorCode::usage);
  EXPECT_EQ(code("missing"), ErrorCode::usage);
  folder.write("other/summary.json", R"({"run": {"verb": "dedup"}})");
  EXPECT_EQ(code("other"), ErrorCode::usage);
  folder.write("cut/summary.json", R"({"run": {"verb": "detect"})");
  EXPECT_EQ(code("cut"), ErrorCode::io);
  folder.write("bare/summary.json", R"({"run": {"verb": "detect"}, "options": {}})");
  EXPECT_EQ(code("bare"), ErrorCode::io);
}

}  // namespace
}  // namespace twinset
