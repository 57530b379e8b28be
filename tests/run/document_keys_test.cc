// Keys and stored forms of documents after a pass and after a checkpoint.
#include "run/document_keys.h"

#include <gtest/gtest.h>

#include <map>

#include "join/shared_keys.h"
#include "run/stored_rows.h"
#include "support_runs/job_testing.h"
#include "text/shingler.h"

namespace twinset {
namespace {

using namespace twinset::testing;

class DocumentKeyRows : public ::testing::Test {
 protected:
  DocumentKeyRows() {
    context_.files = &unsynced();
    context_.tmp = folder_.path();
  }
  std::unique_ptr<Scheme> scheme(const char* spec) { return make_scheme(spec, 0.8).value(); }
  DocumentKeys keys_of(const Scheme& scheme, DocumentKeys::Stored stored) {
    return {{&context_, folder_ / "keys", std::uint64_t{8} << 20, 1}, scheme, stored};
  }
  /// Documents on lines 2 and 4 of five; line 3 is bad.
  void collect(DocumentKeys& keys) {
    const auto rows = keys.rows();
    rows->begin({0, 0, 5});
    RecordView view(rule_);
    for (const std::uint64_t line : {2U, 3U, 4U}) {
      Record record;
      record.number = line;
      record.text = texts_[line];
      view.look_at(record);
      const Fate fate = line == 3 ? Fate::bad : Fate::kept;
      const ReadRecord read{DocumentId(0, line), record, fate, view};
      EXPECT_TRUE(static_cast<Collector&>(keys).take(read, *rows).ok());
    }
    ASSERT_TRUE(static_cast<Collector&>(keys).add(*rows).ok());
    ASSERT_TRUE(static_cast<Collector&>(keys).put(*rows).ok());
  }
  Sketch sketch(const Scheme& scheme, std::uint64_t line) {
    RecordView view(rule_);
    Record record;
    record.text = texts_[line];
    view.look_at(record);
    Sketch sketch;
    scheme.sketch(view, sketch);
    return sketch;
  }

  const ScratchFolder folder_;
  RunContext context_;
  const ViewRule rule_{.analyzer = find_analyzer("words")};
  std::map<std::uint64_t, std::string> texts_{
      {2, "one two three four five six seven"}, {3, ""}, {4, "one two three four five six eight"}};
};

TEST_F(DocumentKeyRows, StoreWhatWasAsked) {
  const auto fss = scheme("fss");
  DocumentKeys sketches = keys_of(*fss, DocumentKeys::Stored::sketch);
  ASSERT_TRUE(sketches.open(nullptr).ok());
  collect(sketches);
  EXPECT_EQ(sketches.stored().rows(), 5U);
  std::vector<std::uint8_t> stored;
  ASSERT_TRUE(sketches.stored().read(1, stored).ok());
  EXPECT_EQ(stored, sketch(*fss, 2).stored);
  ASSERT_TRUE(sketches.stored().read(2, stored).ok());
  EXPECT_EQ(stored, std::vector<std::uint8_t>(fss->facts().stored_bytes));

  const auto mod = scheme("mod(modulus=1)");
  DocumentKeys counts = keys_of(*mod, DocumentKeys::Stored::count);
  ASSERT_TRUE(counts.open(nullptr).ok());
  collect(counts);
  ASSERT_TRUE(counts.stored().read(1, stored).ok());
  EXPECT_EQ(stored, (std::vector<std::uint8_t>{3, 0, 0, 0}));

  DocumentKeys samples = keys_of(*mod, DocumentKeys::Stored::sample);
  ASSERT_TRUE(samples.open(nullptr).ok());
  collect(samples);
  ASSERT_TRUE(samples.stored().read(3, stored).ok());
  SampleSizes sizes;
  ASSERT_EQ(stored.size(), sizeof sizes);
  std::memcpy(&sizes, stored.data(), sizeof sizes);
  EXPECT_EQ(sizes.keys[0], 3U);

  const auto min = scheme("min");
  DocumentKeys counted = keys_of(*min, DocumentKeys::Stored::sample);
  ASSERT_TRUE(counted.open(nullptr).ok());
  collect(counted);
  ASSERT_TRUE(counted.counted_sketch(3, stored).ok());
  EXPECT_EQ(stored, sketch(*min, 4).stored);
}

TEST_F(DocumentKeyRows, ComeBackFromACheckpoint) {
  const auto fss = scheme("fss");
  StateFile checkpoint;
  std::uint64_t rows = 0;
  {
    DocumentKeys keys = keys_of(*fss, DocumentKeys::Stored::sketch);
    ASSERT_TRUE(keys.open(nullptr).ok());
    collect(keys);
    ASSERT_TRUE(keys.checkpoint(checkpoint).ok());
    for (const PartLength& part : noted_parts(checkpoint, "keys")) rows += part.rows;
    collect(keys);  // lost: added after the checkpoint
  }
  EXPECT_GT(rows, 0U);
  EXPECT_EQ(noted_parts(checkpoint, "keys.sketches").at(0).rows, 5U);
  DocumentKeys keys = keys_of(*fss, DocumentKeys::Stored::sketch);
  ASSERT_TRUE(keys.open(&checkpoint).ok());
  EXPECT_EQ(keys.stored().rows(), 5U);
  // The first five of seven words are a shingle that both documents have.
  StateFile again;
  ASSERT_TRUE(keys.checkpoint(again).ok());
  std::uint64_t rows_again = 0;
  for (const PartLength& part : noted_parts(again, "keys")) rows_again += part.rows;
  EXPECT_EQ(rows_again, rows);
  keys.drop_rows();
  StateFile used;
  ASSERT_TRUE(keys.checkpoint(used).ok());
  EXPECT_TRUE(used.kept_files().empty()) << "rows that were grouped are needed no more";
}

}  // namespace
}  // namespace twinset
