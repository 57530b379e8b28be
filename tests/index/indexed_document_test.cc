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
          .bytes_hash = 1,
          .tokens_hash = {2, 3}};
}

TEST(IndexedDocument, IsReadAsItWasWritten) {
  for (const std::string& id : {std::string(), std::string("\"x\""), std::string(1'000'000, 'i')}) {
    const IndexedDocument document = made_document(id);
    std::string bytes;
    append_document(document, bytes);
    IndexedDocument read;
    ASSERT_TRUE(read_document(bytes, read));
    EXPECT_EQ(read, document);
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
