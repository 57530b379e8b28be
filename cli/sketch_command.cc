// twinset sketch and twinset join: signatures as lines, and the pairs that they make.
#include "answer.h"
#include "options.h"
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

int run_sketch(const SketchArguments& arguments) {
  const SketchOptions& options = arguments.options;
  return answer(
      arguments.talk, options.input, records_of(options.output),
      [&](const RunControl& control) { return sketch(options, control); },
      [](const SketchSummary& summary) {
        Answer answer{.text = to_text(summary)};
        for (const std::string& bad : summary.bad_records) answer.said.push_back("left out " + bad);
        return answer;
      });
}

int run_join(const JoinArguments& arguments) {
  const JoinOptions& options = arguments.options;
  return answer(
      arguments.talk, {}, records_of(options.output),
      [&](const RunControl& control) { return join_sketches(options, control); },
      [](const JoinSummary& summary) { return Answer{.text = to_text(summary)}; });
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
