// Runs that texts share, as stretches, against every N tokens in a row.
#include "spans/shared_stretches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <vector>

#include "rows/rows_testing.h"
#include "text/anchors.h"

namespace twinset {
namespace {

using namespace twinset::testing;

using Tokens = std::vector<std::uint64_t>;
using TextPlace = std::pair<std::uint32_t, std::uint32_t>;  // text and token
using RunPlaces = std::set<TextPlace>;

/// The places of each run that stands twice or more in texts of one part.
std::multiset<RunPlaces> runs_of(const std::vector<Tokens>& texts,
                                 const std::vector<std::uint64_t>& parts, unsigned run_tokens) {
  std::map<std::pair<std::uint64_t, Tokens>, RunPlaces> all;
  for (std::uint32_t text = 0; text < texts.size(); ++text) {
    const Tokens& tokens = texts[text];
    for (std::uint32_t begin = 0; begin + run_tokens <= tokens.size(); ++begin) {
      const Tokens run(tokens.begin() + begin, tokens.begin() + begin + run_tokens);
      all[{parts[text], run}].insert({text, begin});
    }
  }
  std::multiset<RunPlaces> twice;
  for (const auto& [run, places] : all) {
    if (places.size() > 1) twice.insert(places);
  }
  return twice;
}

/// Collects the places of each run of the parts that several stretches have.
class Collect {
 public:
  Collect(std::multiset<RunPlaces>& out, std::uint64_t& rows, std::mutex& mutex)
      : out_(out), rows_(rows), mutex_(mutex) {}
  Status row(const RunStretch& row, bool first) {
    if (first) end();
    runs_.resize(row.runs);
    for (std::uint32_t run = 0; run < row.runs; ++run) {
      EXPECT_TRUE(runs_[run].insert({row.text, row.begin + run}).second);
    }
    EXPECT_TRUE(first || row.runs == length_);
    length_ = row.runs;
    ++count_;
    return {};
  }
  Status finish() {
    end();
    const std::lock_guard lock(mutex_);
    rows_ += count_;
    return {};
  }

 private:
  void end() {
    const std::lock_guard lock(mutex_);
    for (const RunPlaces& places : runs_) out_.insert(places);
    runs_.clear();
  }

