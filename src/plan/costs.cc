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
constexpr double written_record = 2500 * nanosecond;
constexpr double written_byte = 0.5 * nanosecond;
constexpr double packed_byte = 6 * nanosecond;  ///< zstd, gzip
constexpr double unpacked_byte = 0.4 * nanosecond;
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
  StageCosts(const Job& job, const ReadState& state, const ReadCost& read,
             DocumentKeys::Stored counted)
      : job_(job), state_(state), read_(read) {
    const double busy = read.time.seconds > 0 ? read.time.cpu_seconds / read.time.seconds : 1;
    threads_ = std::clamp(busy, 1.0, static_cast<double>(std::max(1U, job.context.threads)));
    budget_ = static_cast<double>(job.context.memory_bytes);
    resident_ = static_cast<double>(resident_bytes(job, state.documents));
    analysis_ =
        state.text_bytes == 0 ? 0 : read.time.cpu_seconds / static_cast<double>(state.text_bytes);
    records_ = static_cast<double>(state.records) *
                   static_cast<double>(RecordFiles::record_bytes + stored_bytes_of(job, counted)) +
               static_cast<double>(read.name_bytes);
    fold_rows_ = static_cast<double>(state.documents) * sizeof(FingerprintRow);
    key_rows_ = static_cast<double>(read.keys) * sizeof(KeyRow);
    add("fold", static_cast<double>(state.documents) * fold_row);
  }

  void add(std::string stage, double cpu) {
    costs.stages.push_back({std::move(stage), cpu / threads_, cpu});
  }

  /// The peak memory: that of pass 1 and its stores, or of later stages, which take `later` bytes.
  void set_memory(double later) {
    const auto tenth = static_cast<std::uint64_t>(budget_ / 10);
    const double base =
        static_cast<double>(read_.peak_memory) - static_cast<double>(read_.sampling);
    const double rows = least(2 * tenth, fold_rows_) + least(4 * tenth, key_rows_);
    costs.peak_memory = base + std::max(rows, resident_ + least(4 * tenth, key_rows_) + later);
    costs.spilled += records_;
    if (fold_rows_ > static_cast<double>(2 * tenth)) costs.spilled += fold_rows_;
    if (key_rows_ > static_cast<double>(4 * tenth)) costs.spilled += key_rows_;
  }

  double analysis() const { return analysis_; }
  double stage_memory() const { return std::max(0.0, budget_ - resident_) / 3; }
  double keys() const { return static_cast<double>(read_.keys); }

  /// The compressed share of the stored bytes.
  double packed_share() const {
    double all = 0;
    double packed = 0;
    for (const Source& source : job_.collection->sources()) {
      const auto bytes = static_cast<double>(source.stored_bytes);
      all += bytes;
      if (source.compression != Compression::none) packed += bytes;
    }
    return all > 0 ? packed / all : 0;
  }

  /// Reading everything once more and writing `share` of it.
  double rewriting(double share) const {
    const auto text = static_cast<double>(state_.text_bytes);
    return text * written_byte + static_cast<double>(state_.records) * written_record +
           packed_share() * text * (unpacked_byte + share * packed_byte);
  }

  /// The time to read the groups of shared keys again and again, for blocks of documents, if they
  /// do not fit at once (join/shared_keys.h). As if all groups were of one size.
  double passes_over_groups(const Forecast& seen) const {
    const double groups = seen.groups.value;
    if (groups < 1) return 0;
    const double size = (1 + std::sqrt(1 + 8 * seen.meetings.value / groups)) / 2;
    const double members = groups * size;
    const double memory = std::max(0.0, budget_ - resident_) / 2 +
                          static_cast<double>(job_.context.threads * job_.memory.worker);
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
    const double tokens_a_byte =
        state_.text_bytes == 0
            ? 0
            : static_cast<double>(state_.tokens) / static_cast<double>(state_.text_bytes);
    costs.spilled += seen.checked * sizeof(Edge) * usual_sweeps;
    set_memory(std::min(stage_memory(), seen.survivor_bytes * tokens_a_byte * cached_token));
  }

  /// Comparing texts. Texts of compressed inputs are unpacked so that they can be read one by one.
  void add_texts(const Forecast& seen) {
    const double extracted = packed_share() * seen.judged_bytes;
    const double unpacked =
        extracted > 0 ? packed_share() * static_cast<double>(state_.text_bytes) : 0;
    add("verify", analysis() * seen.judged_bytes + seen.judged_tokens * judged_token +
                      unpacked * unpacked_byte + extracted * extracted_byte);
    costs.spilled += extracted;
  }

  Costs costs;

 private:
  const Job& job_;
  const ReadState& state_;
  const ReadCost& read_;
  double threads_ = 1;
  double budget_ = 0;
  double resident_ = 0;
  double analysis_ = 0;  ///< seconds of CPU for a byte of text
  double records_ = 0;
  double fold_rows_ = 0;
  double key_rows_ = 0;
};

}  // namespace

Costs dedup_costs(const Job& job, const ReadState& state, const Forecast& seen,
                  const ReadCost& read) {
  StageCosts sum(job, state, read, DocumentKeys::Stored::count);
  sum.add_candidates(seen);
  const double gone = seen.copies.value + seen.removed.value;
  const double share = state.documents == 0 ? 0 : 1 - gone / static_cast<double>(state.documents);
  sum.add("write", sum.rewriting(std::clamp(share, 0.0, 1.0)));
  return sum.costs;
}

Costs cluster_costs(const Job& job, const ReadState& state, const Forecast& seen,
                    const ReadCost& read) {
  StageCosts sum(job, state, read, DocumentKeys::Stored::sample);
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
