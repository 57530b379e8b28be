// This file's interface is PairChecks; the rest is private. Pairs stream from one sorted store into
// the next, a block at a time on each thread:
//
//   bands -> candidates -> (sketches) -> pairs -> (texts) -> pairs that reach the floor
#include "cluster/pair_check.h"

#include <algorithm>
#include <span>
#include <vector>

#include "cluster/pair_families.h"
#include "join/shingle_classes.h"
#include "run/texts.h"
#include "system/ordered.h"

namespace twinset {
namespace {

/// A worker takes so many pairs at a time, or more: it takes whole families.
constexpr std::size_t block_pairs = 1024;
/// But of a family with more pairs than that a part.
constexpr std::size_t most_pairs = std::size_t{1} << 17;

/// From so many pairs for each document, a family is counted by what differs among its texts. With
/// fewer there is little to gain: each text is in few pairs.
constexpr std::size_t many_pairs = 2;

/// Consecutive pairs, and those that their texts confirm.
struct Block {
  std::vector<SharedPair> pairs;
  std::vector<std::size_t> family_ends;  ///< in `pairs`
  std::vector<SharedPair> kept;
  std::uint64_t bytes = 0;  ///< of the later documents whose first pair is in it
};

/// Compares the texts of pairs, for one thread.
class FamilyJudge {
 public:
  FamilyJudge(const Job& job, const DocumentTable& documents, Texts& texts, Verifier& verifier,
              std::uint64_t memory_bytes)
      : job_(job),
        documents_(documents),
        texts_(texts),
        verifier_(verifier),
        classes_(memory_bytes) {}

