#include "join/hamming.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "base/cpu.h"
#include "join/all_pairs.h"
#include "rows/region.h"
#include "system/threads.h"

namespace twinset {
namespace {

/// log2 of the most partitions of a table: more would scatter to more places than a cache has.
constexpr unsigned most_partition_bits = 11;
/// log2 of the signatures that a partition should have, to be sorted in cache.
constexpr unsigned partition_size_bits = 12;
/// A partition that is so much larger than its share is sorted in place.
constexpr std::size_t most_copied = std::size_t{1} << 20;
constexpr std::size_t block_pairs = 4096;
/// In a table's order, how many places apart any two are compared. What shares a bucket and is
/// farther apart meets one by one.
constexpr std::size_t most_reach = 63;

/// The places of signatures among sorted ones: an index by their first bits leaves a few to search.
template <std::size_t Words>
class Places {
 public:
  explicit Places(std::span<const Signature<Words>> sorted) : sorted_(sorted) {
    constexpr unsigned searched_bits = 4;
    const auto size_bits = static_cast<unsigned>(std::bit_width(sorted.size()));
    shift_ = 64 - (size_bits > searched_bits ? size_bits - searched_bits : 1);
    begins_.assign((std::size_t{1} << (64 - shift_)) + 1, 0);
    for (const auto& signature : sorted) ++begins_[(signature[0] >> shift_) + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  }
  std::uint32_t operator()(const Signature<Words>& signature) const {
    const std::size_t part = signature[0] >> shift_;
    const auto begin = sorted_.begin();
    const auto found =
        std::lower_bound(begin + begins_[part], begin + begins_[part + 1], signature);
    return static_cast<std::uint32_t>(found - begin);
  }

 private:
  std::span<const Signature<Words>> sorted_;
  unsigned shift_ = 63;
  std::vector<std::uint32_t> begins_;
};

/// Compares the signatures of one table, partition after partition. Each worker has its own.
template <std::size_t Words>
class Comparing {
 public:
  Comparing(const RunContext& context, const HammingPlan& plan, const Places<Words>& places,
            const std::function<Status(std::span<const NearPair>)>& take)
      : context_(context), plan_(plan), places_(places), take_(take) {}

  /// Finds the pairs of a partition, whose keys agree except for their lowest `low_bits`.
  Status pair(std::uint32_t table, const TableKey<Words>& key, unsigned low_bits,
              std::span<Signature<Words>> partition) {
    table_ = table;
    if (partition.size() < 2) return {};
    if (partition.size() > most_copied) return pair_sorted(key, partition);
    // A counting sort by the next bits of the key, so many that most buckets have one signature.
    const unsigned bits =
        std::min(low_bits, static_cast<unsigned>(std::bit_width(partition.size())) - 1);
    const unsigned shift = low_bits - bits;
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    ends_.assign(std::size_t{1} << bits, 0);
    buckets_.resize(partition.size());
    for (std::size_t i = 0; i < partition.size(); ++i) {
      buckets_[i] = static_cast<std::uint32_t>(key(partition[i]) >> shift & mask);
      ++ends_[buckets_[i]];
    }
    std::uint32_t largest = 0;
    std::uint32_t begin = 0;
    for (std::uint32_t& size : ends_) {
      largest = std::max(largest, size);
      begin += std::exchange(size, begin);
    }
    sorted_.resize(partition.size());
    for (std::size_t i = 0; i < partition.size(); ++i) sorted_[ends_[buckets_[i]]++] = partition[i];
    return compare_buckets(largest);
  }

  Status finish() {
    TWINSET_TRY(take_(pairs_));
    pairs_.clear();
    return {};
  }

 private:
  /// The same without a second copy, for a key that very many signatures have in common.
  Status pair_sorted(const TableKey<Words>& key, std::span<Signature<Words>> partition) {
    std::ranges::sort(partition, {}, key);
    for (auto begin = partition.begin(); begin != partition.end();) {
      const auto end = std::find_if(
          begin, partition.end(),
          [value = key(*begin), &key](const auto& signature) { return key(signature) != value; });
      TWINSET_TRY(compare_all({begin, end}, 0));
      begin = end;
    }
    return {};
  }

