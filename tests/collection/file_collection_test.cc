// Files as a collection: read, read again in place, held in memory, written.
#include "collection/file_collection.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/parquet.h"
#include "support/counting_files.h"
#include "support/parquet_data.h"
#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// A line a record, each of some hundred bytes.
std::string lines(std::size_t records) {
  std::string out;
  for (std::size_t i = 0; i < records; ++i) {
    out += "{\"text\": \"" + std::to_string(i) + std::string(100 + i % 50, 'x') + "\"}\n";
  }
  return out;
}

class FileCollections : public ::testing::Test {
 protected:
  std::unique_ptr<FileCollection> find(const std::vector<std::string>& paths) {
    InputOptions options;
    options.inputs = paths;
    auto found = FileCollection::find(files_, options);
    EXPECT_TRUE(found.ok()) << found.error().message;
    return std::move(found).value();
  }
  static RunContext context() {
    RunContext context;
    context.files = &unsynced();
    return context;
  }
  std::string put(const std::string& name, std::string_view bytes) {
    const std::string path = folder_ / name;
    put_file(path, bytes, compression_of(name));
    return path;
  }
  /// The raw records of a source in order, each checked in place if it can be.
  static std::string read(FileCollection& collection, std::uint64_t source) {
    auto reader = collection.open(source, {});
    EXPECT_TRUE(reader.ok());
    std::string all;
    std::vector<std::pair<std::uint64_t, std::string>> records;
    RecordBatch batch;
    while (reader.value()->read(batch).value()) {
      for (const Record& record : batch.records) {
        all += record.raw;
        records.emplace_back(record.offset, record.raw);
      }
    }
    reader.value().reset();
    if (collection.rereading(source) != Rereading::at_random) return all;
    for (const auto& [offset, bytes] : records) {
      std::string raw(bytes.size(), '\0');
      EXPECT_EQ(collection.read_at(source, offset, raw).value(), bytes.size());
      EXPECT_EQ(raw, bytes);
    }
    return all;
  }

  const ScratchFolder folder_;
  CountingFiles files_{unsynced()};
};

TEST_F(FileCollections, PlainFilesAreReadInPlace) {
  std::vector<std::string> paths;
  for (int i = 0; i < 80; ++i) paths.push_back(put("f" + std::to_string(i) + ".jsonl", lines(3)));
  const auto collection = find(paths);
  ASSERT_EQ(collection->sources().size(), 80U);
  for (std::uint64_t i = 0; i < 80; ++i) EXPECT_EQ(read(*collection, i), lines(3));
  std::string beyond(10, '\0');
  EXPECT_EQ(collection->read_at(0, lines(3).size() - 4, beyond).value(), 4U);
}

TEST_F(FileCollections, PackedFilesAreHeldWhenThereIsRoom) {
  const auto collection = find({put("a.jsonl.gz", lines(900)), put("b.jsonl.zst", lines(500))});
  EXPECT_EQ(collection->rereading(0), Rereading::in_order);
  EXPECT_EQ(read(*collection, 0), lines(900));
  EXPECT_EQ(collection->rereading(0), Rereading::in_order) << "nobody asked to hold it";
  EXPECT_EQ(collection->held_bytes(), 0U);

  collection->hold_decoded(std::uint64_t{64} << 20);
  EXPECT_EQ(read(*collection, 0), lines(900));
  EXPECT_EQ(collection->rereading(0), Rereading::at_random);
  EXPECT_EQ(collection->rereading(1), Rereading::in_order);
  EXPECT_GE(collection->held_bytes(), lines(900).size());
  collection->hold_decoded(0);
  EXPECT_EQ(read(*collection, 1), lines(500));
  EXPECT_EQ(collection->rereading(1), Rereading::in_order) << "no more are held";
  EXPECT_EQ(collection->rereading(0), Rereading::at_random);
  std::filesystem::remove(collection->sources()[0].path);
  EXPECT_EQ(read(*collection, 0), lines(900)) << "from memory";
  collection->drop_held();
  EXPECT_EQ(collection->held_bytes(), 0U);
  EXPECT_FALSE(collection->open(0, {}).ok());
  EXPECT_EQ(read(*collection, 1), lines(500));
  EXPECT_EQ(collection->rereading(1), Rereading::in_order);
}

