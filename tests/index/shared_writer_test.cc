// SharedIndexWriter: whoever changes an index with others is told of his own change, nothing that
// was acknowledged is lost, and a disk that fails is used again once it works.
#include "index/shared_writer.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "base/message.h"
#include "index/index_testing.h"
#include "support/faulty_files.h"
#include "support/power_loss_files.h"
#include "support/tries.h"
#include "system/forwarding_file.h"

namespace twinset::testing {
namespace {

IndexBatch adding(const IndexSigner& signer, const std::vector<AddedDocument>& documents) {
  TextView views(signer);
  IndexBatch batch;
  batch.fingerprint = signer.fingerprint();
  for (const AddedDocument& document : documents) {
    IndexedDocument names;
    names.id = document.id;
    names.url = document.url;
    batch.added.push_back(mark_document(signer, views.of(document.text), names));
  }
  return batch;
}

IndexBatch removing(std::vector<std::string> ids) {
  IndexBatch batch;
  batch.removed = std::move(ids);
  return batch;
}

AddedDocument document_of(std::uint64_t number, std::uint64_t version = 0) {
  return {quoted("d" + std::to_string(number)), made_text(number + version * 1'000'000, 30),
          std::to_string(version)};
}

std::unique_ptr<SharedIndexWriter> opened(const RunContext& context, const std::string& index) {
  auto writer = SharedIndexWriter::open(context, index, "a test");
  EXPECT_TRUE(writer.ok()) << writer.error().message;
  return std::move(writer).value();
}

/// Counts syncs of files, each of which takes as long as a disk's.
class SlowSyncs final : public ForwardingFiles {
 public:
  using ForwardingFiles::ForwardingFiles;
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override;
  std::atomic<std::uint64_t> syncs = 0;
};

class SlowFile final : public ForwardingFile {
 public:
  SlowFile(SlowSyncs& files, std::unique_ptr<File> below)
      : ForwardingFile(std::move(below)), files_(files) {}
  Status sync() override {
    ++files_.syncs;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return below().sync();
  }

