// The earlier places of each passage of N tokens in a collection, out of core.
//
// 1. Anchors: a pass keeps a row for each anchor of each text (text/anchors.h). Those that stand
//    once are dropped: most.
// 2. Runs: the texts around the others are read again, and every N tokens in a row that chose such
//    an anchor are told apart by their 128-bit hash; those that the same texts have side by side
//    become one row (spans/shared_stretches.h).
// 3. Places: a run that stands twice gets, at each place but its first, its first place and the
//    nearest one before. That is linear in the places of a passage, however many it has.
//
// Work and disk are in proportion to the texts for 1, and to what is repeated for 2 and 3.
//
// Threads: a SpanAnchors is a Collector; the rest runs one at a time, with the job's threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "join/documents.h"
#include "rows/rows.h"
#include "run/collector.h"
#include "run/job.h"
#include "run/texts.h"
#include "spans/cuts.h"
#include "spans/parts.h"
#include "spans/run_places.h"
#include "spans/shared_stretches.h"
#include "text/anchors.h"
#include "twinset/spans.h"

namespace twinset {

/// An anchor of a document.
struct AnchorRow {
  std::uint64_t key = 0;
  DocumentId document;
  std::uint32_t first_run = 0;
  std::uint16_t runs = 0;
  std::uint16_t round = 0;  ///< of cutting, that left the text as it was sampled; 0: as it is

  static AnchorRow of(const TextAnchor& anchor, DocumentId document, std::uint64_t part,
                      unsigned round = 0) {
    return {anchor.key ^ part, document, anchor.first_run, static_cast<std::uint16_t>(anchor.runs),
            static_cast<std::uint16_t>(round)};
  }
};
static_assert(most_span_tokens <= UINT16_MAX, "an anchor has at most N runs");

/// Runs of a text that chose an anchor which stands elsewhere, too. Texts are numbered as in
/// DocumentTable.
struct RepeatedRuns {
  std::uint32_t text = 0;
  std::uint32_t first_run = 0;
  std::uint32_t runs = 0;
  auto operator<=>(const RepeatedRuns&) const = default;
};

/// Orders by the text and the place in it.
struct ByFirstRepeated {
  bool operator()(const RepeatedRuns& a, const RepeatedRuns& b) const { return a < b; }
  static std::uint64_t radix(const RepeatedRuns& row) {
    return std::uint64_t{row.text} << 32 | row.first_run;
  }
};
using RepeatedRows = SortedRows<RepeatedRuns, ByFirstRepeated>;

/// Two places of a run.
struct RunPair {
  RunPlace later;
  RunPlace earlier;
};

/// Orders by the text and the place in it.
struct ByPlace {
  bool operator()(const EarlierStretch& a, const EarlierStretch& b) const {
    return a.place < b.place;
  }
  static std::uint64_t radix(const EarlierStretch& row) {
    return std::uint64_t{row.place.text} << 32 | row.place.begin;
  }
};

/// Orders by the two texts, then along a diagonal: places of one common run are neighbors.
struct ByRunDiagonal {
  bool operator()(const RunPair& a, const RunPair& b) const {
    if (a.later.text != b.later.text) return a.later.text < b.later.text;
    if (a.earlier.text != b.earlier.text) return a.earlier.text < b.earlier.text;
    const std::int64_t diagonal_a = std::int64_t{a.later.begin} - a.earlier.begin;
    const std::int64_t diagonal_b = std::int64_t{b.later.begin} - b.earlier.begin;
    return diagonal_a != diagonal_b ? diagonal_a < diagonal_b : a.later.begin < b.later.begin;
  }
  static std::uint64_t radix(const RunPair& row) {
    return std::uint64_t{row.later.text} << 32 | row.earlier.text;
  }
};

/// The most records, blank lines included, whose texts can be numbered.
inline constexpr std::uint64_t most_span_records = UINT32_MAX;

using EarlierPlaceRows = SortedRows<EarlierStretch, ByPlace>;
using RunPairRows = SortedRows<RunPair, ByRunDiagonal>;

struct AnchorRows final : Collector::Rows {
  void begin(const BatchPlace&) override {
    rows.clear();
    tokens = 0;
  }
  void release_large() override { *this = AnchorRows(); }
  std::vector<AnchorRow> rows;
  std::uint64_t tokens = 0;  ///< of inputs
  AnchorSampler sampler;
  std::vector<TextAnchor> anchors;  ///< of a document
};

/// Keeps the anchors of all documents.
class SpanAnchors final : public CollectorOf<AnchorRows> {
 public:
  SpanAnchors(RowsOptions options, const AnchorRule& rule, std::uint64_t reference_sources)
      : options_(std::move(options)), rule_(rule), reference_sources_(reference_sources) {}

  PartitionedRows<AnchorRow>& rows_by_key() { return *rows_; }
  void drop_rows() { rows_.reset(); }
  std::uint64_t tokens() const { return tokens_; }  ///< of the inputs' documents

  Status open(const StateFile* checkpoint) override;
  Status checkpoint(StateFile& file) override;
  std::uint64_t stored_bytes() const override { return rows_ ? rows_->spilled_bytes() : 0; }

 private:
  Status take(const ReadRecord& record, AnchorRows& rows) const override;
  Status add(AnchorRows& rows) override { return rows_->append(rows.rows); }
  Status put(AnchorRows& rows) override;

  RowsOptions options_;
  AnchorRule rule_;
  std::uint64_t reference_sources_;
  std::uint64_t tokens_ = 0;
  std::unique_ptr<PartitionedRows<AnchorRow>> rows_;
};

/// What becomes of the anchors once their runs are found.
enum class AfterFinding : std::uint8_t { drop, keep };

class RunFinder {
 public:
  RunFinder(const Job& job, const DocumentTable& documents, const AnchorRule& rule, Texts& texts,
            PlacesIn wanted = PlacesIn::any_text, const Parts* parts = nullptr,
            const Cuts* cuts = nullptr)
      : job_(job),
        documents_(documents),
        rule_(rule),
        texts_(texts),
        wanted_(wanted),
        parts_(parts),
        cuts_(cuts) {}

  /// Steps 1 and 2. Extracts the texts that spans will be found in.
  Status find(SpanAnchors& anchors, AfterFinding after = AfterFinding::drop);
  /// Step 3, and the places for --cut if they are wanted; both are sealed.
  Result<RunCounts> earlier_places(EarlierPlaceRows& places, CutPlaceRows* cut = nullptr);
  /// Counts before any pair is made.
  Result<RunCounts> count();
  /// Every two places instead; `pairs` is sealed.
  Status run_pairs(RunPairRows& pairs);
  /// Those alone: the first and the later places, of texts that may be cut.
  Status cut_places(CutPlaceRows& places);
  /// Frees the runs' rows.
  void drop_runs();
  std::uint64_t spilled_bytes() const { return spilled_bytes_; }

 private:
  /// The number of texts of references, which come first.
  std::uint64_t references() const;
  Status find_runs(const RepeatedRows& repeated);

  const Job& job_;
  const DocumentTable& documents_;
  AnchorRule rule_;
  Texts& texts_;
  PlacesIn wanted_;
  const Parts* parts_;  ///< null: all documents are one part
  const Cuts* cuts_;    ///< what the texts are without; null: nothing
  std::unique_ptr<RunStretchRows> runs_;
  std::uint64_t spilled_bytes_ = 0;
};

}  // namespace twinset
