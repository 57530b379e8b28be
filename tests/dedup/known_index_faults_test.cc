// dedup against an index that its records go into, with every operation of the disk failing in
// turn: the same command on a mended disk ends with the output and the index of an undisturbed run,
// and no record is in the index twice.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "dedup/known_index.h"
#include "support/faulty_files.h"
#include "support/tries.h"
#include "support_runs/job_testing.h"
#include "twinset/index.h"

namespace twinset::testing {
namespace {

/// Takes lines in place of a file.
class TakenLines final : public RecordSink {
 public:
  Status write(std::string_view bytes) override {
    text += bytes;
    return {};
  }
  std::string text;
};

/// A month that goes into an index with the one before it.
class AddedMonth {
 public:
  explicit AddedMonth(unsigned threads) {
    std::string months[2];
    SeededRandom random(33);
    for (int i = 0; i < 40; ++i) {
      std::string text;
      for (int word = 0; word < 30; ++word) text += "w" + std::to_string(random.below(5000)) + " ";
      const auto line = [&](const std::string& id, const std::string& words) {
        return "{\"id\": \"" + id + "\", \"text\": \"" + words + "\"}\n";
      };
      const std::string id = std::to_string(i);
      months[i % 2] += line("a" + id, text);
      if (i % 3 == 0) months[1] += line("copy" + id, text);
      if (i % 4 == 0) months[1] += line("near" + id, text + "more");
    }
    put_file(folder_ / "first.jsonl", months[0], Compression::none);
    put_file(folder_ / "second.jsonl", months[1], Compression::none);
    index_.index = folder_ / "index";
    index_.settings.scheme = {"fss"};
    index_.settings.resemblance = Ratio(4, 5);
    index_.settings.texts = true;
    EXPECT_TRUE(create_index(index_, quiet_control()).ok());
    options_ = month("first", threads);
    EXPECT_TRUE(dedup(options_, quiet_control()).ok());
    std::filesystem::copy(index_.index, folder_ / "before",
                          std::filesystem::copy_options::recursive);
    options_ = month("second", threads);
    FaultyFiles files(unsynced());
    EXPECT_TRUE(dedup(options_, {nullptr, nullptr, &files}).ok());
    operations = files.operations();
    output_ = folder_bytes(options_.output);
    held_ = held();
    EXPECT_GT(std::ranges::count(held_, '\n'), 30);
    start_over();
  }

  void start_over() {
    std::filesystem::remove_all(options_.output);
    std::filesystem::remove_all(options_.output + ".partial");
    std::filesystem::remove_all(index_.index);
    std::filesystem::copy(folder_ / "before", index_.index,
                          std::filesystem::copy_options::recursive);
  }

  Result<DedupSummary> run(FileSystem& files) const {
    return dedup(options_, {nullptr, nullptr, &files});
  }

  /// The output and the index are those of an undisturbed run.
  void expect_whole(const std::string& what) const {
    const auto found = folder_bytes(options_.output);
    ASSERT_EQ(found.size(), output_.size()) << what;
    for (const auto& [name, bytes] : output_) {
      ASSERT_TRUE(found.contains(name)) << what << ": " << name;
      ASSERT_EQ(found.at(name), bytes) << what << ": " << name;
    }
    ASSERT_EQ(held(), held_) << what;
  }
  /// After a failure: if the output is there it is whole, and the index is sound in any case.
  void expect_sound(const std::string& what) const {
    if (std::filesystem::exists(options_.output)) {
      ASSERT_EQ(folder_bytes(options_.output), output_) << what;
    }
    const auto verified = verify_index(index_, quiet_control());
    ASSERT_TRUE(verified.ok()) << what << ": " << verified.error().message;
  }

  std::uint64_t operations = 0;

 private:
  DedupOptions month(const std::string& name, unsigned threads) const {
    DedupOptions options;
    options.inputs = {folder_ / (name + ".jsonl")};
    options.output = folder_ / (name + "_output");
    options.against = {index_.index};
    options.add = true;
    set_small_memory(options, threads, 1 << 15);
    options.resources.checkpoint = 2000;
    return options;
  }

