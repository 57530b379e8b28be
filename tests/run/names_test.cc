#include "run/names.h"

#include "support/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(Names, AreTheIdAsWrittenOrFileAndRecord) {
  const ScratchFolder folder;
  DedupOptions options;
  options.inputs = {folder.write("a.jsonl",
                                 "{\"id\":7,\"text\":\"same words here\"}\n"
                                 "{\"text\":\"same words here\"}\n"
                                 "{\"id\":\"q\\\"x\",\"text\":\"same words here\"}\n")};
  options.output = folder / "out";
  set_small_memory(options, 1, 1 << 20);
  ASSERT_TRUE(dedup(options, quiet_control()).ok());
  const RunOutput output = read_output(options.output);
  ASSERT_EQ(output.removed.size(), 2U);
  EXPECT_EQ(output.removed[0].survivor_id, "7");
  EXPECT_EQ(output.removed[0].id, "\"" + options.inputs[0] + ":2\"");
  EXPECT_EQ(output.removed[1].id, "\"q\\\"x\"");
}

}  // namespace
}  // namespace twinset
