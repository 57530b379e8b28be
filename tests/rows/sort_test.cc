// sort_rows by radix against std::sort, over numbers that are spread, close,
// equal, and differ in one byte only.
#include "rows/sort.h"

#include <functional>
#include <vector>

#include "rows/rows_testing.h"

namespace twinset::testing {
namespace {

struct WithRadix {
  bool operator()(const KeyedRow& a, const KeyedRow& b) const { return a < b; }
  static std::uint64_t radix(const KeyedRow& row) { return row.key; }
};
struct WithCoarseRadix : WithRadix {
  static std::uint64_t radix(const KeyedRow& row) { return row.key >> 40; }
};
static_assert(HasRadix<WithRadix, KeyedRow>);
static_assert(!HasRadix<ByKeyAndValue, KeyedRow>);

TEST(SortRows, EqualsStdSort) {
  std::mt19937_64 random(9);
  const std::vector<std::function<std::uint64_t()>> keys = {
      [&] { return random(); },
      [&] { return random() % 3; },
      [&] { return std::uint64_t{42}; },
      [&] { return (random() % 200) << 56 | 1; },
      [&] { return (random() % 2) << 63 | random() % 2; },
      [&] { return (random() % 5) << 40 | random() % 1000; },
      [&] { return ~(random() % 70'000); },
      [&] { return (random() % 30) << 32 | random() % 3000; },
      [&] { return random() % 8 == 0 ? random() : (random() % 4) << 50 | random() % 40; },
  };
  for (const std::size_t count : {0, 1, 2, 63, 64, 65, 5000, 40'000, 200'000}) {
    for (std::size_t kind = 0; kind < keys.size(); ++kind) {
      std::vector<KeyedRow> rows(count);
      for (KeyedRow& row : rows) row = {keys[kind](), random() % 4};
      std::vector<KeyedRow> expected = rows;
      std::sort(expected.begin(), expected.end());
      std::vector<KeyedRow> fine = rows;
      sort_rows(std::span(fine), WithRadix());
      ASSERT_TRUE(fine == expected) << count << " rows of kind " << kind;
      std::vector<KeyedRow> coarse = rows;
      sort_rows(std::span(coarse), WithCoarseRadix());
      ASSERT_TRUE(coarse == expected) << count << " rows of kind " << kind;
      std::vector<KeyedRow> plain = rows;
      sort_rows(std::span(plain), ByKeyAndValue());
      ASSERT_TRUE(plain == expected) << count << " rows of kind " << kind;
    }
  }
}

}  // namespace
}  // namespace twinset::testing
