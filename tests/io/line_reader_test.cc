// The rules of lines, which all formats of a record a line share; tests/io/formats/jsonl_test.cc
// has those of batches, long lines and damaged streams.
#include "io/line_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/records.h"
#include "support/streams.h"

namespace twinset {
namespace {

/// A pipe on which so many bytes come at a time.
class SlowPipe final : public ByteSource {
 public:
  SlowPipe(std::string bytes, std::size_t at_a_time, std::size_t& given)
      : bytes_(std::move(bytes)), at_a_time_(at_a_time), given_(given) {}
  Result<std::size_t> read(char* out, std::size_t size) override {
    const std::size_t got = bytes_.copy(out, std::min(size, at_a_time_), given_);
    given_ += got;
    return got;
  }
  const StreamFault& fault() const override { return no_fault_; }
  bool resume() override { return false; }
  std::uint64_t stored_bytes_read() const override { return given_; }

 private:
  const std::string bytes_;
  const std::size_t at_a_time_;
  std::size_t& given_;
  const StreamFault no_fault_;
};

/// The lines of a text, "number reason length raw" each. `waits`: a batch ended before the pipe
/// gave all of its first line, or after bytes beyond the line's end were asked for.
std::vector<std::string> lines_as_they_come(const std::string& text, std::size_t at_a_time,
                                            const ReaderLimits& limits, bool& waits) {
  std::size_t given = 0;
  const std::unique_ptr<Reader> reader = make_line_reader(
      std::make_unique<SlowPipe>(text, at_a_time, given), limits, [](const FieldNames&, auto&) {});
  std::vector<std::string> lines;
  RecordBatch batch;
  while (reader->read(batch).value()) {
    for (const Record& record : batch.records) {
      lines.push_back(std::to_string(record.number) + " " + std::string(reason_name(record.bad)) +
                      " " + std::to_string(record.length) + " " + std::string(record.raw));
    }
    if (batch.records.empty() || given == text.size()) continue;
    const Record& last = batch.records.back();
    waits = waits || given >= last.offset + last.length + at_a_time;
  }
  return lines;
}

TEST(LineReader, ALineIsThereAsSoonAsItHasCome) {
  std::string text = "one\n\n  \ntwo three\n" + std::string(100, 'x') + "\nlast but one\n";
  text += std::string(300, 'y') + "\n" + std::string(70, 'z') + "\nno end";
  ReaderLimits limits;
  limits.max_record_bytes = 90;
  limits.batch_bytes = 16;
  bool waits = false;
  const std::vector<std::string> whole = lines_as_they_come(text, text.size(), limits, waits);
  ASSERT_EQ(whole.size(), 7U);
  EXPECT_TRUE(whole[2].starts_with("5 record_too_long 101 xxx"));
  EXPECT_EQ(whole.back(), "9 none 6 no end");
  limits.as_it_comes = true;
  for (std::size_t at_a_time = 1; at_a_time < 120; ++at_a_time) {
    waits = false;
    EXPECT_EQ(lines_as_they_come(text, at_a_time, limits, waits), whole) << at_a_time;
    EXPECT_FALSE(waits) << at_a_time;
  }
}

TEST(LineReader, AMarkIsTakenOffAnyLine) {
  EXPECT_EQ(line_of("\xef\xbb\xbf{}\n"), "{}\n");
  EXPECT_EQ(line_of("{}\n"), "{}\n");
  EXPECT_EQ(line_of(""), "");
}

TEST(LineReader, BlankLinesHaveNumbersOnly) {
  const testing::ScratchFolder folder;
  const testing::ReadFile file = testing::read_file(
      folder.write("x", "one\n\n \t\r\n\xef\xbb\xbf\ntwo"), "lines", Compression::none, {}, {});
  ASSERT_EQ(file.records.size(), 2U);
  EXPECT_EQ(file.records[0].number, 1U);
  EXPECT_EQ(file.records[1].number, 5U);
}

}  // namespace
}  // namespace twinset
