// Pass 1: its rows for each record, for any number of threads and from any checkpoint.
#include "run/read_pass.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "support_runs/job_fixture.h"
#include "text/shingler.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(ReadPass, OneRowALineWithItsNameAndFate) {
  const ScratchFolder unused;
  JobFixture fixture(
      MadeCollection{{{"a.jsonl", {{"x", "one two three", ""}}, false}}}, [](JobOptions& options) {
        options.min_tokens = 1;
        const std::string path = options.output.substr(0, options.output.size() - 3) + "in/b.jsonl";
        put_file(path,
                 "\n{\"text\":\"four five six seven eight nine\",\"id\": 7 }\n"
                 "oops\n\n\n{\"text\":\"\"}\n{\"id\":1}\n\n",
                 Compression::none);
        options.inputs.push_back(path);
      });
  fixture.read();
  const ReadState& state = fixture.state();
  EXPECT_TRUE(state.finished);
  EXPECT_EQ(state.lines, (std::vector<std::uint64_t>{1, 8}));
  EXPECT_EQ(state.records, 5U);
  EXPECT_EQ(state.bad, 2U);
  std::vector<Fate> fates;
  std::vector<std::uint32_t> sizes;
  ASSERT_TRUE(fixture.stores()
                  .records
                  ->for_each([&](std::uint64_t, const RecordRow& row) -> Status {
                    fates.push_back(row.fate());
                    sizes.push_back(row.size);
                    return {};
                  })
                  .ok());
  EXPECT_EQ(fates, (std::vector<Fate>{Fate::kept, Fate::absent, Fate::kept, Fate::bad, Fate::absent,
                                      Fate::absent, Fate::filtered, Fate::bad, Fate::absent}));
  EXPECT_EQ(sizes[0], 3U);
  EXPECT_EQ(sizes[2], 6U);
  std::string id;
  std::string order;
  const RecordFiles& records = *fixture.stores().records;
  ASSERT_TRUE(records.names(0, id, order).ok());
  EXPECT_EQ(id, "\"x\"");
  ASSERT_TRUE(records.names(2, id, order).ok());
  EXPECT_EQ(id, "7");
  EXPECT_EQ(records.row(2).value().offset, 1U);
  // Both bad records are in the quarantine, with line and byte offset.
  const auto quarantined = lines_of(fixture.folder().read("work/out/quarantine.jsonl"));
  ASSERT_EQ(quarantined.size(), 2U);
  const Result<JsonNode> line = read_json(quarantined[0], "line");
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line.value()["record"].integer(), 3U);
  EXPECT_EQ(line.value()["bytes"].text(), "oops\\x0a");
  EXPECT_EQ(line.value()["offset"].integer(),
            std::string("\n{\"text\":\"four five six seven eight nine\",\"id\": 7 }\n").size());
}

struct NumberRows final : Collector::Rows {
  void begin(const BatchPlace&) override { numbers.clear(); }
  void release_large() override {}
  std::vector<std::uint64_t> numbers;
};

/// Fails at every record whose text is "bad", and takes the numbers of the others.
class Picky final : public CollectorOf<NumberRows> {
 public:
  Status open(const StateFile*) override { return {}; }
  Status checkpoint(StateFile&) override { return {}; }
  std::vector<std::uint64_t> put_numbers;

 private:
  Status take(const ReadRecord& record, NumberRows& rows) const override {
    if (record.record.text == "bad") {
      return io_error("record " + std::to_string(record.id.record()));
    }
    rows.numbers.push_back(record.id.record());
    return {};
  }
  Status put(NumberRows& rows) override {
    put_numbers.insert(put_numbers.end(), rows.numbers.begin(), rows.numbers.end());
    return {};
  }
};

// However many threads work, the first record in input order at which a collector fails is the
// error, and all records before it are put.
TEST(ReadPass, ACollectorsFirstFailureInInputOrderEndsIt) {
  std::vector<MadeRecord> records(40'000, {"x", "good", ""});
  constexpr std::size_t first = 31'000;
  for (std::size_t i = first; i < records.size(); i += 7) records[i].text = "bad";
  for (const unsigned threads : {1U, 4U}) {
    JobFixture fixture(MadeCollection{{{"a.jsonl", records, false}}}, [&](JobOptions& options) {
      options.resources.threads = threads;
      options.resources.memory = std::uint64_t{1} << 29;
    });
    Picky picky;
    std::vector<Collector*> collectors{&picky};
    const Status done = read_collection(fixture.job(), collectors, nullptr, fixture.state());
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().message, "record " + std::to_string(first + 1)) << threads;
    ASSERT_EQ(picky.put_numbers.size(), first) << threads;
    EXPECT_EQ(picky.put_numbers.back(), first) << threads;
  }
}