  /// Bucket i has the sorted signatures from ends_[i - 1], or 0, to ends_[i].
  Status compare_buckets(std::size_t largest) {
    std::size_t reach = 0;
    if constexpr (Words == 1) {
      reach = std::min(largest - 1, most_reach);
      for (std::size_t next = 0; reach > 0 && next < sorted_.size();) {
        const std::size_t count =
            near_within_reach(sorted_, reach, plan_.distance, within_reach_, next, simd_level());
        for (std::size_t i = 0; i < count; ++i) {
          TWINSET_TRY(add(sorted_[within_reach_[i].a], sorted_[within_reach_[i].b]));
        }
      }
    }
    if (largest <= reach + 1) return {};
    const std::span<const Signature<Words>> sorted(sorted_);
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      TWINSET_TRY(compare_all(sorted.subspan(begin, end - begin), reach));
      begin = end;
    }
    return {};
  }

  /// Compares every two signatures that are more than `reach` places apart.
  Status compare_all(std::span<const Signature<Words>> bucket, std::size_t reach) {
    for (std::size_t i = 0; i + reach + 1 < bucket.size(); ++i) {
      const auto others = bucket.subspan(i + reach + 1);
      if (others.size() > block_pairs) TWINSET_TRY(context_.check_cancelled());
      if constexpr (Words == 1) {
        near_.resize(std::max(near_.size(), others.size()));
        const std::size_t count =
            select_near(bucket[i][0], others, plan_.distance, near_.data(), simd_level());
        for (std::size_t j = 0; j < count; ++j) TWINSET_TRY(add(bucket[i], others[near_[j]]));
      } else {
        for (const Signature<Words>& other : others) {
          if (differing_bits<Words>(bucket[i], other) <= plan_.distance) {
            TWINSET_TRY(add(bucket[i], other));
          }
        }
      }
    }
    return {};
  }

  Status add(const Signature<Words>& a, const Signature<Words>& b) {
    if (!first_table(plan_, table_, equal_blocks<Words>(plan_, a, b))) return {};
    pairs_.push_back(a < b ? NearPair{places_(a), places_(b)} : NearPair{places_(b), places_(a)});
    return pairs_.size() < block_pairs ? Status() : finish();
  }

  const RunContext& context_;
  const HammingPlan& plan_;
  const Places<Words>& places_;
  const std::function<Status(std::span<const NearPair>)>& take_;
  std::uint32_t table_ = 0;
  std::vector<std::uint32_t> buckets_;  ///< by signature of the partition
  std::vector<std::uint32_t> ends_;     ///< of the buckets
  std::vector<Signature<Words>> sorted_;
  std::vector<std::uint64_t> near_;
  std::vector<PlacePair> within_reach_ = std::vector<PlacePair>(2 * most_reach * reach_block);
  std::vector<NearPair> pairs_;
};

/// A part of signatures for each worker.
template <std::size_t Words>
std::span<const Signature<Words>> slice_of(std::span<const Signature<Words>> all, unsigned worker,
                                           unsigned workers) {
  const std::size_t begin = all.size() * worker / workers;
  return all.subspan(begin, all.size() * (worker + 1) / workers - begin);
}

/// A row of a table that spills.
template <std::size_t Words>
struct TableRow {
  std::uint64_t key = 0;
  DocumentId document;
  Signature<Words> signature{};
};

/// The steps of near_documents().
template <std::size_t Words>
class NearDocuments {
 public:
  NearDocuments(const SignatureRows<Words>& rows, const DocumentTable& documents,
                const RowsOptions& options, PairStore& out)
      : rows_(rows), documents_(documents), options_(options), out_(out) {}

