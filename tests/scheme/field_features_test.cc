#include "scheme/field_features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "scheme/record_documents.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

/// A text whose largest weight is 1,000.
FeatureList text_features() {
  FeatureList features;
  features.add(1, 1000);
  features.add(2, 10);
  return features;
}

/// The weights that fields add to a document, sorted.
std::vector<std::uint64_t> added(const JsonDocument& document, const FieldFeatures& fields) {
  FeatureList features = text_features();
  add_field_features(document.view(), fields, features);
  std::vector<std::uint64_t> weights(features.weights.begin() + 2, features.weights.end());
  std::ranges::sort(weights);
  return weights;
}

// S-01, S-06: authors and sections as features, at a share of the largest weight.
TEST(FieldFeatures, EachValueIsAFeature) {
  const std::vector<std::string> names{"title", "people", "meta.section", "none", "null", "page"};
  const JsonDocument document(
      R"({"text": "t", "title": "Trade", "people": ["Ken", "Ann", "KEN", null], )"
      R"("meta": {"section": "W"}, "null": null, "page": 7})",
      names);
  // The title, two people (one twice), the section, the page.
  EXPECT_THAT(added(document, {.values = names}), ElementsAre(1000, 1000, 1000, 1000, 1000));
  EXPECT_THAT(added(document, {.values = {"title"}, .percent = 50}), ElementsAre(500));
  EXPECT_THAT(added(document, {.values = {"title"}, .percent = 250}), ElementsAre(2500));
  EXPECT_THAT(added(document, {.values = {"none"}}), ElementsAre());
  FeatureList empty;
  add_field_features(document.view(), {.values = names}, empty);
  EXPECT_EQ(empty.size(), 0U);
}

// S-07: 0 and 1 weigh all, 1/4 and 3/4 half of it, 1/2 nothing; low and high are two features.
TEST(FieldFeatures, ExtremesWeighMost) {
  const std::vector<std::string> names{"rank"};
  const auto document = [&](const std::string& rank) {
    return JsonDocument(R"({"text": "t", "rank": )" + rank + "}", names);
  };
  const FieldFeatures fields{.extremes = names};
  for (const auto& [rank, weight] :
       std::vector<std::pair<std::string, std::uint64_t>>{{"0", 1000},
                                                          {"1", 1000},
                                                          {"0.25", 500},
                                                          {"\"0.75\"", 500},
                                                          {"-3", 1000},
                                                          {"7e9", 1000}}) {
    EXPECT_THAT(added(document(rank), fields), ElementsAre(weight)) << rank;
  }
  for (const char* rank : {"0.5", "\"high\"", "null", "true", "\"0.9 \"", "\"nan\""}) {
    EXPECT_THAT(added(document(rank), fields), ElementsAre()) << rank;
  }
  std::set<std::uint64_t> hashes;
  for (const char* rank : {"0.1", "0.2", "0.8", "0.9"}) {
    FeatureList features = text_features();
    add_field_features(document(rank).view(), fields, features);
    hashes.insert(features.hashes.back());
  }
  EXPECT_EQ(hashes.size(), 2U);
}

// S-07: log2(1 + count) / 32 of the largest weight.
TEST(FieldFeatures, CountsWeighByTheirLogarithm) {
  const std::vector<std::string> names{"views"};
  for (const auto& [count, weight] :
       std::vector<std::pair<std::string, std::uint64_t>>{{"1", 31},
                                                          {"3", 62},
                                                          {"255", 250},
                                                          {"65535", 500},
                                                          {"4294967295", 1000},
                                                          {"1e300", 1000}}) {
    EXPECT_THAT(
        added(JsonDocument(R"({"text": "t", "views": )" + count + "}", names), {.counts = names}),
        ElementsAre(weight))
        << count;
  }
  for (const char* count : {"0", "-5", "\"many\""}) {
    EXPECT_THAT(added(JsonDocument(R"({"text": "t", "views": )" + std::string(count) + "}", names),
                      {.counts = names}),
                ElementsAre())
        << count;
  }
}

TEST(FieldFeatures, AValueIsItsWordsAndItsField) {
  const PageDocument document("t", Markup::none);
  const auto hash = [&](std::string_view name, std::string_view value) {
    return field_value_hash(document.view(), name, value);
  };
  EXPECT_EQ(hash("title", "Trade Surplus"), hash("title", "  trade, SURPLUS!"));
  EXPECT_NE(hash("title", "trade surplus"), hash("title", "surplus trade"));
  EXPECT_NE(hash("title", "trade"), hash("headline", "trade"));
  EXPECT_NE(hash("title", "?"), hash("title", "!"));
}

TEST(FieldFeatures, AllFieldsTogetherHaveAHash) {
  const std::vector<std::string> names{"a", "b"};
  std::set<std::uint64_t> hashes;
  for (const char* line :
       {R"({"text": "t"})", R"({"text": "t", "a": "x"})", R"({"text": "t", "b": "x"})",
        R"({"text": "t", "a": "x", "b": "x"})", R"({"text": "t", "a": ["x", "x"]})",
        R"({"text": "t", "a": ["x", "y"]})", R"({"text": "t", "a": "x y"})"}) {
    hashes.insert(hash_of_fields(JsonDocument(line, names).view(), names));
  }
  EXPECT_EQ(hashes.size(), 7U);
}

TEST(FieldFeatures, BitsHoldNumbersThatFit) {
  const auto bits = [](const std::string& value, unsigned count) {
    return field_bits(JsonDocument(R"({"text": "t", "f": )" + value + "}", {"f"}).view(), "f",
                      count);
  };
  EXPECT_EQ(bits("255", 8), 255U);
  EXPECT_EQ(bits("\"7\"", 8), 7U);
  EXPECT_EQ(bits("null", 8), 0U);
  EXPECT_LT(bits("256", 8), 256U);
  EXPECT_LT(bits("\"a word\"", 3), 8U);
  EXPECT_EQ(bits("\"A word\"", 32), bits("\"a WORD\"", 32));
  EXPECT_NE(bits("\"a word\"", 32), bits("\"two words\"", 32));
  EXPECT_NE(bits("[1, 2]", 32), bits("[2, 1]", 32));
}

TEST(FieldFeatures, NamesAreSplitAtCommas) {
  EXPECT_THAT(split_names("").value(), ElementsAre());
  EXPECT_THAT(split_names("a").value(), ElementsAre("a"));
  EXPECT_THAT(split_names(" a , meta.b,c d").value(), ElementsAre("a", "meta.b", "c d"));
  EXPECT_THAT(split_names("a,").error().message, HasSubstr("after the last comma"));
  EXPECT_THAT(split_names(",a").error().message, HasSubstr("an empty name"));
  EXPECT_THAT(split_names("a, a").error().message, HasSubstr("named twice"));
}

}  // namespace
}  // namespace twinset
