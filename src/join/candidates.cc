// Groups to pairs. A visitor sees a group's rows one at a time in keep order and
// holds its leaders and the last row. This file's interface is pair_group, pairs_of_group and
// candidate_pairs; the rest is private.
#include "join/candidates.h"

#include <algorithm>
#include <array>

namespace twinset {
namespace {

constexpr std::size_t flush_rows = 4096;

/// Pairs the members of a group with its leaders and with the one just before.
class LeaderPairs {
 public:
  void add(const Place& place, bool reference, std::vector<Pair>& out) {
    if (!reference) {
      for (unsigned i = 0; i < protected_count_; ++i) out.push_back({place, protected_[i]});
      for (unsigned i = 0; i < ordinary_count_; ++i) out.push_back({place, ordinary_[i]});
      if (has_last_ && !last_leads_) out.push_back({place, last_});
    }
    unsigned& count = reference ? protected_count_ : ordinary_count_;
    last_leads_ = count < leaders_per_group;
    if (last_leads_) (reference ? protected_ : ordinary_)[count++] = place;
    last_ = place;
    has_last_ = true;
  }
  void start_group() {
    protected_count_ = ordinary_count_ = 0;
    has_last_ = false;
  }

 private:
  std::array<Place, leaders_per_group> protected_;
  std::array<Place, leaders_per_group> ordinary_;
  unsigned protected_count_ = 0;
  unsigned ordinary_count_ = 0;
  Place last_;
  bool has_last_ = false;
  bool last_leads_ = false;
};

class LeaderVisitor {
 public:
  LeaderVisitor(const DocumentTable& documents, PairStore& out) : documents_(documents), out_(out) {
    pairs_.reserve(flush_rows + 2 * leaders_per_group + 1);
  }

  Status row(const KeyRow& row, bool first) {
    if (first) leaders_.start_group();
    leaders_.add(documents_.place(row.document), documents_.reference(row.document), pairs_);
    return pairs_.size() < flush_rows ? Status{} : finish();
  }

  Status finish() {
    TWINSET_TRY(out_.append(pairs_));
    pairs_.clear();
    return {};
  }

 private:
  const DocumentTable& documents_;
  PairStore& out_;
  std::vector<Pair> pairs_;
  LeaderPairs leaders_;
};

}  // namespace

void pair_group(PairUse use, std::span<const Place> group, std::uint64_t reference_sources,
                std::vector<Pair>& out) {
  LeaderPairs leaders;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const bool reference = group[i].document.source() < reference_sources;
    if (use == PairUse::leaders) {
      leaders.add(group[i], reference, out);
    } else if (!reference) {
      for (const Place& earlier : group.first(i)) out.push_back({group[i], earlier});
    }
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
                       PairStore& out) {
  return rows.for_each_group(documents.unfolded(), KeepOrder{&documents},
                             [&](unsigned) { return LeaderVisitor(documents, out); });
}

}  // namespace twinset
