// Groups to pairs. A visitor sees a group's rows one at a time in keep order and
// holds its leaders and the last row. This file's interface is pair_group, pairs_of_group and
// candidate_pairs; the rest is private.
#include "join/candidates.h"

#include <algorithm>

namespace twinset {
namespace {

constexpr std::size_t flush_rows = 4096;

class LeaderVisitor {
 public:
  LeaderVisitor(const DocumentTable& documents, const EarlierDocuments* earlier, PairStore& out)
      : documents_(documents), earlier_(earlier), out_(out) {
    pairs_.reserve(flush_rows + 2 * leaders_per_group + 1);
  }

  Status row(const KeyRow& row, bool first) {
    if (first) TWINSET_TRY(start_group(row.key));
    leaders_.add(documents_.place(row.document), documents_.reference(row.document),
                 [&](const Place& later, const Place& earlier) {
                   pairs_.push_back({later, earlier});
                 });
    return pairs_.size() < flush_rows ? Status{} : finish();
  }

  Status finish() {
    TWINSET_TRY(out_.append(pairs_));
    pairs_.clear();
    return {};
  }

 private:
  /// Earlier documents lead a group as if they were of the run; what becomes of them is known.
  Status start_group(std::uint64_t key) {
    leaders_.start_group();
    if (earlier_ == nullptr) return {};
    TWINSET_TRY(earlier_->with_key(key, found_));
    for (const DocumentId document : found_) {
      leaders_.add(documents_.place(document), false, [](const Place&, const Place&) {});
    }
    return {};
  }

  const DocumentTable& documents_;
  const EarlierDocuments* earlier_;
  PairStore& out_;
  std::vector<DocumentId> found_;
  std::vector<Pair> pairs_;
  GroupPairs<Place> leaders_;
};

}  // namespace

void pair_group(PairUse use, std::span<const Place> group, std::uint64_t reference_sources,
                std::vector<Pair>& out) {
  const auto is_protected = [&](const Place& place) {
    return place.document.source() < reference_sources;
  };
  const auto take = [&](const Place& later, const Place& earlier) {
    out.push_back({later, earlier});
  };
  if (use == PairUse::leaders) return pair(group, is_protected, take);
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (is_protected(group[i])) continue;
    for (const Place& earlier : group.first(i)) take(group[i], earlier);
  }
}

std::uint64_t pairs_of_group(PairUse use, std::uint64_t references, std::uint64_t others) {
  const auto among = [](std::uint64_t members) { return members * (members - 1) / 2; };
  if (use == PairUse::all) return others * references + among(others);
  constexpr std::uint64_t most = leaders_per_group;
  if (others == 0) return 0;
  // Each member meets the leaders before it, and its predecessor if that is not a leader: so does
  // the first ordinary document after more than `most` references, and each one from number
  // `most` + 2 on.
  const std::uint64_t leading = std::min(others, most);
  return others * std::min(references, most) + among(leading) + (others - leading) * most +
         (references > most ? 1 : 0) + (others > most ? others - most - 1 : 0);
}

Status candidate_pairs(PartitionedRows<KeyRow>& rows, const DocumentTable& documents,
                       const EarlierDocuments* earlier, PairStore& out) {
  return rows.for_each_group(
      documents.unfolded(), KeepOrder{&documents},
      [&](unsigned) { return LeaderVisitor(documents, earlier, out); },
      earlier == nullptr ? Groups::shared : Groups::all);
}

}  // namespace twinset
