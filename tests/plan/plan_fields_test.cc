#include <gtest/gtest.h>

#include "io/field_json.h"
#include "twinset/field.h"
#include "twinset/plan.h"

namespace twinset {
namespace {

Plan filled() {
  Plan plan;
  plan.run = PlannedRun::cluster;
  plan.read = 9;
  plan.documents = 8;
  plan.quarantined = 1;
  plan.text_bytes = 1000;
  plan.keys = 70;
  plan.scheme = "fss(bins=1)";
  plan.counts_keys = true;
  plan.key_share = 1.0 / 3;
  plan.sampled_documents = 6;
  plan.copies = {1, 0.5, 1.5};
  plan.clustered_documents = {0, 0, 0, false};
  plan.bins = {{0.5, 0.55, std::nullopt, 2, std::nullopt}, {0.8, 0.85, 0.25, 3, 12}};
  plan.coordinates = SignedCoordinates{11, 6.5};
  plan.by_edits = {{2, 0.125, 21}};
  plan.least_memory = 96;
  plan.unspilled_memory = 97;
  plan.peak_memory = 98.5;
  plan.spilled = -1;
  plan.costs = {{"read", 1.5, 2}, {"write", 1, 1}};
  plan.skipped = {"a.png: a picture"};
  return plan;
}

TEST(PlanFields, AreTheWholeJson) {
  Plan plan = filled();
  const std::string zero = R"({"value": 0, "low": 0, "high": 0})";
  const std::string json =
      "{\n"
      "  \"run\": \"cluster\",\n"
      "  \"read\": 9,\n"
      "  \"documents\": 8,\n"
      "  \"quarantined\": 1,\n"
      "  \"text_bytes\": 1000,\n"
      "  \"keys\": 70,\n"
      "  \"scheme\": \"fss(bins=1)\",\n"
      "  \"resemblance\": \"0.8\",\n"
      "  \"key_share\": 0.3333333333333333,\n"
      "  \"document_share\": 1,\n"
      "  \"sampled_documents\": 6,\n"
      R"(  "predicted": {"copies": {"value": 1, "low": 0.5, "high": 1.5}, "candidate_pairs": )" +
      zero + R"(, "groups": )" + zero + R"(, "common_keys": )" + zero + R"(, "meetings": )" + zero +
      R"(, "pairs": )" + zero +
      ", \"clustered_documents\": null},\n"
      "  \"by_resemblance\": [\n"
      R"(    {"from": 0.5, "to": 0.55, "found": null, "candidates": 2, "pairs": null},)"
      "\n"
      R"(    {"from": 0.8, "to": 0.85, "found": 0.25, "candidates": 3, "pairs": 12}],)"
      "\n"
      R"(  "coordinates": {"coordinates": 11, "signed": 6.5},)"
      "\n"
      R"(  "by_edits": [{"edits": 2, "found": 0.125, "lexicons": 21}],)"
      "\n"
      R"(  "costs": {"least_memory_bytes": 96, "unspilled_memory_bytes": 97, )"
      R"("peak_memory_bytes": 99, "spilled_bytes": 0, "seconds": 2.5, "stages": )"
      R"({"read": {"seconds": 1.5, "cpu_seconds": 2}, "write": {"seconds": 1, "cpu_seconds": 1}}},)"
      "\n"
      R"(  "skipped": ["a.png: a picture"],)"
      "\n"
      R"(  "guessed": [],)"
      "\n"
      R"(  "lost_inputs": [],)"
      "\n"
      R"(  "invalid_utf8": {"records": 0, "files": 0, "first": ""},)"
      "\n"
      R"(  "raw_html": {"records": 0, "files": 0, "first": ""},)"
      "\n"
      R"(  "without_document": {"records": 0, "files": 0, "first": ""},)"
      "\n"
      R"(  "mended_lengths": {"records": 0, "files": 0, "first": ""},)"
      "\n"
      R"(  "without_value": {"records": 0, "files": 0, "first": ""},)"
      "\n"
      R"(  "left_out_content": {"scripts": 0, "style_sheets": 0, "empty_pages": 0})"
      "\n}\n";
  EXPECT_EQ(fields_json(fields_of(plan), JsonLayout::lines), json);
}

/// The names of the numbers that are predicted.
std::string predicted(Plan plan) {
  std::string names;
  for (const Field& field : fields_of(plan)) {
    if (field.name != "predicted") continue;
    for (const Field& number : std::get<Nested>(field.member).fields()) {
      if (number.presence != Presence::left_out) names += std::string(number.name) + " ";
    }
  }
  return names;
}

TEST(PlanFields, HaveTheNumbersOfTheRunAndTheScheme) {
  Plan plan;
  EXPECT_EQ(predicted(plan), "copies candidate_pairs pairs removed clusters clustered_documents ");
  plan.document_share = 0.5;
  EXPECT_EQ(predicted(plan), "copies candidate_pairs pairs removed clustered_documents ");
  plan.run = PlannedRun::cluster;
  EXPECT_EQ(predicted(plan), "copies candidate_pairs pairs clustered_documents ");
  plan.estimates = false;
  EXPECT_EQ(predicted(plan), "copies candidate_pairs ");
  plan.counts_keys = true;
  EXPECT_EQ(predicted(plan), "copies candidate_pairs groups common_keys meetings ");
}

}  // namespace
}  // namespace twinset
