// Questions to an index: each document of the inputs gets a line with the documents of the index
// that are like it.
//
// This file's interface is query_index() of twinset/index.h; the rest is private.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"
#include "collection/output_files.h"
#include "index/find.h"
#include "io/field_json.h"
#include "io/json.h"
#include "run/collector.h"
#include "run/common_options.h"
#include "run/prepare.h"
#include "run/quarantine.h"
#include "run/read_fates.h"
#include "run/run_fields.h"
#include "run/run_verb.h"
#include "search/index.h"
#include "search/query_line.h"
#include "twinset/index.h"

namespace twinset {

std::vector<Field> fields_of(QueryLine& line) {
  std::vector<Field> fields = place_fields(line.document);
  add_fields(fields, fields_of(line.answer));
  fields.push_back(if_set({"error", &line.error, Unit::sentence,
                           "of a record that is no document: why it could not be read"}));
  return fields;
}

namespace {

constexpr std::uint64_t QuerySummary::*query_counts[] = {
    &QuerySummary::queries,  &QuerySummary::answered, &QuerySummary::hits,
    &QuerySummary::compared, &QuerySummary::skipped,  &QuerySummary::passages,
    &QuerySummary::timed_out};

void count(const IndexAnswer& answer, QuerySummary& counts) {
  ++counts.queries;
  counts.answered += answer.hits.empty() ? 0 : 1;
  counts.hits += answer.hits.size();
  counts.compared += answer.compared;
  counts.skipped += answer.skipped;
  for (const IndexHit& hit : answer.hits) counts.passages += hit.passages.size();
  counts.timed_out += answer.timed_out ? 1 : 0;
}

struct AnswerRows final : Collector::Rows {
  void begin(const BatchPlace&) override {
    lines.clear();
    counts = {};
  }
  void release_large() override {
    lines = {};
    finder.reset();
  }

  std::string lines;
  QuerySummary counts;
  std::unique_ptr<IndexFinder> finder;
};

class AnswerCollector final : public CollectorOf<AnswerRows> {
 public:
  using Write = std::function<Status(std::string_view lines)>;
  AnswerCollector(const IndexSnapshot& snapshot, const QuerySettings& query,
                  const Collection& collection, Write write, QuerySummary& summary)
      : snapshot_(snapshot),
        query_(query),
        collection_(collection),
        write_(std::move(write)),
        summary_(summary) {}
  Status open(const StateFile*) override { return {}; }
  Status checkpoint(StateFile&) override { return {}; }

 private:
  Status take(const ReadRecord& read, AnswerRows& rows) const override {
    if (!read.is_document() && read.fate != Fate::bad) return {};
    if (rows.finder == nullptr) rows.finder = std::make_unique<IndexFinder>(snapshot_);
    const Source& source = collection_.sources()[read.id.source()];
    std::string id(read.record.id);
    if (id.empty() || id == "null") {
      id.clear();
      append_json_string(id, made_id(source, read.id.record()));
    }
    QueryLine line;
    line.document = {id, source.shown, read.id.record(), 0};
    if (read.fate == Fate::bad) {
      // Whoever waits for an answer gets one.
      BadRecord bad;
      bad.reason = reason_name(read.record.bad);
      bad.detail = read.record.detail;
      line.error = bad.why();
    } else {
      TWINSET_ASSIGN(line.answer, rows.finder->find(read.view, query_));
      count(line.answer, rows.counts);
    }
    append_fields(rows.lines, fields_of(line));
    rows.lines += '\n';
    return {};
  }

  Status put(AnswerRows& rows) override {
    for (const auto number : query_counts) summary_.*number += rows.counts.*number;
    return rows.lines.empty() ? Status() : write_(rows.lines);
  }

  const IndexSnapshot& snapshot_;
  const QuerySettings& query_;
  const Collection& collection_;
  Write write_;
  QuerySummary& summary_;
};

VerbOptions query_verb(const QueryOptions& options) {
  VerbOptions verb;
  verb.name = verb.identity = "query";
  verb.works_in = WorksIn::own;
  verb.stores_nothing = verb.as_it_comes = true;
  verb.new_files = {{"output", options.output}};
  return verb;
}

CollectionOptions read_by(QueryOptions options, const IndexSettings& settings) {
  options.resources.checkpoint = UINT64_MAX;
  ComparisonOptions comparison = analyzed_by(settings.analyzer);
  comparison.scheme = settings.scheme.front();
  return collection_of(options, comparison, 0, options.max_bad);
}

class QueryRun final : public VerbSteps {
 public:
  QueryRun(const QueryOptions& options, IndexSnapshot snapshot, const RunControl& control)
      : options_(options),
        snapshot_(std::move(snapshot)),
        kept_(control.kept),
        files_(files_of(control)),
        run_(read_by(options, snapshot_.manifest().settings), query_verb(options),
             {control.cancel, control.progress, control.files, nullptr}) {}