  /// Gives each pair of a family to `take`, with the numbers of its texts. take(pair, numbers,
  /// reached): only if it was reached are the numbers sure to be exact.
  template <class Take>
  Status judge(std::span<const SharedPair> pairs, const Take& take) {
    members_.clear();
    for (const SharedPair& pair : pairs) {
      members_.push_back(pair.a);
      members_.push_back(pair.b);
    }
    std::sort(members_.begin(), members_.end());
    members_.erase(std::unique(members_.begin(), members_.end()), members_.end());
    std::size_t counted = 0;  // the first of members_
    if (pairs.size() >= many_pairs * members_.size()) {
      TWINSET_ASSIGN(counted, find_classes());
    }
    for (const SharedPair& pair : pairs) {
      const std::size_t a = number(pair.a);
      const std::size_t b = number(pair.b);
      if (a < counted && b < counted) {
        const Overlap found =
            classes_.overlap(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
        take(pair, found, found.shared > 0);
      } else {
        Edge edge{.pair = {documents_.place_at(pair.a), documents_.place_at(pair.b)}};
        later_.start(edge.pair.later.document);
        TWINSET_TRY(verifier_.verify(later_, edge));
        take(pair, edge.link.numbers, edge.link.state == LinkState::reached);
      }
    }
    return {};
  }

 private:
  std::size_t number(std::uint32_t index) const {
    return static_cast<std::size_t>(std::lower_bound(members_.begin(), members_.end(), index) -
                                    members_.begin());
  }

  /// Of the first documents of members_, as many as memory has room for: returns their number.
  Result<std::size_t> find_classes() {
    classes_.clear();
    for (const std::uint32_t index : members_) {
      TWINSET_TRY(job_.context.check_cancelled());
      const DocumentId document = documents_.place_at(index).document;
      TWINSET_ASSIGN(const bool is_long, texts_.is_long(document));
      if (is_long || classes_.full()) break;
      TWINSET_TRY(texts_.shingles(document, shingles_));
      classes_.add(shingles_);
    }
    classes_.finish();
    return classes_.documents();
  }

  const Job& job_;
  const DocumentTable& documents_;
  Texts& texts_;
  Verifier& verifier_;
  Verifier::Member later_;
  ShingleClasses classes_;
  std::vector<std::uint32_t> members_;  ///< documents of a family, by index
  std::vector<std::uint64_t> shingles_;
};

/// The documents of some pairs, and the cost of reading them.
struct WantedTexts {
  std::vector<bool> documents;
  std::vector<bool> later;  ///< the later documents of pairs
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

PairChecks::PairChecks(const Job& job, Stores& stores, const DocumentTable& documents,
                       const PairFloor& floor, std::uint64_t memory_bytes, std::string name)
    : job_(job),
      stores_(stores),
      documents_(documents),
      floor_(floor),
      memory_(memory_bytes / 4),
      name_(std::move(name)) {}

RowsOptions PairChecks::rows(const std::string& name) const {
  return {&job_.context, job_.spill + name_ + "." + name, memory_, job_.signer.fingerprint};
}

Result<std::unique_ptr<SharedPairStore>> PairChecks::candidates(DocumentKeys* keys,
                                                                const Pairing& pairing) {
  auto found = std::make_unique<SharedPairStore>(rows("unread"));
  if (keys != nullptr) {
    Matcher matcher(job_, stores_, documents_, memory_, name_ + ".");
    std::vector<SharedPair> kept;
    const auto take = [&](std::span<const Edge> edges) -> Status {
      kept.clear();
      for (const Edge& edge : edges) {
        const SharedPair pair{index(edge.pair.later), index(edge.pair.earlier),
                              edge.link.written()};
        const bool low =
            edge.link.estimated() && (pair.keys.shared == 0 || !floor_.reached_by(pair.keys));
        if (!low) kept.push_back(pair);
      }
      return found->append(kept);
    };
    TWINSET_ASSIGN(report_.candidates, matcher.pair(*keys, pairing, take));
    report_.tables = matcher.plan().tables.size();
    report_.spilled_bytes += matcher.spilled_bytes();
    keys->stored().drop_held();
  }
  TWINSET_TRY(found->seal());
  report_.spilled_bytes += found->spilled_bytes();
  return pairing.check == Check::exact ? by_texts(*found) : std::move(found);
}

Result<std::unique_ptr<SharedPairStore>> PairChecks::by_texts(const SharedPairStore& pairs) {
  return read_texts(pairs, job_.signer.view, false);
}

Result<std::unique_ptr<SharedPairStore>> PairChecks::numbers(const SharedPairStore& pairs,
                                                             const ViewRule& view) {
  return read_texts(pairs, view, true);
}

Result<std::unique_ptr<SharedPairStore>> PairChecks::read_texts(const SharedPairStore& pairs,
                                                                const ViewRule& view,
                                                                bool keeps_all) {
  auto verified = std::make_unique<SharedPairStore>(rows("verified"));
  Texts texts(job_, *stores_.records, documents_, view);
  TWINSET_ASSIGN(WantedTexts wanted, texts_of(pairs, *stores_.records, documents_, texts));
  report_.verified_texts = wanted.texts;
  const auto report_progress = [&](std::uint64_t done) {
    if (job_.context.progress == nullptr) return;
    job_.context.progress->report({"verify", done, wanted.later_bytes, wanted.texts});
  };
  report_progress(0);
  TWINSET_TRY(texts.extract(wanted.documents));
  // With containment either document may be the contained one, so every overlap must be exact.
  const bool exact = keeps_all || floor_.containment.has_value();
  const Threshold least{exact ? Ratio(0, 1) : floor_.resemblance, {}};
  TWINSET_ASSIGN(
      PairFamilies families,
      PairFamilies::of(pairs, static_cast<std::uint32_t>(documents_.size()), rows("families")));
  report_.spilled_bytes += families.pairs().spilled_bytes();
  const unsigned threads = std::max(1U, job_.context.threads);
  Verifier verifier(least, texts, memory_ / 2);
  // Of a worker's share, half is for a batch in pass 1 and free now.
  const std::uint64_t for_classes = job_.memory.worker / 2 + memory_ / 2 / threads;
  std::vector<FamilyJudge> judges;
  for (unsigned i = 0; i < threads; ++i) {
    judges.emplace_back(job_, documents_, texts, verifier, for_classes);
  }
  TWINSET_ASSIGN(const auto cursor, families.pairs().read());
  TWINSET_ASSIGN(const SharedPair* next, cursor->next());
  std::uint32_t later = UINT32_MAX;
  std::uint64_t done = 0;
  OrderedSteps<Block> steps;
  steps.take = [&](Block& block, TaskPlace) -> Result<bool> {
    TWINSET_TRY(job_.context.check_cancelled());
    block.pairs.clear();
    block.family_ends.clear();
    block.bytes = 0;
    while (next != nullptr) {
      const SharedPair pair = families.pair(*next);
      const bool begins = block.pairs.empty();
      const bool same_family = !begins && families.same(pair.a, block.pairs.back().a);
      if (!begins && !same_family) block.family_ends.push_back(block.pairs.size());
      if (block.pairs.size() >= (same_family ? most_pairs : block_pairs)) break;
      block.pairs.push_back(pair);
      if (pair.a != later) {
        later = pair.a;
        TWINSET_ASSIGN(const RecordRow row, stores_.records->row(later));
        block.bytes += row.length;
      }
      TWINSET_ASSIGN(next, cursor->next());
    }
    if (block.family_ends.empty() || block.family_ends.back() < block.pairs.size()) {
      block.family_ends.push_back(block.pairs.size());
    }
    return !block.pairs.empty();
  };
  steps.work = [&](unsigned worker, Block& block) -> Status {
    block.kept.clear();
    std::size_t begin = 0;
    for (const std::size_t end : block.family_ends) {
      TWINSET_TRY(
          judges[worker].judge(std::span<const SharedPair>(block.pairs).subspan(begin, end - begin),
                               [&](const SharedPair& pair, const Overlap& found, bool reached) {
                                 if (keeps_all || (reached && floor_.reached_by(found))) {
                                   block.kept.push_back({pair.a, pair.b, found});
                                 }
                               }));
      begin = end;
    }
    return {};
  };
  steps.put = [&](Block& block) -> Status {
    report_.verified_pairs += block.pairs.size();
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