  Result<HammingReport> run(unsigned distance,
                            const std::function<Status(const HammingPlan&)>& guard) {
    TWINSET_TRY(fold());
    std::vector<Signature<Words>> sample;
    TWINSET_TRY(for_each_distinct([&](const Row& row) {
      if (in_plan_sample<Words>(row.signature, report_.distinct)) sample.push_back(row.signature);
      return Status();
    }));
    report_.plan = plan_tables<Words>(sample, report_.distinct, distance);
    TWINSET_TRY(guard(report_.plan));
    const std::uint64_t held = report_.distinct * (2 * sizeof(Signature<Words>) + sizeof(Place));
    if (held <= options_.memory_bytes && report_.distinct <= UINT32_MAX) {
      TWINSET_TRY(pair_in_memory());
    } else {
      for (const std::uint32_t table : report_.plan.tables) TWINSET_TRY(pair_table(table));
    }
    return report_;
  }

 private:
  using Row = SignatureRow<Words>;

  /// Calls `use(row)` for the first row of each signature.
  template <class Use>
  Status for_each_distinct(Use&& use) const {
    Row first{};
    bool any = false;
    return for_each_row(rows_, [&](const Row& row) -> Status {
      if (any && row.signature == first.signature) return {};
      any = true;
      first = row;
      return use(row);
    });
  }

  /// Pairs each document of a signature with the first.
  Status fold() {
    Row first{};
    std::vector<Pair> pairs;
    TWINSET_TRY(for_each_row(rows_, [&](const Row& row) -> Status {
      if (report_.signatures++ == 0 || row.signature != first.signature) {
        ++report_.distinct;
        first = row;
        return {};
      }
      add_pair(row.place, first.place, pairs);
      if (pairs.size() < block_pairs) return {};
      TWINSET_TRY(out_.append(pairs));
      pairs.clear();
      return {};
    }));
    return out_.append(pairs);
  }

  Status pair_in_memory() {
    std::vector<Signature<Words>> distinct;
    std::vector<Place> places;
    distinct.reserve(report_.distinct);
    places.reserve(report_.distinct);
    TWINSET_TRY(for_each_distinct([&](const Row& row) {
      distinct.push_back(row.signature);
      places.push_back(row.place);
      return Status();
    }));
    const auto take = [&](std::span<const NearPair> near) -> Status {
      std::vector<Pair> pairs;
      for (const NearPair& pair : near) add_pair(places[pair.a], places[pair.b], pairs);
      return out_.append(pairs);
    };
    return near_pairs<Words>(*options_.context, distinct, report_.plan, take);
  }

  Status pair_table(std::uint32_t table) {
    RowsOptions options = options_;
    options.path += ".table";
    PartitionedRows<TableRow<Words>> groups(options);
    const TableKey<Words> key(report_.plan, table);
    std::vector<TableRow<Words>> batch;
    TWINSET_TRY(for_each_distinct([&](const Row& row) -> Status {
      batch.push_back({mix64(key(row.signature)), row.place.document, row.signature});
      if (batch.size() < block_pairs) return {};
      TWINSET_TRY(groups.append(batch));
      batch.clear();
      return {};
    }));
    TWINSET_TRY(groups.append(batch));
    const auto near = [&](const Signature<Words>& a, const Signature<Words>& b) {
      return differing_bits<Words>(a, b) <= report_.plan.distance &&
             first_table(report_.plan, table, equal_blocks<Words>(report_.plan, a, b));
    };
    TWINSET_TRY(all_pairs(groups, documents_, near, out_));
    report_.spilled_bytes += groups.spilled_bytes();
    return {};
  }

  /// Adds the pair of two documents, unless both are protected.
  void add_pair(const Place& a, const Place& b, std::vector<Pair>& pairs) const {
    const Pair pair{std::max(a, b), std::min(a, b)};
    if (!documents_.reference(pair.later.document)) pairs.push_back(pair);
  }

