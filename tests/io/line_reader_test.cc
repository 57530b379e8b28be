// The rules of lines, which all formats of a record a line share; tests/io/formats/jsonl_test.cc
// has those of batches, long lines and damaged streams.
#include "io/line_reader.h"

#include <gtest/gtest.h>

#include "support/records.h"
#include "support/streams.h"

namespace twinset {
namespace {

TEST(LineReader, AMarkIsTakenOffAnyLine) {
  EXPECT_EQ(line_of("\xef\xbb\xbf{}\n"), "{}\n");
  EXPECT_EQ(line_of("{}\n"), "{}\n");
  EXPECT_EQ(line_of(""), "");
}

TEST(LineReader, BlankLinesHaveNumbersOnly) {
  const testing::ScratchFolder folder;
  const testing::ReadFile file = testing::read_file(
      folder.write("x", "one\n\n \t\r\n\xef\xbb\xbf\ntwo"), "lines", Compression::none, {}, {});
  ASSERT_EQ(file.records.size(), 2U);
  EXPECT_EQ(file.records[0].number, 1U);
  EXPECT_EQ(file.records[1].number, 5U);
}

}  // namespace
}  // namespace twinset
