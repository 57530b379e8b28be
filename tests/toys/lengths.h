// A verb as a contributor would add it: its options, its fields and its steps. Command line, JSON,
// report and help follow from these.
//
// Threads: one thread at a time; a pass uses the options' threads.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "faces/facts.h"
#include "faces/run_report.h"
#include "run/common_options.h"
#include "run/options_json.h"
#include "run/run_fields.h"
#include "run/run_verb.h"

namespace twinset::testing {

struct LengthsOptions : CollectionOptions {
  std::string output;
  std::string report;
  std::uint64_t at_least = 100;
};

inline std::vector<Option> options_of(LengthsOptions& options) {
  using enum OptionRole;
  return together({inputs_option(options),
                   {"-o, --output DIR", &options.output, unrecorded, Heading::most_used,
                    "folder to make; missing or empty"},
                   input_options(options.input),
                   {"--at-least N", &options.at_least, decides, Heading::method,
                    "count documents of so many words or more as long"},
                   report_option(options.report),
                   resource_options(options.resources)});
}

struct LengthsSummary : RunFacts {
  std::uint64_t words = 0;
  std::uint64_t long_documents = 0;
};

inline std::vector<Field> fields_of(LengthsSummary& summary) {
  std::vector<Field> fields{{"documents", &summary.documents, Unit::count, "documents read"},
                            {"words", &summary.words, Unit::count, "their words"},
                            {"long_documents", &summary.long_documents, Unit::count, "long ones"}};
  add_fields(fields, trouble_fields(summary));
  fields.push_back(inputs_field(summary));
  fields.push_back(run_field(summary));
  return fields;
}

struct LengthRows final : Collector::Rows {
  void begin(const BatchPlace&) override { words = long_documents = 0; }
  void release_large() override {}
  std::uint64_t words = 0;
  std::uint64_t long_documents = 0;
};

class Lengths final : public CollectorOf<LengthRows> {
 public:
  Lengths(std::uint64_t at_least, LengthsSummary& sums) : at_least_(at_least), sums_(sums) {}
  Status open(const StateFile*) override { return {}; }
  Status checkpoint(StateFile&) override { return {}; }

 private:
  Status take(const ReadRecord& record, LengthRows& rows) const override {
    if (!record.is_document()) return {};
    const std::uint64_t words = record.view.analysis().tokens.size();
    rows.words += words;
    rows.long_documents += words >= at_least_ ? 1 : 0;
    return {};
  }
  Status put(LengthRows& rows) override {
    sums_.words += rows.words;
    sums_.long_documents += rows.long_documents;
    return {};
  }

  const std::uint64_t at_least_;
  LengthsSummary& sums_;
};

class LengthsRun final : public VerbSteps {
 public:
  LengthsRun(const LengthsOptions& options, const RunControl& control)
      : options_(options), run_(options, verb(options), control) {
    options_.resources.checkpoint = UINT64_MAX;  // It is quicker to start over.
  }
  Result<LengthsSummary> run() { return run_verb(run_, options_, summary_, *this); }

 private:
  static VerbOptions verb(const LengthsOptions& options) {
    VerbOptions verb;
    verb.name = "lengths";
    verb.identity = options_identity(verb.name, options);
    verb.output = options.output;
    verb.report = options.report;
    verb.signs = false;
    return verb;
  }
  Status work() override {
    Lengths lengths(options_.at_least, summary_);
    TWINSET_TRY(run_.pass("read", {&lengths}));
    summary_.read = run_.state.records;
    summary_.documents = run_.state.documents;
    return {};
  }
  Result<ReportFiles> report() override {
    ReportFacts facts;
    facts.title = "Lengths";
    facts.output = options_.output;
    facts.sections = {
        {.name = "totals", .numbers = {{"Words", Value::count(summary_.words), "in all"}}}};
    return drawn_report(std::move(facts));
  }

  LengthsOptions options_;
  CollectionRun run_;
  LengthsSummary summary_;
};

inline Result<LengthsSummary> lengths(const LengthsOptions& options, const RunControl& control) {
  return LengthsRun(options, control).run();
}

}  // namespace twinset::testing
