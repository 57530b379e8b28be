// This file's interface is PairChecks; the rest is private. Pairs stream from one sorted store into
// the next, a block at a time on each thread:
//
//   bands -> candidates -> (sketches) -> pairs -> (texts) -> pairs that reach the floor
#include "cluster/pair_check.h"

#include <algorithm>
#include <vector>

#include "cluster/family_check.h"
#include "cluster/pair_families.h"
#include "run/texts.h"

namespace twinset {
namespace {

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
  Verifier verifier(least, texts, memory_ / 2);
  // Of the workers' shares, half is for batches in pass 1 and free now.
  const std::uint64_t threads = std::max(1U, job_.context.threads);
  FamilyCheck check({job_, *stores_.records, documents_, texts, verifier}, families,
                    threads * job_.memory.worker / 2 + memory_ / 2);
  std::uint64_t done = 0;
  TWINSET_TRY(
      check.run([&](const Overlap& found,
                    bool reached) { return keeps_all || (reached && floor_.reached_by(found)); },
                [&](FamilyCheck::Block& block) -> Status {
                  report_.verified_pairs += block.pairs.size();
                  done += block.bytes;
                  report_progress(done);
                  return verified->append(block.kept);
                }));
  TWINSET_TRY(verified->seal());
  report_.spilled_bytes += verified->spilled_bytes() + texts.extracted_bytes();
  return verified;
}

}  // namespace twinset
