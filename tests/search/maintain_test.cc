// What is done to an index besides adding and asking.
#include "search/search_testing.h"

namespace twinset::testing {
namespace {

TEST(IndexMaintain, MakesDeletesCompactsVerifiesAndCounts) {
  SearchFolder index;
  const auto created = index.create();
  ASSERT_TRUE(created.ok());
  EXPECT_EQ(created.value().stats.settings.scheme.size(), 1U);
  EXPECT_EQ(created.value().stats.documents, 0U);
  EXPECT_EQ(index.create().error().code, ErrorCode::usage);
  std::string lines;
  for (int i = 0; i < 20; ++i) {
    lines += record_line("d" + std::to_string(i), words_of(static_cast<std::uint64_t>(i), 30));
  }
  lines += "{\"id\": 5, \"text\": \"a number\"}\n";
  ASSERT_TRUE(index.add(lines).ok());
  const auto removed = index.remove({"d3", "d3", "nobody", "5"});
  ASSERT_TRUE(removed.ok());
  EXPECT_EQ(removed.value().removed, 2U);
  EXPECT_EQ(removed.value().not_there, std::vector<std::string>{"nobody"});
  index.options.inputs = {};
  const auto stats = index_stats(index.options, quiet_control());
  EXPECT_EQ(stats.value().stats.documents, 19U);
  EXPECT_EQ(stats.value().stats.deleted, 2U);
  EXPECT_GT(stats.value().stats.bytes, 1000U);
  EXPECT_TRUE(verify_index(index.options, quiet_control()).ok());
  const auto compacted = compact_index(index.options, quiet_control());
  ASSERT_TRUE(compacted.ok());
  EXPECT_EQ(compacted.value().stats.deleted, 0U);
  EXPECT_EQ(compacted.value().stats.documents, 19U);
  EXPECT_EQ(index.all().size(), 19U);
  EXPECT_EQ(index.remove({}).error().message, "no id given to delete");
}

/// Flips a bit of a file of the index, and verifies it.
Error verify_with_a_flip(SearchFolder& index, const std::string& name, std::size_t at) {
  std::string bytes = index.folder.read(name);
  bytes.at(at) = static_cast<char>(bytes.at(at) ^ 1);
  index.folder.write(name, bytes);
  index.options.inputs = {};
  const auto verified = verify_index(index.options, quiet_control());
  EXPECT_FALSE(verified.ok());
  return verified.ok() ? Error() : verified.error();
}

TEST(IndexMaintain, VerifyNamesTheDamage) {
  SearchFolder index;
  ASSERT_TRUE(index.create().ok());
  std::string lines;
  for (std::uint64_t i = 0; i < 300; ++i) {
    lines += record_line("d" + std::to_string(i), words_of(i, 30));
  }
  ASSERT_TRUE(index.add(lines).ok());
  const Error error = verify_with_a_flip(index, "x/1/keys", 100);
  EXPECT_EQ(error.code, ErrorCode::io);
  EXPECT_EQ(error.message,
            (index.folder / "x/1/keys") +
                " is damaged: a block fails its checksum at byte 0; take a copy of the file, or "
                "make it again");
}

TEST(IndexMaintain, VerifyNamesTheDamageOfTheLog) {
  SearchFolder index;
  ASSERT_TRUE(index.create().ok());
  ASSERT_TRUE(index.add(record_line("a", words_of(1, 300))).ok());
  const Error error = verify_with_a_flip(index, "x/log.1", 200);
  EXPECT_EQ(error.code, ErrorCode::io);
  EXPECT_NE(error.message.find((index.folder / "x/log.1") + " is damaged: the batch at byte "),
            std::string::npos)
      << error.message;
}

TEST(IndexMaintain, WithoutAnIndexIsAnError) {
  SearchFolder index;
  for (const auto act : {compact_index, verify_index, index_stats}) {
    EXPECT_NE(act(index.options, quiet_control()).error().message.find("there is no index"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace twinset::testing
