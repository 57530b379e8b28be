#include "run/quarantine.h"

#include <gtest/gtest.h>

#include <string>

#include "io/json_read.h"
#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

Record bad_record(std::string_view raw) {
  Record record;
  record.number = 7;
  record.offset = 1234;
  record.length = raw.size();
  record.raw = raw;
  record.bad = BadReason::invalid_json;
  record.detail = "a \"detail\"";
  return record;
}

TEST(AppendQuarantineLine, NamesPlaceAndReasonAndShowsTheBytes) {
  std::string out = "before\n";
  append_quarantine_line(out, "in/a.jsonl", bad_record("{\"text\": \\\t\x7f\xff\n"));
  EXPECT_EQ(out,
            "before\n"
            "{\"id\": \"in/a.jsonl:7\", \"file\": \"in/a.jsonl\", \"record\": 7, \"offset\": 1234, "
            "\"length\": 14, "
            "\"reason\": \"invalid_json\", \"detail\": \"a \\\"detail\\\"\", "
            "\"bytes\": \"{\\\"text\\\": \\\\\\\\\\\\x09\\\\x7f\\\\xff\\\\x0a\"}\n");
}

// If the id could be read, it names the record, as written.
TEST(AppendQuarantineLine, NamesTheRecordByItsIdWhereThatCouldBeRead) {
  Record record = bad_record("{\"id\": [1, 2]}\n");
  record.id = "[1, 2]";
  std::string out;
  append_quarantine_line(out, "a.jsonl", record);
  EXPECT_EQ(out.rfind("{\"id\": [1, 2], \"file\": \"a.jsonl\", \"record\": 7, ", 0), 0U) << out;
}

// Any bytes make one line of valid JSON, from which they can be read back.
TEST(AppendQuarantineLine, AnyBytesMakeOneValidLine) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  std::string out;
  append_quarantine_line(out, "odd \"file\"\n\xff", bad_record(all));
  ASSERT_EQ(out.find('\n'), out.size() - 1);
  const Result<JsonNode> line = read_json(out, "line");
  ASSERT_TRUE(line.ok()) << line.error().message;
  const std::string shown = line.value()["bytes"].text();
  std::string back;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (shown[i] != '\\') {
      back += shown[i];
    } else if (shown[i + 1] == '\\') {
      back += '\\';
      ++i;
    } else {
      ASSERT_EQ(shown[i + 1], 'x');
      back += static_cast<char>(std::stoi(shown.substr(i + 2, 2), nullptr, 16));
      i += 3;
    }
  }
  EXPECT_EQ(back, all);
}

TEST(AppendQuarantineLine, ShowsNoMoreThanASample) {
  std::string out;
  Record record = bad_record(std::string_view());
  const std::string large(100'000, 'x');
  record.raw = large;
  record.length = std::uint64_t{1} << 40;  // a record that was skipped is longer than its sample
  append_quarantine_line(out, "f", record);
  const Result<JsonNode> line = read_json(out, "line");
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line.value()["bytes"].text(), std::string(quarantine_sample_bytes, 'x'));
  EXPECT_EQ(line.value()["length"].integer(), std::uint64_t{1} << 40);
}

// Without a path there is no file, and the first records are named all the same.
TEST(Quarantine, NamesTheFirstRecordsWithoutAFile) {
  JobFixture fixture(MadeCollection{}, [](JobOptions& options) {
    options.inputs = {options.output + ".jsonl"};
    put_file(options.inputs[0], "{\"text\": \"x\"}\n1\n2\n{\n3\n\n4\n5\n", Compression::none);
  });
  Quarantine bad(unsynced(), "", *fixture.job().collection);
  ASSERT_TRUE(bad.open(nullptr).ok());
  std::vector<Collector*> collectors{&bad};
  ASSERT_TRUE(read_collection(fixture.job(), collectors, nullptr, fixture.state()).ok());
  ASSERT_EQ(bad.first().size(), Quarantine::first_records);
  EXPECT_NE(bad.first()[0].find("out.jsonl:2: invalid_json, "), std::string::npos)
      << bad.first()[0];
  EXPECT_NE(bad.first()[4].find("out.jsonl:7: "), std::string::npos) << bad.first()[4];
  EXPECT_TRUE(bad.sync().ok());
}

}  // namespace
}  // namespace twinset
