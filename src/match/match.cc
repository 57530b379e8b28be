// This file's interface is match.h; the rest is private. Each step reads one sorted file and writes
// the next:
//
//   bands -> pairs -> (sketch check) -> edges.0 -> sweep -> edges.1, repair pairs
//   -> sweep of both merged -> edges.2, repair pairs -> ... until there are no new pairs.
#include "match/match.h"

#include <algorithm>
#include <string>

#include "join/shared_keys.h"
#include "join/sketch_check.h"
#include "rows/appender.h"
#include "run/known_documents.h"
#include "run/matcher.h"
#include "run/meetings.h"
#include "run/stored_sketches.h"
#include "scheme/little_endian.h"

namespace twinset {
namespace {

/// Judges by the texts, and by sketches where the earlier document is known without its text.
class KnownJudge final : public EdgeJudge {
 public:
  KnownJudge(const KnownDocuments& known, std::unique_ptr<EdgeJudge> exact,
             std::unique_ptr<EdgeJudge> by_sketch)
      : known_(known), exact_(std::move(exact)), by_sketch_(std::move(by_sketch)) {}
  void start(DocumentId later) override {
    exact_->start(later);
    by_sketch_->start(later);
  }
  Status judge(Edge& edge) override { return of(edge).judge(edge); }
  Fate fate(const Edge& edge) const override { return of(edge).fate(edge); }

 private:
  EdgeJudge& of(const Edge& edge) const {
    return known_.has(edge.pair.earlier.document) ? *by_sketch_ : *exact_;
  }

  const KnownDocuments& known_;
  std::unique_ptr<EdgeJudge> exact_;
  std::unique_ptr<EdgeJudge> by_sketch_;
};

class Match {
 public:
  Match(const Job& job, const DecisionOptions& options, Stores& stores, DocumentTable& documents,
        Texts& texts, StageClock& clock)
      : job_(job),
        options_(options),
        stores_(stores),
        documents_(documents),
        texts_(texts),
        clock_(clock),
        sketches_(job, stores.bands.get(), *stores.records, documents),
        memory_(stage_memory(job, documents)),
        matcher_(job, stores, documents, memory_) {}

  Result<MatchReport> run(RowFile<Proof>& proofs) {
    TWINSET_TRY(matcher_.fold(documents_));
    clock_.end("fold");
    std::unique_ptr<RowFile<Edge>> edges = edge_file();
    TWINSET_TRY(band_edges(*edges));
    if (job_.signer.counted_scheme() != nullptr) TWINSET_TRY(add_counted_edges(edges));
    if (options_.verify == Check::exact) {
      TWINSET_ASSIGN(const auto cursor, edges->read());
      TWINSET_TRY(texts_.extract(*cursor));
    }
    clock_.end("pair");
    if (job_.known != nullptr) job_.known->set_standings(documents_);
    TWINSET_TRY(decide(edges));
    if (stores_.bands != nullptr) stores_.bands->stored().drop_held();
    clock_.end("verify");
    TWINSET_TRY(prove(*edges, proofs));
    TWINSET_TRY(edges->discard());
    clock_.end("prove");
    report_.spilled_bytes += matcher_.spilled_bytes();
    return report_;
  }

 private:
  /// A third of the memory besides the table: a stage holds two stores at once, and rows of pass 1
  /// or texts as well.
  static std::uint64_t stage_memory(const Job& job, const DocumentTable& documents) {
    const std::uint64_t resident = resident_bytes(job, documents.size());
    const std::uint64_t budget = job.context.memory_bytes;
    return budget > resident ? (budget - resident) / 3 : 0;
  }

  RowsOptions rows(const std::string& name) const {
    return {&job_.context, job_.spill + name, memory_, job_.signer.fingerprint};
  }

  std::unique_ptr<RowFile<Edge>> edge_file() {
    return std::make_unique<RowFile<Edge>>(rows("edges." + std::to_string(edge_files_++)));
  }

