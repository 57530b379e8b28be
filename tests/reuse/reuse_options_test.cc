#include "reuse/reuse_options.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(ReuseOptions, ValuesReachTheirMembers) {
  ChunkSettings chunks;
  PageSettings pages;
  const auto set = [](std::vector<Option> options, std::string_view name, std::string_view value) {
    for (const Option& option : options) {
      if (option.name() != name) continue;
      EXPECT_EQ(option.role, OptionRole::decides) << name;
      return option.set(value).ok();
    }
    ADD_FAILURE() << "no option " << name;
    return false;
  };
  EXPECT_TRUE(set(chunk_options(chunks), "chunks", "auntietuna"));
  EXPECT_EQ(chunks.chunks, ChunkSettings::Cuts::auntietuna);
  EXPECT_FALSE(set(chunk_options(chunks), "chunks", "words"));
  EXPECT_TRUE(set(chunk_options(chunks), "at", "p,table"));
  EXPECT_EQ(chunks.at, "p,table");
  EXPECT_TRUE(set(chunk_options(chunks), "content", "text"));
  EXPECT_EQ(chunks.content, ChunkSettings::Content::text);
  EXPECT_TRUE(set(chunk_options(chunks), "hash", "sha1"));
  EXPECT_EQ(chunks.hash, ChunkSettings::Hash::sha1);
  EXPECT_TRUE(set(chunk_options(chunks), "hash_seed", "7"));
  EXPECT_EQ(chunks.hash_seed, 7U);
  EXPECT_TRUE(set(chunk_options(chunks), "min_chars", "26"));
  EXPECT_EQ(chunks.min_chars, 26U);
  EXPECT_TRUE(set(page_options(pages), "url", "target.uri"));
  EXPECT_EQ(pages.url, "target.uri");
  EXPECT_TRUE(set(page_options(pages), "repeats", "0"));
  EXPECT_EQ(pages.repeats, 0U);
}

}  // namespace
}  // namespace twinset
