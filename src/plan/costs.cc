// The costs of a row, a pair and a byte were measured on the machine and the collections of
// docs/performance.md; the cost of reading and analyzing is taken from this run.
#include "plan/costs.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "join/shared_keys.h"
#include "match/match.h"
#include "run/stores.h"

namespace twinset {
namespace {

constexpr double nanosecond = 1e-9;
constexpr double fold_row = 80 * nanosecond;
constexpr double key_row = 40 * nanosecond;
constexpr double checked_pair = 500 * nanosecond;
/// Of a join of signatures: to sort a pair that it finds and check it; to sort a signature.
constexpr double joined_pair = 1200 * nanosecond;
constexpr double joined_document = 200 * nanosecond;
/// The time to look up a shingle in another text's set.
constexpr double judged_token = 2.5 * nanosecond;
/// The same where a family is compared by what differs in it (join/shingle_classes): to find the
/// class of a shingle, and to add up those of a pair. With them 390,737 pairs of policies are told
/// at 0.45 s, and took 0.37 to 0.41.
constexpr double classed_token = 8 * nanosecond;
constexpr double classed_pair = 50 * nanosecond;
constexpr double written_record = 2500 * nanosecond;
constexpr double written_byte = 0.5 * nanosecond;
constexpr double packed_byte = 6 * nanosecond;  ///< zstd, gzip
constexpr double extracted_byte = 0.6 * nanosecond;
constexpr double meeting = 4 * nanosecond;
constexpr double group_member = 10 * nanosecond;  ///< for each time that the groups are read
constexpr double pair_line = 250 * nanosecond;
constexpr double cluster_line = 1500 * nanosecond;
/// Sweeps that read the edges and write them again, including the last, which finds nothing.
constexpr double usual_sweeps = 5;
/// Bytes of an analyzed text in the verifier's cache, for each token.
constexpr double cached_token = 32;

double least(std::uint64_t pool, double bytes) {
  return std::min(static_cast<double>(pool), bytes);
}

/// Adds up the costs of the stages, one by one.
class StageCosts {
 public:
  StageCosts(const Job& job, PlannedRun run, const ReadState& state, const ReadCost& read,
             const Machine& machine)
      : job_(job),
        run_(run),
        state_(state),
        read_(read),
        machine_(machine),
        rows_(row_bytes(job, run, state, read)) {
    budget_ = static_cast<double>(machine.row_memory);
    resident_ = static_cast<double>(resident_bytes(job, state.documents));
    analysis_ =
        state.text_bytes == 0 ? 0 : read.time.cpu_seconds / static_cast<double>(state.text_bytes);
    add("fold", static_cast<double>(state.documents) * fold_row);
  }

  void add(std::string stage, double cpu) {
    costs.stages.push_back({std::move(stage), cpu / machine_.threads, cpu});
  }

  /// The peak memory: that of pass 1 and its stores, or of later stages, which take `later` bytes.
  void set_memory(double later) {
    const auto tenth = static_cast<std::uint64_t>(budget_ / 10);
    const double base = read_.base_memory();
    const double held = held_rows(rows_, machine_);
    costs.peak_memory = base + std::max(held, resident_ + least(4 * tenth, rows_.keys) + later);
    costs.spilled += rows_.records;
    if (rows_.fold > static_cast<double>(2 * tenth)) costs.spilled += rows_.fold;
    if (rows_.keys > static_cast<double>(4 * tenth)) costs.spilled += rows_.keys;
  }

  double analysis() const { return analysis_; }
  double stage_memory() const { return std::max(0.0, budget_ - resident_) / 3; }
  double keys() const { return static_cast<double>(read_.keys); }

  /// Reading everything once more and writing `share` of it.
  double rewriting(double share) const {
    const auto text = static_cast<double>(state_.text_bytes);
    return text * written_byte + static_cast<double>(state_.records) * written_record +
           packed_share(job_) * text * (unpacked_byte + share * packed_byte);
  }

  /// The time to read the groups of shared keys again and again, for blocks of documents, if they
  /// do not fit at once (join/shared_keys.h). As if all groups were of one size.
  double passes_over_groups(const Forecast& seen) const {
    const double groups = seen.groups.value;
    if (groups < 1) return 0;
    const double size = (1 + std::sqrt(1 + 8 * seen.meetings.value / groups)) / 2;
    const double members = groups * size;
    const double memory = std::max(0.0, budget_ - resident_) / 2 +
                          machine_.workers * static_cast<double>(machine_.worker_memory);
    // Of a third of the memory, in words: a group, its place in a table, and places of its members.
    const double words = std::max(memory / 12, 65536.0);
    constexpr double of_group = 26;
    const double at_once = (3 * size + of_group) * groups;
    if (at_once <= words) return 0;
    // A small block holds the lower half of a group for every member that it has.
    const double small_blocks = members * (size / 2 + of_group + 2) / words;
    const double passes = small_blocks < size ? at_once / words : small_blocks;
    return passes * members * group_member;
  }

  /// Candidates, and reading their sketches and texts.
  void add_candidates(const Forecast& seen) {
    add("pair", job_.signer.joins_signatures()
                    ? read_.join_cpu_seconds + seen.candidates.value * joined_pair +
                          static_cast<double>(state_.documents) * joined_document
                    : keys() * key_row + seen.candidates.value * checked_pair);
    add_texts(seen);
    costs.spilled += seen.checked * sizeof(Edge) * usual_sweeps;
    set_memory(std::min(stage_memory(), seen.cached_bytes * tokens_a_byte() * cached_token));
  }

