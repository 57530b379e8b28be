// LogFile: whatever happens, it holds the batches up to some moment, all synced ones included, each
// once.
#include "rows/log_file.h"

#include "rows/rows_testing.h"
#include "support/faulty_files.h"
#include "support/power_loss_files.h"
#include "system/memory_files.h"

namespace twinset::testing {
namespace {

constexpr std::uint64_t log_fingerprint = 7;

/// Batch `number`: 1 to 5,000 bytes that no other batch has.
std::string batch(std::uint64_t number) {
  std::string bytes = std::to_string(number) + ":";
  const std::size_t size = 1 + mix64(number) % 5000;
  while (bytes.size() < size) bytes += static_cast<char>(mix64(number << 16 | bytes.size()));
  return bytes;
}

Result<std::unique_ptr<LogFile>> open_log(const RunContext& context, const std::string& path,
                                          OpenMode mode = OpenMode::append) {
  TWINSET_ASSIGN(const FileStatus status, context.files->status(path));
  if (status.kind == FileStatus::Kind::missing) {
    TWINSET_TRY(LogFile::create(*context.files, path, log_fingerprint));
  }
  return LogFile::open(context, path, log_fingerprint, mode);
}

Result<std::vector<std::string>> held_by(const LogFile& log) {
  std::vector<std::string> batches;
  TWINSET_TRY(log.for_each([&](std::string_view bytes) -> Status {
    batches.emplace_back(bytes);
    return {};
  }));
  EXPECT_EQ(batches.size(), log.batches());
  return batches;
}

/// The number of batches in the log of `path`; an Error if they are not the first ones.
Result<std::uint64_t> batches_in(FileSystem& files, const std::string& path) {
  const RunContext context = context_on(files);
  TWINSET_ASSIGN(const auto log, open_log(context, path));
  TWINSET_ASSIGN(const std::vector<std::string> batches, held_by(*log));
  for (std::uint64_t number = 0; number < batches.size(); ++number) {
    if (batches[number] != batch(number)) return io_error("a batch is another's");
  }
  return std::uint64_t{batches.size()};
}

/// A life of a log: batches, some of them synced, and the log opened anew twice. Says how far it
/// came.
struct LogLife {
  std::uint64_t appended = 0;
  std::uint64_t synced = 0;  ///< batches promised to last

  Status live(FileSystem& files, const std::string& path) {
    const RunContext context = context_on(files);
    TWINSET_ASSIGN(auto log, open_log(context, path));
    for (const char step : std::string("aasasoaaasasaaoas")) {
      if (step == 'a') {
        TWINSET_TRY(log->append(batch(appended)));
        ++appended;
        continue;
      }
      if (step == 's') {
        TWINSET_TRY(log->sync());
      } else {
        TWINSET_ASSIGN(log, open_log(context, path));
      }
      synced = appended;
    }
    return {};
  }
};

TEST(LogFile, HoldsWhatWasAppended) {
  const ScratchFolder folder;
  const RunContext context = context_on(disk());
  std::uint64_t appended = 0;
  for (int times = 0; times < 4; ++times) {
    auto log = open_log(context, folder / "x");
    ASSERT_TRUE(log.ok()) << log.error().message;
    EXPECT_EQ(log.value()->cut_bytes(), 0U);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(log.value()->append(batch(appended++)).ok());
    if (times % 2 == 0) {
      ASSERT_TRUE(log.value()->sync().ok());
    }
    const std::vector<std::string> held = held_by(*log.value()).value();
    ASSERT_EQ(held.size(), appended);
    EXPECT_EQ(held.back(), batch(appended - 1));
    // Whoever reads meanwhile finds the same, and changes nothing.
    const auto reader = open_log(context, folder / "x", OpenMode::read);
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ(held_by(*reader.value()).value(), held);
    EXPECT_EQ(reader.value()->bytes(), log.value()->bytes());
  }
  EXPECT_EQ(batches_in(disk(), folder / "x").value(), 12U);
}

TEST(LogFile, IsOfOneFingerprint) {
  MemoryFiles files;
  const RunContext context = context_on(files);
  ASSERT_TRUE(open_log(context, "x").ok());
  const auto other = LogFile::open(context, "x", log_fingerprint + 1, OpenMode::read);
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message.find("fingerprint"), std::string::npos);
  EXPECT_EQ(LogFile::open(context, "y", log_fingerprint, OpenMode::append).error().message,
            "cannot open y: there is no such file");
}

/// A log of four small batches, each synced.
std::string synced_log(MemoryFiles& files) {
  const RunContext context = context_on(files);
  auto log = open_log(context, "x");
  for (const std::string bytes : {"one", "twoo", "3", "four."}) {
    EXPECT_TRUE(log.value()->append(bytes).ok());
    EXPECT_TRUE(log.value()->sync().ok());
  }
  return files.read("x");
}

TEST(LogFile, ADamagedByteIsAnErrorOrOfTheMark) {
  MemoryFiles files;
  const std::string whole = synced_log(files);
  const RunContext context = context_on(files);
  const std::size_t mark = whole.size() - block_bytes(1, 1);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ flip);
      ASSERT_TRUE(files.write("x", bytes).ok());
      auto log = open_log(context, "x");
      ASSERT_EQ(log.ok(), i >= mark) << "byte " << i;
      if (!log.ok()) {
        EXPECT_TRUE(log.error().message.starts_with("x ")) << log.error().message;
        EXPECT_EQ(files.read("x"), bytes) << "an Error changes nothing";
        continue;
      }
      EXPECT_EQ(log.value()->cut_bytes(), whole.size() - mark);
      EXPECT_EQ(held_by(*log.value()).value().size(), 4U);
    }
  }
}

