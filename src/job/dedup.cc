// The main job from end to end. This file is its table of contents: make the
// options good, find the inputs, take the work folder, read, match, count,
// write, publish. Each step is a file of its own.
#include "twinset/dedup.h"

#include <fmt/format.h>

#include <memory>
#include <numeric>
#include <string>

#include "job/collection_run.h"
#include "job/dedup_report.h"
#include "job/keep_order.h"
#include "job/match.h"
#include "job/predictions.h"
#include "job/prepare.h"
#include "job/short_documents.h"
#include "job/summary.h"
#include "job/texts.h"
#include "job/write_pass.h"
#include "report/numbers.h"

namespace twinset {
namespace {

constexpr double warned_removed_share = 0.2;

class DedupRun {
 public:
  DedupRun(const DedupOptions& options, const RunControl& control)
      : run_("dedup", options, control) {}

  /// A dry run leaves nothing behind, however it ends.
  Result<DedupSummary> run() {
    Result<DedupSummary> done = run_steps();
    if (run_.options().dry_run) TWINSET_TRY(run_.abandon());
    return done;
  }

 private:
  Result<DedupSummary> run_steps() {
    TWINSET_TRY(run_.prepare());
    Result<bool> finished = run_.open();
    TWINSET_TRY(finished);
    if (finished.value()) {
      summary_.already_done = true;
      return summary_;
    }
    if (!run_.resumed()) predictions_.begin(run_.job);
    TWINSET_TRY(run_.read());
    predictions_.foretell(run_.job, state(), run_.clock.stages().back(), dedup_costs);
    if (predictions_.made()) run_.clock.end("foretell");
    TWINSET_TRY(match());
    TWINSET_TRY(count());
    TWINSET_TRY(write());
    run_.clock.end("write");
    run_.describe(summary_);
    predictions_.finish(summary_);
    TWINSET_TRY(make_report());
    if (options().dry_run) return summary_;
    TWINSET_TRY(run_.publish(summary_json(summary_, options(), run_.identity()), report_page_));
    return summary_;
  }

  const DedupOptions& options() const { return run_.options(); }
  const DedupJob& job() const { return run_.job; }
  const ReadState& state() const { return run_.state; }
  DedupStores& stores() { return run_.stores; }

  Status match() {
    const std::uint64_t documents =
        std::accumulate(state().lines.begin(), state().lines.end(), std::uint64_t{0});
    const std::uint64_t resident = resident_bytes(job(), documents);
    if (resident > job().context.memory_bytes) {
      return usage_error(
          "--memory is too small for " + std::to_string(documents) + " records: it needs " +
          std::to_string(least_memory(options(), job().context.threads) + resident) + " bytes");
    }
    table_ = std::make_unique<DocumentTable>(state().lines, job().reference_sources);
    texts_ = std::make_unique<Texts>(job(), *stores().records, *table_);
    if (run_.checkpoint.has("matched")) return load_match();
    TWINSET_TRY(set_fates());
    TWINSET_TRY(set_keep_order(job(), *stores().records, *table_, job().context.memory_bytes / 3));
    proofs_ = std::make_unique<RowFile<Proof>>(
        RowsOptions{&job().context, job().spill + "proofs", 0, job().fingerprint});
    Result<MatchReport> report =
        match_documents(job(), stores(), *table_, *texts_, *proofs_, run_.clock);
    TWINSET_TRY(report);
    const MatchReport& found = report.value();
    summary_.candidate_pairs = found.candidate_pairs;
    summary_.checked_pairs = found.checked_pairs;
    summary_.verified_pairs = found.verified_pairs;
    summary_.repair_rounds = found.repair_rounds;
    summary_.repair_pairs = found.repair_pairs;
    run_.spilled_bytes += found.spilled_bytes + texts_->extracted_bytes();
    common_keys_ = found.common_keys.keys_cut;
    warn_of_common_keys();
    if (state().text_bytes < options().resources.checkpoint_bytes) return {};
    return save_match();
  }

  void warn_of_common_keys() {
    if (common_keys_ == 0) return;
    summary_.warnings.push_back(format_count(common_keys_, "common shingle", "common shingles") +
                                ", in more than " + format_count(options().max_group) +
                                " documents each, not counted (--max-group)");
  }

  /// The second checkpoint: all is decided, only the writing is left.
  Status save_match() {
    TWINSET_TRY(save_standings(job(), *table_));
    TWINSET_TRY(texts_->sync());
    StateFile file;
    TWINSET_TRY(stores().records->sync());
    store_read_state(state(), file);
    file.set("matched", std::uint64_t{1});
    file.set("candidate_pairs", summary_.candidate_pairs);
    file.set("checked_pairs", summary_.checked_pairs);
    file.set("verified_pairs", summary_.verified_pairs);
    file.set("repair_rounds", summary_.repair_rounds);
    file.set("repair_pairs", summary_.repair_pairs);
    file.set("common_keys", common_keys_);
    return run_.save(file);
  }

  Status load_match() {
    TWINSET_TRY(load_standings(job(), *table_));
    TWINSET_TRY(texts_->reopen());
    auto proofs = RowFile<Proof>::open(job().context, job().spill + "proofs", job().fingerprint);
    TWINSET_TRY(proofs);
    proofs_ = std::move(proofs).value();
    summary_.candidate_pairs = run_.checkpoint.number("candidate_pairs");
    summary_.checked_pairs = run_.checkpoint.number("checked_pairs");
    summary_.verified_pairs = run_.checkpoint.number("verified_pairs");
    summary_.repair_rounds = run_.checkpoint.number("repair_rounds");
    summary_.repair_pairs = run_.checkpoint.number("repair_pairs");
    common_keys_ = run_.checkpoint.number("common_keys");
    warn_of_common_keys();
    return {};
  }

