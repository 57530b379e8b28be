// This file's interface is PairChecks and estimated_pair; the rest is private. Pairs
// stream from one sorted store into the next, a block at a time on each thread:
//
//   bands -> candidates -> (sketches) -> pairs -> (texts) -> pairs that reach the floor
#include "cluster/pair_check.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/ordered.h"
#include "join/sketch_check.h"
#include "run/stored_sketches.h"
#include "run/texts.h"

namespace twinset {
namespace {

/// Pairs a worker takes at a time: of sketches, and of texts.
constexpr std::size_t sketch_block = 8192;
constexpr std::size_t text_block = 256;

/// Rows in a row, and what became of them.
template <class Row>
struct Block {
  std::vector<Row> rows;
  std::vector<SharedPair> kept;
  std::uint64_t bytes = 0;  ///< of the later documents that begin in it
};

/// Replaces the block's rows with the next; false at the end.
template <class Row>
Result<bool> take_rows(RowCursor<Row>& rows, std::size_t most, Block<Row>& block) {
  block.rows.clear();
  while (block.rows.size() < most) {
    TWINSET_ASSIGN(const Row* next, rows.next());
    if (next == nullptr) break;
    block.rows.push_back(*next);
  }
  return !block.rows.empty();
}

/// The documents of some pairs, and what reading them takes.
struct WantedTexts {
  std::vector<bool> documents;
  std::vector<bool> later;  ///< those judged
  std::uint64_t texts = 0;
  std::uint64_t later_bytes = 0;
};

Result<WantedTexts> texts_of(const SharedPairStore& pairs, const RecordFiles& records,
                             const DocumentTable& documents, Texts& texts) {
  WantedTexts wanted;
  wanted.documents.resize(documents.size());
  wanted.later.resize(documents.size());
  TWINSET_TRY(for_each_row(pairs, [&](const SharedPair& pair) {
    wanted.documents[pair.a] = wanted.documents[pair.b] = true;
    wanted.later[pair.a] = true;
    texts.expect_earlier(pair.b);
  }));
  TWINSET_TRY(records.for_each([&](std::uint64_t index, const RecordRow& row) -> Status {
    wanted.texts += wanted.documents[index] ? 1 : 0;
    wanted.later_bytes += wanted.later[index] ? row.length : 0;
    return {};
  }));
  return wanted;
}

}  // namespace

SharedPair estimated_pair(std::uint32_t a, std::uint32_t b, double resemblance) {
  const auto share =
      static_cast<std::uint32_t>(std::floor(std::clamp(resemblance, 0.0, 1.0) * estimate_scale));
  return {a, b, {share, estimate_scale, share}};
}

PairChecks::PairChecks(const Job& job, Stores& stores, const DocumentTable& documents,
                       const PairFloor& floor, std::uint64_t memory_bytes, std::string name)
    : job_(job),
      stores_(stores),
      documents_(documents),
      floor_(floor),
      memory_(memory_bytes / 4),
      name_(std::move(name)) {}

RowsOptions PairChecks::rows(const std::string& name) const {
  return {&job_.context, job_.spill + name_ + "." + name, memory_, job_.fingerprint};
}

Result<std::unique_ptr<SharedPairStore>> PairChecks::candidates(DocumentKeys* keys,
                                                                const Scheme& scheme, Check check) {
  PairStore pairs(rows("candidates"));
  if (keys != nullptr) {
    TWINSET_TRY(candidate_pairs(keys->rows_by_key(), documents_, pairs));
    report_.spilled_bytes += keys->rows_by_key().spilled_bytes();
    keys->drop_rows();
  }
  TWINSET_TRY(pairs.seal());
  report_.spilled_bytes += pairs.spilled_bytes();
  TWINSET_ASSIGN(auto judged, judge_candidates(pairs, keys, scheme, check));
  if (check != Check::exact) return judged;
  TWINSET_TRY(pairs.discard());
  return by_texts(*judged);
}

/// Candidates that the sketches do not speak against, or of `sketch` that they say
/// reach the floor.
Result<std::unique_ptr<SharedPairStore>> PairChecks::judge_candidates(const PairStore& pairs,
                                                                      DocumentKeys* keys,
                                                                      const Scheme& scheme,
                                                                      Check check) {
  const bool looks = check != Check::none;
  if (looks && keys != nullptr) TWINSET_TRY(keys->stored().hold(memory_));
  StoredSketches sketches(keys, documents_);
  std::vector<SketchCheck> checks(std::max(1U, job_.context.threads),
                                  SketchCheck(scheme, floor_.resemblance, sketches));
  auto passed = std::make_unique<SharedPairStore>(rows("unread"));
  TWINSET_ASSIGN(const auto cursor, pairs.read());
  OrderedSteps<Block<Pair>> steps;
  steps.take = [&](Block<Pair>& block, TaskPlace) -> Result<bool> {
    TWINSET_TRY(job_.context.check_cancelled());
    return take_rows(*cursor, sketch_block, block);
  };
  steps.work = [&](unsigned worker, Block<Pair>& block) -> Status {
    block.kept.clear();
    for (const Pair& pair : block.rows) {
      SharedPair kept = shared_pair(pair);
      if (check == Check::exact) {
        TWINSET_ASSIGN(const bool passes, checks[worker].passes(pair));
        if (!passes) continue;
      } else if (check == Check::sketch) {
        TWINSET_ASSIGN(std::optional<Estimate> estimate, checks[worker].estimate(pair));
        if (!estimate.has_value()) continue;
        kept = estimated_pair(kept.a, kept.b, estimate->value);
        if (kept.keys.shared == 0 || !floor_.reached_by(kept.keys)) continue;
      }
      block.kept.push_back(kept);
    }
    return {};
  };
  steps.put = [&](Block<Pair>& block) -> Status {
    report_.candidates += block.rows.size();
    return passed->append(block.kept);
  };
  TWINSET_TRY(run_in_order(job_.context.threads, steps));
  if (keys != nullptr) keys->stored().drop_held();
  TWINSET_TRY(passed->seal());
  report_.spilled_bytes += passed->spilled_bytes();
  return passed;
}

/// Two documents of whose common part nothing is known.
SharedPair PairChecks::shared_pair(const Pair& pair) const {
  return {static_cast<std::uint32_t>(documents_.index(pair.later.document)),
          static_cast<std::uint32_t>(documents_.index(pair.earlier.document)),
          {1, 1, 1}};
}

Result<std::unique_ptr<SharedPairStore>> PairChecks::by_texts(const SharedPairStore& pairs) {
  auto verified = std::make_unique<SharedPairStore>(rows("verified"));
  Texts texts(job_, *stores_.records, documents_);
  TWINSET_ASSIGN(WantedTexts wanted, texts_of(pairs, *stores_.records, documents_, texts));
  report_.verified_texts = wanted.texts;
  const auto report_progress = [&](std::uint64_t done) {
    if (job_.context.progress == nullptr) return;
    job_.context.progress->report({"verify", done, wanted.later_bytes, wanted.texts});
  };
  report_progress(0);
  TWINSET_TRY(texts.extract(wanted.documents));
  // Either document may be the contained one, so nothing is cut short then.
  const Threshold least{floor_.containment.has_value() ? Ratio(0, 1) : floor_.resemblance, {}};
  Verifier verifier(least, texts, memory_);
  std::vector<Verifier::Member> members(std::max(1U, job_.context.threads));
  TWINSET_ASSIGN(const auto cursor, pairs.read());
  std::uint32_t later = UINT32_MAX;
  std::uint64_t done = 0;
  OrderedSteps<Block<SharedPair>> steps;
  steps.take = [&](Block<SharedPair>& block, TaskPlace) -> Result<bool> {
    TWINSET_TRY(job_.context.check_cancelled());
    TWINSET_ASSIGN(bool more, take_rows(*cursor, text_block, block));
    block.bytes = 0;
    for (const SharedPair& pair : block.rows) {
      if (pair.a == later) continue;
      later = pair.a;
      TWINSET_ASSIGN(RecordRow row, stores_.records->row(pair.a));
      block.bytes += row.length;
    }
    return more;
  };
  steps.work = [&](unsigned worker, Block<SharedPair>& block) -> Status {
    block.kept.clear();
    for (const SharedPair& pair : block.rows) {
      Edge edge{.pair = {documents_.place_at(pair.a), documents_.place_at(pair.b)}};
      members[worker].start(edge.pair.later.document);
      TWINSET_TRY(verifier.verify(members[worker], edge));
      const Verdict& found = edge.verdict;
      if (found.state != EdgeState::exact || !floor_.reached_by(found.overlap)) continue;
      block.kept.push_back({pair.a, pair.b, found.overlap});
    }
    return {};
  };
  steps.put = [&](Block<SharedPair>& block) -> Status {
    report_.verified_pairs += block.rows.size();
    done += block.bytes;
    report_progress(done);
    return verified->append(block.kept);
  };
  TWINSET_TRY(run_in_order(job_.context.threads, steps));
  TWINSET_TRY(verified->seal());
  report_.spilled_bytes += verified->spilled_bytes() + texts.extracted_bytes();
  return verified;
}

}  // namespace twinset
