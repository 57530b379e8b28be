// The table of named character references: complete, in order, and found by name.
#include "text/html_entities.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "text/utf8.h"

namespace twinset::html {
namespace {

TEST(HtmlEntities, EachNameFindsItsOwn) {
  std::size_t legacy = 0;
  std::string_view before;
  for (const Entity& entity : entities) {
    const std::string_view name = entity_name(entity);
    EXPECT_EQ(find_entity(name), &entity) << name;
    EXPECT_LT(before, name) << "sorted, so that none stands twice";
    EXPECT_LE(name.size(), longest_entity_name);
    EXPECT_EQ(find_entity(std::string(name) + "q9"), nullptr);
    if (entity.without_semicolon) {
      ++legacy;
      EXPECT_LE(name.size(), longest_legacy_name);
    }
    before = name;
  }
  EXPECT_EQ(legacy, 106u) << "the standard's names without a semicolon";
}

TEST(HtmlEntities, TextsAreOneOrTwoCharacters) {
  std::size_t pairs = 0;
  for (const Entity& entity : entities) {
    const utf8::Decoded first = utf8::decode(entity.text(), 0);
    ASSERT_TRUE(first.valid) << entity_name(entity);
    if (first.bytes == entity.text().size()) continue;
    const utf8::Decoded second = utf8::decode(entity.text(), first.bytes);
    EXPECT_TRUE(second.valid);
    EXPECT_EQ(first.bytes + second.bytes, entity.text().size());
    ++pairs;
  }
  EXPECT_EQ(pairs, 93u);
}

TEST(HtmlEntities, OnlyTwoAreLongerThanTheirReference) {
  for (const Entity& entity : entities) {
    const std::string_view name = entity_name(entity);
    const std::size_t reference_bytes = name.size() + (entity.without_semicolon ? 1 : 2);
    EXPECT_EQ(entity.text().size() > reference_bytes, name == "nGt" || name == "nLt") << name;
  }
}

TEST(HtmlEntities, CaseMatters) {
  EXPECT_EQ(find_entity("eacute")->text(), "\xC3\xA9");
  EXPECT_EQ(find_entity("Eacute")->text(), "\xC3\x89");
  EXPECT_EQ(find_entity("EACUTE"), nullptr);
  EXPECT_EQ(find_entity(""), nullptr);
}

}  // namespace
}  // namespace twinset::html
