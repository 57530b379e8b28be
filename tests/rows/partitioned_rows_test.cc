// PartitionedRows against a sort of everything: whatever the memory, partitions,
// threads, order of adding and skew, the groups are the same.
#include "rows/partitioned_rows.h"

#include <string>
#include <vector>

#include "rows/rows_testing.h"

namespace twinset::testing {
namespace {

/// `shape`: how keys are shared.
std::vector<KeyedRow> rows_of_shape(const std::string& shape, std::size_t count,
                                    std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<KeyedRow> rows;
  for (std::size_t i = 0; i < count; ++i) {
    if (shape == "mostly single") {
      rows.push_back({mix64(random() % 4 == 0 ? random() % count : random()), random()});
    } else if (shape == "pairs and copies") {
      rows.push_back({mix64(random() % (count / 3 + 1)), random() % 4});
    } else if (shape == "one key") {
      rows.push_back({0x123456789abcdef0, i});
    } else if (shape == "one row") {
      rows.push_back({0x123456789abcdef0, 1});
    } else if (shape == "half one key") {
      rows.push_back({i % 2 == 0 ? 42 : mix64(random() % count), i});
    } else {  // "small keys": not a hash at all
      rows.push_back({random() % (count / 2 + 1), random() % 100});
    }
  }
  return rows;
}

class Grouping : public ::testing::TestWithParam<std::string> {};

TEST_P(Grouping, EqualsASortWhateverTheBudget) {
  const std::size_t count = 60'000;
  const std::vector<KeyedRow> rows = rows_of_shape(GetParam(), count, 1);
  const std::vector<Groups::Group> expected = expected_groups(rows);
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{700'000},
                                     std::uint64_t{4} << 20, std::uint64_t{64} << 20}) {
    for (const unsigned bits : {0U, 3U, 8U, PartitionedRows<KeyedRow>::choose_bits}) {
      for (const unsigned threads : {1U, 2U, 7U}) {
        SCOPED_TRACE(std::to_string(memory) + " bytes, " + std::to_string(bits) + " bits, " +
                     std::to_string(threads) + " threads");
        ScratchFolder folder;
        const RunContext context = context_on(disk(), threads);
        {
          PartitionedRows<KeyedRow> store(
              {.context = &context, .path = folder / "keys", .memory_bytes = memory}, bits);
          ASSERT_TRUE(append_from_threads(context, store, rows, 1000 + memory % 997).ok());
          EXPECT_EQ(store.rows().value(), count);
          const auto groups = groups_of(store);
          ASSERT_TRUE(groups.ok()) << groups.error().message;
          ASSERT_TRUE(groups.value() == expected);
          if (memory == 0 && threads == 1) {
            EXPECT_GT(store.spilled_bytes(), 0U);
            EXPECT_LT(static_cast<double>(store.spilled_bytes()), 1.2 * count * sizeof(KeyedRow));
          }
          if (memory == std::uint64_t{64} << 20) {
            EXPECT_EQ(store.spilled_bytes(), 0U);
          }
        }
        EXPECT_EQ(folder.files(), 0U);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Grouping,
                         ::testing::Values("mostly single", "pairs and copies", "one key",
                                           "one row", "half one key", "small keys"),
                         [](const auto& shape) {
                           std::string name = shape.param;
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

}  // namespace
}  // namespace twinset::testing