  Result<QuerySummary> run() { return run_verb(run_, summary_, *this); }

 private:
  Status check() override {
    for (const IndexScheme& of : snapshot_.signer().schemes()) {
      TWINSET_TRY(add_record_fields(*of.scheme, run_.job.fields));
    }
    return {};
  }

  Status work() override {
    if (!options_.output.empty()) {
      TWINSET_ASSIGN(file_, WholeFile::create(files_, "output", options_.output));
    }
    Quarantine bad(*run_.job.context.files, "", *run_.job.collection);
    AnswerCollector answers(
        snapshot_, options_, *run_.job.collection,
        [&](std::string_view lines) { return file_ ? file_->write(lines) : kept_->write(lines); },
        summary_);
    TWINSET_TRY(run_.pass("read", {&bad, &answers}));
    count_records(run_.state, summary_);
    summary_.bad_records = bad.first();
    const Ratio planned = snapshot_.manifest().settings.resemblance;
    const auto has_bands = [](const IndexScheme& of) {
      return of.scheme->declaration().shared_key == SharedKey::candidate &&
             of.scheme->facts().sure_run == 0;
    };
    if (options_.passages && !snapshot_.signer().sure_scheme().has_value()) {
      summary_.warnings.push_back(
          "the index has no scheme that finds every passage: those of documents that were found "
          "otherwise are told; an index made with " +
          option("scheme", "winnow") + " finds all");
    }
    if (options_.resemblance.has_value() && options_.resemblance->value() < planned.value() &&
        std::ranges::any_of(snapshot_.signer().schemes(), has_bands)) {
      summary_.warnings.push_back("the index was made for a resemblance of " + planned.text() +
                                  "; its bands find few documents below that");
    }
    return {};
  }

  Status keep() override { return file_ == nullptr ? Status() : file_->publish(); }
  void end(const Status&) override { file_.reset(); }

  const QueryOptions& options_;
  IndexSnapshot snapshot_;
  RecordSink* kept_;
  FileSystem& files_;
  CollectionRun run_;
  std::unique_ptr<WholeFile> file_;
  QuerySummary summary_;
};

/// One question, for a document of the index.
Result<QuerySummary> ask_of(const QueryOptions& options, const RunControl& control) {
  TWINSET_ASSIGN(const Index index, Index::open(options.index, control));
  QueryLine line;
  TWINSET_ASSIGN(line.answer, index.query_document(options.of, options));
  std::string id;
  append_json_string(id, options.of);
  line.document = {id, options.index, 0, 0};
  std::string text;
  append_fields(text, fields_of(line));
  text += '\n';
  if (options.output.empty()) {
    TWINSET_TRY(control.kept->write(text));
  } else {
    TWINSET_ASSIGN(const auto file, WholeFile::create(files_of(control), "output", options.output));
    TWINSET_TRY(file->write(text));
    TWINSET_TRY(file->publish());
  }
  QuerySummary summary;
  summary.verb = "query";
  count(line.answer, summary);
  return summary;
}

}  // namespace

Result<QuerySummary> query_index(const QueryOptions& options, const RunControl& control) {
  if (options.of.empty() == (options.inputs.empty() && options.columns.empty())) {
    return usage_error("give documents to ask for, or " + option("of", "ID") +
                       (options.of.empty() ? "" : ", not both"));
  }
  if (options.output.empty() && control.kept == nullptr) {
    return usage_error("no output given: " + option("output", "FILE") +
                       ", or send the lines on: > answers.jsonl");
  }
  if (!options.of.empty()) return ask_of(options, control);
  TWINSET_ASSIGN(IndexSnapshot snapshot, open_index(files_of(control), options.index));
  return QueryRun(options, std::move(snapshot), control).run();
}

}  // namespace twinset