  Status report_progress(std::string_view stage, std::uint64_t done, std::uint64_t total) const {
    if (job_.context.progress != nullptr) job_.context.progress->report({stage, done, total, 0});
    return job_.context.check_cancelled();
  }

  /// Band groups to pairs to edges that the sketches do not rule out.
  Status band_edges(RowFile<Edge>& edges) {
    if (stores_.bands == nullptr) return edges.seal();
    TWINSET_TRY(report_progress("match", 0, 0));
    TWINSET_ASSIGN(const std::uint64_t pairs,
                   matcher_.pair(*stores_.bands,
                                 {.scheme = *job_.signer.scheme,
                                  .threshold = job_.thresholds,
                                  .max_meetings = options_.max_meetings},
                                 [&](std::span<const Edge> some) { return edges.append(some); }));
    TWINSET_TRY(edges.seal());
    report_.candidate_pairs += pairs;
    report_.checked_pairs += edges.rows();
    return {};
  }

  /// Counted keys to pairs that can reach a threshold, merged into the edges.
  Status add_counted_edges(std::unique_ptr<RowFile<Edge>>& edges) {
    PairStore passing(rows("counted.passing"));
    TWINSET_TRY(count_pairs(passing));
    TWINSET_TRY(passing.seal());
    TWINSET_ASSIGN(const auto old, edges->read());
    TWINSET_ASSIGN(const auto added, passing.read());
    std::unique_ptr<RowFile<Edge>> merged = edge_file();
    MergedEdges both(*old, *added, [](const Pair&) { return true; });
    while (const Edge* edge = both.peek()) {
      TWINSET_TRY(merged->append(*edge));
      both.advance();
    }
    TWINSET_TRY(both.status());
    report_.checked_pairs += both.added();
    return replace(edges, std::move(merged));
  }

  /// Pairs whose shared keys can reach a threshold.
  Status count_pairs(PairStore& passing) {
    // Takes all samples as of one level: keys shared with a coarser sample count as they are.
    std::vector<SampleSizes> sizes(documents_.size());
    TWINSET_TRY(stores_.counted->stored().for_each(
        [&](std::uint64_t index, std::span<const std::uint8_t> count) -> Status {
          sizes[index].keys.fill(load_little_endian<std::uint32_t>(count.data()));
          return {};
        }));
    SharedPairStore shared(rows("counted.pairs"));
    const Moduli moduli =
        job_.signer.counted_scheme()->tells_containment() ? Moduli::one : Moduli::adaptive;
    const auto passes = [&](const SharedPair& pair) {
      const bool a_later = place_of(pair.b) < place_of(pair.a);
      const Overlap& keys = pair.keys;
      return counted_pair_passes(keys.shared, a_later ? keys.later : keys.earlier,
                                 a_later ? keys.earlier : keys.later, job_.thresholds, moduli);
    };
    const auto guard = [&](const GroupReport& found) {
      report_.common_keys = found.common;
      return check_meetings(found, job_.options.max_group, options_.max_meetings);
    };
    TWINSET_ASSIGN(
        const std::uint64_t counted,
        matcher_.count(sizes,
                       {.max_group = job_.options.max_group, .accept = passes, .gathered = guard},
                       shared));
    report_.candidate_pairs += counted;
    return for_each_row(shared, [&](const SharedPair& pair) {
      const Place a = place_of(pair.a);
      const Place b = place_of(pair.b);
      return passing.append(Pair{std::max(a, b), std::min(a, b)});
    });
  }

  bool is_known(DocumentId document) const {
    return job_.known != nullptr && job_.known->has(document);
  }
  Place place_of(std::uint32_t index) const { return documents_.place_at(index); }

  Status replace(std::unique_ptr<RowFile<Edge>>& edges, std::unique_ptr<RowFile<Edge>> with) {
    TWINSET_TRY(with->seal());
    report_.spilled_bytes += edges->rows() * sizeof(Edge);
    TWINSET_TRY(edges->discard());
    edges = std::move(with);
    return {};
  }

