// The sampler counts all keys and names, and a small collection is sampled whole.
#include "plan/key_sampler.h"

#include <gtest/gtest.h>

#include "run/read_pass.h"
#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(KeySampler, TakesASmallCollectionWhole) {
  const MadeCollection collection = planted_collection({.seed = 5, .documents = 150, .files = 3});
  for (const char* scheme : {"fss", "mod(samples=64)"}) {
    std::uint64_t keys = 0;
    for (const unsigned threads : {1U, 3U}) {
      JobFixture fixture(collection, [&](JobOptions& options) {
        options.scheme = scheme;
        set_small_memory(options, threads, 1 << 26);
      });
      KeySample sample(std::uint64_t{32} << 20);
      KeySampler sampler(*fixture.job().signer.scheme, sample);
      Collector* const collectors[] = {&sampler};
      ReadState state;
      ASSERT_TRUE(read_collection(fixture.job(), collectors, nullptr, state).ok());
      const SampleBatch& sampled = sample.finish();
      EXPECT_EQ(sample.share(), 1);
      std::uint64_t sampled_keys = 0;
      std::uint64_t documents = 0;
      for (const KeyHolder& document : sampled.documents) {
        sampled_keys += std::uint64_t{document.keys} * (1 + document.copies);
        documents += 1 + document.copies;
      }
      EXPECT_LE(documents, state.documents);
      EXPECT_EQ(sampled_keys, sampler.keys());
      EXPECT_GT(sampler.keys(), 0U);
      EXPECT_GT(sampler.name_bytes(), 0U);
      EXPECT_TRUE(threads == 1 || sampler.keys() == keys);
      keys = sampler.keys();
    }
  }
}

}  // namespace
}  // namespace twinset
