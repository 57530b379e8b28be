// twinset spans: the passages that texts share.
#include "answer.h"
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

int run_spans(SpansArguments& arguments) {
  const SpansOptions& options = arguments.options;
  const Talk& talk = arguments.talk;
  if (options.output.empty()) return compare_two(arguments);
  return answer(
      talk, options.input, Records::none,
      [&](const RunControl& control) { return spans(options, control); },
      [&](const SpansSummary& summary) {
        return Answer{.json = summary.json,
                      .text = summary.already_done ? "" : to_text(summary, options, talk.verbose),
                      .places = {{"output", options.output}, {"report", options.report}}};
      });
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