  /// Sweeps and repairs in turn, to the fixpoint.
  Status decide(std::unique_ptr<RowFile<Edge>>& edges) {
    Verifier verifier(job_.thresholds, texts_, memory_);
    const auto make_judge = [&]() -> std::unique_ptr<EdgeJudge> {
      auto by_sketch =
          std::make_unique<SketchJudge>(*job_.signer.scheme, job_.thresholds, sketches_);
      if (options_.verify == Check::sketch) return by_sketch;
      auto exact = std::make_unique<ExactJudge>(verifier, job_.thresholds);
      if (job_.known == nullptr || job_.known->has_texts()) return exact;
      return std::make_unique<KnownJudge>(*job_.known, std::move(exact), std::move(by_sketch));
    };
    SketchCheck check(*job_.signer.scheme, job_.thresholds, sketches_);
    std::unique_ptr<PairStore> asked = repair_store();
    TWINSET_TRY(asked->seal());
    for (bool first = true;; first = false) {
      TWINSET_TRY(report_progress("verify", report_.repair_rounds, 0));
      std::unique_ptr<PairStore> next = repair_store();
      TWINSET_ASSIGN(const std::uint64_t added,
                     sweep_once(edges, make_judge, check, *asked, *next));
      // Without new pairs the sweep decided the same again.
      if (!first && added == 0) return {};
      if (!first) ++report_.repair_rounds;
      if (next->rows_added() == 0) return {};
      asked = std::move(next);
      TWINSET_TRY(asked->seal());
    }
  }

  /// Two of these exist at a time: the last sweep's repair pairs and this one's.
  std::unique_ptr<PairStore> repair_store() {
    RowsOptions options = rows("repair." + std::to_string(repair_stores_++));
    options.memory_bytes /= 2;
    return std::make_unique<PairStore>(options);
  }

  /// Decides with the edges and the repair pairs `asked`; returns how many of these were new.
  /// Appends the next repair pairs to `next`.
  Result<std::uint64_t> sweep_once(std::unique_ptr<RowFile<Edge>>& edges,
                                   const std::function<std::unique_ptr<EdgeJudge>()>& make_judge,
                                   SketchCheck& check, const PairStore& asked, PairStore& next) {
    TWINSET_ASSIGN(const auto old, edges->read());
    TWINSET_ASSIGN(auto pairs, asked.read());
    MergedEdges merged(*old, *pairs, [&](const Pair& pair) { return repair_passes(check, pair); });
    std::unique_ptr<RowFile<Edge>> judged = edge_file();
    TWINSET_ASSIGN(SweepReport swept,
                   sweep(job_.context, merged, make_judge, documents_, *judged, next));
    report_.verified_pairs += swept.judged;
    report_.repair_pairs += merged.added();
    TWINSET_TRY(replace(edges, std::move(judged)));
    return merged.added();
  }

  /// False if sketches and sizes show that a repair pair cannot reach a threshold.
  Result<bool> repair_passes(SketchCheck& check, const Pair& pair) {
    if (!job_.signer.uses_bands()) return true;
    if (!job_.thresholds.containment.has_value()) return check.passes(pair);
    TWINSET_ASSIGN(RecordRow later, stores_.records->row(documents_.index(pair.later.document)));
    TWINSET_ASSIGN(RecordRow earlier,
                   stores_.records->row(documents_.index(pair.earlier.document)));
    return check.passes(pair, later.size, earlier.size);
  }

  /// Writes the proofs of near and contained documents and of the copies folded into them, by
  /// document.
  Status prove(const RowFile<Edge>& edges, RowFile<Proof>& proofs) {
    SortedRows<Proof, ProofLess> sorted(rows("proofs.sort"));
    Appender<SortedRows<Proof, ProofLess>, Proof> out(sorted);
    TWINSET_TRY(for_each_row(edges, [&](const Edge& edge) -> Status {
      const Standing standing = documents_.standing(documents_.index(edge.pair.later.document));
      if (!standing.judged_out()) return {};
      if (standing.other != documents_.index(edge.pair.earlier.document)) return {};
      report_.by_known_sketch += is_known(edge.pair.earlier.document) && edge.link.estimated();
      return out.add({edge.pair.later.document, edge.pair.earlier.document, edge.link});
    }));
    if (job_.known != nullptr) {
      TWINSET_TRY(job_.known->for_each_removed(
          [&](DocumentId document, const KnownDocuments::Removed& removed) {
            return out.add({document, removed.survivor, removed.link});
          }));
    }
    TWINSET_TRY(out.finish());
    TWINSET_TRY(sorted.seal());
    TWINSET_TRY(add_folded_proofs(sorted));
    TWINSET_TRY(
        for_each_row(*all_proofs_, [&](const Proof& proof) { return proofs.append(proof); }));
    return proofs.seal();
  }

