#include "browse/written_lines.h"

#include "io/field_json.h"
#include "run/run_fields.h"
#include "support_runs/job_testing.h"
#include "support_runs/small_run.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(WrittenLines, ThoseOfARunAreReadAsTheirFields) {
  SmallRun small;
  small.run();
  const std::vector<std::string> lines =
      lines_of(get_file(small.options.output + "/removed.jsonl.zst"));
  ASSERT_EQ(lines.size(), 3U);
  FieldLine<Removal> fields;
  for (const std::string& line : lines) {
    WrittenRemoval read;
    ASSERT_TRUE(read_written_removal(line, read)) << line;
    ASSERT_TRUE(fields.read(line, "line").ok());
    EXPECT_EQ(read.document.id, fields->document.id);
    EXPECT_EQ(read.document.file, fields->document.file);
    EXPECT_EQ(read.document.record, fields->document.record);
    EXPECT_EQ(read.kind, fields->kind);
    EXPECT_EQ(read.resemblance, fields->resemblance);
  }
  FieldLine<NamedDocument> name;
  name->id = "[1, \"x\"]";
  name->file = "in.jsonl";
  name->record = 7;
  name->fingerprint = 0xfeedbeef12345678;
  std::string raw;
  name.append_json(raw);
  WrittenName written;
  ASSERT_TRUE(read_written_name(raw, written)) << raw;
  EXPECT_EQ(written.id, name->id);
  EXPECT_EQ(written.file, name->file);
  EXPECT_EQ(written.record, 7U);
  EXPECT_EQ(written.fingerprint, 0xfeedbeef12345678U);
}

TEST(WrittenLines, OthersAreLeftToTheirFields) {
  WrittenName name;
  const std::string line =
      R"({"id": "a", "file": "f", "record": 3, "fingerprint": "5d1c0f9a7be24431"})";
  ASSERT_TRUE(read_written_name(line, name));
  for (std::size_t cut = 0; cut < line.size(); ++cut) {
    EXPECT_FALSE(read_written_name(line.substr(0, cut), name)) << cut;
    std::string odd = line;
    odd[cut] = '~';
    if (read_written_name(odd, name)) {
      // Within the id or the file any byte may stand.
      EXPECT_TRUE(name.id == "\"~\"" || name.file == "~") << odd;
    }
  }
  EXPECT_FALSE(read_written_name(line + " ", name));
  EXPECT_FALSE(read_written_name(
      R"({"id": "a", "file": "\u0041", "record": 3, "fingerprint": "5d1c0f9a7be24431"})", name));
  WrittenRemoval removal;
  EXPECT_FALSE(read_written_removal("{\"id\": 1}", removal));
  EXPECT_FALSE(read_written_removal("", removal));
}

}  // namespace
}  // namespace twinset