 private:
  SlowSyncs& files_;
};

Result<std::unique_ptr<File>> SlowSyncs::open(const std::string& path, OpenMode mode) {
  TWINSET_ASSIGN(auto file, below().open(path, mode));
  return std::unique_ptr<File>(std::make_unique<SlowFile>(*this, std::move(file)));
}

TEST(SharedIndexWriter, ThreadsShareASyncAndEachIsToldOfItsOwnChange) {
  MemoryFiles memory;
  SlowSyncs files(memory);
  ASSERT_TRUE(IndexWriter::create(files, "x", two_schemes).ok());
  const RunContext context = context_on(files);
  const auto writer = opened(context, "x");
  constexpr std::uint64_t threads = 16;
  constexpr std::uint64_t changes = 30;
  const std::uint64_t before = files.syncs;
  std::vector<std::thread> all;
  for (std::uint64_t thread = 0; thread < threads; ++thread) {
    all.emplace_back([&, thread] {
      for (std::uint64_t i = 0; i < changes; ++i) {
        // A document of its own, and one that every thread adds anew.
        IndexBatch batch =
            adding(writer->snapshot()->signer(),
                   {document_of(1000 * (thread + 1) + i), document_of(7, 1000 * (thread + 1) + i)});
        ASSERT_TRUE(writer->change({&batch, 1}).ok());
        EXPECT_EQ(batch.made.added, 2U);
        EXPECT_LE(batch.made.replaced, 1U);
        EXPECT_EQ(batch.made.unchanged, 0U);
        if (i == 0) continue;
        // What was acknowledged is shown.
        const std::string id = document_of(1000 * (thread + 1) + i).id;
        EXPECT_TRUE(writer->snapshot()->find_id(id).value().has_value()) << id;
        IndexBatch gone = removing({document_of(1000 * (thread + 1) + i - 1).id, "\"nobody\""});
        ASSERT_TRUE(writer->change({&gone, 1}).ok());
        EXPECT_EQ(gone.was_there, (std::vector<bool>{true, false}));
        EXPECT_EQ(gone.made.deleted, 1U);
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  EXPECT_EQ(writer->snapshot()->documents(), threads + 1);
  // Those of one id wait for each other; removals go along with what is there.
  EXPECT_LT(files.syncs - before, threads * changes * 3 / 2);
  EXPECT_EQ(all_of(memory, "x").value().size(), threads + 1);
}

TEST(SharedIndexWriter, DifferentIdsOfManyThreadsTakeFewSyncs) {
  MemoryFiles memory;
  SlowSyncs files(memory);
  ASSERT_TRUE(IndexWriter::create(files, "x", two_schemes).ok());
  const RunContext context = context_on(files);
  const auto writer = opened(context, "x");
  const std::uint64_t before = files.syncs;
  std::vector<std::thread> all;
  for (std::uint64_t thread = 0; thread < 16; ++thread) {
    all.emplace_back([&, thread] {
      for (std::uint64_t i = 0; i < 20; ++i) {
        IndexBatch batch = adding(writer->snapshot()->signer(), {document_of(100 * thread + i)});
        ASSERT_TRUE(writer->change({&batch, 1}).ok());
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  EXPECT_EQ(writer->snapshot()->documents(), 320U);
  EXPECT_LT(files.syncs - before, 160U);
}

TEST(SharedIndexWriter, BatchesOfOneIdCountInTheirOrder) {
  MemoryFiles files;
  ASSERT_TRUE(IndexWriter::create(files, "x", two_schemes).ok());
  const RunContext context = context_on(files);
  const auto writer = opened(context, "x");
  const IndexSigner& signer = writer->snapshot()->signer();
  std::vector<IndexBatch> batches;
  batches.push_back(adding(signer, {document_of(1), document_of(2)}));
  batches.push_back(adding(signer, {document_of(1, 5)}));
  batches.push_back(removing({document_of(2).id}));
  batches.push_back(adding(signer, {document_of(1, 5)}));
  batches.push_back({});
  ASSERT_TRUE(writer->change(batches).ok());
  EXPECT_EQ(batches[1].made.replaced, 1U);
  EXPECT_EQ(batches[2].was_there, std::vector<bool>{true});
  EXPECT_EQ(batches[3].made.unchanged, 1U);
  const auto all = all_of(files, "x").value();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0], std::pair(document_of(1).id, std::string("5")));
}

TEST(SharedIndexWriter, ALargeBatchIsWholeBesideSmallOnes) {
  MemoryFiles files;
  ASSERT_TRUE(IndexWriter::create(files, "x", two_schemes).ok());
  const RunContext context = context_on(files);
  const auto writer = opened(context, "x");
  const IndexSigner& signer = writer->snapshot()->signer();
  std::vector<AddedDocument> many;
  for (std::uint64_t i = 0; i < 1000; ++i) many.push_back(document_of(i));
  std::vector<IndexBatch> batches;
  batches.push_back(adding(signer, {document_of(5000)}));
  batches.push_back(adding(signer, many));
  batches.push_back(adding(signer, {document_of(5001)}));
  ASSERT_TRUE(writer->change(batches).ok());
  EXPECT_EQ(batches[1].made.added, 1000U);
  EXPECT_EQ(writer->snapshot()->documents(), 1002U);
  EXPECT_EQ(all_of(files, "x").value().size(), 1002U);
}

/// At each operation the disk fails once: what was acknowledged before and after that is there, and
/// the change that failed is whole or not there.
TEST(SharedIndexWriter, ADiskThatFailedIsUsedAgain) {
  for (const auto fault : {FaultyFiles::Fault::io, FaultyFiles::Fault::short_transfer}) {
    std::uint64_t failures = 0;
    for (std::uint64_t k = 0;; k += 2) {
      MemoryFiles memory;
      FaultyFiles files(memory);
      ASSERT_TRUE(IndexWriter::create(files, "x", two_schemes).ok());
      const RunContext context = context_on(files);
      const auto writer = opened(context, "x");
      std::set<std::string> acknowledged;
      std::set<std::string> unknown;
      files.fail_at(k, fault, FaultyFiles::Lasting::once);
      for (std::uint64_t i = 0; i < 12; ++i) {
        // Some go past the log.
        std::vector<AddedDocument> documents{document_of(1000 + i), document_of(2000 + i)};
        for (std::uint64_t j = 0; i == 6 && j < 300; ++j) documents.push_back(document_of(j));
        IndexBatch batch = adding(writer->snapshot()->signer(), documents);
        const bool made = writer->change({&batch, 1}).ok();
        failures += made ? 0 : 1;
        for (const AddedDocument& document : documents) {
          (made ? acknowledged : unknown).insert(document.id);
        }
        EXPECT_EQ(writer->snapshot()->documents() >= acknowledged.size(), true);
      }
      const bool failed = files.failed();
      files.never_fail();
      std::set<std::string> held;
      const auto all = all_of(memory, "x");
      ASSERT_TRUE(all.ok()) << k << ": " << all.error().message;
      for (const auto& [id, url] : all.value()) held.insert(id);
      for (const std::string& id : acknowledged) EXPECT_TRUE(held.contains(id)) << k << " " << id;
      std::size_t of_unknown = 0;
      for (const std::string& id : unknown) of_unknown += held.contains(id) ? 1 : 0;
      EXPECT_TRUE(of_unknown == 0 || of_unknown == unknown.size()) << k;
      if (!failed) break;
    }
    EXPECT_GT(failures, 5U);
  }
}

TEST(SharedIndexWriter, APowerLossAfterAFailedSyncLosesNothingAcknowledged) {
  using Loss = PowerLossFiles::Loss;
  for (std::uint64_t seed = 0; seed < tries<std::uint64_t>(3); ++seed) {
    for (const Loss loss : {Loss::dropped, Loss::torn, Loss::reordered}) {
      for (std::uint64_t point = 0;; ++point) {
        PowerLossFiles disk;
        disk.put("/there", "");
        FaultyFiles files(disk);
        ASSERT_TRUE(IndexWriter::create(files, "/x", two_schemes).ok());
        const RunContext context = context_on(files);
        std::set<std::string> acknowledged;
        {
          const auto writer = opened(context, "/x");
          disk.lose_power_at(point);
          // A sync fails before that, now and then.
          files.fail_at(mix64(seed << 32 | point) % 60, FaultyFiles::Fault::io,
                        FaultyFiles::Lasting::once);
          for (std::uint64_t i = 0; i < 10; ++i) {
            std::vector<AddedDocument> documents{document_of(1000 + i)};
            for (std::uint64_t j = 0; i == 5 && j < 260; ++j) documents.push_back(document_of(j));
            IndexBatch batch = adding(writer->snapshot()->signer(), documents);
            if (!writer->change({&batch, 1}).ok()) continue;
            for (const AddedDocument& document : documents) acknowledged.insert(document.id);
          }
        }
        const bool lost = disk.power_is_lost();
        files.never_fail();
        disk.restore_power(loss, mix64(seed << 32 | point));
        std::set<std::string> held;
        const auto all = all_of(disk, "/x");
        ASSERT_TRUE(all.ok()) << point << ": " << all.error().message;
        for (const auto& [id, url] : all.value()) held.insert(id);
        for (const std::string& id : acknowledged) {
          EXPECT_TRUE(held.contains(id)) << point << " " << id;
        }
        if (!lost) break;
      }
    }
  }
}

/// A disk that shows what it was given before a sync that failed, and has lost it: later syncs
/// succeed, and write none of it. Systems do so.
class ForgetfulDisk final : public ForwardingFiles {
 public:
  explicit ForgetfulDisk(MemoryFiles& memory) : ForwardingFiles(memory), memory_(memory) {}
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override;
  Status remove_file(const std::string& path) override {
    lost.erase(path);
    return below().remove_file(path);
  }
  /// What is read after a loss of power.
  void lose_power() {
    for (const auto& [path, ranges] : lost) {
      std::string bytes = memory_.read(path);
      for (const auto& [begin, end] : ranges) {
        std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                  bytes.begin() + static_cast<std::ptrdiff_t>(end), '\0');
      }
      EXPECT_TRUE(memory_.write(path, bytes).ok());
    }
  }
  std::int64_t syncs_left = -1;  ///< then one fails
  std::map<std::string, std::vector<std::pair<std::uint64_t, std::uint64_t>>> lost;
  std::map<std::string, std::uint64_t> synced;

 private:
  MemoryFiles& memory_;
};

class ForgetfulFile final : public ForwardingFile {
 public:
  ForgetfulFile(ForgetfulDisk& disk, std::unique_ptr<File> below, std::string path)
      : ForwardingFile(std::move(below)), disk_(disk), path_(std::move(path)) {}
  Status truncate(std::uint64_t size) override {
    std::uint64_t& synced = disk_.synced[path_];
    synced = std::min(synced, size);
    return below().truncate(size);
  }
  Status sync() override {
    TWINSET_ASSIGN(const std::uint64_t size, below().size());
    const std::uint64_t before = std::exchange(disk_.synced[path_], size);
    if (disk_.syncs_left-- != 0) return below().sync();
    disk_.lost[path_].emplace_back(before, size);
    return io_error("cannot sync " + path_);
  }

 private:
  ForgetfulDisk& disk_;
  const std::string path_;
};

Result<std::unique_ptr<File>> ForgetfulDisk::open(const std::string& path, OpenMode mode) {
  TWINSET_ASSIGN(auto file, below().open(path, mode));
  if (mode == OpenMode::create) {
    lost.erase(path);
    synced.erase(path);
  }
  return std::unique_ptr<File>(std::make_unique<ForgetfulFile>(*this, std::move(file), path));
}

TEST(SharedIndexWriter, WhatIsAcknowledgedAfterAFailedSyncDoesNotStandOnIt) {
  std::uint64_t failures = 0;
  for (std::int64_t point = 0; point < 12; ++point) {
    MemoryFiles memory;
    ForgetfulDisk files(memory);
    ASSERT_TRUE(IndexWriter::create(files, "x", two_schemes).ok());
    const RunContext context = context_on(files);
    std::set<std::string> acknowledged;
    {
      const auto writer = opened(context, "x");
      files.syncs_left = point;
      for (std::uint64_t i = 0; i < 10; ++i) {
        IndexBatch batch = adding(writer->snapshot()->signer(), {document_of(i)});
        const bool made = writer->change({&batch, 1}).ok();
        failures += made ? 0 : 1;
        if (made) acknowledged.insert(document_of(i).id);
      }
    }
    files.lose_power();
    const auto all = all_of(memory, "x");
    ASSERT_TRUE(all.ok()) << point << ": " << all.error().message;
    std::set<std::string> held;
    for (const auto& [id, url] : all.value()) held.insert(id);
    for (const std::string& id : acknowledged) EXPECT_TRUE(held.contains(id)) << point << id;
  }
  EXPECT_GT(failures, 8U);
}

TEST(SharedIndexWriter, AFolderInItsPlaceIsNoticed) {
  const ScratchFolder folder;
  const std::string index = folder / "x";
  ASSERT_TRUE(IndexWriter::create(disk(), index, two_schemes).ok());
  const RunContext context = context_on(disk());
  const auto writer = opened(context, index);
  const auto before = writer->snapshot();
  IndexBatch first = adding(before->signer(), {document_of(1)});
  ASSERT_TRUE(writer->change({&first, 1}).ok());
  // It goes: the change is refused, and what was there is asked on.
  ASSERT_TRUE(disk().rename(index, folder / "old").ok());
  IndexBatch second = adding(before->signer(), {document_of(2)});
  const Status refused = writer->change({&second, 1});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("there is no index " + index), std::string::npos);
  EXPECT_EQ(writer->snapshot()->documents(), 1U);
  // Another one stands there: of equal settings, then of others.
  ASSERT_TRUE(IndexWriter::create(disk(), index, two_schemes).ok());
  EXPECT_TRUE(writer->change({&second, 1}).ok());
  EXPECT_EQ(writer->snapshot()->documents(), 1U);
  EXPECT_EQ(all_of(disk(), index).value().front().first, document_of(2).id);
  EXPECT_EQ(all_of(disk(), folder / "old").value().front().first, document_of(1).id);
  ASSERT_TRUE(disk().remove_tree(index).ok());
  IndexSettings others;
  others.scheme = {"simhash"};
  ASSERT_TRUE(IndexWriter::create(disk(), index, others).ok());
  const Status other = writer->change({&second, 1});
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().message,
            index + " was replaced by an index of other settings; make the change again");
  EXPECT_EQ(writer->snapshot()->documents(), 0U);
  IndexBatch third = adding(writer->snapshot()->signer(), {document_of(3)});
  EXPECT_TRUE(writer->change({&third, 1}).ok());
}

TEST(SharedIndexWriter, MergedSegmentsAreUsedWithoutAChange) {
  MemoryFiles files;
  ASSERT_TRUE(IndexWriter::create(files, "x", two_schemes).ok());
  const RunContext context = context_on(files);
  const auto writer = opened(context, "x");
  for (std::uint64_t i = 0; i < 8; ++i) {
    std::vector<AddedDocument> many;
    for (std::uint64_t j = 0; j < 300; ++j) many.push_back(document_of(i * 300 + j));
    IndexBatch batch = adding(writer->snapshot()->signer(), many);
    ASSERT_TRUE(writer->change({&batch, 1}).ok());
  }
  EXPECT_EQ(writer->snapshot()->parts().size(), 8U) << "a merge has begun";
  for (int i = 0; i < 3000 && writer->snapshot()->parts().size() != 1; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const auto before = writer->snapshot();
    ASSERT_TRUE(writer->change({}).ok());
    EXPECT_EQ(writer->snapshot() == before, writer->snapshot()->parts().size() == 8);
  }
  EXPECT_EQ(writer->snapshot()->parts().size(), 1U);
  EXPECT_EQ(writer->snapshot()->documents(), 2400U);
}

TEST(SharedIndexWriter, OneWritesAtATime) {
  const ScratchFolder folder;
  const std::string index = folder / "x";
  ASSERT_TRUE(IndexWriter::create(disk(), index, two_schemes).ok());
  const RunContext context = context_on(disk());
  const auto writer = opened(context, index);
  const auto second = SharedIndexWriter::open(context, index, "another");
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().message, index + " is being changed by a test; wait until that ends");
}

}  // namespace
}  // namespace twinset::testing
