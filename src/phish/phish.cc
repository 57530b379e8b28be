// Phish: pages of anywhere are held against the parts of known pages, and those that hold some
// without being of the same site are ranked (paper 004, 8.2). What fetches the pages, and how it
// is told their URLs, is outside.
//
// One pass, and no checkpoint. This file has the order of the steps; its interface is phish(),
// declared in twinset/phish.h.
#include "twinset/phish.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/message.h"
#include "phish/known_sites.h"
#include "phish/phish_search.h"
#include "phish/registered_domain.h"
#include "reuse/known_chunks.h"
#include "run/common_options.h"
#include "run/options_json.h"
#include "run/read_fates.h"
#include "run/run_verb.h"
#include "twinset/visible.h"
#include "words/numbers.h"

namespace twinset {
namespace {

/// Of labels that are mapped some pages may be in memory in any case.
constexpr std::uint64_t least_lookup_bytes = std::uint64_t{8} << 20;
constexpr std::uint64_t labels_between_stops = 4096;

PhishOptions without_checkpoints(PhishOptions options) {
  options.resources.checkpoint = UINT64_MAX;
  return options;
}

VerbOptions phish_verb(const PhishOptions& options, const KnownChunks& known) {
  VerbOptions verb;
  verb.name = "phish";
  verb.identity = options_identity(verb.name, options) + " " +
                  fingerprint_text(known.labels->hash()) + " " + known.stop_hash();
  verb.works_in = WorksIn::own;
  verb.needs_tokens = false;
  verb.signs = false;
  if (!options.url.empty()) verb.fields = {options.url};
  return verb;
}

class PhishRun final : public VerbSteps {
 public:
  PhishRun(const PhishOptions& options, KnownSites sites, KnownChunks known,
           const RunControl& control)
      : options_(without_checkpoints(options)),
        sites_(std::move(sites)),
        known_(std::move(known)),
        run_(collection_of(options_, {}, 0, options_.max_bad), phish_verb(options_, known_),
             control) {
    rule_.chunks = known_.rules;
    rule_.url_field = options_.url;
    rule_.stop = known_.stop.get();
  }

  Result<PhishSummary> run() { return run_verb(run_, options_, summary_, *this); }

 private:
  const Job& job() const { return run_.job; }

  Status work() override {
    TWINSET_TRY(check_top());
    TWINSET_TRY(count_labels());
    run_.clock.end("labels");
    TWINSET_TRY(search());
    count_records(run_.state, summary_);
    summary_.labels_hash = fingerprint_text(known_.labels->hash());
    summary_.stop_hash = known_.stop_hash();
    summary_.rules = known_.labels->facts().rules;
    summary_.public_suffixes = public_suffix_list();
    return {};
  }

  /// The ranked pages are held in memory.
  Status check_top() const {
    const std::uint64_t most = job().memory.rows / 2 / most_phish_page_bytes;
    if (options_.top <= most) return {};
    return usage_error(option("top", std::to_string(options_.top)) +
                       " are more pages than this memory holds, which are " + format_count(most) +
                       "; give a larger " + option("memory"));
  }

  /// Whose parts are they? Labels that do not say it accuse nobody.
  Status count_labels() {
    std::uint64_t seen = 0;
    TWINSET_TRY(known_.labels->for_each([&](const Label& label) -> Status {
      if (label.kind == LabelKind::chunk) {
        ++summary_.labels;
        const bool has_site = sites_.of_label(label, [](const std::string&, const std::string&) {});
        summary_.labels_without_site += has_site ? 0 : 1;
      }
      return ++seen % labels_between_stops == 0 ? job().context.check_cancelled() : Status();
    }));
    if (summary_.labels == 0 || summary_.labels_without_site < summary_.labels) return {};
    return usage_error("the labels of " + visible_name(options_.labels) +
                       " name no page with a URL, so that nobody knows whose parts they are: make "
                       "them of records with URLs, or give " +
                       option("site", "HOST"));
  }

  Status search() {
    const Job& job = run_.job;
    TWINSET_ASSIGN(const LabelFilter filter,
                   LabelFilter::make(*known_.labels, job.memory.rows / 8));
    LabelLookup lookup(*known_.labels, filter, std::max(job.memory.rows / 8, least_lookup_bytes),
                       job.context.threads);
    PhishSearch search(job, rule_, sites_, lookup, options_, summary_);
    run_.stores.quarantine = std::make_unique<Quarantine>(*job.context.files, "", *job.collection);
    TWINSET_TRY(run_.pass("search", {run_.stores.quarantine.get(), &search}));
    summary_.found = std::move(search).best();
    summary_.bad_records = run_.stores.quarantine->first();
    return {};
  }

  Status conclude() override {
    const std::string warning =
        known_.warning(summary_.labels, summary_.pages, job().signer.view.pages);
    if (!warning.empty()) summary_.warnings.push_back(warning);
    if (summary_.pages_without_site > 0) {
      summary_.warnings.push_back(
          format_count(summary_.pages_without_site, "page has", "pages have") +
          " no URL with a host, the first is " + visible_name(summary_.first_without_site) +
          ": they are of no site, so that whatever they hold counts as an imitation; " +
          option("url") + " names the field that has the URL of a record");
    }
    if (summary_.labels_without_site > 0) {
      summary_.warnings.push_back(format_count(summary_.labels_without_site) + " of " +
                                  format_count(summary_.labels, "label", "labels") + " in " +
                                  visible_name(options_.labels) +
                                  (summary_.labels_without_site == 1
                                       ? " names no page with a URL, and finds nothing; "
                                       : " name no page with a URL, and find nothing; ") +
                                  option("site") + " says whose they are");
    }
    if (known_.rules.least_characters > least_characters_of_auntietuna) {
      summary_.warnings.push_back(
          "the labels of " + visible_name(options_.labels) + " are of parts of at least " +
          format_count(known_.rules.least_characters) +
          " characters, and most parts of a page to log in at are shorter; make them with " +
          option("min_chars", std::to_string(least_characters_of_phish)));
    }
    return {};
  }

  const PhishOptions options_;
  const KnownSites sites_;
  const KnownChunks known_;
  CollectionRun run_;
  PageRule rule_;
  PhishSummary summary_;
};

}  // namespace

Result<PhishSummary> phish(const PhishOptions& options, const RunControl& control) {
  if (options.inputs.empty() && options.columns.empty()) {
    return usage_error("no input given: name a file, a folder, or -");
  }
  if (options.min_parts == 0) {
    return usage_error(option("min_parts", "0") + " is less than a page can hold; give 1 or more");
  }
  TWINSET_ASSIGN(KnownSites sites, KnownSites::make(options));
  TWINSET_ASSIGN(KnownChunks known,
                 open_known_chunks(files_of(control), options.labels, options.stop));
  return PhishRun(options, std::move(sites), std::move(known), control).run();
}

}  // namespace twinset
