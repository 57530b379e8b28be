// The verb spans over a collection: read and sample anchors, find the runs that stand twice and
// their earlier places, follow each to both ends, write. Each step is a file of its own; this file
// has their order and divides the memory among them.
#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/message.h"
#include "collection/output_files.h"
#include "run/common_options.h"
#include "run/meetings.h"
#include "run/options_json.h"
#include "run/read_fates.h"
#include "run/run_verb.h"
#include "run/texts.h"
#include "spans/cut_pass.h"
#include "spans/cut_rounds.h"
#include "spans/earlier_places.h"
#include "spans/reused_texts.h"
#include "spans/span_lines.h"
#include "spans/spans_run.h"
#include "twinset/field.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::uint64_t usual_least_tokens = 50;
constexpr std::size_t shares = 11;  ///< tenths, and all

SpansOptions filled(SpansOptions options) {
  if (!options.min_tokens.has_value()) options.min_tokens = usual_least_tokens;
  return options;
}

VerbOptions spans_verb(const SpansOptions& options) {
  VerbOptions verb;
  verb.name = "spans";
  verb.identity = options_identity(verb.name, options);
  verb.references = options.against;
  verb.output = options.output;
  verb.report = options.report;
  verb.own_names = {spans_list};
  verb.level = options.level;
  verb.signs = false;
  verb.reads_again = true;
  return verb;
}

class SpansRun final : public VerbSteps {
 public:
  SpansRun(const SpansOptions& options, const RunControl& control, DrawReport<SpansFindings> draw)
      : options_(filled(options)),
        draw_(draw),
        run_(collection_of(options_, analyzed_by(options_.analyzer), 0, options_.max_bad,
                           options_.within),
             spans_verb(options_), control) {}

  Result<SpansSummary> run() {
    TWINSET_TRY(check_options());
    return run_verb(run_, options_, summary_, *this);
  }

 private:
  Status work() override {
    if (options_.cut) {
      const Status cuttable = check_cuttable(job());
      if (!cuttable.ok()) return run_.refuse(cuttable.error());
    }
    TWINSET_TRY(read());
    TWINSET_TRY(find());
    TWINSET_TRY(count_reused());
    if (options_.cut) {
      TWINSET_ASSIGN(summary_.cut_bytes,
                     write_cut_inputs(job(), run_.state, *table_, cuts_->cuts()));
      run_.clock.end("cut");
    }
    return {};
  }

  Result<ReportFiles> report() override {
    return draw_({job(), options_, records(), *table_, facts_, summary_});
  }

  const Job& job() const { return run_.job; }
  const RecordFiles& records() const { return *run_.stores.records; }

  Status check_options() const {
    if (options_.output.empty()) {
      return usage_error("no output given: " + option("output", "DIR") +
                         "; without it spans compares two texts, FILE or FILE:RECORD");
    }
    if (*options_.min_tokens < 1 || *options_.min_tokens > most_span_tokens) {
      return usage_error(option("min_tokens", std::to_string(*options_.min_tokens)) +
                         " is not from 1 to " + std::to_string(most_span_tokens));
    }
    return {};
  }

  Status read() {
    Job& job = run_.job;
    const std::uint64_t memory = job.memory.rows;
    job.context.memory_bytes = memory;
    anchors_ = std::make_unique<SpanAnchors>(
        RowsOptions{&job.context, job.spill + "anchors",
                    options_.cut ? memory / 20 * 3 : memory / 10 * 6, job.signer.fingerprint},
        rule(), job.reference_sources);
    run_.stores.quarantine = std::make_unique<Quarantine>(
        *job.context.files, job.work + "/out/" + std::string(quarantine_file), *job.collection);
    run_.stores.records = std::make_unique<RecordFiles>(job.context, job.spill + "run",
                                                        RecordFiles::Size::tokens, false);
    std::vector<Collector*> collectors{run_.stores.quarantine.get(), anchors_.get(),
                                       run_.stores.records.get()};
    if (!options_.within.empty()) {
      parts_ = std::make_unique<Parts>(
          RowsOptions{&job.context, job.spill + "parts", memory / 10, job.signer.fingerprint});
      collectors.push_back(parts_.get());
    }
    TWINSET_TRY(run_.pass("read", std::move(collectors)));
    TWINSET_TRY(run_.stores.quarantine->sync());
    const std::uint64_t lines = lines_of(run_.state);
    TWINSET_TRY(run_.check_memory(DocumentTable::bytes_needed(lines, false) +
                                  (options_.cut ? lines * sizeof(Cuts::changed_in[0]) : 0)));
    if (lines > most_span_records) {
      return run_.refuse(usage_error("the inputs have " + format_count(lines) +
                                     " lines; spans takes up to " +
                                     format_count(most_span_records) + " in one run"));
    }
    table_ = std::make_unique<DocumentTable>(run_.state.lines, job.reference_sources);
    TWINSET_TRY(set_read_fates(records(), *table_, summary_));
    summary_.tokens = anchors_->tokens();
    summary_.least_tokens = *options_.min_tokens;
    return {};
  }