// A source that is not held whole must be read again in its file.
TEST_F(FileCollections, NothingIsHeldInPart) {
  const std::string damaged = put("a.jsonl.gz", lines(900));
  std::filesystem::resize_file(damaged, std::filesystem::file_size(damaged) - 10);
  const auto collection = find({damaged, put("b.jsonl.zst", lines(40'000))});
  collection->hold_decoded(std::uint64_t{64} << 20);
  read(*collection, 0);
  EXPECT_EQ(collection->rereading(0), Rereading::in_order);
  {
    auto reader = collection->open(1, {});
    RecordBatch batch;
    ASSERT_TRUE(reader.value()->read(batch).value());
  }
  EXPECT_EQ(collection->rereading(1), Rereading::in_order);
  collection->hold_decoded(std::uint64_t{9} << 20);
  EXPECT_EQ(read(*collection, 1), lines(40'000));
  EXPECT_EQ(collection->rereading(1), Rereading::in_order) << "5 MB and its block do not fit";
  EXPECT_EQ(collection->held_bytes(), 0U);
}

TEST_F(FileCollections, ChangesAndLossesAreSeen) {
  const std::string path = put("a.jsonl", lines(2));
  const std::string identity = find({path})->identity();
  EXPECT_EQ(find({path})->identity(), identity);
  const auto collection = find({path});
  EXPECT_FALSE(collection->has_changed(0));
  EXPECT_FALSE(collection->is_lost(0).value());
  std::filesystem::resize_file(path, 5);
  EXPECT_TRUE(collection->has_changed(0));
  EXPECT_NE(find({path})->identity(), identity);
  std::filesystem::remove(path);
  EXPECT_TRUE(collection->has_changed(0));
  EXPECT_TRUE(collection->is_lost(0).value());
}

TEST_F(FileCollections, TablesAreHeldWithTheFieldsThatWereRead) {
  if (!reads_parquet()) GTEST_SKIP() << "a build without Parquet";
  const auto collection = find({parquet_path("pyarrow.parquet")});
  collection->hold_decoded(1 << 20);
  const auto langs = [&](const FieldNames& fields) {
    ReaderLimits limits;
    limits.fields = &fields;
    auto reader = collection->open(0, limits);
    EXPECT_TRUE(reader.ok());
    std::string out;
    RecordBatch batch;
    while (reader.value()->read(batch).value()) {
      reader.value()->decode(fields, batch);
      for (const Record& record : batch.records) out += record.field("lang");
    }
    return out;
  };
  FieldNames fields;
  EXPECT_EQ(langs(fields), "");
  EXPECT_GT(collection->held_bytes(), 0U);
  fields.named = {"date", "lang"};
  const std::string read = langs(fields);
  EXPECT_EQ(read.substr(0, 8), "\"en\"\"de\"");
  EXPECT_EQ(langs(fields), read) << "held, and read again";
}

// A table's output is made from the input itself, long after its rows were chosen.
TEST_F(FileCollections, AnOutputIsOfTheTableThatWasRead) {
  if (!reads_parquet()) GTEST_SKIP() << "a build without Parquet";
  const std::string path = folder_.write("in.parquet", parquet_bytes("pyarrow.parquet"));
  const auto collection = find({path});
  std::filesystem::create_directories(folder_ / "out");
  std::string row;
  append_row_number(row, 2);
  const auto copied = [&](const std::string& below) -> Status {
    TWINSET_ASSIGN(const std::unique_ptr<ByteSink> sink,
                   collection->create_output(0, context(), folder_ / "out", below));
    TWINSET_TRY(sink->write(row));
    return sink->finish();
  };
  EXPECT_TRUE(copied("a/").ok());
  folder_.write("in.parquet", parquet_bytes("duckdb.parquet"));  // It has as many rows.
  const Status done = copied("b/");
  ASSERT_FALSE(done.ok());
  EXPECT_TRUE(done.error().input_changed);
  EXPECT_EQ(done.error().message.rfind(path + " changed since this run began", 0), 0U);
}

TEST_F(FileCollections, OutputsAreNamedAndPackedAsTheirSources) {
  const auto collection = find({put("in/a.jsonl", lines(2)), put("in/b.jsonl.zst", lines(2))});
  for (std::uint64_t i = 0; i < 2; ++i) {
    auto sink = collection->create_output(i, context(), folder_ / "out", "removed/");
    ASSERT_FALSE(sink.ok()) << "there is no folder out";
  }
  std::filesystem::create_directories(folder_ / "out");
  for (std::uint64_t i = 0; i < 2; ++i) {
    auto sink = collection->create_output(i, context(), folder_ / "out", "removed/");
    ASSERT_TRUE(sink.ok()) << sink.error().message;
    ASSERT_TRUE(sink.value()->write("abc\n").ok());
    ASSERT_TRUE(sink.value()->finish().ok());
  }
  EXPECT_EQ(get_file(folder_ / "out/removed/a.jsonl"), "abc\n");
  EXPECT_EQ(get_file(folder_ / "out/removed/b.jsonl.zst"), "abc\n");
}

TEST_F(FileCollections, ListsOfIdsAreNoPages) {
  Input page;
  page.format = "html";
  page.markup = Markup::html;
  InputList list;
  list.inputs.push_back(page);
  EXPECT_TRUE(FileCollection(files_, list).sources()[0].pages);
  EXPECT_FALSE(FileCollection(files_, list, false).sources()[0].pages);
}

}  // namespace
}  // namespace twinset
