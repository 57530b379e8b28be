#include <gtest/gtest.h>

#include "run/options_json.h"
#include "twinset/cluster.h"

namespace twinset {
namespace {

TEST(ClusterOptions, TheirJsonHasADefaultThatIsNotSetAsEmptyText) {
  ClusterOptions options;
  const std::string unset = options_json(options);
  EXPECT_NE(unset.find(
                R"("verify": "", "resemblance": "0.5", "containment": "", )"
                R"("fold": "words", "shape": "components", "lead": "", "within": "", "floor": "")"),
            std::string::npos)
      << unset;
  options.verify = Check::none;
  options.shape = ClusterShape::stars;
  options.floor = Ratio(1, 4);
  const std::string set = options_json(options);
  EXPECT_NE(
      set.find(R"("verify": "none", "resemblance": "0.5", "containment": "", )"
               R"("fold": "words", "shape": "stars", "lead": "", "within": "", "floor": "0.25")"),
      std::string::npos)
      << set;
}

// A run that --max-bad stopped continues when that is raised.
TEST(ClusterOptions, IdentityIsOfAllThatDecidesTheOutput) {
  ClusterOptions options;
  options.inputs = {"in.jsonl"};
  const std::string identity = options_identity("cluster", options);
  options.max_bad = 3;
  options.resources.threads = 7;
  options.command = "twinset cluster in.jsonl";
  EXPECT_EQ(options_identity("cluster", options), identity);
  options.floor = Ratio(1, 5);
  EXPECT_NE(options_identity("cluster", options), identity);
}

TEST(RecutOptions, ThresholdsAreUnsetUntilAskedFor) {
  RecutOptions options;
  for (const Option& option : options_of(options)) {
    if (option.name() == "shape" || option.name() == "resemblance") {
      EXPECT_EQ(option.text(), "");
      EXPECT_EQ(option.by_default, "as it was");
      EXPECT_TRUE(option.set(option.name() == "shape" ? "stars" : "0.7").ok());
    }
  }
  EXPECT_EQ(options.shape, ClusterShape::stars);
  EXPECT_EQ(options.resemblance, Ratio(7, 10));
}

}  // namespace
}  // namespace twinset
