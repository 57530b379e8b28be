#include <gtest/gtest.h>

#include <map>

#include "twinset/evaluate.h"

namespace twinset {
namespace {

TEST(EvaluateOptions, HasTheDecisionsOfDedupAndItsOwnSample) {
  EvaluateOptions options;
  std::map<std::string, std::string> values;
  for (const Option& option : options_of(options)) values[option.name()] = option.text();
  EXPECT_EQ(values["resemblance"], "0.8");
  EXPECT_EQ(values["scheme"], "fss");
  EXPECT_EQ(values["sample_seed"], "1");
  EXPECT_EQ(values["sample"], "");
  EXPECT_FALSE(values.contains("keep"));
  EXPECT_FALSE(values.contains("min_tokens"));  // Planted copies are never too short.
}

}  // namespace
}  // namespace twinset
