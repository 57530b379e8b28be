#include "web/chunk_options.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(ChunkOptions, ValuesReachTheirMembers) {
  ChunkSettings chunks;
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
  EXPECT_TRUE(set(chunk_options(chunks), "white_space", "keep"));
  EXPECT_EQ(chunks.white_space, ChunkSettings::WhiteSpace::keep);
  for (const std::string_view hash : chunk_hash_names()) {
    ChunkSettings hashed;
    EXPECT_TRUE(set(chunk_options(hashed), "hash", hash));
    EXPECT_EQ(chunk_hash_name(chunk_rules(hashed).value().hash), hash);
  }
  EXPECT_TRUE(set(chunk_options(chunks), "hash_seed", "7"));
  EXPECT_EQ(chunks.hash_seed, 7U);
  EXPECT_TRUE(set(chunk_options(chunks), "min_chars", "26"));
  EXPECT_EQ(chunks.min_chars, 26U);
}

TEST(ChunkOptions, OptionsBecomeRules) {
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
  settings.white_space = ChunkSettings::WhiteSpace::keep;
  EXPECT_EQ(chunk_rules(settings).value().white_space, ChunkWhiteSpace::keep);
}

TEST(ChunkOptions, WhatDoesNotFitIsRefused) {
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
  settings.white_space = ChunkSettings::WhiteSpace::keep;
  refused(settings, "--white-space keep is for --chunks html and paragraphs");
  settings.white_space = ChunkSettings::WhiteSpace::normalize;
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

}  // namespace
}  // namespace twinset
