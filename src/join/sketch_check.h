// Judges a pair by its sketches, before any text is read again.
//
// A candidate is dropped only if its estimate is four standard errors below the threshold:
// fewer than 1 in 30,000 pairs exactly at the threshold are lost. With --verify sketch the
// estimate decides, and its error is kept.
//
// Threads: a SketchCheck belongs to one; a SketchSource is shared.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "join/decide.h"
#include "join/edges.h"
#include "join/verify.h"
#include "scheme/scheme.h"
#include "twinset/collection.h"
#include "twinset/result.h"

namespace twinset {

/// Gives a document's stored sketch.
class SketchSource {
 public:
  virtual ~SketchSource() = default;
  /// Called from any thread. Replaces `out`; empty for "no signature".
  virtual Status stored(DocumentId document, std::vector<std::uint8_t>& out) = 0;
  /// The document's tokens; likewise.
  virtual Result<std::uint64_t> tokens(DocumentId document) = 0;
};

/// Compares the two stored sketches of a pair; reads the later one once per document.
class SketchCheck {
 public:
  SketchCheck(const Scheme& scheme, const Threshold& threshold, SketchSource& source)
      : scheme_(scheme), threshold_(threshold), source_(source) {}

  /// False if the pair cannot reach the resemblance. A distance rules nothing out.
  Result<bool> passes(const Pair& pair);
  /// False if it cannot reach the containment of the later document either. The sizes are those of
  /// the documents' shingle sets.
  Result<bool> passes(const Pair& pair, std::uint32_t later_size, std::uint32_t earlier_size);
  /// The link that the sketches give, if any.
  Result<std::optional<Link>> link(const Pair& pair);
  /// Does this link of the pair reach the threshold?
  Result<bool> reaches(const Pair& pair, const Link& link);

 private:
  Result<Comparison> compare(const Pair& pair);
  bool passes(const Comparison& found) const;

  const Scheme& scheme_;
  Threshold threshold_;
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
    return thresholds_.resembles(edge.link.numbers) ? Fate::near : Fate::contained;
  }

 private:
  Verifier& verifier_;
  const Threshold& thresholds_;
  Verifier::Member member_;
};

/// Judges by the link that the sketches give (--verify sketch).
class SketchJudge final : public EdgeJudge {
 public:
  SketchJudge(const Scheme& scheme, const Threshold& threshold, SketchSource& source)
      : check_(scheme, threshold, source) {}
  void start(DocumentId) override {}
  Status judge(Edge& edge) override;
  Fate fate(const Edge&) const override { return Fate::near; }

 private:
  SketchCheck check_;
};

/// Takes the next pairs that passed, as edges.
using TakeEdges = std::function<Status(std::span<const Edge>)>;

/// Checks pairs by their sketches and gives those that pass to `take`, in order; returns the
/// number of pairs checked. With Check::exact a pair passes, unjudged, unless the sketches rule it
/// out; with Check::sketch if its sketches give a link, which its edge then has; with Check::none
/// always. A distance must reach the threshold. Uses the context's threads.
Result<std::uint64_t> check_pairs(const RunContext& context, RowCursor<Pair>& pairs,
                                  const Scheme& scheme, const Threshold& threshold,
                                  SketchSource& source, Check check, const TakeEdges& take);

/// Were the keys of a counted pair's documents selected by one modulus?
enum class Moduli : std::uint8_t { one, adaptive };

/// True if a counted pair can reach a threshold. With one modulus the keys estimate resemblance and
/// the later document's containment; with unlike moduli the larger of the two sampled containments
/// (the coarser document's) bounds resemblance. Four standard errors are granted.
bool counted_pair_passes(std::uint64_t shared, std::uint32_t later_keys, std::uint32_t earlier_keys,
                         const Threshold& thresholds, Moduli moduli);

}  // namespace twinset