/// Everything that pass 1 appends in order, and its stored rows as sets.
struct Left {
  std::string quarantine;
  std::map<std::string, std::string> files;
  std::set<std::pair<std::uint64_t, std::uint64_t>> bands;
  ReadState state;
};

Left left_by(JobFixture& fixture) {
  Left left;
  left.quarantine = fixture.folder().read("work/out/quarantine.jsonl");
  for (const char* name :
       {"run.records", "run.names.blobs", "run.names.places", "bands.sketches"}) {
    left.files[name] = fixture.folder().read("spill/" + std::string(name));
  }
  class Collect {
   public:
    explicit Collect(Left& out) : left_(out) {}
    Status row(const KeyRow& row, bool) {
      left_.bands.emplace(row.key, row.document.value());
      return {};
    }
    Status finish() { return {}; }

   private:
    Left& left_;
  };
  fixture.job().context.threads = 1;
  EXPECT_TRUE(
      fixture.stores()
          .bands->rows_by_key()
          .for_each_group([](const KeyRow&) { return true; },
                          [](const KeyRow& a, const KeyRow& b) { return a.document < b.document; },
                          [&](unsigned) { return Collect(left); })
          .ok());
  left.state = fixture.state();
  return left;
}

TEST(ReadPass, ThreadsLeaveTheSame) {
  const MadeCollection collection =
      planted_collection({.seed = 700, .documents = 400, .files = 15, .compressed = true});
  Left expected;
  for (const unsigned threads : {1U, 2U, 7U}) {
    JobFixture fixture(collection,
                       [&](JobOptions& options) { set_small_memory(options, threads, 1 << 26); });
    fixture.read();
    Left left = left_by(fixture);
    if (threads == 1) {
      expected = std::move(left);
      EXPECT_GT(expected.bands.size(), 500U);
      continue;
    }
    EXPECT_EQ(left.quarantine, expected.quarantine);
    EXPECT_TRUE(left.files == expected.files);
    EXPECT_TRUE(left.bands == expected.bands);
    EXPECT_EQ(left.state.lines, expected.state.lines);
    EXPECT_EQ(left.state.checksums, expected.state.checksums);
    EXPECT_EQ(left.state.records, expected.state.records);
    EXPECT_EQ(left.state.text_bytes, expected.state.text_bytes);
  }
}

// The end of a batch depends on the buffer it is read into, which differs from pass to pass: with a
// checksum of whole batches, an input cut by --limit would seem to have changed.
TEST(ReadPass, BatchesOfAnySizeLeaveTheSameUnderALimit) {
  const MadeCollection collection = planted_collection({.seed = 702, .documents = 120, .files = 3});
  for (const std::uint64_t limit : {7U, 50U, 100U}) {
    Left expected;
    for (const std::uint64_t batch_bytes : {1U << 20, 100U, 1000U, 5000U}) {
      JobFixture fixture(collection, [&](JobOptions& options) { options.input.limit = limit; });
      fixture.job().limits.batch_bytes = batch_bytes;
      fixture.read();
      Left left = left_by(fixture);
      EXPECT_EQ(left.state.records, limit);
      if (batch_bytes == 1U << 20) {
        expected = std::move(left);
        continue;
      }
      EXPECT_TRUE(left.files == expected.files);
      EXPECT_EQ(left.state.lines, expected.state.lines);
      EXPECT_EQ(left.state.checksums, expected.state.checksums) << limit << " " << batch_bytes;
    }
  }
}

