// Groups to pairs. A visitor sees a group's rows one at a time in keep order and
// holds its leaders and the last row. This file's interface is candidate_pairs; the rest is
// private.
#include "join/candidates.h"

#include <vector>

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

Status candidate_pairs(PartitionedRows<KeyRow>& rows, const DocumentTable& documents,
                       const EarlierDocuments* earlier, PairStore& out) {
  return rows.for_each_group(
      documents.unfolded(), KeepOrder{&documents},
      [&](unsigned) { return LeaderVisitor(documents, earlier, out); },
      earlier == nullptr ? Groups::shared : Groups::all);
}

}  // namespace twinset