TEST(LogFile, ATruncatedLogEndsWithItsLastWholeBatch) {
  MemoryFiles files;
  const std::string whole = synced_log(files);
  const RunContext context = context_on(files);
  std::vector<std::size_t> ends = {file_header_bytes};
  for (const std::size_t bytes : {3, 4, 1, 5}) ends.push_back(ends.back() + block_bytes(bytes, 1));
  ASSERT_EQ(ends.back() + block_bytes(1, 1), whole.size());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ASSERT_TRUE(files.write("x", whole.substr(0, size)).ok());
    auto log = open_log(context, "x");
    ASSERT_EQ(log.ok(), size >= ends.front()) << size << " bytes";
    if (!log.ok()) continue;
    const std::size_t kept = *std::prev(std::upper_bound(ends.begin(), ends.end(), size));
    EXPECT_EQ(log.value()->cut_bytes(), size - kept);
    EXPECT_EQ(files.read("x"), whole.substr(0, kept));
    ASSERT_TRUE(log.value()->append(batch(1)).ok());
    EXPECT_EQ(held_by(*log.value()).value().back(), batch(1));
  }
}

TEST(LogFile, EveryFailingOperationIsAnErrorAndLosesNothing) {
  using Fault = FaultyFiles::Fault;
  for (const auto fault : {Fault::no_space, Fault::short_transfer}) {
    for (const auto lasting : {FaultyFiles::Lasting::once, FaultyFiles::Lasting::for_ever}) {
      for (std::uint64_t operation = 0;; ++operation) {
        ASSERT_LT(operation, 2000U);
        MemoryFiles below;
        FaultyFiles files(below);
        files.fail_at(operation, fault, lasting);
        LogLife life;
        const Status lived = life.live(files, "x");
        // A new process follows the killed one.
        const auto left = batches_in(below, "x");
        ASSERT_TRUE(left.ok()) << "operation " << operation << ": " << left.error().message;
        EXPECT_GE(left.value(), life.synced);
        EXPECT_LE(left.value(), life.appended + 1);
        if (!files.failed()) {
          EXPECT_TRUE(lived.ok());
          EXPECT_EQ(left.value(), life.appended);
          break;
        }
        EXPECT_TRUE(lasting == FaultyFiles::Lasting::once || !lived.ok());
      }
    }
  }
}

TEST(LogFile, AfterAFailureItTakesNothingMore) {
  MemoryFiles below;
  for (const bool sync_fails : {false, true}) {
    FaultyFiles files(below);
    const RunContext context = context_on(files);
    auto log = open_log(context, "x");
    ASSERT_TRUE(log.value()->append(batch(0)).ok());
    files.fail_at(0, FaultyFiles::Fault::short_transfer, FaultyFiles::Lasting::once);
    EXPECT_FALSE(sync_fails ? log.value()->sync().ok() : log.value()->append(batch(1)).ok());
    EXPECT_EQ(log.value()->append(batch(1)).error().message, "x failed before; open it again");
    EXPECT_EQ(log.value()->sync().error().message, "x failed before; open it again");
  }
}

using Loss = PowerLossFiles::Loss;
using Ignored = PowerLossFiles::Ignored;

/// Power is lost at sync point `k` of a life. Describes what is wrong afterwards; empty if nothing.
std::string lost(std::uint64_t k, Loss loss, std::uint64_t seed,
                 Ignored ignored = Ignored::nothing) {
  PowerLossFiles files;
  files.ignore(ignored);
  files.lose_power_at(k);
  LogLife life;
  const Status lived = life.live(files, "x");
  if (!lived.ok() && !files.power_is_lost()) return "failed: " + lived.error().message;
  files.restore_power(loss, seed);
  // Power is lost once more while the log is opened again.
  files.lose_power_at(seed % 3);
  const auto first_look = batches_in(files, "x");
  files.restore_power(loss, seed + 1);
  const auto left = batches_in(files, "x");
  if (!left.ok()) return left.error().message;
  if (left.value() < life.synced) return "a synced batch is lost";
  if (left.value() > life.appended + 1) return "a batch of nobody's";
  if (first_look.ok() && first_look.value() != left.value()) return "a batch that was seen is lost";
  return "";
}

TEST(LogFile, APowerLossLosesNothingThatWasSynced) {
  PowerLossFiles files;
  LogLife life;
  ASSERT_TRUE(life.live(files, "x").ok());
  const std::uint64_t points = files.sync_points();
  ASSERT_GE(points, 9U);
  for (const Loss loss : {Loss::dropped, Loss::torn, Loss::reordered}) {
    for (std::uint64_t k = 0; k <= points; ++k) {
      for (std::uint64_t seed = 0; seed < 16; ++seed) {
        ASSERT_EQ(lost(k, loss, seed), "") << "sync point " << k << ", seed " << seed;
      }
    }
  }
}

TEST(LogFile, AMissingSyncWouldBeSeen) {
  for (const Ignored ignored : {Ignored::files, Ignored::folders}) {
    bool seen = false;
    for (std::uint64_t k = 0; k < 25 && !seen; ++k) {
      seen = !lost(k, Loss::dropped, k, ignored).empty();
    }
    EXPECT_TRUE(seen);
  }
}

}  // namespace
}  // namespace twinset::testing