// A run that starts from any saved state ends with the result of a whole run.
TEST(ReadPass, GoesOnFromEverySavedState) {
  const MadeCollection collection =
      planted_collection({.seed = 701, .documents = 120, .files = 6, .compressed = true});
  const auto tiny_checkpoints = [](JobOptions& options) { options.resources.checkpoint = 1; };
  JobFixture whole(collection, tiny_checkpoints);
  std::vector<ReadState> saved;
  whole.read([&](const ReadState& state) -> Status {
    saved.push_back(state);
    return {};
  });
  const Left expected = left_by(whole);
  ASSERT_GE(saved.size(), 6U);
  for (const ReadState& from : saved) {
    JobFixture fixture(collection, tiny_checkpoints);
    // The first part is cancelled at the checkpoint from which the second part continues.
    fixture.make_stores();
    ASSERT_TRUE(fixture.stores().open(nullptr).ok());
    StateFile file;
    const Status stopped = read_collection(
        fixture.job(), fixture.stores().all(),
        [&](const ReadState& state) -> Status {
          if (state.records != from.records || state.source != from.source) return {};
          TWINSET_TRY(fixture.stores().checkpoint(file));
          store_read_state(state, "read", file);
          return Error{ErrorCode::interrupted, "stop here"};
        },
        fixture.state());
    ASSERT_FALSE(stopped.ok());
    ASSERT_EQ(stopped.error().message, "stop here");
    fixture.stores() = {};
    fixture.state() = {};
    ASSERT_TRUE(load_read_state(file, "read", fixture.state()).ok());
    ASSERT_EQ(fixture.state().records, from.records);
    fixture.make_stores();
    ASSERT_TRUE(fixture.stores().open(&file).ok());
    fixture.read();
    const Left left = left_by(fixture);
    EXPECT_EQ(left.quarantine, expected.quarantine);
    EXPECT_TRUE(left.files == expected.files) << from.records;
    EXPECT_TRUE(left.bands == expected.bands) << from.records;
    EXPECT_EQ(left.state.checksums, expected.state.checksums);
  }
}

/// Pass 1 up to the `stop`-th saved state, `change` of the inputs, and pass 1 from there.
Status read_in_two(JobFixture& fixture, std::uint64_t stop, const std::function<void()>& change) {
  fixture.make_stores();
  EXPECT_TRUE(fixture.stores().open(nullptr).ok());
  StateFile file;
  const Status stopped = read_collection(
      fixture.job(), fixture.stores().all(),
      [&](const ReadState& state) -> Status {
        if (--stop > 0) return {};
        TWINSET_TRY(fixture.stores().checkpoint(file));
        store_read_state(state, "read", file);
        return Error{ErrorCode::interrupted, "stop here"};
      },
      fixture.state());
  EXPECT_EQ(stopped.error().message, "stop here");
  change();
  fixture.stores() = {};
  fixture.state() = {};
  EXPECT_TRUE(load_read_state(file, "read", fixture.state()).ok());
  fixture.make_stores();
  EXPECT_TRUE(fixture.stores().open(&file).ok());
  return read_collection(
      fixture.job(), fixture.stores().all(), [](const ReadState&) { return Status(); },
      fixture.state());
}

// Size and time of an edited file can be as before: the run would go on with the old sketch of a
// text that is no longer there.
TEST(ReadPass, AnInputEditedSinceTheCheckpointIsRefused) {
  std::string lines;
  for (int i = 0; i < 300; ++i) {
    lines += "{\"text\":\"record " + std::to_string(i) + " says one thing or another\"}\n";
  }
  std::string edited = lines;
  edited[edited.find("record 1 ") + 7] = '7';
  for (const bool edits : {false, true}) {
    // In the file at which the run stopped, and in one that it had read to its end.
    for (const std::size_t file : {0U, 1U}) {
      for (const std::uint64_t batch_bytes : {1000U, 1777U}) {
        JobFixture fixture(MadeCollection{{{"a.jsonl", {{"x", "one two three", ""}}, false}}},
                           [&](JobOptions& options) {
                             options.resources.checkpoint = 1;
                             options.writes_records = false;
                             const std::string in =
                                 options.output.substr(0, options.output.size() - 3) + "in/";
                             options.inputs.clear();
                             for (const char* const name : {"b.jsonl", "c.jsonl"}) {
                               put_file(in + name, lines, Compression::none);
                               options.inputs.push_back(in + name);
                             }
                           });
        fixture.job().limits.batch_bytes = 1000;
        const std::uint64_t batches = lines.size() / 1000;
        const Status done = read_in_two(fixture, file == 0 ? 3 : batches + 6, [&] {
          ASSERT_EQ(fixture.state().source, file);
          fixture.job().limits.batch_bytes = batch_bytes;
          if (!edits) return;
          std::filesystem::remove(fixture.job().source(0).path);
          put_file(fixture.job().source(0).path, edited, Compression::none);
        });
        EXPECT_EQ(done.ok(), !edits) << file << " " << batch_bytes;
        if (!edits) continue;
        EXPECT_TRUE(done.error().input_changed);
        EXPECT_NE(done.error().message.find("b.jsonl changed"), std::string::npos);
      }
    }
  }
}

}  // namespace
}  // namespace twinset
