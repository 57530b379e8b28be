// IndexedDocument: what is written is read, and nothing else is taken for a document.
#include "index/indexed_document.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset::testing {
namespace {

/// With views of `id`.
IndexedDocument made_document(const std::string& id) {
  return {.id = id,
          .url = "http://a/b",
          .date = "",
          .fields = "{\"a\": 1}",
          .markup = Markup::loose_xhtml,
          .text_bytes = 300,
          .tokens = 7,
          .bytes_hash = {1, 4},
          .tokens_hash = {2, 3},
          .serial = 77};
}

TEST(IndexedDocument, IsReadAsItWasWritten) {
  for (const std::string& id : {std::string(), std::string("\"x\""), std::string(1'000'000, 'i')}) {
    const IndexedDocument document = made_document(id);
    std::string bytes;
    append_document(document, bytes);
    IndexedDocument read;
    ASSERT_TRUE(read_document(bytes, read));
    EXPECT_TRUE(read.repeats(document));
    EXPECT_EQ(read.serial, 77U);
    EXPECT_FALSE(read.survivor.has_value());
  }
}

TEST(IndexedDocument, ARemovedOneHasItsSurvivor) {
  const std::string id = "\"x\"";
  for (const Fate fate : removed_fates) {
    for (const bool folded : {false, true}) {
      IndexedDocument document = made_document(id);
      document.survivor = Survivor{.serial = 300, .fate = fate, .folded = folded};
      if (is_judged_out(fate)) document.survivor->link = Link::exact({6, 8, 10});
      std::string bytes;
      append_document(document, bytes);
      IndexedDocument read;
      ASSERT_TRUE(read_document(bytes, read));
      EXPECT_FALSE(read.repeats(document));
      ASSERT_TRUE(read.survivor.has_value());
      EXPECT_EQ(read.survivor->serial, 300U);
      EXPECT_EQ(read.survivor->fate, fate);
      EXPECT_EQ(read.survivor->folded, folded);
      EXPECT_EQ(read.survivor->link.numbers.earlier, is_judged_out(fate) ? 10U : 0U);
      std::string whole;
      append_document(made_document(id), whole);
      for (std::size_t size = whole.size() + 1; size < bytes.size(); ++size) {
        EXPECT_FALSE(read_document(std::string_view(bytes).substr(0, size), read)) << size;
      }
      EXPECT_FALSE(read_document(bytes + "x", read));
      bytes[whole.size()] = 0;  // kept
      EXPECT_FALSE(read_document(bytes, read));
    }
  }
}

TEST(IndexedDocument, CutOrLongerBytesAreNone) {
  std::string bytes;
  const std::string id = "\"x\"";
  append_document(made_document(id), bytes);
  IndexedDocument read;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(read_document(std::string_view(bytes).substr(0, size), read)) << size;
  }
  EXPECT_FALSE(read_document(bytes + "x", read));
}

}  // namespace
}  // namespace twinset::testing
