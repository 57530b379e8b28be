// twinset spans: the passages that texts share.
#include <fmt/core.h>

#include "options.h"
#include "twinset/spans.h"

namespace twinset::cli {
namespace {

struct SpansArguments {
  SpansOptions options;
  Talk talk;
  Color color = Color::automatic;
};

int compare_two(const SpansArguments& arguments) {
  const Result<ComparedSpans> found = compare_spans(arguments.options, RunControl{});
  if (!found.ok()) return fail(found.error());
  if (arguments.talk.json) {
    print_bytes(to_json(found.value()));
  } else if (!arguments.talk.quiet) {
    print_escaped(to_text(found.value(), {.color = color_wanted(arguments.color)}));
  }
  return 0;
}

std::string share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-"
                    : fmt::format("{:.1f} %",
                                  100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string summary_text(const SpansOptions& options, const SpansSummary& summary) {
  std::string text = count_line(summary.read, "records read");
  if (summary.quarantined > 0) {
    text += count_line(summary.quarantined, "could not be read: see quarantine.jsonl");
  }
  text += count_line(summary.spans,
                     fmt::format("{} of {} or more", summary.spans == 1 ? "span" : "spans",
                                 counted(summary.least_tokens, "word")));
  text +=
      count_line(summary.reused_tokens, fmt::format("words stand at an earlier place, {} of {}",
                                                    share_of(summary.reused_tokens, summary.tokens),
                                                    with_separators(summary.tokens)));
  text += count_line(summary.reused_documents,
                     fmt::format("documents have such words, {} of {}",
                                 share_of(summary.reused_documents, summary.documents),
                                 with_separators(summary.documents)));
  if (options.cut) {
    text += count_line(summary.cut_bytes,
                       "bytes are cut; the copies are in " + options.output + "/cut");
  }
  return text;
}

int run_spans(SpansArguments& arguments) {
  const SpansOptions& options = arguments.options;
  const Talk& talk = arguments.talk;
  if (options.output.empty()) return compare_two(arguments);
  std::unique_ptr<ProgressSink> progress = make_progress(talk);
  Result<SpansSummary> done = spans(options, RunControl{&interrupted(), progress.get(), nullptr});
  progress.reset();  // the bar goes before anything else is printed
  if (!done.ok()) return fail(done.error());
  const SpansSummary& summary = done.value();
  if (summary.already_done) {
    if (talk.json) print_bytes(summary.json);
    say_already_done(options.output, summary, talk);
    return exit_code_of(summary, options.input);
  }
  print_facts(summary, talk);
  if (talk.json) {
    print_bytes(summary.json);
  } else if (!talk.quiet) {
    print(summary_text(options, summary));
    if (talk.verbose) print("\n" + engine_text(summary));
    print("\noutput in " + options.output + "\n");
    if (!options.report.empty()) print("report in " + options.report + "\n");
  }
  return exit_code_of(summary, options.input);
}

}  // namespace

void add_spans(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<SpansArguments>();
  arguments->options.command = std::move(command);
  CLI::App& verb = add_verb(
      app, "spans", "find the passages that texts share word for word, of two texts or of many",
      {{"twinset spans essay.txt source.txt", "prints the passages of 20 words or more in both"},
       {"twinset spans crawl.jsonl.gz -o passages --report passages.html",
        "writes each passage of 50 words that stands twice to passages/spans.jsonl.zst"},
       {"twinset spans crawl.jsonl.gz -o once --cut",
        "also writes once/cut/crawl.jsonl.gz, in which each passage stands once"}});
  add_options(verb, {options_of(arguments->options),
                     options_of(arguments->talk),
                     {color_option(arguments->color)}});
  verb.callback([arguments, &exit_code] { exit_code = run_spans(*arguments); });
}

}  // namespace twinset::cli
