// Short sorted lists: a newcomer is inserted where it belongs and the last falls
// off. Every comparison ends in the documents' own names, so that equal numbers
// do not let the order of arrival decide.
//
// Pairs are sampled by rank: the lowest hashes of (survivor, removed) in each
// stratum are a uniform sample that any number of threads agrees on.
//
// This file's interface is collector.h; the rest is private.
#include "report/collector.h"

#include <algorithm>
#include <tuple>

#include "base/hash.h"

namespace twinset {
namespace {

auto name_of(const ReportCluster& cluster) {
  return std::tie(cluster.survivor.file, cluster.survivor.record, cluster.survivor.id);
}

bool larger(const ReportCluster& a, const ReportCluster& b) {
  if (a.members != b.members) return a.members > b.members;
  return name_of(a) < name_of(b);
}

bool less_alike(const ReportCluster& a, const ReportCluster& b) {
  if (a.lowest_resemblance != b.lowest_resemblance) {
    return a.lowest_resemblance < b.lowest_resemblance;
  }
  return larger(a, b);
}

bool wider(const ReportCluster& a, const ReportCluster& b) {
  if (a.sources != b.sources) return a.sources > b.sources;
  return larger(a, b);
}

bool lower(const PairChoice& a, const PairChoice& b) {
  return std::tie(a.resemblance, a.removed, a.survivor) <
         std::tie(b.resemblance, b.removed, b.survivor);
}

bool ranked_before(const PairChoice& a, const PairChoice& b) {
  return std::tie(a.rank, a.removed, a.survivor) < std::tie(b.rank, b.removed, b.survivor);
}

template <class T, class Before>
void insert_bounded(std::vector<T>& list, const T& item, std::size_t most, Before before) {
  if (list.size() >= most && (most == 0 || !before(item, list.back()))) return;
  const auto at = std::upper_bound(list.begin(), list.end(), item, before);
  if (at != list.begin() && !before(*(at - 1), item)) return;  // there already
  list.insert(at, item);
  if (list.size() > most) list.pop_back();
}

/// Clusters in one file are not spread out, and equal records are beyond doubt.
bool spreads(std::uint64_t sources) { return sources >= 2; }
bool doubtful(double lowest_resemblance) { return lowest_resemblance < 1; }

}  // namespace

ReportCollector::ReportCollector(double threshold, const ReportLimits& limits)
    : threshold_(threshold), limits_(limits) {}

std::size_t ReportCollector::stratum_of(Fate kind, double resemblance) const {
  constexpr std::size_t of_resemblance = strata - 1;
  if (kind == Fate::contained) return of_resemblance;
  const double width = std::max(1 - threshold_, 1e-9) / of_resemblance;
  const double place = std::max(0.0, resemblance - threshold_) / width;
  return std::min(of_resemblance - 1, static_cast<std::size_t>(place));
}

void ReportCollector::keep_pair(const PairChoice& choice) {
  if (choice.kind == Fate::near) {
    insert_bounded(lowest_, choice, limits_.lowest_pairs, lower);
  }
  insert_bounded(sampled_[stratum_of(choice.kind, choice.resemblance)], choice,
                 limits_.pairs_a_stratum + limits_.lowest_pairs, ranked_before);
}

void ReportCollector::removed(Fate kind, double resemblance, DocumentId survivor,
                              DocumentId document) {
  if (kind == Fate::near)
    near_.add(resemblance);
  else if (kind == Fate::contained)
    contained_.add(resemblance);
  else
    return;
  const std::uint64_t rank = mix64(mix64(survivor.value()) ^ document.value());
  keep_pair({survivor, document, kind, resemblance, rank});
}

bool ReportCollector::wanted(std::uint64_t members, std::uint64_t sources,
                             double lowest_resemblance) const {
  // Ties are wanted too: the names, not known yet, decide.
  const auto has_room = [](const auto& list, std::size_t most, const auto& reaches_last) {
    return list.size() < most || (most > 0 && reaches_last(list.back()));
  };
  if (has_room(largest_, limits_.largest,
               [&](const ReportCluster& last) { return members >= last.members; })) {
    return true;
  }
  if (doubtful(lowest_resemblance) &&
      has_room(least_alike_, limits_.least_alike, [&](const ReportCluster& last) {
        return lowest_resemblance <= last.lowest_resemblance;
      })) {
    return true;
  }
  return spreads(sources) && has_room(widest_, limits_.widest, [&](const ReportCluster& last) {
           return sources >= last.sources;
         });
}

void ReportCollector::cluster(const ReportCluster& cluster) {
  ++clusters_;
  cluster_sizes_.add(cluster.members);
  if (!wanted(cluster.members, cluster.sources, cluster.lowest_resemblance)) return;
  ReportCluster trimmed = cluster;
  std::sort(trimmed.examples.begin(), trimmed.examples.end(),
            [](const ReportMember& a, const ReportMember& b) {
              const double x = a.evidence(), y = b.evidence();
              return std::tie(x, a.document.file, a.document.record) <
                     std::tie(y, b.document.file, b.document.record);
            });
  if (trimmed.examples.size() > limits_.examples) trimmed.examples.resize(limits_.examples);
  keep_cluster(trimmed);
}

void ReportCollector::keep_cluster(const ReportCluster& cluster) {
  insert_bounded(largest_, cluster, limits_.largest, larger);
  if (doubtful(cluster.lowest_resemblance)) {
    insert_bounded(least_alike_, cluster, limits_.least_alike, less_alike);
  }
  if (spreads(cluster.sources)) insert_bounded(widest_, cluster, limits_.widest, wider);
}

void ReportCollector::merge(const ReportCollector& other) {
  clusters_ += other.clusters_;
  const auto add = [](auto& bins, const auto& more) {
    for (std::size_t i = 0; i < bins.size(); ++i) bins[i] += more[i];
  };
  add(cluster_sizes_.bins, other.cluster_sizes_.bins);
  add(near_.bins, other.near_.bins);
  add(contained_.bins, other.contained_.bins);
  for (const auto& c : other.largest_) insert_bounded(largest_, c, limits_.largest, larger);
  for (const auto& c : other.least_alike_) {
    insert_bounded(least_alike_, c, limits_.least_alike, less_alike);
  }
  for (const auto& c : other.widest_) insert_bounded(widest_, c, limits_.widest, wider);
  for (const auto& c : other.lowest_) insert_bounded(lowest_, c, limits_.lowest_pairs, lower);
  for (std::size_t i = 0; i < strata; ++i) {
    for (const auto& c : other.sampled_[i]) {
      insert_bounded(sampled_[i], c, limits_.pairs_a_stratum + limits_.lowest_pairs, ranked_before);
    }
  }
}

std::vector<PairChoice> ReportCollector::pairs() const {
  std::vector<PairChoice> chosen = lowest_;
  const auto already = [&](const PairChoice& choice) {
    return std::any_of(lowest_.begin(), lowest_.end(), [&](const PairChoice& other) {
      return other.removed == choice.removed && other.survivor == choice.survivor;
    });
  };
  for (const auto& stratum : sampled_) {
    std::size_t taken = 0;
    for (const PairChoice& choice : stratum) {
      if (taken == limits_.pairs_a_stratum) break;
      if (already(choice)) continue;
      chosen.push_back(choice);
      ++taken;
    }
  }
  std::sort(chosen.begin(), chosen.end(), lower);
  return chosen;
}

void ReportCollector::finish(Report& report) const {
  report.clusters = clusters_;
  report.cluster_sizes = cluster_sizes_;
  report.near_resemblance = near_;
  report.contained_resemblance = contained_;
  report.largest = largest_;
  report.least_alike = least_alike_;
  report.widest = widest_;
}

}  // namespace twinset