  const SignatureRows<Words>& rows_;
  const DocumentTable& documents_;
  const RowsOptions& options_;
  PairStore& out_;
  HammingReport report_{.plan = {}};
};

}  // namespace

template <std::size_t Words>
Status near_pairs(const RunContext& context, std::span<const Signature<Words>> distinct,
                  const HammingPlan& plan,
                  const std::function<Status(std::span<const NearPair>)>& take) {
  const unsigned workers = std::max(1U, context.threads);
  TWINSET_ASSIGN(Region region, Region::make(distinct.size_bytes()));
  region.use_large_pages();
  const std::span<Signature<Words>> scattered(reinterpret_cast<Signature<Words>*>(region.data()),
                                              distinct.size());
  const Places<Words> places(distinct);
  std::vector<Comparing<Words>> comparing(workers, {context, plan, places, take});
  // Tables with the same first block share a scattering, by bits of that block.
  for (unsigned block = 0; block < plan.blocks; ++block) {
    std::vector<std::uint32_t> tables;
    std::ranges::copy_if(plan.tables, std::back_inserter(tables), [block](std::uint32_t table) {
      return static_cast<unsigned>(std::countr_zero(table)) == block;
    });
    if (tables.empty()) continue;
    const TableKey<Words> first(plan, tables.front());
    const auto size_bits = static_cast<unsigned>(std::bit_width(distinct.size()));
    const unsigned bits =
        std::min({first.first_bits(), most_partition_bits,
                  size_bits > partition_size_bits ? size_bits - partition_size_bits : 0});
    const auto part_of = [&](const Signature<Words>& signature) {
      return bits == 0 ? 0 : static_cast<std::size_t>(first.top(signature, bits));
    };
    // Each worker counts and then places the signatures of its slice.
    std::vector<std::vector<std::uint32_t>> next(
        workers, std::vector<std::uint32_t>(std::size_t{1} << bits));
    TWINSET_TRY(run_workers(workers, [&](unsigned worker) -> Status {
      for (const auto& signature : slice_of<Words>(distinct, worker, workers)) {
        ++next[worker][part_of(signature)];
      }
      return context.check_cancelled();
    }));
    std::vector<std::uint32_t> begins;
    std::uint32_t begin = 0;
    for (std::size_t part = 0; part < std::size_t{1} << bits; ++part) {
      begins.push_back(begin);
      for (auto& of_worker : next) begin += std::exchange(of_worker[part], begin);
    }
    begins.push_back(begin);
    TWINSET_TRY(run_workers(workers, [&](unsigned worker) -> Status {
      for (const auto& signature : slice_of<Words>(distinct, worker, workers)) {
        scattered[next[worker][part_of(signature)]++] = signature;
      }
      return context.check_cancelled();
    }));
    std::atomic<std::size_t> taken = 0;
    TWINSET_TRY(run_workers(workers, [&](unsigned worker) -> Status {
      for (std::size_t part = taken++; part + 1 < begins.size(); part = taken++) {
        for (const std::uint32_t table : tables) {
          TWINSET_TRY(context.check_cancelled());
          const TableKey<Words> key(plan, table);
          TWINSET_TRY(comparing[worker].pair(
              table, key, key.bits() - bits,
              scattered.subspan(begins[part], begins[part + 1] - begins[part])));
        }
      }
      return comparing[worker].finish();
    }));
  }
  return {};
}

template <std::size_t Words>
Result<HammingReport> near_documents(const SignatureRows<Words>& rows,
                                     const DocumentTable& documents, unsigned distance,
                                     const std::function<Status(const HammingPlan&)>& guard,
                                     const RowsOptions& options, PairStore& out) {
  return NearDocuments<Words>(rows, documents, options, out).run(distance, guard);
}

template Status near_pairs<1>(const RunContext&, std::span<const Signature<1>>, const HammingPlan&,
                              const std::function<Status(std::span<const NearPair>)>&);
template Status near_pairs<2>(const RunContext&, std::span<const Signature<2>>, const HammingPlan&,
                              const std::function<Status(std::span<const NearPair>)>&);
template Result<HammingReport> near_documents<1>(const SignatureRows<1>&, const DocumentTable&,
                                                 unsigned,
                                                 const std::function<Status(const HammingPlan&)>&,
                                                 const RowsOptions&, PairStore&);
template Result<HammingReport> near_documents<2>(const SignatureRows<2>&, const DocumentTable&,
                                                 unsigned,
                                                 const std::function<Status(const HammingPlan&)>&,
                                                 const RowsOptions&, PairStore&);

}  // namespace twinset
