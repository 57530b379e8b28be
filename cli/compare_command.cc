// twinset compare and twinset explain: evidence for a reader.
#include <fmt/core.h>

#include "common.h"
#include "twinset/compare.h"

namespace twinset::cli {
namespace {

int print(const Result<std::string>& answer) {
  if (!answer.ok()) return fail(answer.error());
  fmt::print("{}", answer.value());
  return 0;
}

void add_answer_options(CLI::App& verb, AnswerOptions& answer) {
  verb.add_flag("--json", answer.json, "one JSON object");
  verb.add_flag("--numbers{false}", answer.passages, "the numbers only, no passages");
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App& verb = *app.add_subcommand(
      "compare", "resemblance, containment both ways, and the passages two documents share");
  verb.add_option("A", options->a, "a text file, or FILE:RECORD of a file of records")->required();
  verb.add_option("B", options->b, "the other")->required();
  add_count(verb, "--shingle", options->shingle_tokens, "tokens of a shingle [5; of features 1]");
  verb.add_option("--analyzer", options->analyzer,
                  "how text becomes tokens: words, words_nfkc, code, or features for arrays of ids")
      ->capture_default_str();
  add_answer_options(verb, options->answer);
  add_input_options(verb, options->input);
  verb.callback([options, &exit_code] {
    options->answer.color = color_wanted();
    exit_code = print(compare(*options));
  });
}

void add_explain(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App& verb =
      *app.add_subcommand("explain", "why a record went, or what a kept one stands for");
  verb.add_option("DIR", options->output, "folder that dedup made")->required();
  verb.add_option("ID", options->id, "the record's id, or file:record")->required();
  add_answer_options(verb, options->answer);
  verb.callback([options, &exit_code] {
    options->answer.color = color_wanted();
    exit_code = print(explain(*options));
  });
}

}  // namespace twinset::cli
