// twinset lexicon: document frequencies counted, lexicons built of them, and both shown.
#include "answer.h"
#include "options.h"
#include "twinset/lexicon.h"

namespace twinset::cli {
namespace {

enum class LexiconAction : std::uint8_t { count, build, show };

struct LexiconArguments {
  LexiconAction action = LexiconAction::count;
  LexiconOptions options;
  bool terms = false;
  Talk talk;
};

int show_terms(const LexiconArguments& arguments) {
  const std::vector<std::string>& inputs = arguments.options.inputs;
  if (inputs.size() > 1) return fail(usage_error("lexicon show takes one file"));
  if (!arguments.options.output.empty()) return fail(usage_error("lexicon show makes no file"));
  const std::string path = inputs.empty() ? "" : inputs.front();
  const Result<TermTable> table = read_terms(path, run_control());
  if (!table.ok()) return fail(table.error());
  if (!arguments.terms) {
    if (arguments.talk.json) {
      print_bytes(to_json(table.value()));
    } else {
      print(to_text(table.value()));
    }
    return 0;
  }
  const Result<TermTable> listed =
      read_terms(path, run_control(), [&](const CountedTerm& term) -> Status {
        print_bytes(to_json(term, table.value()));
        return {};
      });
  return listed.ok() ? 0 : fail(listed.error());
}

int make_terms(const LexiconArguments& arguments) {
  if (arguments.terms) return fail(usage_error("--terms is for lexicon show"));
  return answer(
      arguments.talk, arguments.options.input, Records::none,
      [&](const RunControl& control) {
        return arguments.action == LexiconAction::count ? count_terms(arguments.options, control)
                                                        : build_lexicon(arguments.options, control);
      },
      [](const LexiconSummary& summary) {
        Answer answer{.json = to_json(summary.table), .text = to_text(summary.table)};
        if (summary.quarantined > 0) {
          answer.said.push_back("warning: " + counted(summary.quarantined, "record") + " of " +
                                with_separators(summary.read) + " could not be read");
        }
        if (summary.long_terms > 0) {
          answer.said.push_back("warning: " + counted(summary.long_terms, "token") +
                                " of more than 1,024 bytes were left out");
        }
        return answer;
      });
}

}  // namespace

void add_lexicon(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<LexiconArguments>();
  CLI::App& verb = add_verb(
      app, "lexicon", "count the documents of each term, and build lexicons for the scheme imatch",
      {{"twinset lexicon count crawl.jsonl.gz -o crawl.df", "counts the documents of each word"},
       {"twinset lexicon build crawl.df -o crawl.lexicon", "takes the words of nidf 0.2 to 0.8"},
       {"twinset lexicon show crawl.lexicon --terms", "prints them, a JSON object per line"}});
  std::vector<Option> own{required(
      {.usage = "action ACTION",
       .member = Choice(&arguments->action, {"count", "build", "show"}),
       .help = "count: make a df file; build: make a lexicon; show: print one of the two"})};
  std::vector<Option> terms{{"--terms", &arguments->terms, OptionRole::unrecorded,
                             Heading::most_used, "show: print every term, a JSON object per line"}};
  add_options(verb, {own, options_of(arguments->options), terms, answer_options(arguments->talk)});
  verb.callback([arguments, &exit_code] {
    exit_code =
        arguments->action == LexiconAction::show ? show_terms(*arguments) : make_terms(*arguments);
  });
}

}  // namespace twinset::cli
