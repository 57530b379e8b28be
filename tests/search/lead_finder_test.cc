// LeadFinder: no lead that resembles a document is left out, and few others are met.
#include "search/lead_finder.h"

#include <algorithm>

#include "index/index_testing.h"

namespace twinset::testing {
namespace {

struct Candidates {
  std::size_t met = 0;     ///< that the finder gives
  std::size_t missed = 0;  ///< that resemble, and are not among them
  std::size_t alike = 0;
  std::size_t pairs = 0;
};

/// Every document is a lead; each is looked for among those before it.
Candidates candidates_of(const std::string& spec, Ratio least, bool texts) {
  IndexSettings settings;
  settings.scheme = {spec};
  MemoryFiles files;
  const IndexSigner signer = IndexSigner::make(settings, files).value();
  std::vector<std::vector<Marks>> marks;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const std::string text = edited(made_text(i / 3 + 1, 150), 10, i % 3 * 6, i);
    Record record;
    record.text = text;
    RecordView view(signer.view());
    view.look_at(record);
    signer.mark(view, marks.emplace_back());
  }
  std::vector<HeldDocument> held(marks.size());
  for (std::size_t i = 0; i < marks.size(); ++i) {
    hold(marks[i], held[i]);
    held[i].tokens_hash = {i, i};
  }
  LeadFinder finder(signer, {least, {}}, texts);
  for (const HeldDocument& document : held) finder.add(document);
  finder.ready();
  Candidates result;
  for (std::uint32_t i = 0; i < finder.size(); ++i) {
    const std::span<const std::uint32_t> found = finder.candidates(i);
    EXPECT_TRUE(std::ranges::is_sorted(found));
    result.met += found.size();
    for (std::uint32_t lead = 0; lead < i; ++lead) {
      ++result.pairs;
      const HeldLikeness likeness = compare_held(signer, held[i], held[lead]);
      const bool is_alike = texts ? likeness.likeness.resemblance.value_or(Interval{}).value > 0.15
                                  : reaches(likeness, {least, {}});
      if (!is_alike) continue;
      ++result.alike;
      result.missed += std::ranges::binary_search(found, lead) ? 0 : 1;
    }
    finder.lead(i);
  }
  return result;
}

TEST(LeadFinder, MissesNoneAndMeetsFew) {
  for (const char* const spec : {"mod(samples=64)", "fss", "minhash(values=64)", "simhash"}) {
    for (const Ratio least : {Ratio(1, 2), Ratio(4, 5)}) {
      const Candidates found = candidates_of(spec, least, false);
      EXPECT_EQ(found.missed, 0U) << spec;
      EXPECT_GT(found.alike, 15U) << spec;
      EXPECT_LT(found.met, found.pairs / 20) << spec;
    }
  }
  // Where so few values must be equal that every byte may differ, the values are counted.
  for (const auto& [least, texts] : {std::pair(Ratio(1, 10), false), {Ratio(1, 2), true}}) {
    const Candidates found = candidates_of("fss", least, texts);
    EXPECT_EQ(found.missed, 0U);
    EXPECT_LT(found.met, found.pairs / 20);
  }
  // Sketches of a form that tells no keys meet all.
  EXPECT_EQ(candidates_of("imatch", Ratio(1, 2), false).missed, 0U);
}

}  // namespace
}  // namespace twinset::testing
