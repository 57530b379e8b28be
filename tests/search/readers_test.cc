// Many threads that ask one Index, and open it anew, while another changes it on disk: each answer
// is that of one state. `make drill` runs it under the thread sanitizer.
#include <atomic>
#include <set>
#include <thread>

#include "search/search_testing.h"
#include "support/tries.h"
#include "twinset/hits.h"

namespace twinset::testing {
namespace {

constexpr std::uint64_t of_a_round = 12;

std::string name_of(std::uint64_t round, std::uint64_t number) {
  return "r" + std::to_string(round) + "." + std::to_string(number);
}

/// Documents of a round: each second one is nearly a copy of the one before it.
std::string lines_of_round(std::uint64_t round) {
  std::string lines;
  for (std::uint64_t i = 0; i < of_a_round; ++i) {
    lines += record_line(name_of(round, i),
                         words_of(round << 8 | i / 2, 60) + (i % 2 == 0 ? "" : " end"),
                         ", \"url\": \"http://h.org/" + std::to_string(i) +
                             "\", \"date\": \"2026-01-" + std::to_string(10 + round) + "\"");
  }
  return lines;
}

/// The round whose documents, and no others, the index has.
std::uint64_t round_of(const Index& index) {
  EXPECT_EQ(index.stats().documents, of_a_round);
  const PageLocation page = index.locate("http://h.org/0").value();
  EXPECT_EQ(page.status, PageStatus::here);
  const std::string& id = page.newest.value().id;
  return std::stoull(id.substr(id.find('r') + 1));
}

/// Everything that can be asked of an index with the documents of a round.
void ask(const Index& index, std::uint64_t round) {
  for (std::uint64_t i = 0; i < of_a_round; i += 2) {
    const std::string id = name_of(round, i);
    const std::string quoted = "\"" + id + "\"";
    const IndexAnswer of_text = index.query(words_of(round << 8 | i / 2, 60)).value();
    ASSERT_EQ(of_text.hits.size(), 2U) << id;
    EXPECT_EQ(of_text.hits.front().document.id, quoted);
    EXPECT_EQ(index.query_document(id).value().hits.size(), 2U);
    EXPECT_TRUE(index.find(id).value().has_value());
    EXPECT_FALSE(index.find(name_of(round + 1, i)).value().has_value());
    const IndexLookup of_url = index.lookup("http://h.org/" + std::to_string(i)).value();
    ASSERT_EQ(of_url.clusters.size(), 1U);
    EXPECT_EQ(of_url.clusters.front().documents.size(), 2U);
    HitList hits;
    for (std::uint64_t j = 0; j < of_a_round; ++j) hits.hits.push_back({.id = name_of(round, j)});
    EXPECT_EQ(index.group(hits, {}).value().groups.size(), of_a_round / 2);
  }
}

void readers_beside_a_writer(bool texts) {
  SearchFolder toy;
  toy.options.settings.scheme = {"mod", "fss"};
  toy.options.settings.texts = texts;
  toy.options.url = "url";
  toy.options.date = "date";
  ASSERT_TRUE(toy.create().ok());
  ASSERT_TRUE(toy.add(lines_of_round(0)).ok());
  const Index first = Index::open(toy.options.index).value();
  std::atomic<std::uint64_t> last = 0;
  std::atomic<bool> ends = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      for (std::uint64_t before = 0; !ends;) {
        ask(first, 0);  // One for all, of the state in which it was opened.
        const std::uint64_t known = last;
        const Result<Index> now = Index::open(toy.options.index);
        ASSERT_TRUE(now.ok()) << now.error().text();
        if (now.value().stats().documents != of_a_round) continue;  // Between two changes.
        const std::uint64_t round = round_of(now.value());
        EXPECT_GE(round, std::max(before, known));
        ask(now.value(), round);
        before = round;
      }
    });
  }
  const std::uint64_t rounds = tries(20);
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    std::vector<std::string> old;
    for (std::uint64_t i = 0; i < of_a_round; ++i) old.push_back(name_of(round - 1, i));
    EXPECT_TRUE(toy.remove(old).ok());
    EXPECT_TRUE(toy.add(lines_of_round(round)).ok());
    last = round;
    if (round % 3 == 0) {
      toy.options.inputs = {};
      EXPECT_TRUE(compact_index(toy.options, quiet_control()).ok());
    }
  }
  ends = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(round_of(Index::open(toy.options.index).value()), rounds);
}

TEST(ReadersBesideAWriter, SeeOneStateBySketches) { readers_beside_a_writer(false); }
TEST(ReadersBesideAWriter, SeeOneStateByTexts) { readers_beside_a_writer(true); }

}  // namespace
}  // namespace twinset::testing
