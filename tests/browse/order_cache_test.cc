#include "browse/order_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace twinset {
namespace {

RowOrder order_of(std::uint32_t rows) {
  RowOrder order;
  for (std::uint32_t i = 0; i < rows; ++i) order.rows.push_back(i);
  order.documents = rows;
  return order;
}

TEST(OrderCache, MakesAnOrderOnceHoweverManyAsk) {
  OrderCache cache(1 << 20);
  std::atomic<int> made = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const Result<SharedOrder> order = cache.get("a", [&]() -> Result<RowOrder> {
        ++made;
        return order_of(100);
      });
      EXPECT_EQ(order.value()->rows.size(), 100U);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(cache.bytes(), 400U);
}

TEST(OrderCache, WhoWaitsForAnotherOrderMayGiveUp) {
  OrderCache cache(1 << 20);
  std::atomic<bool> is_made = false;
  std::atomic<bool> ends = false;
  std::thread maker([&] {
    EXPECT_TRUE(cache
                    .get("slow",
                         [&]() -> Result<RowOrder> {
                           is_made = true;
                           while (!ends) std::this_thread::yield();
                           return order_of(1);
                         })
                    .ok());
  });
  while (!is_made) std::this_thread::yield();
  const std::atomic<bool> cancel = true;
  const auto make = []() -> Result<RowOrder> { return order_of(2); };
  EXPECT_EQ(cache.get("other", make, &cancel).error().code, ErrorCode::interrupted);
  ends = true;
  maker.join();
  EXPECT_EQ(cache.get("other", make).value()->rows.size(), 2U);
}

TEST(OrderCache, KeepsThoseThatWereAskedForLastAndNoMoreBytes) {
  OrderCache cache(10'000);
  int made = 0;
  const auto ask = [&](const std::string& key, std::uint32_t rows) {
    const Result<SharedOrder> order = cache.get(key, [&]() -> Result<RowOrder> {
      ++made;
      return order_of(rows);
    });
    EXPECT_EQ(order.value()->documents, rows);
  };
  for (int i = 0; i < 8; ++i) ask(std::to_string(i), 10);
  ask("0", 10);
  EXPECT_EQ(made, 8);
  ask("8", 10);  // In place of "1".
  ask("0", 10);
  EXPECT_EQ(made, 9);
  ask("1", 10);
  EXPECT_EQ(made, 10);
  ask("large", 2400);
  EXPECT_LE(cache.bytes(), 10'000U);
  ask("too large", 5000);
  EXPECT_LE(cache.bytes(), 10'000U);
  ask("too large", 5000);
  EXPECT_EQ(made, 13);
}

TEST(OrderCache, KeepsNoError) {
  OrderCache cache(1000);
  const auto failing = []() -> Result<RowOrder> { return usage_error("no"); };
  EXPECT_EQ(cache.get("a", failing).error().message, "no");
  EXPECT_TRUE(cache.get("a", [] { return Result<RowOrder>(order_of(1)); }).ok());
}

}  // namespace
}  // namespace twinset
