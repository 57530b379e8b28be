#include "evaluate/trial_times.h"

#include <gtest/gtest.h>

#include "evaluate/trial_for_tests.h"

namespace twinset {
namespace {

TEST(Times, AreOfSomething) {
  const TrialSet set = small_set();
  const std::vector<GivenView> views = views_of(set);
  const auto scheme = scheme_of("fss");
  EXPECT_GT(time_sketches(*scheme, views), 0);
  EXPECT_GT(time_analysis(split_analyzer(), views), 0);
  EXPECT_GT(time_verification(split_analyzer(), 5, views), 0);
  EXPECT_GT(time_join(*scheme, sketch_documents(*scheme, views, 1), 0, Ratio(4, 5)), 0);
  EXPECT_EQ(time_sketches(*scheme, {}), 0);
}

TEST(DocumentsToTime, AreSomeOfThemAndAtLeastOne) {
  const std::string huge(5 << 20, 'x');
  const Analysis analysis;
  EXPECT_EQ(documents_to_time(std::vector<GivenView>(3, {huge, analysis})).size(), 1u);
  EXPECT_EQ(documents_to_time(std::vector<GivenView>(7, {"x", analysis})).size(), 7u);
  const std::size_t many =
      documents_to_time(std::vector<GivenView>(100'000, {"x", analysis})).size();
  EXPECT_GE(many, 400u);
  EXPECT_LE(many, 800u);
  EXPECT_TRUE(documents_to_time({}).empty());
}

}  // namespace
}  // namespace twinset
