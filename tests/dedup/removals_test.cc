// Removals given to callbacks are the lines of removed.jsonl, and texts in memory have the same
// results as files.
#include "dedup/removals.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>

#include "collection/memory_collection.h"
#include "dedup/dedup_collection.h"
#include "support/no_files.h"
#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// The results that a caller received, with copies of all names.
struct Told {
  FieldLine<Removal> line;
  std::vector<std::string> removed;  ///< lines of removed.jsonl
  std::vector<std::string> kept;     ///< "file:record"
  DedupResults results() {
    return {[this](const NamedDocument& document) -> Status {
              kept.push_back(std::string(document.file) + ":" + std::to_string(document.record));
              return {};
            },
            [this](const Removal& removal) -> Status {
              *line = removal;
              line.append(removed.emplace_back());
              return {};
            }};
  }
};

/// The collection in the form that columns can have: without ids.
MadeCollection without_ids(MadeCollection collection) {
  for (MadeFile& file : collection.files) {
    for (MadeRecord& record : file.records) record.id.clear();
  }
  return collection;
}

struct Columns {
  explicit Columns(const MadeCollection& collection) {
    for (const MadeFile& file : collection.files) {
      std::vector<std::string>& texts = held.emplace_back();
      for (const MadeRecord& record : file.records) texts.push_back(record.text);
    }
    for (std::size_t i = 0; i < held.size(); ++i) {
      TextColumn& column = columns.emplace_back(std::span<const std::string>(held[i]));
      column.name = collection.files[i].name;
      column.reference = collection.files[i].reference;
    }
  }
  std::vector<std::vector<std::string>> held;
  std::vector<TextColumn> columns;
};

DedupOptions memory_options(const std::vector<TextColumn>& columns, unsigned threads = 1) {
  DedupOptions options;
  options.columns = columns;
  set_small_memory(options, threads, std::uint64_t{1} << 26);
  options.resources.memory *= 2;
  return options;
}

TEST(TellResults, AreTheLinesOfTheFiles) {
  for (const bool sketches : {false, true}) {
    const ScratchFolder folder;
    DedupOptions options =
        planted_collection({.seed = 31, .documents = 200, .files = 3}).write(folder);
    if (sketches) options.verify = Check::sketch;
    Told told;
    const Result<DedupSummary> done = dedup(options, quiet_control(), told.results());
    ASSERT_TRUE(done.ok()) << done.error().message;
    std::string lines;
    for (const std::string& line : told.removed) lines += line;
    EXPECT_EQ(lines, get_file(options.output + "/removed.jsonl.zst"));
    EXPECT_EQ(told.kept.size(), done.value().total.kept);
    EXPECT_EQ(told.removed.size(), done.value().total.removed());
  }
}

// Columns give the results of files: the same documents are removed for the same reasons, and no
// file is touched.
TEST(DedupOfColumns, IsThatOfFiles) {
  const MadeCollection collection =
      without_ids(planted_collection({.seed = 32, .documents = 300, .files = 4, .references = 1}));
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  Told files;
  ASSERT_TRUE(dedup(options, quiet_control(), files.results()).ok());

  const Columns columns(collection);
  for (const unsigned threads : {1U, 3U}) {
    for (const bool contained : {false, true}) {
      Told memory;
      NoFiles none;
      DedupOptions own = memory_options(columns.columns, threads);
      if (contained) own.containment = Ratio(4, 5);
      const Result<DedupSummary> done = dedup(own, {nullptr, nullptr, &none}, memory.results());
      ASSERT_TRUE(done.ok()) << done.error().message;
      if (contained) {
        EXPECT_GT(done.value().total.contained, 0U);
        continue;
      }
      ASSERT_EQ(memory.removed.size(), files.removed.size());
      ASSERT_EQ(memory.kept.size(), files.kept.size());
      for (std::size_t i = 0; i < memory.removed.size(); ++i) {
        // Names, numbers and reasons; the fingerprints differ because the bytes do.
        const JsonNode a = read_json(memory.removed[i], "a").value();
        const JsonNode b = read_json(files.removed[i], "b").value();
        for (const char* field : {"record", "kind", "survivor_record", "resemblance", "containment",
                                  "shared_shingles", "survivor_shingles"}) {
          EXPECT_EQ(a[field].raw(), b[field].raw());
        }
      }
      EXPECT_EQ(done.value().total.read, memory.kept.size() + memory.removed.size());
      EXPECT_FALSE(done.value().json.empty());
    }
  }
}

TEST(DedupOfColumns, SpillsToADiskIfOneIsNamed) {
  const MadeCollection collection = without_ids(planted_collection({.seed = 33, .documents = 200}));
  const Columns columns(collection);
  Told in_memory;
  ASSERT_TRUE(dedup(memory_options(columns.columns), quiet_control(), in_memory.results()).ok());
  const ScratchFolder folder;
  DedupOptions options = memory_options(columns.columns);
  options.resources.tmp = folder.path();
  Told on_disk;
  const Result<DedupSummary> done = dedup(options, quiet_control(), on_disk.results());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(on_disk.removed, in_memory.removed);
  EXPECT_TRUE(disk().list(folder.path()).value().empty()) << "nothing is left";
}

