#include "look/pairs_folder.h"

#include <array>

#include "cluster/pair_lines.h"
#include "io/field_json.h"
#include "support_runs/cluster_testing.h"
#include "twinset/cluster.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(PairsFolder, KnowsRecordsByInputAndNumber) {
  const ScratchFolder folder;
  ClusterOptions options;
  options.inputs = {folder.write("a.jsonl", "{\"id\":1,\"text\":\"one and one\"}\n\n"),
                    folder.write("b.jsonl",
                                 "{\"id\":2,\"text\":\"two\"}\n"
                                 "{\"id\":3,\"text\":\"one and one\"}\n")};
  options.output = folder / "like";
  options.input.max_record = 1 << 20;
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  const Result<OutputFolder> made = open_output_folder(disk(), options.output);
  ASSERT_TRUE(made.ok()) << made.error().message;
  const PairsFolder pairs(made.value());
  const DocumentId third(1, 2);
  EXPECT_EQ(pairs.document({{"3", options.inputs[1], 2}, 0}), third);
  EXPECT_EQ(pairs.document({{"3", "elsewhere", 2}, 0}), std::nullopt);
  const std::array wanted{DocumentId(0, 1), DocumentId(1, 1), third};
  const auto names = pairs.names(disk(), wanted);
  ASSERT_TRUE(names.ok()) << names.error().message;
  ASSERT_EQ(names.value().size(), 2U);  // The second is in no pair.
  EXPECT_EQ(names.value().at(third).document.id, "3");
  EXPECT_EQ(names.value().at(third).document.file, options.inputs[1]);
  EXPECT_EQ(names.value().at(third).document.record, 2U);
  EXPECT_NE(names.value().at(third).fingerprint, 0U);
  EXPECT_EQ(pairs.kind(), LinkKind::shingles);
  EXPECT_DOUBLE_EQ(pairs.threshold().resemblance.value(), 0.5);

  // Documents that no input has.
  for (const DocumentId unknown : {DocumentId(1, 3), DocumentId(2, 1)}) {
    FieldLine<PairLine> line;
    line->id = "1";
    line->input = unknown.source();
    line->record = unknown.record();
    std::string lines;
    line.append(lines);
    const std::string path = options.output + "/pairs.jsonl.zst";
    std::filesystem::remove(path);
    put_file(path, lines, Compression::zstd);
    const auto refused = pairs.names(disk(), std::span(&unknown, 1));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message, path + ":1 names an unknown document");
  }
}

}  // namespace
}  // namespace twinset
