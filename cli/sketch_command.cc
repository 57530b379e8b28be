// twinset sketch and twinset join: signatures as lines, and the pairs that they make.
#include <fmt/core.h>

#include "options.h"
#include "record_output.h"
#include "twinset/sketch.h"

namespace twinset::cli {
namespace {

struct SketchArguments {
  SketchOptions options;
  Talk talk;
};

struct JoinArguments {
  JoinOptions options;
  Talk talk;
};

/// Runs `job(control)`, whose lines go to standard output unless it has an output of its own.
template <class Job>
auto run_with_lines(const std::string& output, const Talk& talk, bool& reader_left, Job&& job) {
  std::optional<RecordOutput> lines;
  if (output.empty()) lines.emplace();
  std::unique_ptr<ProgressSink> progress = make_progress(talk);
  auto done = job(
      RunControl{&interrupted(), progress.get(), nullptr, lines.has_value() ? &*lines : nullptr});
  progress.reset();  // the bar goes before anything else is printed
  if (lines.has_value()) {
    const Status closed = lines->close();
    if (done.ok() && !closed.ok()) done = closed.error();
    reader_left = lines->reader_left();
  }
  return done;
}

int run_sketch(SketchArguments& arguments) {
  const Talk& talk = arguments.talk;
  SketchOptions& options = arguments.options;
  bool reader_left = false;
  const Result<SketchSummary> done =
      run_with_lines(options.output, talk, reader_left,
                     [&](const RunControl& control) { return sketch(options, control); });
  if (!done.ok() && reader_left) return static_cast<int>(done.error().code);
  if (!done.ok()) return fail(done.error());
  const SketchSummary& summary = done.value();
  print_facts(summary, talk);
  if (!talk.quiet) {
    for (const std::string& bad : summary.bad_records) say("twinset: left out " + bad);
    std::string text = fmt::format("{} of {}\n", counted(summary.documents, "document"),
                                   counted(summary.read, "record"));
    for (std::size_t i = 0; i < summary.schemes.size(); ++i) {
      text += fmt::format("{:>14}  with a signature of {}\n",
                          with_separators(summary.documents - summary.without[i].total()),
                          summary.schemes[i]);
      text += without_signature_line(summary.without[i]);
    }
    print(text);
  }
  return exit_code_of(summary, options.input);
}

int run_join(JoinArguments& arguments) {
  const Talk& talk = arguments.talk;
  JoinOptions& options = arguments.options;
  bool reader_left = false;
  const Result<JoinSummary> done =
      run_with_lines(options.output, talk, reader_left,
                     [&](const RunControl& control) { return join_sketches(options, control); });
  if (!done.ok() && reader_left) return static_cast<int>(done.error().code);
  if (!done.ok()) return fail(done.error());
  const JoinSummary& summary = done.value();
  if (!talk.quiet) {
    print(fmt::format("{} in {} lines, {} of them without a signature\n",
                      counted(summary.pairs, "pair"), with_separators(summary.lines),
                      with_separators(summary.without)));
  }
  return 0;
}

/// No --json: the output itself is lines of JSON.
std::vector<Option> lines_options(Talk& talk) {
  return {
      {"-q, --quiet", &talk.quiet, OptionRole::unrecorded, Heading::output, "print errors only"},
      {"--no-progress", &talk.no_progress, OptionRole::unrecorded, Heading::output,
       "no progress on standard error"}};
}

}  // namespace

void add_sketch(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<SketchArguments>();
  arguments->options.command = std::move(command);
  CLI::App& verb =
      add_verb(app, "sketch", "write the signature of each document as a line of JSON",
               {{"twinset sketch crawl.jsonl.gz -o signatures.jsonl.zst",
                 "a line {id, file, record, scheme, fingerprint, signature} for each document"},
                {"twinset sketch crawl.jsonl.gz --scheme mod --scheme exact > both.jsonl",
                 "two lines for each document, made in one pass"}});
  add_options(verb, {options_of(arguments->options), lines_options(arguments->talk)});
  verb.callback([arguments, &exit_code] { exit_code = run_sketch(*arguments); });
}

void add_join(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<JoinArguments>();
  CLI::App& verb =
      add_verb(app, "join", "find the lines of sketch whose signatures are near or equal",
               {{"twinset join signatures.jsonl.zst --distance 2 > near.jsonl",
                 "a line {id, file, record, other, distance} for each pair"}});
  add_options(verb, {options_of(arguments->options), lines_options(arguments->talk)});
  verb.callback([arguments, &exit_code] { exit_code = run_join(*arguments); });
}

}  // namespace twinset::cli
