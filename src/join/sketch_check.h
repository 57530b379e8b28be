// Judges a pair by its sketches, before any text is read again.
//
// A candidate is dropped only if its estimate is four standard errors below the threshold:
// fewer than 1 in 30,000 pairs exactly at the threshold are lost. With --verify sketch the
// estimate is the verdict, and its error is kept.
//
// Threads: a SketchCheck belongs to one; a SketchSource is shared.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "join/decide.h"
#include "join/edges.h"
#include "join/verify.h"
#include "scheme/scheme.h"
#include "twinset/result.h"

namespace twinset {

/// Standard errors below the threshold from which a pair is dropped.
inline constexpr double dropped_standard_errors = 4.0;

/// Gives a document's stored sketch.
class SketchSource {
 public:
  virtual ~SketchSource() = default;
  /// Called from any thread. Replaces `out`; empty for "no signature".
  virtual Status stored(DocumentId document, std::vector<std::uint8_t>& out) = 0;
};

/// The two stored sketches of a pair, the later one read once per document.
class SketchCheck {
 public:
  SketchCheck(const Scheme& scheme, const Ratio& resemblance, SketchSource& source)
      : scheme_(scheme), threshold_(resemblance.value()), source_(source) {}

  /// False if the pair can be dropped.
  Result<bool> passes(const Pair& pair);
  /// False if neither resemblance nor containment of the later document in the
  /// earlier can reach its threshold; the sizes are of their shingle sets.
  Result<bool> passes(const Pair& pair, const Ratio& containment, std::uint32_t later_size,
                      std::uint32_t earlier_size);
  /// The sketches' estimate of resemblance, if they give one.
  Result<std::optional<Estimate>> estimate(const Pair& pair);

 private:
  const Scheme& scheme_;
  double threshold_;
  SketchSource& source_;
  DocumentId later_document_;
  bool has_later_ = false;
  std::vector<std::uint8_t> later_;
  std::vector<std::uint8_t> earlier_;
};

/// Judges by exact overlap.
class ExactJudge final : public EdgeJudge {
 public:
  ExactJudge(Verifier& verifier, const Threshold& thresholds)
      : verifier_(verifier), thresholds_(thresholds) {}
  void start(DocumentId later) override { member_.start(later); }
  Status judge(Edge& edge) override { return verifier_.verify(member_, edge); }
  Fate fate(const Edge& edge) const override {
    return thresholds_.resembles(edge.verdict.overlap) ? Fate::near : Fate::contained;
  }

 private:
  Verifier& verifier_;
  const Threshold& thresholds_;
  Verifier::Member member_;
};

/// Judges by the sketches' estimate (--verify sketch).
class SketchJudge final : public EdgeJudge {
 public:
  SketchJudge(const Scheme& scheme, const Ratio& resemblance, SketchSource& source)
      : check_(scheme, resemblance, source), resemblance_(resemblance) {}
  void start(DocumentId) override {}
  Status judge(Edge& edge) override;
  Fate fate(const Edge&) const override { return Fate::near; }

 private:
  SketchCheck check_;
  Ratio resemblance_;
};

/// Writes the pairs that pass to `out` as edges, in order; uses the context's
/// threads; returns how many were dropped.
Result<std::uint64_t> check_pairs(const RunContext& context, RowCursor<Pair>& pairs,
                                  const Scheme& scheme, const Ratio& resemblance,
                                  SketchSource& source, RowFile<Edge>& out);

/// Were the keys of a counted pair's documents selected by one modulus?
enum class Moduli : std::uint8_t { one, adaptive };

/// True if a counted pair can reach a threshold. Of one modulus the keys estimate
/// resemblance and the later one's containment; of unlike moduli the larger of
/// the two sampled containments (the coarser document's) bounds resemblance.
/// Four standard errors are granted.
bool counted_pair_passes(std::uint64_t shared, std::uint32_t later_keys, std::uint32_t earlier_keys,
                         const Threshold& thresholds, Moduli moduli);

}  // namespace twinset
