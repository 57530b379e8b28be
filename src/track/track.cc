// Versions of pages over time, in one pass over the inputs: each document is kept with its
// sketches, and sorted by host, URL and date (B 6.5). A first walk over the sorted versions finds
// the ends of pages, which meet as moves; a second one compares each version with the one before it
// and writes the lists.
//
// This file's interface is track/track_run.h; the rest is private.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"
#include "collection/output_files.h"
#include "io/field_json.h"
#include "io/json.h"
#include "io/json_string.h"
#include "run/collector.h"
#include "run/common_options.h"
#include "run/options_json.h"
#include "run/prepare.h"
#include "run/quarantine.h"
#include "run/read_fates.h"
#include "run/workspace.h"
#include "scheme/spec.h"
#include "track/page_moves.h"
#include "track/page_tally.h"
#include "track/page_version.h"
#include "track/track_run.h"
#include "track/version_chain.h"
#include "web/url.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// Versions in a line, and bytes of their dates and ids.
constexpr std::size_t most_in_line = 10'000;
constexpr std::size_t most_line_bytes = 1 << 20;
/// Fewer than one page in so many make a last sweep that one wrong date may have made.
constexpr std::uint64_t pages_per_seen = 10;

using Versions = SortedRecords<PageVersion, ByPageAndDate>;

struct VersionRows final : Collector::Rows {
  void begin(const BatchPlace&) override {
    versions.clear();
    without_url = without_date = 0;
  }
  void release_large() override { versions = {}; }

  std::vector<PageVersion> versions;
  std::uint64_t without_url = 0;
  std::uint64_t without_date = 0;
  Sketch sketch;  ///< scratch
};

/// The dates of the collection.
struct DateRange {
  Date first;
  Date last;
  std::string last_written;
  bool is_set = false;

  void add(const PageVersion& version) {
    if (!is_set || version.date < first) first = version.date;
    if (!is_set || version.date > last) {
      last = version.date;
      last_written = version.written;
    }
    is_set = true;
  }
};

class VersionCollector final : public CollectorOf<VersionRows> {
 public:
  VersionCollector(const TrackOptions& options, const Collection& collection, const Scheme& signer,
                   const Scheme& sampler, Versions& versions, DateRange& dates,
                   TrackSummary& summary)
      : options_(options),
        collection_(collection),
        signer_(signer),
        sampler_(sampler),
        versions_(versions),
        dates_(dates),
        summary_(summary) {}
  Status open(const StateFile*) override { return {}; }
  Status checkpoint(StateFile&) override { return {}; }

 private:
  Status take(const ReadRecord& read, VersionRows& rows) const override {
    if (!read.is_document()) return {};
    const Record& record = read.record;
    PageVersion version;
    if (!options_.url.empty()) append_json_token_value(version.url, record.field(options_.url));
    if (version.url.empty()) version.url = record.url;
    if (version.url.empty()) {
      ++rows.without_url;
      return {};
    }
    // However sweeps spell it, it is one page.
    CanonicalUrl canonical;
    if (write_canonical_address(version.url, canonical)) version.url = std::move(canonical.text);
    append_json_token_value(version.written, record.field(options_.date));
    const std::optional<Date> date = parse_date(version.written);
    if (!date.has_value()) {
      ++rows.without_date;
      return {};
    }
    version.date = *date;
    version.host = host_of(version.url);
    if (version.host.empty()) version.host = version.url.substr(0, version.url.find('/'));
    version.source = read.id.source();
    version.record = read.id.record();
    version.id = record.id;
    if (version.id.empty() || version.id == "null") {
      version.id.clear();
      append_json_string(version.id,
                         made_id(collection_.sources()[version.source], version.record));
    }
    version.bytes_hash = checksum(record.text);
    version.tokens_hash = read.view.lexical_fingerprint();
    version.signature = stored(signer_, read.view, rows.sketch);
    version.sample = stored(sampler_, read.view, rows.sketch);
    rows.versions.push_back(std::move(version));
    return {};
  }

  static std::string stored(const Scheme& scheme, const DocumentView& view, Sketch& sketch) {
    scheme.sketch(view, sketch);
    if (sketch.empty) return {};
    return {reinterpret_cast<const char*>(sketch.stored.data()), sketch.stored.size()};
  }

  Status put(VersionRows& rows) override {
    summary_.without_url += rows.without_url;
    summary_.without_date += rows.without_date;
    for (PageVersion& version : rows.versions) {
      dates_.add(version);
      TWINSET_TRY(versions_.append(std::move(version)));
    }
    return {};
  }

  const TrackOptions& options_;
  const Collection& collection_;
  const Scheme& signer_;
  const Scheme& sampler_;
  Versions& versions_;
  DateRange& dates_;
  TrackSummary& summary_;
};

/// Lines of one list.
class TrackLines {
 public:
  static Result<TrackLines> create(const RunContext& context, const std::string& folder,
                                   const char* name) {
    TWINSET_ASSIGN(auto sink, create_output(*context.files, folder, name, Compression::zstd, 0));
    return TrackLines(std::make_unique<LineFile>(std::move(sink)));
  }
  Status add(const std::vector<Field>& fields) {
    append_fields(lines_->buffer(), fields);
    lines_->buffer() += '\n';
    return lines_->added();
  }
  Status finish() { return lines_->finish(); }

