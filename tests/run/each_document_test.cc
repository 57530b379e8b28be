#include "run/each_document.h"

#include <gtest/gtest.h>

#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

class EachDocument : public ::testing::Test {
 protected:
  /// The texts of the documents, up to a limit.
  std::vector<std::string> read(std::uint64_t limit) {
    MadeCollection collection{{{"a.jsonl", {{"x", "one", ""}}, false},
                               {"b.jsonl.gz", {{"", "two", ""}, {"", "three", ""}}, false}}};
    JobFixture fixture(collection, [&](JobOptions& options) {
      options.input.limit = limit;
      const std::string path = options.output.substr(0, options.output.size() - 3) + "in/c.jsonl";
      put_file(path, "oops\n{\"text\": \"four\"}\n", Compression::none);
      options.inputs.push_back(path);
    });
    std::vector<std::string> texts;
    troubles_ = {};
    const Status done = for_each_document(
        fixture.job(), fixture.job().fields, troubles_,
        [&](std::uint64_t source, const Record& record) {
          texts.push_back(std::to_string(source) + " " + std::string(record.text));
          return Status();
        });
    EXPECT_TRUE(done.ok());
    return texts;
  }
  InputTroubles troubles_;
};

TEST_F(EachDocument, ComesInOrderAndBadRecordsAreNoted) {
  EXPECT_EQ(read(0), (std::vector<std::string>{"0 one", "1 two", "1 three", "2 four"}));
  ASSERT_EQ(troubles_.inputs().size(), 1U);
  EXPECT_EQ(troubles_.inputs()[0].source, 2U);
  EXPECT_EQ(troubles_.inputs()[0].records, 2U);
}

TEST_F(EachDocument, TheLimitCountsRecordsOfAllSources) {
  EXPECT_EQ(read(2), (std::vector<std::string>{"0 one", "1 two"}));
  EXPECT_EQ(read(4), (std::vector<std::string>{"0 one", "1 two", "1 three"}));
  EXPECT_EQ(read(5).size(), 4U);
}

TEST_F(EachDocument, AnErrorOfTheCallerEndsIt) {
  JobFixture fixture(MadeCollection{{{"a.jsonl", {{"x", "one", ""}, {"y", "two", ""}}, false}}});
  int seen = 0;
  const Status done =
      for_each_document(fixture.job(), {}, troubles_, [&](std::uint64_t, const Record&) -> Status {
        ++seen;
        return io_error("enough");
      });
  EXPECT_EQ(done.error().message, "enough");
  EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace twinset
