#include <gtest/gtest.h>

#include <string>

#include "support/records.h"
#include "support/streams.h"

namespace twinset {
namespace {

using testing::read_file;
using testing::ReadFile;

TEST(Lines, EachLineIsAText) {
  const testing::ScratchFolder folder;
  const std::string path = folder.write("x",
                                        "\xef\xbb\xbf"
                                        "first\r\n\n{\"text\": 1}\n  indented\xff\nlast");
  for (const std::uint64_t batch_bytes : {1, 7, 1000}) {
    ReaderLimits limits;
    limits.batch_bytes = batch_bytes;
    const ReadFile file = read_file(path, "lines", Compression::none, limits, {});
    ASSERT_EQ(file.records.size(), 4U) << batch_bytes;
    EXPECT_EQ(file.records[0].text, "first");
    EXPECT_EQ(file.records[1].text, "{\"text\": 1}");
    EXPECT_EQ(file.records[1].number, 3U);
    EXPECT_EQ(file.records[2].text, "  indented\xff");
    EXPECT_EQ(file.records[3].text, "last");
    EXPECT_EQ(file.records[3].id, "");
  }
}

TEST(Lines, AListOfFeaturesMayStandInALine) {
  const testing::ScratchFolder folder;
  FieldNames fields;
  fields.features = true;
  const ReadFile file =
      read_file(folder.write("x", "[1, 2]\nwords\n"), "lines", Compression::none, {}, fields);
  ASSERT_EQ(file.records.size(), 2U);
  EXPECT_EQ(file.records[0].text, "[1, 2]");
  EXPECT_EQ(file.records[1].bad, BadReason::text_not_features);
}

}  // namespace
}  // namespace twinset
