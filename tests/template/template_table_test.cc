#include "template/template_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "io/field_json.h"
#include "rows/table.h"
#include "system/memory_files.h"
#include "template/template_fields.h"

namespace twinset {
namespace {

class TemplateTableFile : public ::testing::Test {
 protected:
  TemplateTableFile() { context.files = &files; }

  void write(const std::map<std::uint64_t, std::uint64_t>& counts) {
    TemplateFacts nothing;
    const std::string learned = fields_json(learned_fields(nothing));
    TableWriter<TemplateRow> writer(context, "t", TemplateTable::kind(7), learned);
    for (const auto& [key, count] : counts) {
      const TemplateRow row{key, count};
      ASSERT_TRUE(writer.append(std::span(&row, 1)).ok());
    }
    ASSERT_TRUE(writer.finish().ok());
  }

  MemoryFiles files;
  RunContext context;
};

TEST_F(TemplateTableFile, GivesEachCountAndNoOther) {
  std::mt19937_64 random(1);
  const std::vector<std::uint64_t> tokens{1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<PageBlock> blocks{{0, 6, false}, {6, 8, true}};
  TemplateKeys keys;
  keys.make(9, tokens, blocks);
  ASSERT_EQ(keys.windows.size(), 4U);
  ASSERT_EQ(keys.blocks.size(), 2U);
  std::map<std::uint64_t, std::uint64_t> counts;
  for (int i = 0; i < 5000; ++i) counts[random()] = 11 + random() % 100;
  counts[keys.windows[0]] = 30;
  counts[keys.windows[3]] = 40;
  counts[keys.blocks[1]] = 50;
  counts[site_key(9)] = 1000 << 8 | 15;
  write(counts);
  const auto table = TemplateTable::open(files, "t", 7);
  ASSERT_TRUE(table.ok()) << table.error().message;
  EXPECT_EQ(table.value()->rows(), counts.size());
  PageFrequencies found;
  table.value()->look_up(9, tokens, blocks, keys, found);
  EXPECT_EQ(found.tokens, (std::vector<std::uint64_t>{30, 30, 30, 40, 40, 40, 40, 40}));
  EXPECT_EQ(found.blocks, (std::vector<std::uint64_t>{0, 50}));
  EXPECT_EQ(table.value()->site(9), (TemplateSite{1000, 15}));
  EXPECT_EQ(table.value()->site(10), std::nullopt);
}

TEST_F(TemplateTableFile, MayBeEmpty) {
  write({});
  const auto table = TemplateTable::open(files, "t", 7);
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table.value()->site(9), std::nullopt);
}

TEST_F(TemplateTableFile, OfAnotherAnalyzerIsRefused) {
  write({{1, 11}});
  EXPECT_FALSE(TemplateTable::open(files, "t", 8).ok());
  EXPECT_FALSE(TemplateTable::open(files, "missing", 7).ok());
}

TEST(TemplateKeys, DifferBySiteAndKind) {
  const std::vector<std::uint64_t> tokens{1, 2, 3, 4, 5};
  const std::vector<PageBlock> blocks{{0, 5, false}};
  TemplateKeys one;
  TemplateKeys other;
  one.make(1, tokens, blocks);
  other.make(2, tokens, blocks);
  EXPECT_NE(one.windows, other.windows);
  EXPECT_NE(one.blocks, other.blocks);
  EXPECT_NE(one.windows, one.blocks);
}

}  // namespace
}  // namespace twinset
