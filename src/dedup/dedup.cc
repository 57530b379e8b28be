// The verb dedup from end to end. This file is its table of contents: check the options, find the
// inputs, take the work folder, read, match, count, write, publish. Each step is a file of its own.
#include "twinset/dedup.h"

#include <fmt/core.h>

#include <memory>
#include <string>

#include "base/message.h"
#include "collection/output_lines.h"
#include "dedup/dedup_collection.h"
#include "dedup/dedup_fields.h"
#include "dedup/dedup_options.h"
#include "dedup/known_index.h"
#include "dedup/removals.h"
#include "dedup/write_pass.h"
#include "io/bytes.h"
#include "match/match.h"
#include "run/keep_order.h"
#include "run/output_paths.h"
#include "run/read_fates.h"
#include "run/run_verb.h"
#include "run/short_documents.h"
#include "run/texts.h"
#include "sites/left_out_shingles.h"
#include "sites/run_templates.h"
#include "sites/site_templates.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr double warned_removed_share = 0.2;
constexpr std::size_t copy_bytes = std::size_t{1} << 20;
/// A smaller input may well consist mostly of copies.
constexpr std::uint64_t warned_removed_records = 20;

DedupOptions filled(DedupOptions options) {
  options.keep = keep_rule_of(options);
  return options;
}

VerbOptions verb_of(const DedupOptions& options, const KnownIndex* index) {
  VerbOptions verb = dedup_verb(options, index == nullptr);
  // The same question to an index that has changed is another one.
  if (index != nullptr && !index->grows()) verb.identity += index->state();
  return verb;
}

/// Copies a file of the run to the new file `path`, decoded unless `path` ends in .zst.
Status copy_lines(FileSystem& files, const std::string& from, const std::string& option,
                  const std::string& path) {
  TWINSET_ASSIGN(std::unique_ptr<ByteSource> source,
                 open_bytes(files, from, Compression::zstd, {}));
  TWINSET_ASSIGN(const std::unique_ptr<WholeFile> file, WholeFile::create(files, option, path));
  std::string buffer(copy_bytes, '\0');
  for (;;) {
    TWINSET_ASSIGN(const std::size_t got, source->read(buffer.data(), buffer.size()));
    if (got == 0) return file->publish();
    TWINSET_TRY(file->write(std::string_view(buffer).substr(0, got)));
  }
}

class DedupRun final : public VerbSteps {
 public:
  /// `index` is null if the options name none.
  DedupRun(const DedupOptions& options, const RunControl& control, const DedupResults& results,
           DrawReport<DedupFindings> draw, std::unique_ptr<KnownIndex> index)
      : options_(filled(options)),
        control_(control),
        results_(results),
        draw_(draw),
        index_(std::move(index)),
        run_(options_, verb_of(options_, index_.get()), control) {
    summary_.shard = options_.shard;
  }

  void read_from(std::shared_ptr<Collection> collection) { run_.read_from(std::move(collection)); }

  Result<DedupSummary> run() {
    TWINSET_TRY(check_destination(options_, control_));
    if (index_ != nullptr) TWINSET_TRY(index_->check_apart(options_));
    TWINSET_ASSIGN(DedupSummary summary, run_verb(run_, options_, summary_, *this));
    // The output has its name: if this fails, whoever changes the index next sees it.
    if (adds_) TWINSET_TRY(index_->commit());
    return summary;
  }

 private:
  Status work() override {
    TWINSET_TRY(use_site_templates(run_, options_, control_));
    TWINSET_TRY(run_.read(DocumentKeys::Stored::count, own_collectors()));
    if (run_.is_shard()) return run_.keep_shard(summary_);
    TWINSET_TRY(run_.check_promise());
    TWINSET_TRY(match());
    TWINSET_TRY(count());
    TWINSET_TRY(write());
    TWINSET_TRY(tell_results(job(), *stores().records, *table_, *proofs_, left_out_, results_));
    run_.clock.end("write");
    adds_ = index_ != nullptr && index_->grows();
    if (!adds_) return {};
    summary_.added = summary_.total.kept;
    TWINSET_ASSIGN(summary_.index_serials, index_->add(run_, options_, *table_, *proofs_));
    return {};
  }

