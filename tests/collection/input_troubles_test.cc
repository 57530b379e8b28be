#include "collection/input_troubles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "base/message.h"
#include "collection/file_collection.h"

namespace twinset {
namespace {

Record bad(std::uint64_t number, BadReason reason, std::string_view detail,
           std::string_view raw = "", std::uint64_t stored_offset = 0) {
  Record record;
  record.number = number;
  record.bad = reason;
  record.detail = detail;
  record.raw = raw;
  record.stored_offset = stored_offset;
  return record;
}

InputList list_of(const std::vector<std::string>& names) {
  InputList list;
  for (const std::string& name : names) {
    Input input;
    input.shown = name;
    input.status.size = 1000;
    list.inputs.push_back(input);
  }
  return list;
}

RunFacts described(const InputTroubles& troubles, const InputList& list) {
  RunFacts facts;
  describe_troubles(troubles, FileCollection(disk(), list), facts);
  return facts;
}

/// Records 1 to 6 of source 1: five are bad because a field is missing, in as many batches.
InputTroubles missing_fields(const std::vector<std::size_t>& batch_ends) {
  InputTroubles troubles;
  InputTrouble batch;
  batch.source = 1;
  std::size_t end = 0;
  for (std::uint64_t i = 1; i <= 5; ++i) {
    const std::string raw = "{\"id\": 1, \"f" + std::to_string(i) + "\": 2, \"a\": {\"b\": 1}}\n";
    batch.note(bad(i, BadReason::missing_text, "no field \"text\"", raw));
    if (end < batch_ends.size() && batch_ends[end] == i) {
      troubles.add(std::move(batch));
      batch = {};
      batch.source = 1;
      ++end;
    }
  }
  troubles.add(std::move(batch));
  troubles.end_input(1, 6);
  return troubles;
}

TEST(InputTroubles, MoreThanHalfBadIsAWarningWithTheFieldsThereAre) {
  const InputList list = list_of({"a.jsonl", "b.jsonl"});
  const RunFacts facts = described(missing_fields({}), list);
  EXPECT_TRUE(facts.lost_inputs.empty());
  ASSERT_EQ(facts.warnings.size(), 1U);
  EXPECT_EQ(facts.warnings[0],
            "b.jsonl: 5 of its 6 records are not documents: no field \"text\"; the records have: "
            "id, f1, a, f2, f3, f4");
  for (const std::vector<std::size_t>& ends :
       {std::vector<std::size_t>{1}, {2, 3}, {1, 2, 3, 4, 5}, {4}}) {
    EXPECT_EQ(described(missing_fields(ends), list).warnings, facts.warnings);
  }
}

TEST(InputTroubles, InputsWithOneCauseHaveOneLine) {
  const InputList list = list_of({"a.jsonl", "b.jsonl", "c.jsonl"});
  InputTroubles troubles;
  for (std::uint64_t source = 0; source < 3; ++source) {
    InputTrouble batch;
    batch.source = source;
    for (std::uint64_t i = 1; i <= 2; ++i) {
      batch.note(source < 2 ? bad(i, BadReason::missing_text, "no field \"text\"", "{\"a\": 1}\n")
                            : bad(i, BadReason::invalid_json, "no object", "x\n"));
    }
    troubles.add(std::move(batch));
    troubles.end_input(source, 3);
  }
  const RunFacts facts = described(troubles, list);
  ASSERT_EQ(facts.warnings.size(), 2U);
  const auto with = [&](const std::string& text) {
    return std::ranges::count_if(facts.warnings, [&](const std::string& warning) {
      return warning.find(text) != std::string::npos;
    });
  };
  EXPECT_EQ(with("a.jsonl: 2 of its 3 records are not documents: no field \"text\""), 1);
  EXPECT_EQ(with("; and so it is in 1 more input"), 1);
  EXPECT_EQ(with("c.jsonl: "), 1);
}

TEST(InputTroubles, ACheckpointBringsThemBack) {
  InputTroubles troubles = missing_fields({3});
  InputTrouble fault;
  fault.source = 2;
  fault.note(bad(7, BadReason::corrupt_stream,
                 "byte 300 of the file as stored: gzip: checksum\n\"differs\"", "", 300));
  troubles.add(std::move(fault));
  troubles.end_input(2, 7);
  InputTroubles loaded;
  for (std::size_t i = 0; i < troubles.inputs().size(); ++i) {
    EXPECT_EQ(troubles.line(i).find('\n'), std::string::npos);
    ASSERT_TRUE(loaded.add_line(troubles.line(i)).ok());
  }
  const InputList list = list_of({"a", "b", "c"});
  EXPECT_EQ(described(loaded, list).warnings, described(troubles, list).warnings);
  const std::vector<LostInput> lost = described(troubles, list).lost_inputs;
  const std::vector<LostInput> again = described(loaded, list).lost_inputs;
  ASSERT_EQ(again.size(), lost.size());
  for (std::size_t i = 0; i < lost.size(); ++i) {
    EXPECT_EQ(again[i].file + again[i].reason + again[i].cause,
              lost[i].file + lost[i].reason + lost[i].cause);
    EXPECT_EQ(again[i].bytes_read, lost[i].bytes_read);
    EXPECT_EQ(again[i].records_read, lost[i].records_read);
  }
  EXPECT_FALSE(loaded.add_line("{\"source\": ").ok());
  const std::string line = troubles.line(0);
  for (const auto& [from, by, said] : std::vector<std::array<std::string, 3>>{
           {"\"reason\": 2", "\"reason\": 99", "kinds[0].reason is no reason"},
           {"\"reason\": 2", "\"reason\": \"2\"", "kinds[0].reason is no reason"},
           {"\"source\": ", "\"source\": 1, \"source\": ", "source is given twice"},
           {"\"first\": ", "\"last\": ", "kinds[0].first is missing"},
           {"[[\"id\"", "[7, [\"id\"", "fields[0] is not an array"}}) {
    std::string damaged = line;
    ASSERT_NE(damaged.find(from), std::string::npos) << from << line;
    damaged.replace(damaged.find(from), from.size(), by);
    EXPECT_NE(loaded.add_line(damaged).error().message.find(said), std::string::npos) << damaged;
  }
}

TEST(InputTroubles, ADamagedInputIsLostFromThereOn) {
  InputTroubles troubles;
  InputTrouble batch;
  batch.note(bad(5, BadReason::corrupt_stream,
                 "byte 300 of the file as stored: gzip: invalid block", "", 300));
  batch.note(bad(9, BadReason::corrupt_stream,
                 "byte 700 of the file as stored: gzip: invalid block", "", 700));
  troubles.add(std::move(batch));
  troubles.end_input(0, 12);
  const RunFacts facts = described(troubles, list_of({"a.jsonl.gz"}));
  ASSERT_EQ(facts.lost_inputs.size(), 1U);
  const LostInput& lost = facts.lost_inputs[0];
  EXPECT_EQ(lost.file, "a.jsonl.gz");
  EXPECT_EQ(lost.reason, "corrupt_stream");
  EXPECT_EQ(lost.cause, "gzip: invalid block; 1 more place is damaged");
  EXPECT_EQ(lost.bytes_read, 300U);
  EXPECT_EQ(lost.records_read, 10U);
  EXPECT_TRUE(facts.warnings.empty());
}

TEST(InputTroubles, NoDocumentIsLostAndAFewBadRecordsAreNot) {
  InputTroubles troubles;
  InputTrouble all;
  all.note(bad(1, BadReason::invalid_json, "not an object at byte 0 of the record"));
  all.note(bad(2, BadReason::invalid_json, "something else"));
  all.note(bad(3, BadReason::record_too_long, ""));
  troubles.add(std::move(all));
  troubles.end_input(0, 3);
  InputTrouble few;
  few.source = 1;
  few.note(bad(2, BadReason::invalid_json, "not an object"));
  troubles.add(std::move(few));
  troubles.end_input(1, 2);
  const RunFacts facts = described(troubles, list_of({"a", "b"}));
  ASSERT_EQ(facts.lost_inputs.size(), 1U);
  EXPECT_EQ(facts.lost_inputs[0].reason, "no_document");
  EXPECT_EQ(facts.lost_inputs[0].cause,
            "none of its 3 records is a document: not JSON: not an object at byte 0 of the record "
            "(record 1)");
  EXPECT_EQ(facts.lost_inputs[0].bytes_read, 1000U);
  EXPECT_EQ(facts.lost_inputs[0].records_read, 3U);
  EXPECT_TRUE(facts.warnings.empty());
}

TEST(InputTroubles, NothingIsLeftIfInputsWereLost) {
  const std::vector<LostInput> lost{{"a \"b\"", "no_document", "some cause", 12, 34},
                                    {"c", "binary", "is a PNG picture", 0, 0}};
  EXPECT_TRUE(nothing_left({}).ok());
  EXPECT_EQ(nothing_left(lost).error().code, ErrorCode::lost_input);
}

TEST(DecodedCounts, AreSaidOnceByCharset) {
  DecodedCounts counts;
  Record record;
  counts.note(record);
  record.charset = {Charset::windows_1251, FoundCharset::Why::name};
  counts.note(record);
  record.charset.why = FoundCharset::Why::guess;
  record.markup = Markup::loose_xhtml;
  record.broken_mail = true;
  counts.note(record);
  DecodedCounts all;
  all.add(counts);
  record.charset = {Charset::big5, FoundCharset::Why::guess};
  all.note(record);
  RunFacts facts;
  describe_decoded(all, facts);
  ASSERT_EQ(facts.decoded.size(), 2U);
  EXPECT_EQ(facts.decoded[0].charset, "Big5");
  EXPECT_EQ(facts.decoded[1].records, 2U);
  EXPECT_EQ(facts.decoded[1].guessed, 1U);
  EXPECT_EQ(facts.loose_xhtml, 2U);
  EXPECT_EQ(facts.broken_mails, 2U);
  ASSERT_EQ(facts.warnings.size(), 3U);
  EXPECT_EQ(facts.warnings[2],
            "2 mails have broken parts, or a coding or charset that is none, and were read as far "
            "as that goes");
  EXPECT_EQ(facts.warnings[0],
            "3 records are not in UTF-8 and were decoded: 1 Big5 (a guess), 2 windows-1251 (1 a "
            "guess)");
  RunFacts none;
  describe_decoded({}, none);
  EXPECT_TRUE(none.warnings.empty() && none.decoded.empty());
}

}  // namespace
}  // namespace twinset