  /// Fates that pass 1 decided: blank lines, bad and filtered records.
  Status set_fates() {
    return stores().records->for_each([&](std::uint64_t index, const RecordRow& row) -> Status {
      if (row.fate() != Fate::kept) table_->set(index, {row.fate(), 0});
      return {};
    });
  }

  Status count() {
    Result<std::vector<Counts>> counts = count_fates(job(), *stores().records, *table_);
    TWINSET_TRY(counts);
    std::uint64_t all_read = 0;
    const auto add_file = [&](std::uint64_t source) -> Status {
      const Input& input = job().source(source);
      const Counts& file = counts.value()[source];
      if (file.read != file.kept + file.removed() + file.quarantined + file.filtered) {
        return io_error("records of " + input.shown + " do not add up; nothing was written");
      }
      all_read += file.read;
      summary_.files.push_back({input.shown, input.name, input.reference, file});
      if (input.reference) return {};
      add(summary_.total, file);
      const auto gone = static_cast<double>(file.removed());
      if (!is_one_document(input) && gone > warned_removed_share * static_cast<double>(file.read)) {
        summary_.warnings.push_back(input.shown + " loses " + format_count(file.removed()) +
                                    " of its " + format_count(file.read) + " records");
      }
      return {};
    };
    for (std::uint64_t i = job().reference_sources; i < job().sources(); ++i)
      TWINSET_TRY(add_file(i));
    for (std::uint64_t i = 0; i < job().reference_sources; ++i) TWINSET_TRY(add_file(i));
    if (all_read != state().records) {
      return io_error(std::to_string(state().records) + " records were read but " +
                      std::to_string(all_read) + " are accounted for; nothing was written");
    }
    add_predictions();
    if (summary_.total.quarantined > 0) {
      summary_.warnings.push_back(format_count(summary_.total.quarantined, "record", "records") +
                                  " could not be read; see quarantine.jsonl for why");
    }
    Result<std::string> too_short = short_documents_warning(job(), *stores().records);
    TWINSET_TRY(too_short);
    if (!too_short.value().empty()) summary_.warnings.push_back(std::move(too_short).value());
    summary_.scheme = job().scheme->spec();
    const bool tells_equal = job().scheme->declaration().shared_key == SharedKey::equal;
    if (const auto found = job().scheme->match_probability(options().resemblance.value());
        found.has_value() && !tells_equal) {
      summary_.plan = fmt::format("finds {:.1f} % of pairs at exactly {}, and more above",
                                  *found * 100, options().resemblance.text());
    }
    return check_max_removed();
  }

  void add_predictions() {
    std::uint64_t folded = 0;
    for (std::uint64_t index = 0; index < table_->size(); ++index) {
      folded += table_->standing(index).folded() ? 1 : 0;
    }
    const Forecast& seen = predictions_.seen();
    predictions_.add("copies", seen.copies, static_cast<double>(folded));
    predictions_.add("candidate_pairs", seen.candidates,
                     static_cast<double>(summary_.candidate_pairs));
    predictions_.add("removed", sum(seen.copies, seen.removed),
                     static_cast<double>(summary_.total.removed()));
  }

  static void add(Counts& total, const Counts& file) {
    total.read += file.read;
    total.kept += file.kept;
    total.identical += file.identical;
    total.lexical += file.lexical;
    total.near += file.near;
    total.contained += file.contained;
    total.quarantined += file.quarantined;
    total.filtered += file.filtered;
  }

  Status check_max_removed() const {
    if (!options().max_removed.has_value()) return {};
    const Ratio& most = *options().max_removed;
    const std::uint64_t gone = summary_.total.removed();
    if (gone * most.denominator() <= summary_.total.read * most.numerator()) return {};
    return Error{ErrorCode::bad_records,
                 std::to_string(gone) + " of " + std::to_string(summary_.total.read) +
                     " records would be removed, more than --max-removed " + most.text() +
                     "; nothing was written. Look with --dry-run or raise it"};
  }

  Status write() {
    Result<ClusterCount> clusters =
        options().dry_run ? count_clusters(job(), *table_, *proofs_)
                          : write_outputs(job(), state(), *stores().records, *table_, *proofs_);
    TWINSET_TRY(clusters);
    summary_.clusters = clusters.value().clusters();
    summary_.largest_cluster = clusters.value().largest();
    return {};
  }

  Status make_report() {
    if (options().report.empty() || options().dry_run) return {};
    Result<std::string> page =
        dedup_report_page(job(), *stores().records, *table_, *proofs_, *texts_, summary_);
    TWINSET_TRY(page);
    report_page_ = std::move(page).value();
    return {};
  }

  CollectionRun run_;
  Predictions predictions_;
  std::unique_ptr<DocumentTable> table_;
  std::unique_ptr<Texts> texts_;
  std::unique_ptr<RowFile<Proof>> proofs_;
  std::string report_page_;
  std::uint64_t common_keys_ = 0;
  DedupSummary summary_;
};

}  // namespace

Result<DedupSummary> dedup(const DedupOptions& options, const RunControl& control) {
  return DedupRun(options, control).run();
}

}  // namespace twinset
