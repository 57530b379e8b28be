#include "dedup/dedup_report.h"

#include <algorithm>
#include <optional>
#include <set>

#include "dedup/clusters.h"
#include "report/collector.h"
#include "report/html.h"
#include "run/names.h"
#include "twinset/version.h"

namespace twinset {
namespace {

/// Members looked at to pick the examples of a cluster.
constexpr std::size_t examples_considered = 64;
/// Texts longer than this are cut for the side-by-side view.
constexpr std::size_t shown_text_bytes = std::size_t{256} << 10;

class ReportMaker {
 public:
  ReportMaker(const Job& job, const RecordFiles& records, const DocumentTable& documents,
              Texts& texts)
      : job_(job),
        documents_(documents),
        texts_(texts),
        names_(job, records, documents),
        collector_(job.thresholds.resemblance.value()) {}

  Status collect(const RowFile<Proof>& proofs) {
    Result<std::unique_ptr<ClusterRows>> rows = cluster_rows(job_, documents_, proofs);
    TWINSET_TRY(rows);
    auto cursor = rows.value()->read();
    TWINSET_TRY(cursor);
    for (;;) {
      Result<const ClusterRow*> next = cursor.value()->next();
      TWINSET_TRY(next);
      if (next.value() == nullptr) return end_cluster();
      const ClusterRow row = *next.value();
      if (survivor_ != row.survivor) {
        TWINSET_TRY(end_cluster());
        start_cluster(row);
      }
      add_member(row);
    }
  }

  Status finish(Report& report) {
    collector_.finish(report);
    for (const PairChoice& choice : collector_.pairs()) {
      ReportPair pair;
      pair.kind = choice.kind;
      TWINSET_TRY(describe(choice.survivor, pair.survivor));
      TWINSET_TRY(describe(choice.removed, pair.removed));
      pair.resemblance = choice.resemblance;
      TWINSET_TRY(read_text(choice.survivor, pair.survivor_text, pair.cut));
      TWINSET_TRY(read_text(choice.removed, pair.removed_text, pair.cut));
      Analysis survivor;
      Analysis removed;
      job_.view.analyzer->analyze(pair.survivor_text, Offsets::keep, survivor);
      job_.view.analyzer->analyze(pair.removed_text, Offsets::keep, removed);
      pair.passages = find_passages(survivor, removed, job_.view.shingle_tokens);
      report.pairs.push_back(std::move(pair));
    }
    return {};
  }

 private:
  void start_cluster(const ClusterRow& row) {
    survivor_ = row.survivor;
    members_ = 1;
    lowest_resemblance_ = 1;
    lowest_containment_ = 1;
    contained_ = 0;
    examples_.clear();
    sources_.clear();
    sources_.insert(row.survivor.source());
  }

  void add_member(const ClusterRow& row) {
    ++members_;
    sources_.insert(row.member.source());
    const double resemblance = row.verdict.resemblance();
    if (row.fate == Fate::contained) {
      ++contained_;
      lowest_containment_ = std::min(lowest_containment_, row.verdict.containment());
    } else {
      lowest_resemblance_ = std::min(lowest_resemblance_, resemblance);
    }
    examples_.push_back(row);
    if (examples_.size() >= 2 * examples_considered) keep_least_alike();
    // In place of a copy the page shows its representative, whose text was verified.
    const Standing standing = documents_.standing(documents_.index(row.member));
    const bool folded = standing.folded() && !is_copy(row.fate);
    collector_.removed(row.fate, resemblance, row.survivor,
                       folded ? documents_.document(standing.other) : row.member);
  }

  void keep_least_alike() {
    std::stable_sort(examples_.begin(), examples_.end(),
                     [](const ClusterRow& a, const ClusterRow& b) {
                       return a.verdict.resemblance() < b.verdict.resemblance();
                     });
    if (examples_.size() > examples_considered) examples_.resize(examples_considered);
  }

  Status end_cluster() {
    if (!survivor_.has_value()) return {};
    ReportCluster cluster;
    cluster.members = members_;
    cluster.sources = sources_.size();
    cluster.lowest_resemblance = lowest_resemblance_;
    cluster.contained = contained_;
    cluster.lowest_containment = lowest_containment_;
    if (collector_.wanted(members_, sources_.size(), lowest_resemblance_)) {
      TWINSET_TRY(describe(*survivor_, cluster.survivor));
      keep_least_alike();
      for (const ClusterRow& row : examples_) {
        ReportMember member;
        member.kind = row.fate;
        member.resemblance = row.verdict.resemblance();
        member.containment = row.verdict.containment();
        TWINSET_TRY(describe(row.member, member.document));
        cluster.examples.push_back(std::move(member));
      }
    }
    collector_.cluster(cluster);
    return {};
  }

  Status describe(DocumentId document, ReportDocument& out) {
    TWINSET_TRY(names_.find(documents_.index(document), name_));
    out = {std::string(plain_id(name_.id)), std::string(name_.file), name_.record};
    return {};
  }

  Status read_text(DocumentId document, std::string& out, bool& cut) {
    TWINSET_TRY(texts_.see(document, out));
    if (out.size() > shown_text_bytes) {
      out.resize(shown_text_bytes);
      cut = true;
    }
    return {};
  }

  const Job& job_;
  const DocumentTable& documents_;
  Texts& texts_;
  Names names_;
  DocumentName name_;
  ReportCollector collector_;
  std::optional<DocumentId> survivor_;
  std::uint64_t members_ = 0;
  double lowest_resemblance_ = 1;
  double lowest_containment_ = 1;
  std::uint64_t contained_ = 0;
  std::vector<ClusterRow> examples_;
  std::set<std::uint64_t> sources_;
};

}  // namespace

Result<std::string> dedup_report_page(const Job& job, const DedupOptions& options,
                                      const RecordFiles& records, const DocumentTable& documents,
                                      const RowFile<Proof>& proofs, Texts& texts,
                                      const DedupSummary& summary) {
  Report report;
  report.run.title = job.kept != nullptr ? "standard output" : job.verb.output;
  report.run.version = version();
  report.run.scheme = job.scheme->spec();
  report.run.analyzer = job.view.analyzer->name();
  report.run.keep = options.keep;
  report.run.threshold = job.thresholds.resemblance.value();
  report.run.containment_threshold =
      job.thresholds.containment.has_value() ? job.thresholds.containment->value() : 0;
  report.run.verified_exactly = options.verification == Check::exact;
  report.run.command = options.command;
  report.run.started = summary.started;
  report.run.seconds = summary.seconds;
  report.run.text_bytes = summary.text_bytes;
  report.run.threads = job.context.threads;
  report.totals = summary.total;
  report.clusters = summary.clusters;
  report.warnings = summary.warnings;
  for (const FileCounts& file : summary.files) {
    report.files.push_back({file.file, file.reference, file.counts});
  }
  ReportMaker maker(job, records, documents, texts);
  TWINSET_TRY(maker.collect(proofs));
  TWINSET_TRY(maker.finish(report));
  return html_report(report);
}

}  // namespace twinset
