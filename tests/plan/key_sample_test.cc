// The sample of keys against its definition: the documents that hold a key below the
// bound, whatever the order and the threads they came in.
#include "plan/key_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace twinset {
namespace {

struct World {
  std::vector<KeyHolder> documents;
  std::vector<std::vector<std::uint64_t>> keys;
  std::vector<std::vector<std::uint8_t>> sketches;
};

World random_world(std::size_t documents, std::mt19937_64& random) {
  World world;
  for (std::size_t i = 0; i < documents; ++i) {
    KeyHolder holder;
    holder.document = DocumentId(0, i + 1);
    holder.lexical = {random(), random()};
    // One in four is a copy: the same text, keys and sketch.
    const std::size_t original = random() % 4 == 0 && i > 0 ? random() % i : i;
    if (original < i) {
      holder.lexical = world.documents[original].lexical;
      world.documents.push_back(holder);
      world.keys.push_back(world.keys[original]);
      world.sketches.push_back(world.sketches[original]);
      continue;
    }
    world.documents.push_back(holder);
    auto& keys = world.keys.emplace_back(random() % 40);
    for (std::uint64_t& key : keys) key = random() % 50'000 * 0x9e3779b97f4a7c15ULL;
    world.sketches.emplace_back(random() % 30, static_cast<std::uint8_t>(i));
  }
  return world;
}

void add(const World& world, std::size_t begin, std::size_t end, KeySample& sample) {
  SampleBatch batch;
  for (std::size_t i = begin; i < end; ++i) {
    sample.take_fingerprint(world.documents[i].lexical, batch);
    sample.take(world.documents[i], world.keys[i], world.sketches[i], batch);
    if (i % 7 == 0) sample.add(batch);
  }
  sample.add(batch);
}

void expect_defined(const World& world, KeySample& sample) {
  const SampleBatch& found = sample.finish();
  std::map<DocumentId, std::size_t> places;
  for (std::size_t i = 0; i < found.documents.size(); ++i) {
    EXPECT_TRUE(i == 0 || found.documents[i - 1].document < found.documents[i].document);
    places[found.documents[i].document] = i;
  }
  std::set<std::uint64_t> texts;
  std::map<Fingerprint, std::uint64_t> copies;
  for (const KeyHolder& document : world.documents) ++copies[document.lexical];
  std::set<Fingerprint> seen;
  std::uint64_t expected = 0;
  for (std::size_t i = 0; i < world.documents.size(); ++i) {
    texts.insert(world.documents[i].lexical.low);
    const bool copy = !seen.insert(world.documents[i].lexical).second;
    const bool in =
        !copy && std::any_of(world.keys[i].begin(), world.keys[i].end(), [&](std::uint64_t key) {
          return KeySample::holds(key, sample.halvings());
        });
    expected += in ? 1 : 0;
    const auto place = places.find(world.documents[i].document);
    ASSERT_EQ(place != places.end(), in) << i;
    if (!in) continue;
    const KeyHolder& holder = found.documents[place->second];
    EXPECT_EQ(holder.copies + 1, copies[holder.lexical]);
    const auto keys = found.keys_of(holder);
    const auto sketch = found.sketch_of(holder);
    EXPECT_TRUE(std::equal(keys.begin(), keys.end(), world.keys[i].begin(), world.keys[i].end()));
    EXPECT_TRUE(std::equal(sketch.begin(), sketch.end(), world.sketches[i].begin(),
                           world.sketches[i].end()));
  }
  EXPECT_EQ(found.documents.size(), expected);
  const auto sampled =
      static_cast<std::uint64_t>(std::count_if(texts.begin(), texts.end(), [&](std::uint64_t low) {
        return static_cast<double>(low) <= sample.text_share() * 18446744073709551615.0;
      }));
  EXPECT_EQ(sample.sampled_texts(), sampled);
}

TEST(KeySample, HoldsTheDocumentsOfKeysBelowItsBound) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20; ++round) {
    const World world = random_world(1 + random() % 4000, random);
    KeySample sample(std::uint64_t{1} << (16 + random() % 8));
    add(world, 0, world.documents.size(), sample);
    expect_defined(world, sample);
  }
}

TEST(KeySample, DoesNotDependOnOrderOrThreads) {
  std::mt19937_64 random(2);
  const World world = random_world(20'000, random);
  KeySample forward(200'000);
  add(world, 0, world.documents.size(), forward);
  KeySample threaded(200'000);
  std::vector<std::thread> threads;
  for (std::size_t part = 0; part < 4; ++part) {
    threads.emplace_back([&, part] { add(world, (3 - part) * 5000, (4 - part) * 5000, threaded); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LT(forward.share(), 1);
  EXPECT_LT(forward.text_share(), 1);
  EXPECT_EQ(forward.halvings(), threaded.halvings());
  EXPECT_EQ(forward.text_share(), threaded.text_share());
  expect_defined(world, forward);
  expect_defined(world, threaded);
  EXPECT_EQ(forward.sampled_texts(), threaded.sampled_texts());
}

TEST(KeySample, SmallCollectionIsWhole) {
  std::mt19937_64 random(3);
  const World world = random_world(500, random);
  KeySample sample(1 << 22);
  add(world, 0, world.documents.size(), sample);
  EXPECT_EQ(sample.share(), 1);
  EXPECT_EQ(sample.text_share(), 1);
  expect_defined(world, sample);
}

TEST(KeySample, StaysWithinItsMemory) {
  std::mt19937_64 random(4);
  const World world = random_world(20'000, random);
  for (const std::uint64_t memory : {60'000ULL, 300'000ULL, 2'000'000ULL}) {
    KeySample sample(memory);
    add(world, 0, world.documents.size(), sample);
    const SampleBatch& found = sample.finish();
    EXPECT_LE(found.bytes(), memory);
    EXPECT_LE(found.fingerprints.size() * sizeof(std::uint64_t), memory + 32768);
    // What it has given up, it has taken all the same.
    EXPECT_GE(sample.peak_bytes(), memory / 3);
    EXPECT_GE(sample.peak_bytes(), found.bytes());
    EXPECT_LE(sample.peak_bytes(), 3 * memory + 65536);
  }
}

}  // namespace
}  // namespace twinset