  double tokens_a_byte() const {
    if (state_.text_bytes == 0) return 0;
    return static_cast<double>(state_.tokens) / static_cast<double>(state_.text_bytes);
  }

  /// Comparing texts. Texts of compressed inputs are unpacked so that they can be read one by one.
  void add_texts(const Forecast& seen) {
    const double extracted = packed_share(job_) * seen.judged_bytes;
    const double unpacked =
        extracted > 0 ? packed_share(job_) * static_cast<double>(state_.text_bytes) : 0;
    double compared = seen.judged_tokens * judged_token;
    if (run_ == PlannedRun::cluster) {
      const double tokens = seen.judged_bytes * tokens_a_byte();
      compared = std::min(compared, tokens * classed_token + seen.checked * classed_pair);
    }
    add("verify", analysis() * seen.judged_bytes + compared + unpacked * unpacked_byte +
                      extracted * extracted_byte);
    costs.spilled += extracted;
  }

  Costs costs;

 private:
  const Job& job_;
  const PlannedRun run_;
  const ReadState& state_;
  const ReadCost& read_;
  const Machine& machine_;
  const RowBytes rows_;
  double budget_ = 0;
  double resident_ = 0;
  double analysis_ = 0;  ///< seconds of CPU for a byte of text
};

}  // namespace

double ReadCost::base_memory() const {
  constexpr double least_program = 24 << 20;
  return std::max(least_program, static_cast<double>(peak_memory) - static_cast<double>(sampling));
}

double packed_share(const Job& job) {
  double all = 0;
  double packed = 0;
  for (const Source& source : job.collection->sources()) {
    const auto bytes = static_cast<double>(source.stored_bytes);
    all += bytes;
    if (source.compression != Compression::none) packed += bytes;
  }
  return all > 0 ? packed / all : 0;
}

Machine this_machine(const Job& job, const ReadCost& read) {
  const double busy = read.time.seconds > 0 ? read.time.cpu_seconds / read.time.seconds : 1;
  const double here = std::max(1U, job.context.threads);
  return {std::clamp(busy, 1.0, here), here, job.context.memory_bytes, job.memory.worker};
}

Machine machine_of(unsigned cores, const Job& job, const ReadState& state, const ReadCost& read) {
  const Machine here = this_machine(job, read);
  MemoryPlan memory = MemoryPlan::make(job.memory.budget, cores, job.memory.max_record_bytes,
                                       job.memory.window_bytes);
  memory.release_large(state.large_bytes);
  const double busy = std::max(1.0, here.threads / here.workers * cores);
  return {busy, static_cast<double>(cores), memory.rows, memory.worker};
}

RowBytes row_bytes(const Job& job, PlannedRun run, const ReadState& state, const ReadCost& read) {
  const auto counted =
      run == PlannedRun::dedup ? DocumentKeys::Stored::count : DocumentKeys::Stored::sample;
  RowBytes rows;
  rows.fold = static_cast<double>(state.documents * sizeof(FingerprintRow));
  rows.keys = static_cast<double>(read.keys * sizeof(KeyRow));
  rows.records =
      static_cast<double>(state.records) *
          static_cast<double>(RecordFiles::record_bytes + stored_bytes_of(job, counted)) +
      static_cast<double>(read.name_bytes);
  return rows;
}

double held_rows(const RowBytes& rows, const Machine& machine) {
  const std::uint64_t tenth = machine.row_memory / 10;
  return least(2 * tenth, rows.fold) + least(4 * tenth, rows.keys);
}

Costs dedup_costs(const Job& job, const ReadState& state, const Forecast& seen,
                  const ReadCost& read, const Machine& machine) {
  StageCosts sum(job, PlannedRun::dedup, state, read, machine);
  sum.add_candidates(seen);
  const double gone = seen.copies.value + seen.removed.value;
  const double share = state.documents == 0 ? 0 : 1 - gone / static_cast<double>(state.documents);
  sum.add("write", sum.rewriting(std::clamp(share, 0.0, 1.0)));
  return sum.costs;
}

Costs cluster_costs(const Job& job, const ReadState& state, const Forecast& seen,
                    const ReadCost& read, const Machine& machine) {
  StageCosts sum(job, PlannedRun::cluster, state, read, machine);
  if (job.signer.uses_bands()) {
    sum.add_candidates(seen);
    sum.add("write", seen.pairs.value * pair_line + seen.clustered.value * cluster_line);
    return sum.costs;
  }
  sum.add("group", sum.keys() * 2 * key_row);
  sum.add("count",
          seen.meetings.value * meeting + seen.checked * pair_line + sum.passes_over_groups(seen));
  sum.add_texts(seen);
  sum.add("write", seen.pairs.value * pair_line + seen.clustered.value * cluster_line);
  const double pair_rows = seen.checked * sizeof(SharedPair);
  if (pair_rows > sum.stage_memory() * 3 / 4) sum.costs.spilled += pair_rows;
  sum.set_memory(std::min(sum.stage_memory(), sum.keys() * 4 + pair_rows));
  return sum.costs;
}

std::uint64_t unspilled_memory(const ReadState& state, const ReadCost& read) {
  // The stores of pass 1 have two and four tenths of the budget.
  const double fold = static_cast<double>(state.documents * sizeof(FingerprintRow)) * 10 / 2;
  const double keys = static_cast<double>(read.keys * sizeof(KeyRow)) * 10 / 4;
  return static_cast<std::uint64_t>(std::max(fold, keys));
}

}  // namespace twinset
