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
#include "detect/label_filter.h"
#include "detect/label_search.h"
#include "detect/merge_detections.h"
#include "labels/label_file.h"
#include "reuse/reuse_rules.h"
#include "run/common_options.h"
#include "run/options_json.h"
#include "run/read_fates.h"
#include "run/run_verb.h"
#include "twinset/reuse.h"
#include "web/chunk_options.h"

namespace twinset {
namespace {

/// The labels, and the stop chunks or null.
struct KnownChunks {
  std::unique_ptr<LabelFile> labels;
  ChunkRules rules;
  std::unique_ptr<LabelFile> stop;

  std::string stop_hash() const {
    return stop == nullptr ? std::string() : fingerprint_text(stop->hash());
  }
};

Result<KnownChunks> open_known(FileSystem& files, const DetectOptions& options) {
  if (options.labels.empty()) {
    return usage_error("no labels given: " + option("labels", "FILE") + ", which " +
                       verb("discover") + " makes");
  }
  KnownChunks known;
  TWINSET_ASSIGN(LabelFile labels, LabelFile::open(files, options.labels));
  const std::optional<ChunkRules> rules = parse_chunk_rules(labels.facts().rules);
  if (!rules.has_value() || rules->hash != labels.facts().hash) {
    return io_error(options.labels + " has chunks of the rules \"" + labels.facts().rules +
                    "\", which this twinset does not know; make it again with this one");
  }
  known.rules = *rules;
  known.labels = std::make_unique<LabelFile>(std::move(labels));
  if (!options.stop.empty()) {
    TWINSET_ASSIGN(LabelFile stop, open_stop_chunks(files, options.stop, known.rules));
    known.stop = std::make_unique<LabelFile>(std::move(stop));
  }
  return known;
}

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
    if (summary_.labels == 0) {
      summary_.warnings.push_back(options_.labels + " has no labels, so nothing can be found; " +
                                  verb("discover") + " says why it made none");
      return {};
    }
    if (summary_.pages == 0 || job().signer.view.pages || known_.rules.cuts != ChunkCuts::html ||
        !known_.labels->facts().pages) {
      return {};
    }
    summary_.warnings.push_back("the labels of " + options_.labels +
                                " are of pages, and no input is a page: " +
                                option("format", "html") + " cuts its texts as pages");
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
    LabelSearch search(job, page_rule_, *known_.labels, filter,
                       std::max(memory / 8, least_detection_bytes / 2), *found_);
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
  TWINSET_ASSIGN(KnownChunks known, open_known(files, options));
  return DetectRun(options, rules, std::move(known), control, draw).run();
}

}  // namespace twinset
