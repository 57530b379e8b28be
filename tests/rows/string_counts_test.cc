// StringCounts: the counts of a plain map, whatever the memory, the order and the interruptions.
#include "rows/string_counts.h"

#include <map>
#include <random>

#include "rows/rows_testing.h"
#include "support/faulty_files.h"
#include "system/memory_files.h"

namespace twinset::testing {
namespace {

using Counts = std::map<std::string, std::uint64_t>;

RowsOptions options_on(const RunContext& context, std::uint64_t memory_bytes) {
  return {.context = &context, .path = "x", .memory_bytes = memory_bytes, .fingerprint = 7};
}

/// Strings of any bytes, some with long common beginnings, often repeated.
std::vector<std::string> made_strings(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < count; ++i) {
    std::string string = random() % 4 == 0 ? "the same nine words of a long beginning " : "";
    string += std::to_string(random() % (count / 2 + 1));
    if (random() % 50 == 0) string += std::string(random() % 300, '\0');
    if (random() % 100 == 0) string.resize(random() % 3);
    strings.push_back(std::move(string));
  }
  return strings;
}

Counts counts_of(const std::vector<std::string>& strings) {
  Counts counts;
  for (const std::string& string : strings) counts[string] += string.size() + 1;
  return counts;
}

Status add_all(StringCounts& counts, std::span<const std::string> strings) {
  for (const std::string& string : strings) TWINSET_TRY(counts.add(string, string.size() + 1));
  return {};
}

/// All counts, which must come in order.
Result<Counts> read_all(const StringCounts& counts) {
  Counts read;
  TWINSET_TRY(counts.for_each([&](std::string_view string, std::uint64_t count) -> Status {
    EXPECT_TRUE(read.empty() || read.rbegin()->first < string);
    read[std::string(string)] = count;
    return {};
  }));
  return read;
}

TEST(StringCounts, CountsAsAMapDoes) {
  for (const std::size_t count : {0, 1, 2, 1000, 100'000}) {
    MemoryFiles files;
    const RunContext context = context_on(files);
    const std::vector<std::string> strings = made_strings(count, count);
    StringCounts counts(options_on(context, std::uint64_t{64} << 20));
    ASSERT_TRUE(add_all(counts, strings).ok());
    EXPECT_FALSE(read_all(counts).ok()) << "not sealed";
    ASSERT_TRUE(counts.seal().ok());
    EXPECT_EQ(read_all(counts).value(), counts_of(strings));
    EXPECT_EQ(read_all(counts).value(), counts_of(strings)) << "again";
    EXPECT_EQ(counts.stored_bytes(), 0U);
    EXPECT_FALSE(counts.add("late", 1).ok());
  }
}

// 21,000 strings fit; more than 16 runs are merged in two passes.
TEST(StringCounts, CountsTheSameInLittleMemory) {
  for (const std::size_t count : {50'000, 700'000}) {
    MemoryFiles files;
    const RunContext context = context_on(files);
    const std::vector<std::string> strings = made_strings(count, count);
    StringCounts counts(options_on(context, 0));
    ASSERT_TRUE(add_all(counts, strings).ok());
    ASSERT_TRUE(counts.seal().ok());
    EXPECT_GT(counts.stored_bytes(), count);
    EXPECT_EQ(read_all(counts).value(), counts_of(strings));
    EXPECT_EQ(read_all(counts).value(), counts_of(strings)) << "again";
    EXPECT_EQ(files.list(".").value(), std::vector<std::string>{"x.strings"});
    ASSERT_TRUE(counts.discard().ok());
    EXPECT_TRUE(files.list(".").value().empty());
  }
}

TEST(StringCounts, GoesOnFromACheckpoint) {
  const std::vector<std::string> strings = made_strings(120'000, 3);
  const std::span<const std::string> all(strings);
  for (const std::size_t saved : {0, 1, 30'000, 100'000}) {
    MemoryFiles files;
    const RunContext context = context_on(files);
    std::vector<PartLength> parts;
    {
      StringCounts killed(options_on(context, 0));
      ASSERT_TRUE(add_all(killed, all.first(saved)).ok());
      ASSERT_TRUE(killed.checkpoint(parts).ok());
      ASSERT_TRUE(add_all(killed, all.first(50'000)).ok()) << "lost";
    }
    StringCounts counts(options_on(context, 0));
    ASSERT_TRUE(counts.restore(parts).ok());
    ASSERT_TRUE(add_all(counts, all.subspan(saved)).ok());
    ASSERT_TRUE(counts.seal().ok());
    EXPECT_EQ(read_all(counts).value(), counts_of(strings)) << saved;
  }
}

TEST(StringCounts, ACheckpointAfterTheEndChangesNothing) {
  MemoryFiles files;
  const RunContext context = context_on(files);
  const std::vector<std::string> strings = made_strings(1000, 5);
  StringCounts counts(options_on(context, 0));
  ASSERT_TRUE(add_all(counts, strings).ok());
  ASSERT_TRUE(counts.seal().ok());
  std::vector<PartLength> parts;
  ASSERT_TRUE(counts.checkpoint(parts).ok());
  EXPECT_EQ(read_all(counts).value(), counts_of(strings));
}

TEST(StringCounts, EveryDamagedByteIsAnError) {
  MemoryFiles files;
  const RunContext context = context_on(files);
  const std::vector<std::string> strings = made_strings(300, 9);
  std::vector<PartLength> parts;
  StringCounts written(options_on(context, 0));
  ASSERT_TRUE(add_all(written, strings).ok());
  ASSERT_TRUE(written.checkpoint(parts).ok());
  const std::string good = files.read("x.strings");
  for (std::size_t at = 0; at < good.size(); at += at < 200 ? 1 : 97) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    ASSERT_TRUE(files.write("x.strings", bad).ok());
    StringCounts counts(options_on(context, 0));
    Status read = counts.restore(parts);
    if (read.ok()) read = counts.seal();
    if (read.ok()) {
      const Result<Counts> all = read_all(counts);
      // The number of rows in the header is not used.
      if (all.ok()) {
        EXPECT_EQ(all.value(), counts_of(strings)) << at;
        continue;
      }
      read = all.error();
    }
    EXPECT_NE(read.error().message.find("x.strings"), std::string::npos) << read.error().message;
  }
}

TEST(StringCounts, AFailingDiskIsAnError) {
  const std::vector<std::string> strings = made_strings(60'000, 11);
  MemoryFiles files;
  FaultyFiles faulty(files);
  const RunContext context = context_on(faulty);
  const auto count = [&]() -> Result<Counts> {
    StringCounts counts(options_on(context, 0));
    TWINSET_TRY(add_all(counts, strings));
    TWINSET_TRY(counts.seal());
    return read_all(counts);
  };
  ASSERT_TRUE(count().ok());
  const std::uint64_t operations = faulty.operations();
  ASSERT_GT(operations, 20U);
  for (std::uint64_t k = 0; k < operations; k += 7) {
    faulty.fail_at(k, FaultyFiles::Fault::no_space, FaultyFiles::Lasting::once);
    EXPECT_FALSE(count().ok()) << k;
    faulty.never_fail();
  }
}

TEST(StringCounts, ATooLongStringIsRefused) {
  MemoryFiles files;
  const RunContext context = context_on(files);
  StringCounts counts(options_on(context, 0));
  EXPECT_TRUE(counts.add(std::string(StringCounts::max_string_bytes, 'x'), 1).ok());
  const Status refused = counts.add(std::string(StringCounts::max_string_bytes + 1, 'x'), 1);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::usage);
}

}  // namespace
}  // namespace twinset::testing
