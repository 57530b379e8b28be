#include "system/process_memory.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <utility>

namespace twinset {
namespace {

/// What another thread sees as leased by others.
std::uint64_t seen_by_another(const MemoryLedger& ledger) {
  std::uint64_t others = 0;
  std::thread([&] { others = ledger.others(); }).join();
  return others;
}

/// Half of 1,000 bytes that others have left.
std::uint64_t half_of_the_rest(std::uint64_t others) { return (1000 - others) / 2; }

TEST(ProcessMemory, APeakIsNeverZero) { EXPECT_GT(peak_memory_bytes(), std::uint64_t{1} << 20); }

TEST(ProcessMemory, EachThreadTakesHalfOfTheRestAndGivesItBack) {
  MemoryLedger ledger;
  std::optional<MemoryLease> first = ledger.take(0, half_of_the_rest);
  EXPECT_EQ(first->bytes(), 500U);
  std::thread([&] {
    const MemoryLease second = ledger.take(0, half_of_the_rest);
    EXPECT_EQ(second.bytes(), 250U);
    std::thread([&] {
      EXPECT_EQ(ledger.others(), 750U);
      const MemoryLease own = ledger.take(5000, half_of_the_rest);  // as much as is asked for
      EXPECT_EQ(own.bytes(), 5000U);
    }).join();
    EXPECT_EQ(ledger.others(), 500U);
  }).join();
  EXPECT_EQ(ledger.others(), 0U);
  first.reset();
  EXPECT_EQ(seen_by_another(ledger), 0U);
}

TEST(ProcessMemory, LeasesOfOneThreadCountOnce) {
  MemoryLedger ledger;
  const MemoryLease outer = ledger.take(600, half_of_the_rest);
  {
    const MemoryLease same = ledger.take(0, half_of_the_rest);
    EXPECT_EQ(same.bytes(), 600U);
    EXPECT_EQ(seen_by_another(ledger), 600U);
    const MemoryLease larger = ledger.take(700, half_of_the_rest);
    EXPECT_EQ(seen_by_another(ledger), 700U);
  }
  EXPECT_EQ(seen_by_another(ledger), 600U);
}

TEST(ProcessMemory, AMovedLeaseIsGivenBackOnce) {
  MemoryLedger ledger;
  MemoryLease first = ledger.take(100, half_of_the_rest);
  MemoryLease second = std::move(first);
  first = MemoryLease();
  EXPECT_EQ(seen_by_another(ledger), 100U);
  second = MemoryLease();
  EXPECT_EQ(seen_by_another(ledger), 0U);
}

}  // namespace
}  // namespace twinset
