// twinset compare and twinset explain: evidence for a reader.
#include "options.h"
#include "twinset/look.h"
#include "twinset/pair.h"

namespace twinset::cli {
namespace {

/// Prints without escaping: the answer was escaped when it was made, because it may hold color.
int print_rendered(const Result<std::string>& answer) {
  if (!answer.ok()) return fail(answer.error());
  print_escaped(answer.value());  // JSON has no marks of options, and stays as it is
  return 0;
}

struct CompareArguments {
  CompareOptions options;
  bool json = false;
  Color color = Color::automatic;
};

Result<std::string> compared(const CompareArguments& arguments) {
  TWINSET_ASSIGN(const ComparedTexts found, compare(arguments.options, run_control()));
  return arguments.json ? to_json(found, arguments.options.answer)
                        : to_text(found, arguments.options.answer);
}

struct ExplainArguments {
  ExplainOptions options;
  bool json = false;
  Color color = Color::automatic;
};

Result<std::string> explained(const ExplainArguments& arguments) {
  ExplainOptions options = arguments.options;
  options.numbers |= arguments.json;
  TWINSET_ASSIGN(const Explanation found, explain(options, run_control()));
  return arguments.json ? to_json(found) : to_text(found, {.color = color_wanted(arguments.color)});
}

Option json_option(bool& json) {
  return {"--json", &json, OptionRole::unrecorded, Heading::output, "print one JSON object"};
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App& verb = add_verb(
      app, "compare", "compare two documents: resemblance, containment, the passages they share",
      {{"twinset compare old.txt new.txt", "compares two text files"},
       {"twinset compare crawl.jsonl:1 crawl.jsonl:2", "compares records 1 and 2 of a file"}});
  add_options(verb, {options_of(arguments->options),
                     {json_option(arguments->json), color_option(arguments->color)}});
  verb.callback([arguments, &exit_code] {
    arguments->options.answer.color = color_wanted(arguments->color);
    exit_code = print_rendered(compared(*arguments));
  });
}

void add_explain(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<ExplainArguments>();
  CLI::App& verb = add_verb(
      app, "explain", "explain why a record was removed, or which records a kept one represents",
      {{"twinset explain clean crawl.jsonl.gz:4",
        "shows the fate of record 4, with the proof and the differing passages"}});
  add_options(verb, {options_of(arguments->options),
                     {json_option(arguments->json), color_option(arguments->color)}});
  verb.callback([arguments, &exit_code] { exit_code = print_rendered(explained(*arguments)); });
}

}  // namespace twinset::cli
