#include "detect/detections.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

LabeledPage page(const std::string& url, std::uint64_t labeled, std::uint64_t chunks) {
  LabeledPage made;
  made.url = url;
  made.file = "in.jsonl";
  made.record = 1;
  made.chunks = chunks;
  made.labeled = labeled;
  return made;
}

TEST(RanksBefore, ByShareThenLabelsThenPlace) {
  // 2/3 beside 0.6666666666666666 of a double: larger by less than one can tell.
  constexpr std::uint64_t large = std::uint64_t{1} << 53;
  const std::vector<LabeledPage> ranked{page("z", 3 * large, 3 * large),
                                        page("y", 1, 1),
                                        page("c", 4, 6),
                                        page("b", 2, 3),
                                        page("a", 2 * large - 1, 3 * large),
                                        page("d", 1, 2),
                                        page("e", 1, 2),
                                        page("f", 0, 5),
                                        page("g", 0, 0)};
  std::vector<LabeledPage> shuffled = ranked;
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    std::ranges::shuffle(shuffled, random);
    std::ranges::sort(shuffled, RanksBefore());
    for (std::size_t i = 0; i < ranked.size(); ++i) EXPECT_EQ(shuffled[i].url, ranked[i].url);
  }
}

TEST(WorseBefore, ByTheChosenBadness) {
  // By chunks a is worse, by pages b.
  NeighborhoodSums a{"a/", 2, 1, 10, 6, share_units(6, 9)};
  NeighborhoodSums b{"b/", 2, 2, 10, 5, 2 * share_units(1, 2)};
  EXPECT_TRUE(WorseBefore{Badness::chunks}(a, b));
  EXPECT_FALSE(WorseBefore{Badness::chunks}(b, a));
  EXPECT_TRUE(WorseBefore{Badness::pages}(b, a));
  EXPECT_EQ(a.units(Badness::chunks), share_units(6, 10));
  EXPECT_EQ(b.units(Badness::pages), whole_share / 2);
  NeighborhoodSums none{"c/", 3, 0, 0, 0, 0};
  EXPECT_EQ(none.units(Badness::chunks), 0U);
  EXPECT_TRUE(WorseBefore{Badness::chunks}(b, none));
  EXPECT_FALSE(WorseBefore{Badness::chunks}(none, none));
}

TEST(ReadableText, IsWhatJsonGivesBack) {
  EXPECT_EQ(readable_text("plain"), "plain");
  EXPECT_EQ(readable_text("caf\xc3\xa9"), "caf\xc3\xa9");
  EXPECT_EQ(readable_text("a\xff"
                          "b"),
            "a\xef\xbf\xbd"
            "b");
  EXPECT_EQ(readable_text(std::string_view("a\0b", 3)), std::string("a\0b", 3));
  EXPECT_EQ(readable_text(readable_text("\xff\xfe")), readable_text("\xff\xfe"));
}

/// A store with so little memory that it spills gives what one with much does.
TEST(Detections, MemoryChangesNothing) {
  std::vector<std::string> seen;
  for (const std::uint64_t memory : {std::uint64_t{1} << 16, std::uint64_t{1} << 30}) {
    const ScratchFolder folder;
    RunContext context;
    context.files = &unsynced();
    Detections found(context, folder / "", memory);
    std::mt19937_64 random(5);
    for (std::uint64_t i = 0; i < 3000; ++i) {
      LabeledPage one = page("http://a.org/" + std::to_string(random() % 5000), random() % 4, 7);
      one.record = i;
      one.file_labeled = i % 7 == 0;
      std::string blob;
      for (std::uint64_t match = 0; match < one.matches(); ++match) {
        append_match({LabelKind::chunk,
                      hash_chunk(std::to_string(i), ChunkHash::sha256),
                      match,
                      9,
                      "text " + std::to_string(i),
                      {"http://known.org/", match, 9}},
                     blob);
      }
      const std::string_view blobs[] = {blob};
      if (!blob.empty()) {
        const Result<std::uint64_t> first = found.add_matches(blobs);
        ASSERT_TRUE(first.ok());
        one.first_matches = first.value();
        one.matches_blobs = 1;
      }
      ASSERT_TRUE(found.add(one).ok());
      ASSERT_TRUE(
          found.add(NeighborhoodSums{"p" + std::to_string(random() % 900), 1, 1, 7, 2, 3}).ok());
      ASSERT_TRUE(
          found.add(RecursionError{"http://r.org/" + std::to_string(random()), "f", i, "x/y", 3})
              .ok());
    }
    ASSERT_TRUE(found.seal().ok());
    EXPECT_GT(found.spilled_bytes(), 0U);
    std::string all;
    auto pages = found.pages().read().value();
    std::uint64_t matches = 0;
    for (const LabeledPage* one = pages.next().value(); one != nullptr;
         one = pages.next().value()) {
      one->append_to(all);
      ASSERT_TRUE(found
                      .for_each_match(*one,
                                      [&](PageMatch& match) -> Status {
                                        EXPECT_EQ(match.text,
                                                  "text " + std::to_string(one->record));
                                        EXPECT_EQ(match.sample.url, "http://known.org/");
                                        ++matches;
                                        return {};
                                      })
                      .ok());
    }
    all += std::to_string(matches);
    auto sums = found.neighborhoods().read().value();
    std::uint64_t neighborhoods = 0;
    std::uint64_t in_them = 0;
    for (const NeighborhoodSums* one = sums.next().value(); one != nullptr;
         one = sums.next().value()) {
      one->append_to(all);
      ++neighborhoods;
      in_them += one->pages;
    }
    EXPECT_LE(neighborhoods, 900U);
    EXPECT_EQ(in_them, 3000U);
    auto errors = found.recursion_errors().read().value();
    for (const RecursionError* one = errors.next().value(); one != nullptr;
         one = errors.next().value()) {
      one->append_to(all);
    }
    seen.push_back(std::move(all));
  }
  EXPECT_TRUE(seen[0] == seen[1]);
}

TEST(Detections, PiecesOfRecordsAreNone) {
  std::string bytes;
  page("http://a.org/", 1, 2).append_to(bytes);
  append_match({LabelKind::file, {}, 1, 2, "text", {"url", 3, 4}}, bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EncodedBytes rest(reinterpret_cast<const std::uint8_t*>(bytes.data()), size);
    LabeledPage one;
    PageMatch match;
    EXPECT_FALSE(LabeledPage::take(rest, one) && take_match(rest, match)) << size;
  }
}

}  // namespace
}  // namespace twinset
