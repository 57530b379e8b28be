// Detection: known chunks and files are looked up in every page of a collection, and pages and
// neighborhoods are ranked by the share of them that is known.
//
// One pass, and no checkpoint: a run that was killed starts over. This file has the order of the
// steps; its interface is detect(), declared in twinset/reuse.h.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/file_header.h"
#include "base/message.h"
#include "collection/output_files.h"
#include "detect/detect_fields.h"
#include "detect/detect_lines.h"
#include "detect/detect_lists.h"
#include "detect/detect_run.h"
#include "detect/label_search.h"
#include "detect/merge_detections.h"
#include "reuse/known_chunks.h"
#include "reuse/label_lookup.h"
#include "reuse/reuse_rules.h"
#include "run/common_options.h"
#include "run/options_json.h"
#include "run/read_fates.h"
#include "run/run_verb.h"
#include "twinset/reuse.h"
#include "web/chunk_options.h"

namespace twinset {
namespace {

DetectOptions filled(DetectOptions options) {
  options.resources.checkpoint = UINT64_MAX;
  return options;
}

VerbOptions detect_verb(const DetectOptions& options, const KnownChunks& known) {
  VerbOptions verb;
  verb.name = "detect";
  verb.identity = options_identity(verb.name, options) + " " +
                  fingerprint_text(known.labels->hash()) + " " + known.stop_hash();
  verb.output = options.output;
  verb.report = options.report;
  verb.works_in = options.output.empty() ? WorksIn::own : WorksIn::folder;
  verb.needs_tokens = false;
  verb.signs = false;
  if (!options.pages.url.empty()) verb.fields = {options.pages.url};
  return verb;
}

class DetectRun final : public VerbSteps {
 public:
  DetectRun(const DetectOptions& options, const DetectRules& rules, KnownChunks known,
            const RunControl& control, DrawReport<DetectFindings> draw)
      : options_(filled(options)),
        rules_(rules),
        draw_(draw),
        known_(std::move(known)),
        files_(files_of(control)),
        run_(collection_of(options_, {}, 0, options_.max_bad), detect_verb(options_, known_),
             control) {
    rules_.hash = known_.rules.hash;
    rules_.labels = known_.labels.get();
    page_rule_.chunks = known_.rules;
    page_rule_.url_field = options_.pages.url;
    page_rule_.repeats = static_cast<std::uint32_t>(options_.pages.repeats);
    page_rule_.stop = known_.stop.get();
  }

  Result<DetectSummary> run() { return run_verb(run_, options_, summary_, *this); }

 private:
  Status found() override {
    return read_top_lines(files_, options_.output, options_.top, summary_);
  }

  Status work() override {
    TWINSET_TRY(search());
    return write();
  }

  Status conclude() override {
    std::string warning = known_.warning(summary_.labels, summary_.pages, job().signer.view.pages);
    if (!warning.empty()) summary_.warnings.push_back(std::move(warning));
    return {};
  }

  Result<ReportFiles> report() override { return draw_({options_, summary_, shown_}); }

  void end(const Status&) override { found_.reset(); }

  const Job& job() const { return run_.job; }
  std::string out() const { return options_.output.empty() ? "" : job().work + "/out"; }

  Status search() {
    const Job& job = run_.job;
    const std::uint64_t memory = std::max(job.memory.rows, least_detection_bytes);
    found_ = std::make_unique<Detections>(job.context, job.spill, memory / 8 * 5);
    TWINSET_ASSIGN(const LabelFilter filter,
                   LabelFilter::make(*known_.labels, job.memory.rows / 8));
    summary_.labels = filter.chunks() + filter.files();
    run_.clock.end("labels");
    LabelLookup lookup(*known_.labels, filter, std::max(memory / 8, least_detection_bytes / 2),
                       job.context.threads);
    LabelSearch search(job, page_rule_, lookup, *found_);
    const std::string bad =
        options_.output.empty() ? "" : job.work + "/out/" + std::string(quarantine_file);
    run_.stores.quarantine = std::make_unique<Quarantine>(files_, bad, *job.collection);
    TWINSET_TRY(run_.pass("search", {run_.stores.quarantine.get(), &search}));
    TWINSET_TRY(run_.stores.quarantine->sync());
    run_.job.context.memory_bytes = memory;
    return found_->seal();
  }

  Status write() {
    DetectLists lists(job().context, job().spill, rules_, *found_);
    TWINSET_TRY(lists.write(out(), summary_));
    count_records(run_.state, summary_);
    summary_.labels_hash = fingerprint_text(known_.labels->hash());
    summary_.rules = known_.labels->facts().rules;
    summary_.expected_false_labels = expected_false_labels(
        static_cast<double>(summary_.chunks - summary_.labeled_chunks),
        static_cast<double>(summary_.labels), chunk_hash_bits(known_.rules.hash));
    run_.spilled_bytes += found_->spilled_bytes() + lists.spilled_bytes();
    summary_.stop_hash = known_.stop_hash();
    summary_.badness = options_.badness;
    if (run_.reports()) shown_ = lists.shown();
    run_.clock.end("rank");
    return {};
  }

  const DetectOptions options_;
  DetectRules rules_;
  const DrawReport<DetectFindings> draw_;
  const KnownChunks known_;
  FileSystem& files_;
  CollectionRun run_;
  PageRule page_rule_;
  std::unique_ptr<Detections> found_;
  ShownDetections shown_;  ///< for the report
  DetectSummary summary_;
};

}  // namespace

Result<DetectSummary> run_detect(const DetectOptions& options, const RunControl& control,
                                 DrawReport<DetectFindings> draw) {
  TWINSET_ASSIGN(const DetectRules rules, DetectRules::parse(options));
  TWINSET_TRY(check_page_settings(options.pages));
  if (!options.merge.empty()) return merge_detections(options, control, draw);
  if (options.inputs.empty() && options.columns.empty()) {
    return usage_error("no input given: name a file, a folder, or -");
  }
  FileSystem& files = files_of(control);
  TWINSET_ASSIGN(KnownChunks known, open_known_chunks(files, options.labels, options.stop));
  return DetectRun(options, rules, std::move(known), control, draw).run();
}

}  // namespace twinset
