// Groups to pairs. A visitor sees a group's rows one at a time in keep order and
// holds what it needs of them: the leaders and the last row for bands, at most
// max_group members for counting. This file's interface is candidate_pairs and
// counted_pairs; the rest is private.
#include "join/candidates.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

namespace twinset {
namespace {

constexpr std::size_t flush_rows = 4096;
constexpr std::size_t common_keys_listed = 100;

/// Order of rows within a key: keep order, so that the first is the keeper.
struct KeepOrder {
  const DocumentTable* documents;
  bool operator()(const KeyRow& a, const KeyRow& b) const {
    return documents->place(a.document) < documents->place(b.document);
  }
};

/// Pairs a band group's members with its leaders and with the one just before.
class LeaderVisitor {
 public:
  LeaderVisitor(const DocumentTable& documents, PairStore& out) : documents_(documents), out_(out) {
    pairs_.reserve(flush_rows + 2 * leaders_per_group + 1);
  }

  Status row(const KeyRow& row, bool first) {
    if (first) start_group();
    const Place place = documents_.place(row.document);
    const bool reference = documents_.reference(row.document);
    if (!reference) {
      for (unsigned i = 0; i < protected_count_; ++i) add(place, protected_[i]);
      for (unsigned i = 0; i < ordinary_count_; ++i) add(place, ordinary_[i]);
      if (has_last_ && !last_leads_) add(place, last_);
    }
    unsigned& count = reference ? protected_count_ : ordinary_count_;
    last_leads_ = count < leaders_per_group;
    if (last_leads_) (reference ? protected_ : ordinary_)[count++] = place;
    last_ = place;
    has_last_ = true;
    return pairs_.size() < flush_rows ? Status{} : flush();
  }

  Status finish() { return flush(); }

 private:
  void start_group() {
    protected_count_ = ordinary_count_ = 0;
    has_last_ = false;
  }
  void add(const Place& later, const Place& earlier) { pairs_.push_back({later, earlier}); }
  Status flush() {
    TWINSET_TRY(out_.append(pairs_));
    pairs_.clear();
    return {};
  }

  const DocumentTable& documents_;
  PairStore& out_;
  std::vector<Pair> pairs_;
  std::array<Place, leaders_per_group> protected_;
  std::array<Place, leaders_per_group> ordinary_;
  unsigned protected_count_ = 0;
  unsigned ordinary_count_ = 0;
  Place last_;
  bool has_last_ = false;
  bool last_leads_ = false;
};

bool more_documents(const CommonKey& a, const CommonKey& b) {
  return a.documents != b.documents ? a.documents > b.documents : a.key < b.key;
}

/// Keeps the largest common keys, whatever order they come in.
void list_common_key(std::vector<CommonKey>& largest, const CommonKey& key) {
  largest.insert(std::upper_bound(largest.begin(), largest.end(), key, more_documents), key);
  if (largest.size() > common_keys_listed) largest.pop_back();
}

/// What the workers' reports add up to.
struct SharedReport {
  std::mutex mutex;
  CountReport total;
  void add(const CountReport& part) {
    const std::lock_guard lock(mutex);
    total.keys_cut += part.keys_cut;
    total.rows_cut += part.rows_cut;
    for (const CommonKey& key : part.largest) list_common_key(total.largest, key);
  }
};

/// Counts one for every two members of a group of at most max_group.
class CountVisitor {
 public:
  CountVisitor(const DocumentTable& documents, std::uint64_t max_group,
               std::span<std::uint32_t> key_counts, CountedPairStore& out, SharedReport& report)
      : documents_(documents),
        max_group_(max_group),
        key_counts_(key_counts),
        out_(out),
        report_(report) {}

  Status row(const KeyRow& row, bool first) {
    if (first) TWINSET_TRY(end_group());
    key_ = row.key;
    const Place place = documents_.place(row.document);
    if (members_seen_ == 0) first_ = row.document;
    ++members_seen_;
    if (max_group_ == 0 || members_seen_ <= max_group_) {
      members_.push_back(place);
    } else {
      take_off(row.document);
    }
    return {};
  }

  Status finish() {
    TWINSET_TRY(end_group());
    TWINSET_TRY(flush());
    report_.add(part_);
    return {};
  }

 private:
  Status end_group() {
    if (max_group_ != 0 && members_seen_ > max_group_) {
      for (const Place& member : members_) take_off(member.document);
      ++part_.keys_cut;
      part_.rows_cut += members_seen_;
      list_common_key(part_.largest, {key_, members_seen_, first_});
    } else {
      TWINSET_TRY(count_members());
    }
    members_.clear();
    members_seen_ = 0;
    return {};
  }

  /// A cut key counts on neither side (B 5.1 is silent on the denominators).
  void take_off(DocumentId document) {
    std::atomic_ref<std::uint32_t>(key_counts_[documents_.index(document)])
        .fetch_sub(1, std::memory_order_relaxed);
  }

  Status count_members() {
    for (std::size_t later = 1; later < members_.size(); ++later) {
      if (documents_.reference(members_[later].document)) continue;
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        pairs_.push_back({{members_[later], members_[earlier]}, 1});
        if (pairs_.size() >= flush_rows) TWINSET_TRY(flush());
      }
    }
    return {};
  }

  Status flush() {
    TWINSET_TRY(out_.append(pairs_));
    pairs_.clear();
    return {};
  }

  const DocumentTable& documents_;
  std::uint64_t max_group_;
  std::span<std::uint32_t> key_counts_;
  CountedPairStore& out_;
  SharedReport& report_;
  CountReport part_;
  std::vector<Place> members_;
  std::vector<CountedPair> pairs_;
  std::uint64_t members_seen_ = 0;
  std::uint64_t key_ = 0;
  DocumentId first_;
};

/// Folded documents are stood for by another, which has the same keys.
auto keep_unfolded(const DocumentTable& documents) {
  return [&documents](const KeyRow& row) {
    return !documents.standing(documents.index(row.document)).folded();
  };
}

}  // namespace

Status candidate_pairs(PartitionedRows<KeyRow>& rows, const DocumentTable& documents,
                       PairStore& out) {
  return rows.for_each_group(keep_unfolded(documents), KeepOrder{&documents},
                             [&](unsigned) { return LeaderVisitor(documents, out); });
}

Result<CountReport> counted_pairs(PartitionedRows<KeyRow>& rows, const DocumentTable& documents,
                                  std::uint64_t max_group, std::span<std::uint32_t> key_counts,
                                  CountedPairStore& out) {
  SharedReport report;
  TWINSET_TRY(rows.for_each_group(keep_unfolded(documents), KeepOrder{&documents}, [&](unsigned) {
    return CountVisitor(documents, max_group, key_counts, out, report);
  }));
  return std::move(report.total);
}

}  // namespace twinset