  /// The output is there. So must be what the run gave the index.
  Status found() override {
    if (index_ == nullptr || !index_->grows()) return {};
    if (index_->serials() >= summary_.index_serials.value_or(0)) return {};
    return usage_error(options_.output + " is complete, and " + summary_.index +
                       " has none of its records: it was made again, or is an older copy. Remove " +
                       options_.output + " and run again");
  }

  Status conclude() override {
    if (run_.is_shard()) return {};
    if (adds_ && run_.makes_folder()) {
      TWINSET_TRY(index_->prepare(normal_path(options_.output), summary_.identity));
    }
    templates_.describe(job(), run_.state, summary_.templates, summary_.warnings);
    if (!run_.makes_folder() && !options_.dry_run) {
      summary_.bad_records = stores().quarantine->first();
    }
    return {};
  }

  const Job& job() const { return run_.job; }
  const ReadState& state() const { return run_.state; }
  Stores& stores() { return run_.stores; }

  Status match() {
    const std::uint64_t documents = lines_of(state());
    TWINSET_TRY(run_.check_memory(resident_bytes(job(), documents) +
                                  templates_bytes(job().signer.view) +
                                  (options_.add ? documents * sizeof(std::uint64_t) : 0)));
    table_ = std::make_unique<DocumentTable>(state().lines, job().reference_sources);
    if (index_ != nullptr) {
      index_->begin(run_.job);
      table_->use_earlier();
      summary_.index = job().known->shown();
    }
    TWINSET_ASSIGN(KeepValues values, keep_values(job(), *stores().records, *table_));
    if (std::string said = values.warning(job().keep); !said.empty()) {
      summary_.warnings.push_back(std::move(said));
    }
    if (run_.checkpoint.has("matched")) return load_match();
    TWINSET_TRY(set_read_fates(*stores().records, *table_, summary_));
    TWINSET_TRY(set_keep_order(job(), *stores().records, values.compared_as, *table_,
                               job().context.memory_bytes / 3));
    proofs_ = std::make_unique<RowFile<Proof>>(
        RowsOptions{&job().context, job().spill + "proofs", 0, job().signer.fingerprint});
    Texts texts(job(), *stores().records, *table_);
    Result<MatchReport> report =
        match_documents(job(), options_, stores(), *table_, texts, *proofs_, run_.clock);
    if (!report.ok() && report.error().code == ErrorCode::usage) {
      return run_.refuse(report.error());
    }
    TWINSET_TRY(report);
    const MatchReport& found = report.value();
    summary_.candidate_pairs = found.candidate_pairs;
    summary_.checked_pairs = found.checked_pairs;
    summary_.verified_pairs = found.verified_pairs;
    summary_.repair_rounds = found.repair_rounds;
    summary_.repair_pairs = found.repair_pairs;
    if (index_ != nullptr && !job().known->has_texts()) {
      summary_.by_known_sketch = found.by_known_sketch;
    }
    run_.spilled_bytes += found.spilled_bytes + texts.extracted_bytes();
    common_keys_ = found.common_keys.keys_cut;
    warn_of_common_keys();
    // The index may be another one when the run is continued.
    if (index_ != nullptr || state().text_bytes < options_.resources.checkpoint) return {};
    return save_match();
  }

  void warn_of_common_keys() {
    if (common_keys_ == 0) return;
    summary_.warnings.push_back(format_count(common_keys_, "common shingle", "common shingles") +
                                ", in more than " + format_count(options_.max_group) +
                                " documents each, not counted (" + option("max_group") + ")");
  }

  /// The second checkpoint: everything is decided, only the writing is left. Every file that
  /// load_match() reads is synced before the checkpoint names it.
  Status save_match() {
    StateFile file;
    TWINSET_TRY(save_standings(job(), *table_, file));
    TWINSET_TRY(proofs_->sync());
    file.keep_file(proofs_->path());
    file.set("matched", std::uint64_t{1});
    file.set("candidate_pairs", summary_.candidate_pairs);
    file.set("checked_pairs", summary_.checked_pairs);
    file.set("verified_pairs", summary_.verified_pairs);
    file.set("repair_rounds", summary_.repair_rounds);
    file.set("repair_pairs", summary_.repair_pairs);
    file.set("common_keys", common_keys_);
    return run_.save(std::move(file));
  }

