// Decides what --cut takes away of a collection: rounds of spans/cuts.h, until nothing is left.
//
//   CutRounds rounds(job, records, documents, rule, texts, wanted, parts, anchors);
//   CutPlaceRows places(rounds.rows());
//   TWINSET_TRY(finder.cut_places(places));
//   TWINSET_TRY(rounds.add(places));           // what the first round's runs say
//   TWINSET_TRY(rounds.settle());
//   rounds.cuts();                             // by text, in order
//
// A round costs a grouping of all anchors, and reads the texts again that the last one changed or
// that still share an anchor.
//
// Threads: one call at a time, with the job's threads.
#pragma once

#include "spans/cuts.h"
#include "spans/earlier_places.h"

namespace twinset {

/// After so many rounds what is left stays. The collections tried took three to five.
inline constexpr unsigned most_cut_rounds = 64;

class CutRounds {
 public:
  /// `anchors`: of all texts, kept by the first round.
  CutRounds(const Job& job, const RecordFiles& records, const DocumentTable& documents,
            const AnchorRule& rule, Texts& texts, PlacesIn wanted, const Parts* parts,
            SpanAnchors& anchors);

  /// For a round's places.
  RowsOptions rows() const;
  /// Cuts what the places say, and renews the anchors of the texts that changed.
  Status add(const CutPlaceRows& places);
  /// Further rounds. Texts that an earlier finder extracted are gone.
  Status settle();

  /// What is cut. Range: after add().
  const CutRows& cuts() const { return *cuts_.rows; }
  unsigned rounds() const { return round_; }
  std::uint64_t spilled_bytes() const { return spilled_bytes_; }

 private:
  struct Task;
  Status renew(Task& task);

  const Job& job_;
  const RecordFiles& records_;
  const DocumentTable& documents_;
  AnchorRule rule_;
  Texts& texts_;
  PlacesIn wanted_;
  const Parts* parts_;  ///< null: all documents are one part
  SpanAnchors& anchors_;
  Cuts cuts_;
  unsigned round_ = 0;
  bool settled_ = false;
  std::uint64_t spilled_bytes_ = 0;
};

}  // namespace twinset