  /// A copy of a removed document is removed for the same reason.
  Status add_folded_proofs(const SortedRows<Proof, ProofLess>& judged) {
    // (representative, copy) in order of the representative, to meet its proof.
    SortedRows<Pair, PairLess> copies(rows("proofs.copies"));
    Appender<SortedRows<Pair, PairLess>, Pair> found(copies);
    for (std::uint64_t index = 0; index < documents_.size(); ++index) {
      const Standing standing = documents_.standing(index);
      if (!standing.folded() || !documents_.standing(standing.other).judged_out()) continue;
      TWINSET_TRY(
          found.add({{0, documents_.document(standing.other)}, {0, documents_.document(index)}}));
    }
    TWINSET_TRY(found.finish());
    TWINSET_TRY(copies.seal());
    all_proofs_ = std::make_unique<SortedRows<Proof, ProofLess>>(rows("proofs.all"));
    Appender<SortedRows<Proof, ProofLess>, Proof> out(*all_proofs_);
    TWINSET_ASSIGN(const auto copy_cursor, copies.read());
    TWINSET_TRY(for_each_row(judged, [&](const Proof& proof) -> Status {
      TWINSET_TRY(out.add(proof));
      for (const Pair* copy = copy_cursor->peek();
           copy != nullptr && copy->later.document == proof.document; copy = copy_cursor->peek()) {
        Proof of_copy = proof;
        of_copy.document = copy->earlier.document;
        TWINSET_TRY(out.add(of_copy));
        copy_cursor->advance();
      }
      return copy_cursor->status();
    }));
    TWINSET_TRY(out.finish());
    return all_proofs_->seal();
  }

  const Job& job_;
  const DecisionOptions& options_;
  Stores& stores_;
  DocumentTable& documents_;
  Texts& texts_;
  StageClock& clock_;
  StoredSketches sketches_;
  std::uint64_t memory_;
  Matcher matcher_;
  std::uint64_t edge_files_ = 0;
  std::uint64_t repair_stores_ = 0;
  std::unique_ptr<SortedRows<Proof, ProofLess>> all_proofs_;
  MatchReport report_;
};

}  // namespace

std::uint64_t resident_bytes(const Job& job, std::uint64_t documents) {
  const bool orders = job.keep.by != KeepRule::By::input;
  const std::uint64_t counting = job.signer.counted_scheme() != nullptr
                                     ? KeyGroups::bytes_needed(documents, job.context.threads)
                                     : 0;
  return DocumentTable::bytes_needed(documents, orders) + counting;
}

Result<MatchReport> match_documents(const Job& job, const DecisionOptions& options, Stores& stores,
                                    DocumentTable& documents, Texts& texts, RowFile<Proof>& proofs,
                                    StageClock& clock) {
  return Match(job, options, stores, documents, texts, clock).run(proofs);
}

std::uint64_t final_survivor(const DocumentTable& documents, std::uint64_t index) {
  Standing standing = documents.standing(index);
  if (standing.folded()) {
    index = standing.other;
    standing = documents.standing(index);
  }
  return standing.judged_out() ? standing.other : index;
}

Fate final_fate(const DocumentTable& documents, std::uint64_t index) {
  const Standing standing = documents.standing(index);
  if (!standing.folded()) return standing.fate;
  const Standing representative = documents.standing(standing.other);
  return representative.judged_out() ? representative.fate : standing.fate;
}

}  // namespace twinset