  std::multiset<RunPlaces>& out_;
  std::uint64_t& rows_;
  std::mutex& mutex_;
  std::vector<RunPlaces> runs_;
  std::uint32_t length_ = 0;
  std::uint64_t count_ = 0;
};

struct Found {
  std::multiset<RunPlaces> runs;
  std::uint64_t rows = 0;
};

Found found_in(const std::vector<Tokens>& texts, const std::vector<std::uint64_t>& parts,
               unsigned run_tokens, unsigned threads, std::uint64_t memory) {
  const ScratchFolder folder;
  const RunContext context = context_on(disk(), threads);
  SharedStretches stretches({&context, folder / "stretches", memory, 0}, run_tokens);
  std::vector<SharedStretches::Adder> adders;
  for (unsigned i = 0; i < threads; ++i) adders.emplace_back(stretches);
  AnchorSampler sampler;
  std::vector<TextAnchor> anchors;
  for (std::uint32_t text = 0; text < texts.size(); ++text) {
    sampler.sample(texts[text], AnchorRule(run_tokens), anchors);
    std::vector<AnchorRuns> runs;
    for (const TextAnchor& anchor : anchors) runs.push_back({anchor.first_run, anchor.runs});
    EXPECT_TRUE(adders[text % threads].add(text, texts[text], parts[text], runs).ok());
  }
  for (SharedStretches::Adder& adder : adders) EXPECT_TRUE(adder.finish().ok());
  RunStretchRows rows({&context, folder / "runs", memory, 0});
  EXPECT_TRUE(stretches.settle(rows).ok());
  Found found;
  std::mutex mutex;
  EXPECT_TRUE(rows.for_each_group([](const RunStretch&) { return true; }, ByStretchPlace(),
                                  [&](unsigned) { return Collect(found.runs, found.rows, mutex); })
                  .ok());
  return found;
}

/// Texts of few words, built from pieces of others and changed here and there.
std::vector<Tokens> some_texts(std::mt19937_64& random) {
  const std::uint64_t words = 2 + random() % 400;
  std::vector<Tokens> texts;
  for (std::size_t count = 2 + random() % 30; count > 0; --count) {
    Tokens text;
    while (text.size() < 10 + random() % 150) {
      const Tokens* const from = texts.empty() ? nullptr : &texts[random() % texts.size()];
      const std::size_t length = 1 + random() % 60;
      if (from == nullptr || from->size() <= length || random() % 3 == 0) {
        for (std::size_t i = 0; i < length / 3; ++i) text.push_back(mix64(1 + random() % words));
      } else {
        const auto begin =
            from->begin() + static_cast<std::ptrdiff_t>(random() % (from->size() - length));
        text.insert(text.end(), begin, begin + static_cast<std::ptrdiff_t>(length));
      }
    }
    if (random() % 2 == 0) text[random() % text.size()] = random();
    texts.push_back(text);
  }
  return texts;
}

TEST(SharedStretches, HaveThePlacesOfEveryRun) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 40; ++round) {
    const std::vector<Tokens> texts = some_texts(random);
    const bool is_parted = random() % 3 == 0;
    std::vector<std::uint64_t> parts;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      parts.push_back(is_parted ? mix64(1 + random() % 2) : 0);
    }
    for (const unsigned run_tokens : {1U, 2U, 3U, 8U, 20U, 50U}) {
      const Found found = found_in(texts, parts, run_tokens, 1 + round % 3, round % 2 << 20);
      ASSERT_TRUE(found.runs == runs_of(texts, parts, run_tokens))
          << "round " << round << ", " << run_tokens << " tokens";
    }
  }
}

// So many classes have the run (a, b) that they are not held.
TEST(SharedStretches, ARunMayBeOfAnyNumberOfClasses) {
  std::mt19937_64 random(3);
  AnchorSampler sampler;
  std::vector<TextAnchor> anchors;
  const auto chooses_one = [&](const Tokens& text) {
    sampler.sample(text, AnchorRule(2), anchors);
    return anchors.size() == 1;
  };
  // One whose windows are less than most.
  Tokens pair;
  for (int hits = 0; hits < 95;) {
    pair = {random(), random()};
    hits = 0;
    for (int i = 0; i < 100; ++i) hits += chooses_one({random(), pair[0], pair[1]}) ? 1 : 0;
  }
  std::vector<Tokens> texts;
  for (std::size_t i = 0; i < 80'000; ++i) texts.push_back({random(), pair[0], pair[1]});
  texts.push_back(texts.front());
  EXPECT_GT(std::ranges::count_if(texts, chooses_one), 70'000);
  const std::vector<std::uint64_t> parts(texts.size());
  const Found found = found_in(texts, parts, 2, 2, 1 << 24);
  EXPECT_TRUE(found.runs == runs_of(texts, parts, 2));
  EXPECT_EQ(found.runs.size(), 2U);
}

// A row for each stretch of a hundred copies, and none for each run of it.
TEST(SharedStretches, OfCopiesAreFew) {
  std::mt19937_64 random(2);
  Tokens text;
  for (int i = 0; i < 5000; ++i) text.push_back(random());
  std::vector<Tokens> texts(100, text);
  for (std::size_t i = 0; i < texts.size(); i += 2) texts[i][2500] = random();
  const Found found = found_in(texts, std::vector<std::uint64_t>(texts.size()), 50, 2, 1 << 24);
  std::uint64_t places = 0;
  for (const RunPlaces& run : found.runs) places += run.size();
  EXPECT_GT(places, 480'000U);
  EXPECT_LT(found.rows, places / 15);
}

}  // namespace
}  // namespace twinset
