#include <gtest/gtest.h>

#include <string>

#include "support/records.h"
#include "support/streams.h"

namespace twinset {
namespace {

std::string texts_of_tsv(std::string_view bytes, const ReaderLimits& limits = {}) {
  const testing::ScratchFolder folder;
  std::string out;
  for (const testing::ReadRecord& record :
       testing::read_file(folder.write("x.tsv", bytes), "tsv", Compression::none, limits).records) {
    if (record.carried) continue;
    out += record.bad == BadReason::none ? "[" + record.text + "]"
                                         : "!" + std::string(reason_name(record.bad));
  }
  return out;
}

TEST(Tsv, FieldsLieBetweenTabs) {
  EXPECT_EQ(texts_of_tsv("id\ttext\n1\ta, b; c\r\n2\t\n3\n"), "[a, b; c][]!invalid_row");
  EXPECT_EQ(texts_of_tsv("a,b;c\ttext\n1\tx\n"), "[x]");
}

TEST(Tsv, QuotedFieldsAreThoseOfCsv) {
  EXPECT_EQ(texts_of_tsv("id\ttext\n1\t\"a\tb\nc \"\"d\"\"\"\n2\te\n"), "[a\tb\nc \"d\"][e]");
}

// Writers of TSV seldom quote, and texts begin with quotes.
TEST(Tsv, AFieldThatOnlyBeginsWithAQuoteIsReadAsItStands) {
  EXPECT_EQ(texts_of_tsv("id\ttext\n1\t\"Yes\" he said\n2\tb\n"), "[\"Yes\" he said][b]");
  EXPECT_EQ(texts_of_tsv("id\ttext\n1\t\"Yes\n2\t\"No\" she said\n"), "[\"Yes][\"No\" she said]");
  EXPECT_EQ(texts_of_tsv("id\ttext\n1\t\"Yes\n2\tb\n"), "[\"Yes][b]");
  ReaderLimits limits;
  limits.max_record_bytes = 20;
  limits.batch_bytes = 5;
  EXPECT_EQ(texts_of_tsv("id\ttext\n1\t\"Yes\n2\tb\n3\tc\n4\td\n5\te\n6\tf\n", limits),
            "[\"Yes][b][c][d][e][f]");
}

}  // namespace
}  // namespace twinset