  Status load_match() {
    TWINSET_TRY(load_standings(job(), *table_));
    TWINSET_ASSIGN(proofs_, RowFile<Proof>::open(job().context, job().spill + "proofs",
                                                 job().signer.fingerprint));
    summary_.candidate_pairs = run_.checkpoint.number("candidate_pairs");
    summary_.checked_pairs = run_.checkpoint.number("checked_pairs");
    summary_.verified_pairs = run_.checkpoint.number("verified_pairs");
    summary_.repair_rounds = run_.checkpoint.number("repair_rounds");
    summary_.repair_pairs = run_.checkpoint.number("repair_pairs");
    common_keys_ = run_.checkpoint.number("common_keys");
    warn_of_common_keys();
    return {};
  }

  Status count() {
    TWINSET_ASSIGN(std::vector<Counts> counts, count_fates(job(), *stores().records, *table_));
    std::uint64_t all_read = 0;
    const auto add_file = [&](std::uint64_t source) -> Status {
      const Source& input = job().source(source);
      const Counts& file = counts[source];
      if (file.read !=
          file.kept + file.removed() + file.quarantined + file.filtered + file.carried) {
        return io_error("records of " + input.shown + " do not add up; nothing was written");
      }
      all_read += file.read;
      summary_.files.push_back({input.shown, input.name, input.is_protected(), file});
      if (input.is_protected()) return {};
      add(summary_.total, file);
      return {};
    };
    for (std::uint64_t i = job().reference_sources; i < job().sources(); ++i)
      TWINSET_TRY(add_file(i));
    for (std::uint64_t i = 0; i < job().reference_sources; ++i) TWINSET_TRY(add_file(i));
    if (all_read != state().records) {
      return io_error(std::to_string(state().records) + " records were read but " +
                      std::to_string(all_read) + " are accounted for; nothing was written");
    }
    static_cast<RecordCounts&>(summary_) = counts_of(summary_.total);
    warn_of_emptied_files();
    if (summary_.total.quarantined > 0) {
      summary_.warnings.push_back(format_count(summary_.total.quarantined, "record", "records") +
                                  (run_.makes_folder()
                                       ? " could not be read; see quarantine.jsonl for why"
                                       : " could not be read as documents and are left out"));
    }
    if (const std::uint64_t by_sketch = summary_.by_known_sketch.value_or(0);
        options_.verify == Check::exact && by_sketch > 0) {
      summary_.warnings.push_back(
          format_count(by_sketch, "near copy was", "near copies were") +
          " removed by sketches that " + summary_.index +
          " holds: it keeps no texts, so their shares are estimates. An index with " +
          switch_on("texts") + " lets the texts decide");
    }
    if (options_.verify == Check::sketch && summary_.total.near > 0) {
      summary_.warnings.push_back(
          format_count(summary_.total.near, "near copy was", "near copies were") +
          " removed by estimates (" + option("verify", "sketch") +
          "), unread: on license texts 10 % and on mail 5 % of such removals are wrong. "
          "Without that option the texts decide");
    }
    TWINSET_ASSIGN(std::string too_short, short_documents_warning(job(), *stores().records));
    if (!too_short.empty()) summary_.warnings.push_back(std::move(too_short));
    summary_.scheme = job().signer.scheme->spec();
    const bool tells_equal = job().signer.scheme->equal_keys();
    if (const auto found = job().signer.scheme->match_probability(options_.resemblance.value());
        found.has_value() && !tells_equal) {
      summary_.plan = fmt::format("finds {:.1f} % of pairs at exactly {}, and more above",
                                  *found * 100, options_.resemblance.text());
    }
    if (index_ != nullptr && options_.resemblance.value() < index_->planned().value()) {
      summary_.warnings.push_back(summary_.index + " was made for a resemblance of " +
                                  index_->planned().text() +
                                  "; its bands find few documents below that");
    }
    return check_max_removed();
  }

