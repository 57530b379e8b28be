// twinset compare and twinset explain: evidence for a reader.
#include "options.h"
#include "twinset/compare.h"

namespace twinset::cli {
namespace {

/// The answer is escaped where it is made: it may hold color.
int print_answer(const Result<std::string>& answer) {
  if (!answer.ok()) return fail(answer.error());
  print_bytes(answer.value());
  return 0;
}

void add_answer_options(CLI::App& verb, AnswerOptions& answer, Color& color) {
  verb.add_flag("--numbers", answer.numbers, "print the numbers only, no passages")
      ->group(group::output);
  verb.add_flag("--json", answer.json, "print one JSON object")->group(group::output);
  add_color_option(verb, color);
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  struct Arguments {
    CompareOptions options;
    Color color = Color::automatic;
  };
  auto arguments = std::make_shared<Arguments>();
  CompareOptions& options = arguments->options;
  CLI::App& verb = add_verb(
      app, "compare", "compare two documents: resemblance, containment, the passages they share",
      {{"twinset compare old.txt new.txt", "compares two text files"},
       {"twinset compare crawl.jsonl:1 crawl.jsonl:2", "compares records 1 and 2 of a file"}});
  add_text(verb, "A", options.a, "A", "a text file, or FILE:RECORD for a record of a file")
      ->required();
  add_text(verb, "B", options.b, "B", "the other document, named likewise")->required();
  add_answer_options(verb, options.answer, arguments->color);
  add_input_options(verb, options.input);
  add_count(verb, "--shingle", options.shingle_tokens,
            "tokens in a shingle [5; with --analyzer features 1]")
      ->group(group::method);
  add_analyzer(verb, options.analyzer);
  verb.callback([arguments, &exit_code] {
    arguments->options.answer.color = color_wanted(arguments->color);
    exit_code = print_answer(compare(arguments->options));
  });
}

void add_explain(CLI::App& app, int& exit_code) {
  struct Arguments {
    ExplainOptions options;
    Color color = Color::automatic;
  };
  auto arguments = std::make_shared<Arguments>();
  ExplainOptions& options = arguments->options;
  CLI::App& verb = add_verb(
      app, "explain", "explain why a record was removed, or which records a kept one represents",
      {{"twinset explain clean crawl.jsonl.gz:4",
        "shows the fate of record 4, with the proof and the differing passages"}});
  add_text(verb, "DIR", options.output, "DIR", "folder that dedup made")->required();
  add_text(verb, "ID", options.id, "ID", "the record's id, or FILE:RECORD")->required();
  add_answer_options(verb, options.answer, arguments->color);
  verb.callback([arguments, &exit_code] {
    arguments->options.answer.color = color_wanted(arguments->color);
    exit_code = print_answer(explain(arguments->options));
  });
}

}  // namespace twinset::cli
