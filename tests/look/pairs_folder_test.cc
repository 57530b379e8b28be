#include "look/pairs_folder.h"

#include <array>

#include "support/cluster_testing.h"
#include "twinset/cluster.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(PairsFolder, KnowsRecordsByNumberOverAllInputs) {
  const ScratchFolder folder;
  ClusterOptions options;
  options.inputs = {folder.write("a.jsonl", "{\"id\":1,\"text\":\"one and one\"}\n\n"),
                    folder.write("b.jsonl",
                                 "{\"id\":2,\"text\":\"two\"}\n"
                                 "{\"id\":3,\"text\":\"one and one\"}\n")};
  options.output = folder / "like";
  options.input.max_record_bytes = 1 << 20;
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  const Result<OutputFolder> made = open_output_folder(disk(), options.output);
  ASSERT_TRUE(made.ok()) << made.error().message;
  PairsFolder pairs(made.value());
  ASSERT_TRUE(pairs.open().ok());
  EXPECT_EQ(pairs.number_of({{"3", options.inputs[1], 2}, 0}), 3U);
  EXPECT_EQ(pairs.number_of({{"3", "elsewhere", 2}, 0}), std::nullopt);
  const std::array<std::uint32_t, 3> wanted{0, 2, 3};
  const auto names = pairs.names(disk(), wanted);
  ASSERT_TRUE(names.ok()) << names.error().message;
  ASSERT_EQ(names.value().size(), 2U);  // 2 is in no pair.
  EXPECT_EQ(names.value().at(3).document.id, "3");
  EXPECT_EQ(names.value().at(3).document.file, options.inputs[1]);
  EXPECT_EQ(names.value().at(3).document.record, 2U);
  EXPECT_NE(names.value().at(3).fingerprint, 0U);
  EXPECT_EQ(pairs.kind(), LinkKind::shingles);
  EXPECT_DOUBLE_EQ(pairs.threshold().resemblance.value(), 0.5);
}

}  // namespace
}  // namespace twinset