TEST(DedupOfColumns, NullsAndInvalidBytesAreToldAndCounted) {
  const std::vector<std::string> more{
      "\xc3\xa9l\xc3\xa8ve pr\xc3\xa9s for\xc3\xaat gar\xc3\xa7on \xff",
      "one two three four five six"};
  TextColumn good(more);
  good.name = "good";
  const std::string bytes = "one two three four five six";
  const std::vector<std::int64_t> offsets{0, 27, 27};
  const std::uint8_t validity = 1;
  TextColumn nulls(StringColumn::from_offsets(bytes, offsets, {{&validity, 1}}).value());
  nulls.name = "nulls";
  Told told;
  const Result<DedupSummary> done =
      dedup(memory_options({good, nulls}), quiet_control(), told.results());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().total.quarantined, 1U);
  EXPECT_EQ(done.value().total.identical, 1U);
  EXPECT_EQ(done.value().invalid_utf8.records, 1U);
  ASSERT_EQ(done.value().bad_records.size(), 1U);
  EXPECT_EQ(done.value().bad_records[0], "nulls:2: missing_text, null");
  EXPECT_EQ(told.kept, (std::vector<std::string>{"good:1", "good:2"}));
}

TEST(DedupOfColumns, IdsNameDocumentsAndFieldsOrderThem) {
  const std::vector<std::string> texts{"one two three four five", "another text of other words",
                                       "one two three four five", "one two three four five"};
  const std::vector<std::string> ids{"old", "other", "new", "undated"};
  const std::vector<std::string> dates{"2024-03-01", "2025-01-01", "2025-06-01", ""};
  TextColumn column(texts);
  ASSERT_TRUE(column.set_ids(ids).ok());
  ASSERT_TRUE(column.add_field("date", dates).ok());
  for (const unsigned threads : {1U, 3U}) {
    DedupOptions options = memory_options({column}, threads);
    options.keep = "newest:date";
    Told told;
    const Result<DedupSummary> done = dedup(options, quiet_control(), told.results());
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(done.value().total.identical, 2U);
    EXPECT_EQ(told.kept, (std::vector<std::string>{"memory:2", "memory:3"}));
    ASSERT_EQ(told.removed.size(), 2U);
    EXPECT_NE(told.removed[0].find("\"id\": \"old\""), std::string::npos) << told.removed[0];
    EXPECT_NE(told.removed[1].find("\"id\": \"undated\""), std::string::npos) << told.removed[1];
  }
}

TEST(DedupOfColumns, ATextOfTwoGibibytesIsOneBadRecord) {
  // Its bytes are never touched, so they take no memory.
  const std::size_t huge = std::size_t{1} << 31;
  const std::unique_ptr<char[]> bytes(new char[huge]);
  const std::vector<std::string_view> texts{"one two", {bytes.get(), huge}, "three four"};
  DedupOptions options = memory_options({TextColumn(texts)});
  options.input.max_record = 1 << 20;
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().total.kept, 2U);
  EXPECT_EQ(done.value().total.quarantined, 1U);
}

TEST(DedupOfColumns, WhatCannotBeIsRefusedBeforeAnythingIsRead) {
  const std::vector<std::string> texts{"one"};
  const std::vector<TextColumn> columns{TextColumn(texts)};
  const auto refused = [&](const std::function<void(DedupOptions&)>& change) {
    DedupOptions options = memory_options(columns);
    change(options);
    const Result<DedupSummary> done = dedup(options, quiet_control());
    EXPECT_FALSE(done.ok());
    return done.ok() ? std::string() : done.error().text(Door::command_line);
  };
  EXPECT_NE(refused([](DedupOptions& o) { o.inputs = {"x"}; }).find("either inputs or columns"),
            std::string::npos);
  EXPECT_NE(refused([](DedupOptions& o) { o.output = "x"; }).find("no files"), std::string::npos);
  EXPECT_NE(refused([](DedupOptions& o) { o.report = "x.html"; }).find("no files"),
            std::string::npos);
  EXPECT_NE(refused([](DedupOptions& o) { o.against = {"x"}; }).find("no files"),
            std::string::npos);
  EXPECT_NE(refused([&](DedupOptions& o) {
              o.columns = {columns[0], columns[0]};
            }).find("two columns have the name"),
            std::string::npos);
  EXPECT_NE(refused([](DedupOptions& o) { o.resources.memory = 1 << 20; }).find("--memory"),
            std::string::npos);
}

