#include "discover/label_texts.h"

#include <gtest/gtest.h>

#include <map>

#include "discover/discover_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(LabelTexts, HasTheWholeHashAndTheWordsOfEachLabelOnce) {
  const std::string longer(300, 'x');
  DiscoverFixture fixture(
      {{"one\n\ntwo  words\n\none", longer + "\n\none"}, {"two words\n\n" + longer}});
  fixture.rule().chunks.hash = ChunkHash::sha256;
  fixture.read();
  FoundLabels found(fixture.job(), fixture.seen(), fixture.documents(), 1 << 20);
  ObjectCounts counts;
  ASSERT_TRUE(found.find(LabelKind::chunk, {.over = 1}, fixture.seen().chunks(), counts).ok());
  ASSERT_TRUE(found.find(LabelKind::file, {.over = 0}, fixture.seen().files(), counts).ok());
  ASSERT_TRUE(found.seal().ok());
  auto texts = LabelTexts::make(fixture.job(), fixture.rule(), fixture.documents(), found.labels());
  ASSERT_TRUE(texts.ok()) << texts.error().message;
  fixture.pass(*texts.value());
  EXPECT_EQ(texts.value()->size(), 3U + 3);
  const auto sorted = texts.value()->sorted(1 << 20);
  ASSERT_TRUE(sorted.ok());
  std::map<ChunkDigest, std::string> by_hash;
  Key128 last;
  ASSERT_TRUE(for_each_row(*sorted.value()->read().value(), [&](const BlobKey& row) -> Status {
                EXPECT_LE(last, row.key);
                last = row.key;
                LabelText text;
                TWINSET_TRY(texts.value()->read(row.number, text));
                EXPECT_EQ(text.hash.key(), row.key);
                if (text.kind == LabelKind::chunk) by_hash[text.hash] = text.text;
                return {};
              }).ok());
  ASSERT_EQ(by_hash.size(), 3U);
  EXPECT_EQ(by_hash.at(hash_chunk("one", ChunkHash::sha256)), "one");
  EXPECT_EQ(by_hash.at(hash_chunk("two words", ChunkHash::sha256)), "two words");
  EXPECT_TRUE(by_hash.at(hash_chunk(longer, ChunkHash::sha256)).starts_with(longer.substr(0, 240)));
}

}  // namespace
}  // namespace twinset