 private:
  explicit TrackLines(std::unique_ptr<LineFile> lines) : lines_(std::move(lines)) {}
  std::unique_ptr<LineFile> lines_;
};

TrackOptions filled(TrackOptions options) {
  options.resources.checkpoint = UINT64_MAX;
  return options;
}

CollectionOptions read_by(const TrackOptions& options) {
  ComparisonOptions comparison;
  comparison.scheme = options.scheme;
  return collection_of(options, comparison, 0, options.max_bad);
}

VerbOptions track_verb(const TrackOptions& options) {
  VerbOptions verb;
  verb.name = "track";
  verb.identity = options_identity(verb.name, options);
  verb.output = options.output;
  verb.report = options.report;
  verb.works_in = WorksIn::folder;
  for (const std::string& field : {options.url, options.date}) {
    if (!field.empty()) verb.fields.push_back(field);
  }
  return verb;
}

class TrackRun final : public VerbSteps {
 public:
  TrackRun(const TrackOptions& options, const RunControl& control, DrawReport<TrackFindings> draw)
      : options_(filled(options)),
        draw_(draw),
        run_(read_by(options_), track_verb(options_), control) {}

  Result<TrackSummary> run() { return run_verb(run_, options_, summary_, *this); }

 private:
  const Job& job() const { return run_.job; }
  const Scheme& signer() const { return *job().signer.scheme; }

  Status check() override {
    const Analyzer& analyzer = *job().signer.view.analyzer;
    TWINSET_ASSIGN(sampler_,
                   make_scheme(spec_for(analyzer, version_sampler), 0.5, *job().context.files));
    TWINSET_TRY(check_analyzer(*sampler_, analyzer));
    if (signer().declaration().tells != Tells::distance) {
      return usage_error("scheme " + std::string(signer().declaration().name) +
                         " has no signatures with a distance, by which changes are weighed; use "
                         "one such as simhash");
    }
    summary_.scheme = signer().spec();
    if (options_.since.empty()) return {};
    TWINSET_ASSIGN(since_, read_since(options_.since));
    return {};
  }

  Status work() override {
    TWINSET_TRY(read());
    set_sweep();
    TWINSET_TRY(find_moves());
    TWINSET_TRY(write());
    count_records(run_.state, summary_);
    return {};
  }

  Status conclude() override {
    for (const auto& [count, what] :
         {std::pair(summary_.without_url, "no URL"),
          std::pair(summary_.without_date, "no date that can be read")}) {
      if (count == 0) continue;
      summary_.warnings.push_back(format_count(count, "document was left out: it has ",
                                               "documents were left out: they have ") +
                                  what);
    }
    const TrackCounts& counts = summary_.counts;
    const std::uint64_t seen =
        counts.pages - counts.died - counts.moved_within - counts.moved_between;
    if (!options_.changes && seen < counts.pages / pages_per_seen) {
      summary_.warnings.push_back("the last sweep, since " + visible_name(summary_.since) +
                                  ", saw " + format_count(seen) + " of " +
                                  format_count(counts.pages, "page", "pages") +
                                  ", and the others count as gone; if it began earlier or a date "
                                  "is wrong, give its begin: " +
                                  option("since", "DATE"));
    }
    return {};
  }

  Result<ReportFiles> report() override { return draw_({options_, summary_}); }

  void end(const Status&) override {
    moves_.reset();
    versions_.reset();
  }

  Status read() {
    RowsOptions rows{&job().context, job().spill + "versions", job().memory.rows / 2, 0};
    versions_ = std::make_unique<Versions>(rows);
    run_.stores.quarantine = std::make_unique<Quarantine>(
        *job().context.files, job().work + "/out/" + std::string(quarantine_file),
        *job().collection);
    VersionCollector collector(options_, *job().collection, signer(), *sampler_, *versions_, dates_,
                               summary_);
    TWINSET_TRY(run_.pass("read", {run_.stores.quarantine.get(), &collector}));
    TWINSET_TRY(run_.stores.quarantine->sync());
    if (!dates_.is_set) {
      return usage_error("no document has a URL and a date: name their fields with " +
                         option("url", "FIELD") + " and " + option("date", "FIELD"));
    }
    return versions_->seal();
  }

  /// When the last sweep began, and the first one ended.
  void set_sweep() {
    if (!options_.changes) {
      summary_.since = options_.since.empty() ? dates_.last_written : options_.since;
    }
    if (options_.since.empty()) since_ = day_of(dates_.last);
    first_days_end_ = {day_of(dates_.first).microseconds + microseconds_in_day, 0};
  }

  bool is_gone(const PageVersion& last) const { return !options_.changes && last.date < since_; }
  bool is_new(const PageVersion& first) const { return first.date >= first_days_end_; }

