#include "run/texts.h"

#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// The shingles of each document, read again.
std::vector<std::vector<std::uint64_t>> read_again(const MadeCollection& collection) {
  JobFixture fixture(collection);
  fixture.read();
  const DocumentTable& table = fixture.table();
  EXPECT_TRUE(fixture.texts().extract(std::vector<bool>(table.size(), true)).ok());
  std::vector<std::vector<std::uint64_t>> all(table.size());
  for (std::uint64_t i = 0; i < table.size(); ++i) {
    EXPECT_TRUE(fixture.texts().shingles(table.document(i), all[i]).ok()) << i;
  }
  return all;
}

TEST(Texts, AreTheSameHoweverTheInputIsStored) {
  MadeCollection collection = planted_collection({.seed = 5, .documents = 200, .files = 1});
  const auto plain = read_again(collection);
  std::size_t shingles = 0;
  for (const auto& each : plain) shingles += each.size();
  EXPECT_GT(shingles, 5000U);
  for (const char* suffix : {".gz", ".zst"}) {
    MadeCollection packed = collection;
    packed.files[0].name += suffix;
    EXPECT_EQ(read_again(packed), plain) << suffix;
  }
}

}  // namespace
}  // namespace twinset
