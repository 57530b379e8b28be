#include "cluster/clustering.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "rows/appender.h"

namespace twinset {
namespace {

/// Counts clusters, given one after the other.
class Tally {
 public:
  explicit Tally(ClusterSummary& summary) : summary_(summary) {
    summary.all = summary.identical_only = {};
    summary.largest = 0;
    summary.sizes.clear();
  }
  void begin() {
    end();
    size_ = 1;
    identical_only_ = true;
  }
  void add(bool identical) {
    ++size_;
    identical_only_ = identical_only_ && identical;
  }
  void end() {
    if (size_ == 0) return;
    count(summary_.all);
    if (identical_only_) count(summary_.identical_only);
    summary_.largest = std::max(summary_.largest, size_);
    const auto power = static_cast<std::size_t>(std::bit_width(size_) - 1);
    if (summary_.sizes.size() <= power) summary_.sizes.resize(power + 1);
    ++summary_.sizes[power];
    size_ = 0;
  }

 private:
  void count(ClusterCounts& counts) const {
    ++counts.clusters;
    counts.documents += size_;
  }
  ClusterSummary& summary_;
  std::uint64_t size_ = 0;
  bool identical_only_ = true;
};

}  // namespace

Clustering::Clustering(std::uint32_t documents, const PairFloor& threshold, ClusterShape shape)
    : threshold_(threshold),
      shape_(shape),
      components_(shape == ClusterShape::components ? documents : 0),
      identical_(documents) {
  if (shape != ClusterShape::stars) return;
  centers_.resize(documents);
  std::iota(centers_.begin(), centers_.end(), 0);
}

void Clustering::fold(std::uint32_t copy, std::uint32_t representative, bool identical) {
  identical_[copy] = identical;
  if (shape_ == ClusterShape::stars) {
    centers_[copy] = representative;
  } else {
    components_.unite(copy, representative);
  }
}

void Clustering::add(const SharedPair& pair) {
  if (!threshold_.reached_by(pair.keys)) {
    too_few_keys_ += threshold_.too_few_keys(pair.keys) ? 1 : 0;
    return;
  }
  ++edges_;
  if (threshold_.equal(pair.keys)) return fold(pair.a, pair.b, false);
  if (shape_ == ClusterShape::components) {
    components_.unite(pair.a, pair.b);
  } else if (centers_[pair.a] == pair.a && centers_[pair.b] == pair.b) {
    const bool a_leads = !ranks_.empty() && ranks_[pair.a] < ranks_[pair.b];
    centers_[a_leads ? pair.b : pair.a] = a_leads ? pair.a : pair.b;
  }
}

void Clustering::lead(std::span<const std::uint32_t> ranks) {
  leads_ = centers_;
  for (std::uint32_t document = 0; document < documents(); ++document) {
    std::uint32_t& lead = leads_[original(document)];
    if (ranks[document] < ranks[lead]) lead = document;
  }
  ranks_.assign(ranks.begin(), ranks.end());
  for (std::uint32_t document = 0; document < documents(); ++document) {
    const std::uint32_t lead = leads_[document];
    if (centers_[document] != document || lead == document) continue;
    ranks_[document] = ranks[lead];
    // The lead is no copy of a member any more; the original is one of it.
    identical_[document] = identical_[lead];
  }
}

std::uint32_t Clustering::original(std::uint32_t document) const {
  while (centers_[document] != document) document = centers_[document];
  return document;
}

std::uint32_t Clustering::representative(std::uint32_t document) {
  if (shape_ == ClusterShape::components) return components_.find(document);
  // The document that a copy belongs to may itself be a copy, or in another's star.
  const std::uint32_t center = original(document);
  return leads_.empty() ? center : leads_[center];
}

Result<std::unique_ptr<ClusterLinks>> ClusterLinks::make(const RowsOptions& options,
                                                         Clustering& clustering,
                                                         ClusterSummary& summary) {
  std::unique_ptr<ClusterLinks> links(new ClusterLinks(options));
  Appender<SortedRows<Row, RowLess>, Row> rows(links->rows_);
  for (std::uint32_t member = 0; member < clustering.documents(); ++member) {
    const std::uint32_t representative = clustering.representative(member);
    if (representative != member) TWINSET_TRY(rows.add({representative, member}));
  }
  TWINSET_TRY(rows.finish());
  TWINSET_TRY(links->rows_.seal());
  TWINSET_TRY(links->tally(clustering, summary));
  TWINSET_ASSIGN(links->cursor_, links->rows_.read());
  return links;
}

Status ClusterLinks::tally(const Clustering& clustering, ClusterSummary& summary) const {
  Tally tally(summary);
  std::uint64_t open = UINT64_MAX;
  TWINSET_TRY(for_each([&](const ClusterLink& link) -> Status {
    if (link.representative != open) tally.begin();
    open = link.representative;
    tally.add(clustering.identical(static_cast<std::uint32_t>(link.member)));
    return {};
  }));
  tally.end();
  return {};
}

Status ClusterLinks::for_each(const std::function<Status(const ClusterLink&)>& use) const {
  return for_each_row(rows_, [&](const Row& row) { return use({row.representative, row.member}); });
}

Result<bool> ClusterLinks::next(ClusterLink& link) {
  TWINSET_ASSIGN(const Row* row, cursor_->next());
  if (row == nullptr) return false;
  link = {row->representative, row->member};
  return true;
}

}  // namespace twinset
