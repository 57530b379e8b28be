#include "calibrate/conclusions.h"

#include <gmock/gmock.h>

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

CalibrationClass class_of(TokenRange tokens, std::size_t chosen, double precision, bool reached) {
  CalibrationClass of;
  of.tokens = tokens;
  for (const char* value : {"0", "1", "2"}) {
    CalibrationRow row;
    row.value = value;
    row.held_out.precision = {static_cast<std::uint64_t>(precision * 100), 100, precision - 0.05,
                              precision + 0.04};
    of.rows.push_back(row);
  }
  of.chosen = chosen;
  of.reached = reached;
  return of;
}

TEST(Conclusions, TheChoiceIsOneForEachLengthAndPoorOnesAreToldOf) {
  CalibrateOptions options;
  options.precision = {9, 10};
  Choices chosen;
  chosen.classes = {class_of({0, 50}, 1, 0.95, true), class_of({50, 200}, 1, 0.7, true),
                    class_of({200, 0}, 0, 0.95, false)};
  chosen.largest_group = 0.75;
  Calibration made;
  made.option = "distance";
  made.values = {"0", "1", "2"};
  conclude_choice(options, chosen, made);
  EXPECT_EQ(made.chosen, "200:1,0");
  EXPECT_THAT(made.warnings,
              ElementsAre(HasSubstr("has 75 % of the documents"),
                          HasSubstr("50 to 199 tokens: on the half that did not choose, the "
                                    "precision is 0.700 (0.650 to 0.740), below 0.9"),
                          HasSubstr("from 200 tokens: no value reaches the precision")));
}

TEST(Conclusions, TheUsualSampleDependsOnTheTruth) {
  CalibrateOptions options;
  EXPECT_TRUE(plants_copies(options));
  EXPECT_EQ(sample_of(options), 2000U);
  options.labels = "topic";
  EXPECT_FALSE(plants_copies(options));
  EXPECT_EQ(sample_of(options), 10'000U);
  options.sample = 7;
  EXPECT_EQ(sample_of(options), 7U);
}

}  // namespace
}  // namespace twinset
