// The jobs of twinset lexicon: a pass with one collector, whose counts become a file; and the
// choice of terms from such a file.
//
// This file's interface is twinset/lexicon.h; the rest is private.
#include "twinset/lexicon.h"

#include <algorithm>
#include <utility>

#include "base/file_header.h"
#include "base/message.h"
#include "lexicon/term_counter.h"
#include "run/common_options.h"
#include "run/read_fates.h"
#include "run/run_verb.h"
#include "stats/english.h"
#include "stats/lexicon.h"
#include "stats/tables.h"
#include "stats/term_file.h"
#include "text/unicode_table.h"
#include "words/numbers.h"

namespace twinset {
namespace {

bool has_no_input(const LexiconOptions& options) {
  return options.inputs.empty() && options.columns.empty();
}

Error no_min_df() { return usage_error(option("min_df") + " is 1 or more"); }

Error no_output() { return usage_error("no output given: " + option("output", "FILE")); }

/// A word of a command, quoted for a shell if necessary.
std::string shell_word(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
  if (!word.empty() && word.find_first_not_of(plain) == word.npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// The command with the options that decide the file: not where and how it was made.
std::string command_of(std::string_view action, LexiconOptions options) {
  LexiconOptions usual;
  const std::vector<Option> usual_options = options_of(usual);
  std::string command = "twinset lexicon " + std::string(action);
  for (const std::string& input : options.inputs) command += " " + shell_word(input);
  for (std::size_t i = 0; const Option& option : options_of(options)) {
    const std::string text = option.text();
    const bool is_usual = text == usual_options[i++].text();
    if (option.role != OptionRole::decides || is_usual) continue;
    command += " " + std::string(option.long_flag()) + " " + shell_word(text);
  }
  return command;
}

/// Counts a collection into a file.
class CountRun final : public VerbSteps {
 public:
  CountRun(LexiconOptions options, const RunControl& control, std::string output)
      : options_(filled(std::move(options), output)),
        run_(collection_of(options_, analyzed_by(options_.analyzer), options_.min_tokens,
                           options_.max_bad),
             count_verb(output), control),
        output_(std::move(output)) {}

  Result<LexiconSummary> run() { return run_verb(run_, summary_, *this); }

 private:
  static LexiconOptions filled(LexiconOptions options, const std::string& output) {
    options.resources.checkpoint = UINT64_MAX;
    if (options.resources.tmp.empty()) options.resources.tmp = parent_of(output);
    return options;
  }

  static VerbOptions count_verb(const std::string& output) {
    VerbOptions verb;
    verb.name = verb.identity = "lexicon";
    verb.works_in = WorksIn::own;
    verb.signs = false;
    verb.new_files = {{"output", output}};
    return verb;
  }

  Status check() override { return check_writable(*run_.job.context.files, output_); }

  Status work() override {
    TermCounter terms({.context = &run_.job.context,
                       .path = run_.job.spill + "terms",
                       .memory_bytes = run_.job.memory.rows});
    run_.job.signer.view.reads_places = true;  // of its terms
    TWINSET_TRY(run_.pass("count", {&terms}));
    if (terms.documents() == 0) {
      return run_.nothing_to_read("document to count", "", "min_tokens");
    }
    TWINSET_TRY(terms.seal());
    TermWriter writer(run_.job.context, output_, table(terms));
    const std::uint64_t least = options_.min_df.value_or(1);
    TWINSET_TRY(terms.for_each([&](std::string_view term, std::uint64_t documents) -> Status {
      if (documents < least) return {};
      return writer.append({term, documents});
    }));
    TWINSET_ASSIGN(summary_.table, writer.finish());
    run_.clock.end("write");
    count_records(run_.state, summary_);
    summary_.long_terms = terms.long_terms();
    return {};
  }

  TermTable table(const TermCounter& terms) const {
    const Analyzer& analyzer = *run_.job.signer.view.analyzer;
    TermTable table;
    table.documents = terms.documents();
    table.analyzer = analyzer.name();
    table.analyzer_version = analyzer.version();
    table.unicode = unicode::version;
    table.command = command_of("count", options_);
    table.note = options_.note;
    table.min_df = options_.min_df.value_or(1);
    table.files = run_.job.sources();
    RunningFingerprint content;
    for (const std::uint64_t checksum : run_.state.checksums) {
      content.add({reinterpret_cast<const char*>(&checksum), sizeof checksum});
    }
    table.content = fingerprint_text(content.value());
    return table;
  }

  LexiconOptions options_;
  CollectionRun run_;
  std::string output_;
  LexiconSummary summary_;
};

/// The options with which `count` makes the df file that `build` needs.
LexiconOptions count_options(LexiconOptions options) {
  const LexiconOptions usual;
  options.nidf = usual.nidf;
  options.secondary = usual.secondary;
  options.secondary_terms = usual.secondary_terms;
  options.min_df = usual.min_df;
  return options;
}

/// Refuses options that only `build` has.
Status check_count_options(const LexiconOptions& options) {
  const std::pair<bool, std::string_view> given[] = {
      {options.nidf.least.has_value() || options.nidf.most.has_value(), "nidf"},
      {options.secondary.least.has_value() || options.secondary.most.has_value(), "secondary"},
      {options.secondary_terms.has_value(), "secondary_terms"}};
  for (const auto& [is_given, name] : given) {
    if (!is_given) continue;
    return usage_error(option(name) +
                       " is for lexicon build; a df file has every term that was counted");
  }
  if (options.min_df == 0) return no_min_df();
  return {};
}

Result<LexiconRule> rule_of(const LexiconOptions& options) {
  LexiconRule rule;
  rule.low = options.nidf.least.value_or(options.nidf.most.has_value() ? Ratio(0, 1) : rule.low);
  rule.high = options.nidf.most.value_or(options.nidf.least.has_value() ? Ratio(1, 1) : rule.high);
  if (options.secondary.least.has_value() || options.secondary.most.has_value()) {
    rule.secondary_low = options.secondary.least.value_or(rule.high);
    rule.secondary_high = options.secondary.most.value_or(Ratio(1, 1));
  } else if (options.secondary_terms.has_value()) {
    return usage_error(option("secondary_terms") +
                       " needs a window: " + option("secondary", "0.8:1.0"));
  }
  rule.secondary_terms = options.secondary_terms.value_or(UINT64_MAX);
  rule.min_df = options.min_df;
  if (rule.secondary_terms == 0) return usage_error(option("secondary_terms") + " is 1 or more");
  if (options.min_df == 0) return no_min_df();
  rule.note = options.note;
  rule.command = command_of("build", options);
  return rule;
}

/// The df file among the inputs, which must then be alone; empty if there is none.
Result<std::string> df_input(FileSystem& files, const std::vector<std::string>& inputs) {
  std::string found;
  for (const std::string& input : inputs) {
    TWINSET_ASSIGN(const bool is_one, TermFile::is_one(files, input));
    if (is_one || is_built_in_table(input)) found = input;
  }
  if (!found.empty() && inputs.size() > 1) {
    return usage_error("build takes one df file or inputs to count; " + found + " is one of " +
                       std::to_string(inputs.size()));
  }
  return found;
}

Result<TermTable> write(const LexiconOptions& options, const LexiconRule& rule,
                        const std::string& counts, const RunControl& control) {
  RunContext context;
  context.files = &files_of(control);
  context.cancel = control.cancel;
  TWINSET_ASSIGN(const TermFile file, TermFile::open_named(*context.files, counts));
  return write_lexicon(context, file, rule, options.output);
}

}  // namespace

Result<LexiconSummary> count_terms(const LexiconOptions& options, const RunControl& control) {
  if (has_no_input(options)) return usage_error("no input given");
  TWINSET_TRY(check_count_options(options));
  if (options.output.empty()) return no_output();
  return CountRun(options, control, options.output).run();
}

Result<LexiconSummary> build_lexicon(const LexiconOptions& options, const RunControl& control) {
  FileSystem& files = files_of(control);
  if (has_no_input(options)) return usage_error("no input given: a df file, or files to count");
  TWINSET_ASSIGN(const LexiconRule rule, rule_of(options));
  if (options.output.empty()) return no_output();
  TWINSET_TRY(check_new_file(files, "output", options.output));
  TWINSET_TRY(check_writable(files, options.output));
  TWINSET_ASSIGN(const std::string counts, df_input(files, options.inputs));
  if (!counts.empty()) {
    LexiconSummary summary;
    summary.verb = "lexicon";
    TWINSET_ASSIGN(summary.table, write(options, rule, counts, control));
    return summary;
  }
  const std::string between = options.output + ".df.partial";
  TWINSET_TRY(remove_if_there(files, between));
  TWINSET_ASSIGN(LexiconSummary summary, CountRun(count_options(options), control, between).run());
  Result<TermTable> built = write(options, rule, between, control);
  TWINSET_TRY(files.remove_file(between));
  TWINSET_ASSIGN(summary.table, std::move(built));
  return summary;
}

Result<TermTable> read_terms(const std::string& path, const RunControl& control,
                             const std::function<Status(const CountedTerm&)>& use) {
  const auto use_one = [&](const CountedTerm& term) -> Status {
    TWINSET_TRY(check_stop(control.cancel));
    return use(term);
  };
  if (path.empty()) {
    TWINSET_TRY(for_each_english_term(use_one));
    return english_table();
  }
  TWINSET_ASSIGN(const TermFile file, TermFile::open_named(files_of(control), path));
  TWINSET_TRY(file.for_each(use_one));
  return file.table();
}

Result<TermTable> read_terms(const std::string& path, const RunControl& control) {
  return read_terms(path, control, [](const CountedTerm&) { return Status(); });
}

}  // namespace twinset
