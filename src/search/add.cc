// Documents of inputs into an index, in one pass: each thread makes sketches and keys, and the
// index takes them in input order. The change is made at the end of the run.
//
// This file's interface is add_to_index() of twinset/index.h; the rest is private.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"
#include "index/index_writer.h"
#include "run/common_options.h"
#include "run/index_entries.h"
#include "run/prepare.h"
#include "run/quarantine.h"
#include "run/read_fates.h"
#include "run/run_verb.h"
#include "search/index.h"
#include "twinset/index.h"
#include "words/numbers.h"

namespace twinset {
namespace {

class AddedEntries final : public IndexEntries {
 public:
  AddedEntries(const IndexFields& fields, const Collection& collection, IndexWriter& writer)
      : IndexEntries(fields, writer.snapshot().signer(), collection), writer_(writer) {}

 private:
  Status take_entry(IndexEntry& entry) override {
    return writer_.add(entry.document, entry.marks, entry.text);
  }

  IndexWriter& writer_;
};

IndexFields fields_of_documents(const IndexOptions& options) {
  return {.url = options.url, .date = options.date, .others = options.field};
}

VerbOptions add_verb(const IndexOptions& options) {
  VerbOptions verb;
  verb.name = verb.identity = "index";
  verb.works_in = WorksIn::own;
  verb.stores_nothing = verb.as_it_comes = true;
  verb.fields = fields_of_documents(options).names();
  return verb;
}

IndexOptions filled(IndexOptions options) {
  options.index = folder_path(std::move(options.index));
  options.resources.checkpoint = UINT64_MAX;
  return options;
}

/// The collection as the index sees it.
CollectionOptions read_by(const IndexOptions& options, const IndexSettings& settings) {
  ComparisonOptions comparison = analyzed_by(settings.analyzer);
  comparison.scheme = settings.scheme.front();
  return collection_of(options, comparison, 0, options.max_bad);
}

class AddRun final : public VerbSteps {
 public:
  AddRun(const IndexOptions& options, const IndexSigner& signer, const RunControl& control)
      : options_(filled(options)),
        files_(files_of(control)),
        signer_(signer),
        run_(read_by(options_, signer.settings()), add_verb(options_), control) {}

  Result<IndexSummary> run() { return run_verb(run_, summary_, *this); }

 private:
  /// The run reads the fields of its own scheme, the first.
  Status check() override {
    for (const IndexScheme& of : signer_.schemes()) {
      TWINSET_TRY(add_record_fields(*of.scheme, run_.job.fields));
    }
    return {};
  }

  Status work() override {
    // The files of a run over columns are in memory, and the index is not.
    context_ = run_.job.context;
    context_.files = &files_;
    TWINSET_ASSIGN(writer_, IndexWriter::open(context_, options_.index, "index add"));
    TWINSET_TRY(writer_->begin_adding(run_.job.memory.rows));
    Quarantine bad(*run_.job.context.files, "", *run_.job.collection);
    const IndexFields fields = fields_of_documents(options_);
    AddedEntries entries(fields, *run_.job.collection, *writer_);
    TWINSET_TRY(run_.pass("read", {&bad, &entries}));
    count_records(run_.state, summary_);
    summary_.bad_records = bad.first();
    return {};
  }

  Status keep() override {
    TWINSET_ASSIGN(const IndexChange change, writer_->commit());
    summary_.added = change.added;
    summary_.replaced = change.replaced;
    summary_.unchanged = change.unchanged;
    summary_.repeated = change.repeated;
    if (change.repeated > 0) {
      summary_.warnings.push_back(
          format_count(change.repeated, "document has", "documents have") +
          " an id that comes again later in the inputs; of each id the last one is in the index");
    }
    if (!change.not_merged.empty()) {
      summary_.warnings.push_back("many small segments could not be merged: " + change.not_merged);
    }
    summary_.stats = stats_of(options_.index, writer_->snapshot());
    return {};
  }

  void end(const Status&) override { writer_.reset(); }

  IndexOptions options_;
  FileSystem& files_;
  const IndexSigner& signer_;  ///< as the index was before the run
  CollectionRun run_;
  RunContext context_;
  std::unique_ptr<IndexWriter> writer_;
  IndexSummary summary_;
};

}  // namespace

Result<IndexSummary> add_to_index(const IndexOptions& options, const RunControl& control) {
  if (options.inputs.empty() && options.columns.empty()) return usage_error("no input given");
  TWINSET_ASSIGN(const IndexSnapshot snapshot, open_index(files_of(control), options.index));
  return AddRun(options, snapshot.signer(), control).run();
}

}  // namespace twinset