  /// All documents of the index, and how many names of removed ones it has.
  std::string held() const {
    TakenLines lines;
    const auto done = export_index(index_, {nullptr, nullptr, &unsynced(), &lines});
    EXPECT_TRUE(done.ok()) << done.error().message;
    const auto stats = verify_index(index_, quiet_control());
    EXPECT_TRUE(stats.ok()) << stats.error().message;
    if (!stats.ok()) return {};
    return lines.text + std::to_string(stats.value().stats.removed) + " removed";
  }

  ScratchFolder folder_;
  IndexOptions index_;
  DedupOptions options_;
  std::map<std::string, std::string> output_;
  std::string held_;
};

/// A drill tries every operation.
std::uint64_t stride_of(std::uint64_t usual) {
  if (std::getenv("TWINSET_EVERY_FAULT") != nullptr) return 1;
  return sanitized ? 7 * usual : usual;
}

void expect_added_once(FaultyFiles::Fault fault, FaultyFiles::Lasting lasting, unsigned threads,
                       std::uint64_t usual) {
  AddedMonth month(threads);
  ASSERT_GT(month.operations, 200U);
  const std::uint64_t stride = stride_of(usual);
  std::uint64_t errors = 0;
  for (std::uint64_t k = 0; k < month.operations; k += k < 20 ? 1 : stride) {
    const std::string what = "operation " + std::to_string(k);
    FaultyFiles files(unsynced());
    files.fail_at(k, fault, lasting);
    const Result<DedupSummary> broken = month.run(files);
    if (!broken.ok()) {
      ++errors;
      ASSERT_EQ(broken.error().code, ErrorCode::io) << what << ": " << broken.error().message;
      month.expect_sound(what + ": " + broken.error().message);
      if (::testing::Test::HasFatalFailure()) return;
      const Result<DedupSummary> mended = month.run(unsynced());
      ASSERT_TRUE(mended.ok()) << what << ": " << broken.error().message << ", then "
                               << mended.error().message;
    }
    month.expect_whole(what + (broken.ok() ? "" : ": " + broken.error().message));
    if (::testing::Test::HasFatalFailure()) return;
    month.start_over();
  }
  EXPECT_GT(errors, month.operations / stride / 3);
}

TEST(KnownIndexFaults, AnInputOutputErrorOnce) {
  expect_added_once(FaultyFiles::Fault::io, FaultyFiles::Lasting::once, 1, 7);
}

TEST(KnownIndexFaults, AFullDiskForEver) {
  expect_added_once(FaultyFiles::Fault::no_space, FaultyFiles::Lasting::for_ever, 1, 11);
}

TEST(KnownIndexFaults, ShortTransfersOnce) {
  expect_added_once(FaultyFiles::Fault::short_transfer, FaultyFiles::Lasting::once, 1, 11);
}

TEST(KnownIndexFaults, ErrorsWhileThreeThreadsWork) {
  expect_added_once(FaultyFiles::Fault::io, FaultyFiles::Lasting::once, 3, 23);
}

TEST(KnownIndexFaults, ADiskThatFillsUpAtAnyByte) {
  AddedMonth month(1);
  std::uint64_t filled = 0;
  // The whole writes some 100 kB.
  for (std::uint64_t bytes = 1; bytes < 1'000'000;
       bytes += bytes / (stride_of(5) == 1 ? 40 : 5) + 1) {
    FaultyFiles files(unsynced());
    files.limit_bytes(bytes);
    const Result<DedupSummary> done = month.run(files);
    const std::string what = std::to_string(bytes) + " bytes";
    if (!done.ok()) {
      ASSERT_EQ(done.error().code, ErrorCode::io) << done.error().message;
      month.expect_sound(what + ": " + done.error().message);
      ++filled;
      const Result<DedupSummary> mended = month.run(unsynced());
      ASSERT_TRUE(mended.ok()) << what << ": " << mended.error().message;
    }
    month.expect_whole(what);
    if (HasFatalFailure()) return;
    month.start_over();
  }
  EXPECT_GT(filled, 10U);
}

}  // namespace
}  // namespace twinset::testing