  /// Calls `use(page, version, is_first)` for each version, and `end(page, last)` after a page.
  template <class Use, class End>
  Status for_each_version(const Use& use, const End& end) const {
    TWINSET_ASSIGN(Versions::Cursor cursor, versions_->read());
    PageVersion last;
    std::uint64_t page = 0;
    bool any = false;
    for (;;) {
      TWINSET_TRY(job().context.check_cancelled());
      TWINSET_ASSIGN(const PageVersion* const version, cursor.next());
      const bool is_first = version != nullptr && (!any || version->url != last.url);
      if (any && (version == nullptr || is_first)) TWINSET_TRY(end(page++, last));
      if (version == nullptr) return {};
      TWINSET_TRY(use(page, *version, is_first));
      last = *version;
      any = true;
    }
  }

  Status find_moves() {
    moves_ = std::make_unique<PageMoves>(job().context, job().spill, job().memory.rows / 2,
                                         *sampler_, options_.resemblance);
    const auto begin = [&](std::uint64_t page, const PageVersion& version, bool is_first) {
      return is_first && is_new(version) ? moves_->add_new(page, version) : Status();
    };
    const auto end = [&](std::uint64_t page, const PageVersion& last) {
      return is_gone(last) ? moves_->add_gone(page, last) : Status();
    };
    if (!options_.changes) TWINSET_TRY(for_each_version(begin, end));
    TWINSET_TRY(moves_->find());
    run_.clock.end("moves");
    return {};
  }

  Status write() {
    const std::string out = job().work + "/out";
    TWINSET_ASSIGN(TrackLines lines, TrackLines::create(job().context, out, changes_list));
    TWINSET_ASSIGN(TrackLines hosts, TrackLines::create(job().context, out, hosts_list));
    TWINSET_ASSIGN(PageMoves::Moves::Cursor moves, moves_->read());
    TWINSET_ASSIGN(const PageMove* move, moves.next());
    summary_.by_resemblance.assign(21, 0);
    summary_.by_distance.assign(signer().facts().signature_bits + 1, 0);
    PageTally tally(summary_, options_.top);
    VersionChain chain(&signer(), sampler_.get(), options_.distance);
    TrackedPage page;
    PageEnds ends;
    std::string host;
    bool any = false;
    std::size_t line_bytes = 0;
    std::optional<std::string> moved_to;
    const auto flush = [&]() -> Status {
      for (const TrackedVersion& version : page.versions) tally.add(version);
      TWINSET_TRY(lines.add(fields_of(page)));
      ++page.part;
      page.versions.clear();
      line_bytes = 0;
      return {};
    };
    const auto use = [&](std::uint64_t number, const PageVersion& version,
                         bool is_first) -> Status {
      if (is_first) {
        if (any && version.host != host)
          TWINSET_TRY(hosts.add(fields_of(to_write(tally.end_host(host)))));
        host = version.host;
        any = true;
        page = {};
        page.url = version.url;
        page.born = !options_.changes && is_new(version);
        ends = {version.date, version.date, false};
        for (; move != nullptr && move->page <= number;) {
          if (move->is_to) {
            moved_to = move->url;
            ends.between = move->between;
          } else {
            page.moved_from = move->url;
            page.born = false;
          }
          TWINSET_ASSIGN(move, moves.next());
        }
        chain.begin();
      }
      chain.add(version, page.versions);
      line_bytes += version.written.size() + version.id.size();
      const bool is_full = page.versions.size() >= most_in_line || line_bytes >= most_line_bytes;
      return is_full && !page.versions.empty() ? flush() : Status();
    };
    const auto end = [&](std::uint64_t, const PageVersion& last) -> Status {
      chain.end(page.versions);
      page.recrawl_days = options_.changes ? std::nullopt : chain.recrawl_days();
      page.moved_to = std::exchange(moved_to, std::nullopt);
      page.gone = is_gone(last) && !page.moved_to.has_value();
      ends.last = last.date;
      TWINSET_TRY(flush());
      tally.end_page(page, ends);
      return {};
    };
    TWINSET_TRY(for_each_version(use, end));
    TWINSET_TRY(hosts.add(fields_of(to_write(tally.end_host(host)))));
    tally.finish();
    TWINSET_TRY(lines.finish());
    TWINSET_TRY(hosts.finish());
    run_.spilled_bytes += versions_->spilled_bytes();
    run_.clock.end("compare");
    return {};
  }

  const TrackOptions options_;
  const DrawReport<TrackFindings> draw_;
  CollectionRun run_;
  std::unique_ptr<Scheme> sampler_;
  std::unique_ptr<Versions> versions_;
  std::unique_ptr<PageMoves> moves_;
  DateRange dates_;
  Date since_;
  Date first_days_end_;
  TrackSummary summary_;
};

}  // namespace

Result<TrackSummary> run_track(const TrackOptions& options, const RunControl& control,
                               DrawReport<TrackFindings> draw) {
  if (options.date.empty()) {
    return usage_error("no dates: name the field of a document's date with " +
                       option("date", "FIELD"));
  }
  return TrackRun(options, control, draw).run();
}

}  // namespace twinset
