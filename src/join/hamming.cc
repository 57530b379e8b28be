#include "join/hamming.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "base/threads.h"
#include "join/all_pairs.h"
#include "rows/region.h"

namespace twinset {
namespace {

/// log2 of the most partitions of a table: more would scatter to more places than a cache has.
constexpr unsigned most_partition_bits = 11;
/// log2 of the signatures that a partition should have, to be sorted in cache.
constexpr unsigned partition_size_bits = 12;
/// A partition that is so much larger than its share is sorted in place.
constexpr std::size_t most_copied = std::size_t{1} << 20;
constexpr std::size_t block_pairs = 4096;

/// Signatures of one table, from partition to partition. Each worker has its own.
template <std::size_t Words>
class Bucketing {
 public:
  Bucketing(const RunContext& context, const HammingPlan& plan,
            std::span<const Signature<Words>> distinct,
            const std::function<Status(std::span<const NearPair>)>& take)
      : context_(context), plan_(plan), distinct_(distinct), take_(take) {}

  /// Finds the pairs of a partition, whose keys agree except for their lowest `low_bits`.
  Status pair(std::uint32_t table, const TableKey<Words>& key, unsigned low_bits,
              std::span<Signature<Words>> partition) {
    table_ = table;
    if (partition.size() < 2) return {};
    if (partition.size() > most_copied) return pair_sorted(key, partition);
    // A counting sort by the next bits of the key, so many that most buckets have one signature.
    const unsigned bits =
        std::min(low_bits, static_cast<unsigned>(std::bit_width(partition.size())));
    const unsigned shift = low_bits - bits;
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    ends_.assign((std::size_t{1} << bits) + 1, 0);
    for (const auto& signature : partition) ++ends_[(key(signature) >> shift & mask) + 1];
    for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i] += ends_[i - 1];
    if (sorted_.size() < partition.size()) sorted_.resize(partition.size());
    for (const auto& signature : partition) {
      sorted_[ends_[key(signature) >> shift & mask]++] = signature;
    }
    std::size_t begin = 0;
    for (std::size_t bucket = 0; bucket + 1 < ends_.size(); ++bucket) {
      const std::size_t end = ends_[bucket];
      if (end - begin > 1) TWINSET_TRY(compare({&sorted_[begin], end - begin}));
      begin = end;
    }
    return {};
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
      TWINSET_TRY(compare({begin, end}));
      begin = end;
    }
    return {};
  }

  /// Compares every two signatures of a bucket.
  Status compare(std::span<const Signature<Words>> bucket) {
    for (std::size_t i = 0; i + 1 < bucket.size(); ++i) {
      const auto others = bucket.subspan(i + 1);
      if (others.size() > block_pairs) TWINSET_TRY(context_.check_cancelled());
      if constexpr (Words == 1) {
        if (others.size() >= 8) {
          near_.resize(std::max(near_.size(), others.size()));
          const std::size_t count =
              select_near(bucket[i][0], others, plan_.distance, near_.data(), simd_level());
          for (std::size_t j = 0; j < count; ++j) TWINSET_TRY(add(bucket[i], others[near_[j]]));
          continue;
        }
      }
      for (const Signature<Words>& other : others) {
        if (differing_bits<Words>(bucket[i], other) <= plan_.distance) {
          TWINSET_TRY(add(bucket[i], other));
        }
      }
    }
    return {};
  }

  Status add(const Signature<Words>& a, const Signature<Words>& b) {
    if (!first_table(plan_, table_, equal_blocks<Words>(plan_, a, b))) return {};
    const auto place = [&](const Signature<Words>& signature) {
      return static_cast<std::uint32_t>(std::ranges::lower_bound(distinct_, signature) -
                                        distinct_.begin());
    };
    pairs_.push_back(a < b ? NearPair{place(a), place(b)} : NearPair{place(b), place(a)});
    return pairs_.size() < block_pairs ? Status() : finish();
  }

  const RunContext& context_;
  const HammingPlan& plan_;
  std::span<const Signature<Words>> distinct_;
  const std::function<Status(std::span<const NearPair>)>& take_;
  std::uint32_t table_ = 0;
  std::vector<std::uint32_t> ends_;
  std::vector<Signature<Words>> sorted_;
  std::vector<std::uint64_t> near_;
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
  std::vector<Bucketing<Words>> bucketing(workers, {context, plan, distinct, take});
  for (const std::uint32_t table : plan.tables) {
    const TableKey<Words> key(plan, table);
    const auto size_bits = static_cast<unsigned>(std::bit_width(distinct.size()));
    const unsigned bits =
        std::min({key.bits(), most_partition_bits,
                  size_bits > partition_size_bits ? size_bits - partition_size_bits : 0});
    const unsigned low_bits = key.bits() - bits;
    const auto part_of = [&](const Signature<Words>& signature) {
      return bits == 0 ? 0 : static_cast<std::size_t>(key(signature) >> low_bits);
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
        TWINSET_TRY(context.check_cancelled());
        TWINSET_TRY(bucketing[worker].pair(
            table, key, low_bits,
            scattered.subspan(begins[part], begins[part + 1] - begins[part])));
      }
      return bucketing[worker].finish();
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