  /// To remove copies is what dedup is for, and the counts say how many: only if some files lose
  /// much and others do not, or if protected ones take it, is it worth a line.
  void warn_of_emptied_files() {
    std::uint64_t files = 0;
    std::uint64_t losing = 0;
    const FileCounts* first = nullptr;
    for (std::size_t i = 0; i + job().reference_sources < job().sources(); ++i) {
      const FileCounts& file = summary_.files[i];
      const Counts& counts = file.counts;
      if (job().source(job().reference_sources + i).one_document || counts.read == 0) continue;
      ++files;
      const auto most = warned_removed_share * static_cast<double>(counts.read);
      if (counts.read < warned_removed_records || static_cast<double>(counts.removed()) <= most) {
        continue;
      }
      if (++losing == 1) first = &file;
    }
    if (losing == 0 || (losing == files && job().reference_sources == 0)) return;
    const std::string one = (first->file == "-" ? "standard input" : first->file) + " loses " +
                            format_count(first->counts.removed()) + " of its " +
                            format_count(first->counts.read) + " records";
    summary_.warnings.push_back(
        losing == 1 ? one
                    : format_count(losing) + " of " + format_count(files) +
                          " files lose more than 20 % of their records (the first: " + one + ")" +
                          (run_.makes_folder() ? "; summary.json lists them" : ""));
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
    total.carried += file.carried;
  }

  Status check_max_removed() const {
    if (!options_.max_removed.has_value()) return {};
    const Ratio& most = *options_.max_removed;
    const std::uint64_t gone = summary_.total.removed();
    if (gone * most.denominator() <= summary_.total.read * most.numerator()) return {};
    return Error{ErrorCode::bad_records,
                 std::to_string(gone) + " of " + std::to_string(summary_.total.read) +
                     " records would be removed, more than " + option("max_removed", most.text()) +
                     "; nothing was written. Look with " + switch_on("dry_run") + " or raise it"};
  }

  /// Pass 1's other collectors. They count what templates drop or, if templates are kept, what
  /// dropping them would save.
  std::vector<Collector*> own_collectors() {
    std::vector<Collector*> all = templates_.collectors(job());
    for (Collector* own : left_out_.collectors()) all.push_back(own);
    return all;
  }

  Status write() {
    TWINSET_TRY(left_out_.seal());
    TWINSET_ASSIGN(ClusterCount clusters,
                   options_.dry_run || !job().reads_named
                       ? count_clusters(job(), *table_, *proofs_)
                       : write_outputs(job(), options_, state(), *stores().records, *table_,
                                       *proofs_, left_out_, summary_.copies_of_words));
    summary_.clusters = clusters.clusters();
    summary_.largest_cluster = clusters.largest();
    return {};
  }

  Result<ReportFiles> report() override {
    return draw_({job(), options_, *stores().records, *table_, *proofs_, summary_});
  }

  /// The lines of removed records and the summary, if the options name files for them.
  Status keep() override {
    if (options_.dry_run) return {};
    FileSystem& files = *job().context.files;
    if (!options_.removed.empty()) {
      TWINSET_TRY(
          copy_lines(files, job().work + "/out/removed.jsonl.zst", "removed", options_.removed));
    }
    if (options_.summary.empty()) return {};
    return write_file_atomically(files, options_.summary, summary_.json);
  }

  const DedupOptions options_;  ///< with the defaults filled in
  const RunControl& control_;
  const DedupResults& results_;
  const DrawReport<DedupFindings> draw_;
  std::unique_ptr<KnownIndex> index_;  ///< or null
  bool adds_ = false;                  ///< the run has given it documents
  RunTemplates templates_;
  CollectionRun run_;
  LeftOutShingles left_out_{run_.job};
  std::unique_ptr<DocumentTable> table_;
  std::unique_ptr<RowFile<Proof>> proofs_;
  std::uint64_t common_keys_ = 0;
  DedupSummary summary_;
};

}  // namespace

Result<DedupSummary> dedup_collection(std::shared_ptr<Collection> collection,
                                      const DedupOptions& options, const RunControl& control,
                                      const DedupResults& results, DrawReport<DedupFindings> draw) {
  if (control.kept != nullptr && (!options.output.empty() || options.dry_run)) {
    return usage_error("kept records go to a folder, to standard output, or nowhere");
  }
  if (options.verify == Check::none) {
    return usage_error(option("verify", "none") +
                       " is for cluster: a removal needs exact or sketch");
  }
  DedupOptions with_profile = options;
  TWINSET_TRY(take_profile(files_of(control), with_profile, with_profile));
  TWINSET_ASSIGN(auto index, KnownIndex::open(control, with_profile));
  if (index != nullptr && (!options.shard.empty() || !options.shards.empty())) {
    return usage_error(option("shard") + " compares the inputs with each other and with files: " +
                       options.against.front() + " is an index; leave out one of the two");
  }
  DedupRun run(with_profile, control, results, draw, std::move(index));
  run.read_from(std::move(collection));
  return run.run();
}

}  // namespace twinset
