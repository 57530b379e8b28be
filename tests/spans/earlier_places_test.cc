// Runs that stand twice and their earlier places, on texts made by hand.
#include "spans/earlier_places.h"

#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// The stages up to places, over texts of one input.
class Places {
 public:
  Places(const std::vector<std::string>& texts, unsigned least)
      : fixture_(texts_as_collection(texts)) {
    fixture_.read();
    const Job& job = fixture_.job();
    anchors_ = std::make_unique<SpanAnchors>(
        RowsOptions{&job.context, job.spill + "anchors", 1 << 20, 0}, AnchorRule(least), 0);
    EXPECT_TRUE(anchors_->open(nullptr).ok());
    ReadState state;
    std::vector<Collector*> collectors{anchors_.get()};
    EXPECT_TRUE(read_collection(
                    job, collectors, [](const ReadState&) { return Status(); }, state)
                    .ok());
    finder_ =
        std::make_unique<RunFinder>(job, fixture_.table(), AnchorRule(least), fixture_.texts());
    EXPECT_TRUE(finder_->find(*anchors_).ok());
  }

  RunFinder& finder() { return *finder_; }

  /// "2@0: first 1@3, nearest 1@3", a line a place; texts are counted from 1.
  std::string text() {
    const Job& job = fixture_.job();
    EarlierPlaceRows rows({&job.context, job.spill + "places", 1 << 20, 0});
    EXPECT_TRUE(finder_->earlier_places(rows).ok());
    std::string out;
    EXPECT_TRUE(for_each_row(rows, [&](const EarlierStretch& stretch) {
                  for (std::uint32_t run = 0; run < stretch.runs; ++run) {
                    out += at(stretch.place, run) + ": " + at(stretch.first, run) + " " +
                           at(stretch.nearest, run) + "\n";
                  }
                }).ok());
    return out;
  }

 private:
  static std::string at(RunPlace place, std::uint32_t run) {
    return std::to_string(place.text + 1) + "@" + std::to_string(place.begin + run);
  }
  JobFixture fixture_;
  std::unique_ptr<SpanAnchors> anchors_;
  std::unique_ptr<RunFinder> finder_;
};

TEST(EarlierPlaces, AreTheFirstAndTheNearest) {
  Places places({"x a b c d", "a b c y", "z", "q a b c d", "a b c"}, 3);
  EXPECT_EQ(places.text(),
            "2@0: 1@1 1@1\n"
            "4@1: 1@1 2@0\n"
            "4@2: 1@2 1@2\n"
            "5@0: 1@1 4@1\n");
  const RunCounts counts = places.finder().count().value();
  EXPECT_EQ(counts.places, 6U);
  EXPECT_EQ(counts.pairs, 4U * 3 / 2 + 1);
  // "b c d" in two texts, "a b c" in four.
  EXPECT_EQ(counts.by_documents, (std::vector<std::uint64_t>{0, 1, 1}));
}

TEST(EarlierPlaces, InOneTextDoNotOverlap) {
  Places places({"a a a a a a a"}, 3);
  EXPECT_EQ(places.text(),
            "1@3: 1@0 1@0\n"
            "1@4: 1@0 1@1\n");
  const RunCounts counts = places.finder().count().value();
  EXPECT_EQ(counts.pairs, 3U);  // 3 with 0, 4 with 0 and 1
  EXPECT_EQ(counts.by_documents, (std::vector<std::uint64_t>{1}));
}

TEST(EarlierPlaces, OfTextsShorterThanARunAreNone) {
  Places places({"a b", "a b", "", "c"}, 3);
  EXPECT_EQ(places.text(), "");
  EXPECT_EQ(places.finder().count().value().places, 0U);
}

}  // namespace
}  // namespace twinset
