#include "run/names.h"

#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(Names, AreTheIdAsWrittenOrFileAndRecord) {
  std::string input;
  JobFixture fixture(MadeCollection{}, [&](JobOptions& options) {
    input = options.output + ".jsonl";
    options.inputs = {input};
    put_file(input,
             "{\"id\":7,\"text\":\"same words here\"}\n"
             "{\"text\":\"same words here\"}\n"
             "{\"id\":\"q\\\"x\",\"text\":\"same words here\"}\n",
             Compression::none);
  });
  fixture.read();
  Names names(fixture.job(), *fixture.stores().records, fixture.table());
  std::vector<std::string> ids;
  for (std::uint64_t index = 0; index < 3; ++index) {
    DocumentName name;
    ASSERT_TRUE(names.find(index, name).ok());
    EXPECT_EQ(name.file, input);
    EXPECT_EQ(name.record, index + 1);
    ids.push_back(name.id);
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"7", "\"" + input + ":2\"", "\"q\\\"x\""}));
}

TEST(Names, AreShownWithoutQuotes) {
  EXPECT_EQ(plain_id("\"a b\""), "a b");
  EXPECT_EQ(plain_id("7"), "7");
  EXPECT_EQ(plain_id(R"("a\"b\u001b\n")"), "a\"b\x1b\n");
  EXPECT_EQ(plain_id("\""), "\"");
}

}  // namespace
}  // namespace twinset
