// Each public function of a verb that draws a report hands its drawing down: the page is there.
#include <gtest/gtest.h>

#include <string>

#include "faces/page_check.h"
#include "support_runs/job_testing.h"
#include "twinset/cluster.h"
#include "twinset/dedup.h"
#include "twinset/reuse.h"
#include "twinset/sketch.h"
#include "twinset/spans.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// Two pages of 60 words that differ in their last one.
template <class Options>
Options over_two_texts(const ScratchFolder& folder) {
  std::string text;
  for (int i = 0; i < 59; ++i) text += "word" + std::to_string(i) + " ";
  Options options;
  options.inputs = {folder.write("in/a.txt", text + "end"),
                    folder.write("in/b.txt", text + "other")};
  options.report = folder / "report.html";
  return options;
}

template <class Done>
void expect_page(const ScratchFolder& folder, const Done& done, const std::string& title) {
  ASSERT_TRUE(done.ok()) << done.error().message;
  const std::string page = folder.read("report.html");
  EXPECT_NE(page.find("<h1>" + title), std::string::npos) << page.substr(0, 1000);
  const PageCheck check(page);
  EXPECT_TRUE(check.errors.empty()) << check.errors.front();
  EXPECT_TRUE(folder.read("report.json").starts_with("{\"format\": \"twinset report 1\""));
}

TEST(Verbs, DedupDrawsItsReport) {
  const ScratchFolder folder;
  auto options = over_two_texts<DedupOptions>(folder);
  options.output = folder / "out";
  expect_page(folder, dedup(options, quiet_control()), "Near-duplicates");
}

TEST(Verbs, ClusterDrawsItsReport) {
  const ScratchFolder folder;
  auto options = over_two_texts<ClusterOptions>(folder);
  options.output = folder / "out";
  expect_page(folder, cluster(options, quiet_control()), "Clusters");
}

TEST(Verbs, SpansDrawsItsReport) {
  const ScratchFolder folder;
  auto options = over_two_texts<SpansOptions>(folder);
  options.output = folder / "out";
  expect_page(folder, spans(options, quiet_control()), "Shared passages");
}

TEST(Verbs, SketchDrawsItsReport) {
  const ScratchFolder folder;
  auto options = over_two_texts<SketchOptions>(folder);
  options.output = folder / "out.jsonl";
  expect_page(folder, sketch(options, quiet_control()), "Signatures");
}

TEST(Verbs, DiscoverDrawsItsReport) {
  const ScratchFolder folder;
  auto options = over_two_texts<DiscoverOptions>(folder);
  options.output = folder / "out.labels";
  expect_page(folder, discover(options, quiet_control()), "Discovered labels");
}

TEST(Verbs, DetectDrawsItsReport) {
  const ScratchFolder folder;
  auto found = over_two_texts<DiscoverOptions>(folder);
  found.report.clear();
  found.output = folder / "known.labels";
  ASSERT_TRUE(discover(found, quiet_control()).ok());
  auto options = over_two_texts<DetectOptions>(folder);
  options.labels = found.output;
  options.output = folder / "out";
  expect_page(folder, detect(options, quiet_control()), "Detected reuse");
}

}  // namespace
}  // namespace twinset