TEST(DedupOfColumns, ACallbackMayStopTheRun) {
  const MadeCollection collection = without_ids(planted_collection({.seed = 34, .documents = 100}));
  const Columns columns(collection);
  int calls = 0;
  const DedupResults stops{[&](const NamedDocument&) -> Status {
                             if (++calls < 5) return {};
                             return Error{ErrorCode::interrupted, "enough"};
                           },
                           nullptr};
  const Result<DedupSummary> done = dedup(memory_options(columns.columns), quiet_control(), stops);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message, "enough");
  EXPECT_EQ(calls, 5);
  // Stopped over files, it leaves no output.
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  calls = 0;
  EXPECT_EQ(dedup(options, quiet_control(), stops).error().message, "enough");
  EXPECT_FALSE(std::filesystem::exists(options.output));
}

/// A collection that is different when it is read again, or cannot be read again.
class Fickle final : public Collection {
 public:
  enum class Fault { open_fails, read_fails, shorter, only_once };
  Fickle(std::vector<TextColumn> columns, Fault fault) : below_(columns), fault_(fault) {}
  std::span<const Source> sources() const override { return below_.sources(); }
  std::string identity() const override { return {}; }
  Rereading rereading(std::uint64_t) const override {
    return fault_ == Fault::only_once ? Rereading::never : Rereading::in_order;
  }
  Result<bool> is_lost(std::uint64_t) override { return false; }
  Result<std::unique_ptr<Reader>> open(std::uint64_t source, const ReaderLimits& limits) override {
    ++opened_;
    if (opened_ == 1) return below_.open(source, limits);
    if (fault_ == Fault::open_fails || fault_ == Fault::only_once)
      return io_error("cannot open it again");
    auto reader = below_.open(source, limits);
    TWINSET_TRY(reader);
    return std::unique_ptr<Reader>(std::make_unique<Short>(std::move(reader).value(), fault_));
  }
  Result<std::size_t> read_at(std::uint64_t, std::uint64_t, std::string&) override {
    return io_error("not at random");
  }
  void decode(std::uint64_t source, std::uint64_t offset, std::string_view raw,
              const FieldNames& fields, RecordBatch& batch) const override {
    below_.decode(source, offset, raw, fields, batch);
  }
  bool has_changed(std::uint64_t) const override { return false; }
  Result<std::unique_ptr<ByteSink>> create_output(std::uint64_t source, const RunContext& context,
                                                  const std::string& root,
                                                  const std::string& folder) const override {
    return below_.create_output(source, context, root, folder);
  }

 private:
  class Short final : public Reader {
   public:
    Short(std::unique_ptr<Reader> below, Fault fault) : below_(std::move(below)), fault_(fault) {}
    Result<bool> read(RecordBatch& batch) override {
      if (fault_ == Fault::read_fails) return io_error("the line went dead");
      Result<bool> more = below_->read(batch);
      TWINSET_TRY(more);
      if (batch.records.size() > 3) batch.records.resize(3);
      return more;
    }
    void decode(const FieldNames& fields, RecordBatch& batch) const override {
      below_->decode(fields, batch);
    }

   private:
    const std::unique_ptr<Reader> below_;
    const Fault fault_;
  };

  MemoryCollection below_;
  const Fault fault_;
  int opened_ = 0;
};

TEST(DedupCollection, ACollectionThatIsReadOnceGivesTheSame) {
  const MadeCollection collection =
      without_ids(planted_collection({.seed = 36, .documents = 120, .files = 1}));
  const Columns columns(collection);
  Told expected;
  ASSERT_TRUE(dedup(memory_options(columns.columns), quiet_control(), expected.results()).ok());
  EXPECT_GT(expected.removed.size(), 20U);
  Told told;
  const Result<DedupSummary> done =
      dedup_collection(std::make_shared<Fickle>(columns.columns, Fickle::Fault::only_once),
                       memory_options({}), quiet_control(), told.results());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(told.removed, expected.removed);
  EXPECT_EQ(told.kept, expected.kept);
}

TEST(DedupCollection, ACollectionThatFailsWhenReadAgainIsOneError) {
  const MadeCollection collection =
      without_ids(planted_collection({.seed = 35, .documents = 60, .files = 1}));
  const Columns columns(collection);
  for (const auto& [fault, message] :
       {std::pair{Fickle::Fault::open_fails, "cannot open it again"},
        std::pair{Fickle::Fault::read_fails, "the line went dead"},
        std::pair{Fickle::Fault::shorter, "changed since this run began"}}) {
    DedupOptions options = memory_options({});
    const Result<DedupSummary> done = dedup_collection(
        std::make_shared<Fickle>(columns.columns, fault), options, quiet_control(), {});
    ASSERT_FALSE(done.ok()) << message;
    EXPECT_NE(done.error().message.find(message), std::string::npos) << done.error().message;
  }
}

}  // namespace
}  // namespace twinset
