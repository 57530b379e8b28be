#include "reuse/reuse_rules.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(ReuseRules, OptionsBecomeRules) {
  ChunkSettings settings;
  EXPECT_EQ(chunk_rules(settings).value(), ChunkRules());
  settings.at = "p,cell,frame";
  settings.content = ChunkSettings::Content::text;
  settings.hash = ChunkSettings::Hash::sha256;
  settings.min_chars = 26;
  EXPECT_EQ(to_text(chunk_rules(settings).value()),
            to_text({.elements = chunk_elements::paragraphs | chunk_elements::cells |
                                 chunk_elements::frames,
                     .content = ChunkContent::text,
                     .hash = ChunkHash::sha256,
                     .least_characters = least_characters_of_phish}));
  settings = {};
  settings.at = "div,ends";
  settings.chunk_attributes = ChunkSettings::Attributes::ignore;
  EXPECT_EQ(chunk_rules(settings).value(),
            (ChunkRules{.elements = chunk_elements::divisions | chunk_elements::ends,
                        .attributes = ChunkAttributes::ignore}));
  settings = {};
  settings.chunks = ChunkSettings::Cuts::hadoop;
  EXPECT_EQ(chunk_rules(settings).value(), hadoop_chunks());
  settings.chunks = ChunkSettings::Cuts::auntietuna;
  EXPECT_EQ(chunk_rules(settings).value(), auntietuna_chunks());
  settings.chunks = ChunkSettings::Cuts::paragraphs;
  EXPECT_EQ(chunk_rules(settings).value().cuts, ChunkCuts::paragraphs);
}

TEST(ReuseRules, WhatDoesNotFitIsRefused) {
  const auto refused = [](ChunkSettings settings, const std::string& said) {
    const Result<ChunkRules> rules = chunk_rules(settings);
    ASSERT_FALSE(rules.ok()) << said;
    EXPECT_EQ(rules.error().code, ErrorCode::usage);
    EXPECT_NE(rules.error().text(Door::command_line).find(said), std::string::npos)
        << rules.error().message;
  };
  ChunkSettings settings;
  settings.at = "p,span";
  refused(settings, "--at span");
  settings.at = "";
  refused(settings, "--at names no element");
  settings.at = "ends";
  refused(settings, "--at names no element");
  settings = {};
  settings.content = ChunkSettings::Content::text;
  settings.chunk_attributes = ChunkSettings::Attributes::ignore;
  refused(settings, "--chunk-attributes ignore is for --content markup");
  settings.content = ChunkSettings::Content::markup;
  settings.chunks = ChunkSettings::Cuts::paragraphs;
  refused(settings, "--chunk-attributes are for --chunks html");
  settings = {};
  settings.chunks = ChunkSettings::Cuts::hadoop;
  settings.at = "p";
  refused(settings, "--chunks html");
  settings = {};
  settings.hash = ChunkSettings::Hash::sha1;
  settings.hash_seed = 3;
  refused(settings, "--hash-seed");
  settings = {};
  settings.min_chars = std::uint64_t{1} << 32;
  refused(settings, "--min-chars 4294967296");
}

TEST(ReuseRules, RepeatsHaveARange) {
  for (const std::uint64_t repeats : {0, 2, 3, 256}) {
    EXPECT_TRUE(check_page_settings({.repeats = repeats}).ok()) << repeats;
  }
  for (const std::uint64_t repeats : {1, 257}) {
    EXPECT_FALSE(check_page_settings({.repeats = repeats}).ok()) << repeats;
  }
}

}  // namespace
}  // namespace twinset