  Status find() {
    Texts texts(job(), records(), *table_);
    const PlacesIn wanted = options_.across ? PlacesIn::other_texts : PlacesIn::any_text;
    RunFinder finder(job(), *table_, rule(), texts, wanted, parts_.get());
    TWINSET_TRY(finder.find(*anchors_, options_.cut ? AfterFinding::keep : AfterFinding::drop));
    run_.clock.end("repeat");
    std::optional<CutPlaceRows> cut;
    if (options_.cut) {
      cuts_ = std::make_unique<CutRounds>(job(), records(), *table_, rule(), texts, wanted,
                                          parts_.get(), *anchors_);
      cut.emplace(cuts_->rows());
    }
    const std::uint64_t memory = job().context.memory_bytes;
    const auto rows = [&](const char* name) {
      return RowsOptions{&job().context, job().spill + name, memory / 4, job().signer.fingerprint};
    };
    TWINSET_ASSIGN(auto sink, create_output(*job().context.files, job().work + "/out", spans_list,
                                            Compression::zstd, 0));
    lines_ = std::make_unique<SpanLines>(
        job(), records(), *table_, rule(), texts, std::move(sink),
        [&](const SharedPassages& shared) { return facts_.add(shared); });
    RunCounts counts;
    if (options_.all_pairs) {
      TWINSET_ASSIGN(counts, finder.count());
      TWINSET_TRY(check_pairs(counts.pairs));
      RunPairRows pairs(rows("pairs"));
      TWINSET_TRY(finder.run_pairs(pairs));
      if (cut) TWINSET_TRY(finder.cut_places(*cut));
      finder.drop_runs();
      run_.clock.end("place");
      TWINSET_TRY(lines_->write(pairs));
      run_.spilled_bytes += pairs.spilled_bytes();
    } else {
      EarlierPlaceRows places(rows("places"));
      TWINSET_ASSIGN(counts, finder.earlier_places(places, cut ? &*cut : nullptr));
      finder.drop_runs();
      run_.clock.end("place");
      TWINSET_TRY(lines_->follow(places));
      run_.spilled_bytes += places.spilled_bytes();
    }
    run_.spilled_bytes += finder.spilled_bytes() + texts.extracted_bytes();
    summary_.repeated_runs = counts.places;
    summary_.by_documents = std::move(counts.by_documents);
    summary_.spans = lines_->spans();
    summary_.by_tokens = lines_->by_tokens();
    run_.clock.end("follow");
    if (!cut) return {};
    TWINSET_TRY(cuts_->add(*cut));
    cut.reset();
    TWINSET_TRY(cuts_->settle());
    summary_.cut_rounds = cuts_->rounds();
    run_.spilled_bytes += cuts_->spilled_bytes() + anchors_->stored_bytes();
    anchors_->drop_rows();
    run_.clock.end("settle");
    return {};
  }

  Status check_pairs(std::uint64_t pairs) {
    if (pairs <= options_.max_meetings) return {};
    return run_.refuse(usage_error(
        format_count(pairs) + " pairs of places share " + std::to_string(*options_.min_tokens) +
        " words, more than " + option("max_meetings", format_count(options_.max_meetings)) +
        "; leave out " + switch_on("all_pairs") +
        " for the first and the nearest place of each passage, or raise " + option("max_meetings") +
        " or " + option("min_tokens")));
  }

  Status count_reused() {
    summary_.by_share.assign(shares, 0);
    return for_each_reused_text(lines_->reused(), [&](const ReusedText& text) -> Status {
      const std::uint64_t index = table_->index(text.document);
      TWINSET_ASSIGN(const RecordRow row, records().row(index));
      const std::uint64_t reused = text.tokens();
      summary_.reused_tokens += reused;
      ++summary_.reused_documents;
      ++summary_.by_share[std::min<std::uint64_t>(10 * reused / row.size, shares - 1)];
      facts_.add_text({index, reused, row.size});
      return {};
    });
  }

  AnchorRule rule() const { return AnchorRule(static_cast<unsigned>(*options_.min_tokens)); }

  const SpansOptions options_;  ///< with the defaults filled in
  const DrawReport<SpansFindings> draw_;
  CollectionRun run_;
  std::unique_ptr<SpanAnchors> anchors_;
  std::unique_ptr<Parts> parts_;
  std::unique_ptr<DocumentTable> table_;
  std::unique_ptr<SpanLines> lines_;
  std::unique_ptr<CutRounds> cuts_;
  SpanFacts facts_;
  SpansSummary summary_;
};

}  // namespace

Result<SpansSummary> run_spans(const SpansOptions& options, const RunControl& control,
                               DrawReport<SpansFindings> draw) {
  return SpansRun(options, control, draw).run();
}

}  // namespace twinset
