// twinset index, query, locate, lookup and group: documents kept to be found again, and questions
// to them.
#include "answer.h"
#include "options.h"
#include "twinset/hits.h"
#include "twinset/index.h"

namespace twinset::cli {
namespace {

enum class IndexAction : std::uint8_t { create, add, remove, compact, verify, stats, dump };

struct IndexArguments {
  IndexAction action = IndexAction::stats;
  IndexOptions options;
  Talk talk;
};

struct QueryArguments {
  QueryOptions options;
  Talk talk;
};

struct GroupArguments {
  GroupOptions options;
  Talk talk;
};

template <class Options>
struct NamesArguments {
  Options options;
  bool json = false;
};

template <class Summary>
Answer shown(const Summary& summary) {
  Answer answer{.text = to_text(summary)};
  for (const std::string& bad : summary.bad_records) answer.said.push_back("left out " + bad);
  return answer;
}

Result<IndexSummary> act(const IndexArguments& arguments, const RunControl& control) {
  using Act = Result<IndexSummary> (*)(const IndexOptions&, const RunControl&);
  constexpr Act acts[] = {create_index, add_to_index, delete_from_index, compact_index,
                          verify_index, index_stats,  export_index};
  return acts[static_cast<std::size_t>(arguments.action)](arguments.options, control);
}

int run_index(const IndexArguments& arguments) {
  const IndexOptions& options = arguments.options;
  const bool exports = arguments.action == IndexAction::dump;
  const bool changes =
      arguments.action == IndexAction::add || arguments.action == IndexAction::remove;
  return answer(
      arguments.talk, options.input, exports ? records_of(options.output) : Records::none,
      [&](const RunControl& control) { return act(arguments, control); },
      [&](const IndexSummary& summary) {
        if (!changes) {
          return Answer{.json = to_json(summary.stats), .text = to_text(summary.stats)};
        }
        Answer answer = shown(summary);
        answer.json = to_json(summary);
        for (const std::string& id : summary.not_there) {
          answer.said.push_back("warning: there is no document of the id " + id);
        }
        return answer;
      });
}

int run_query(const QueryArguments& arguments) {
  const QueryOptions& options = arguments.options;
  return answer(
      arguments.talk, options.input, records_of(options.output),
      [&](const RunControl& control) { return query_index(options, control); },
      [](const QuerySummary& summary) { return shown(summary); });
}

int run_group(const GroupArguments& arguments) {
  return answer(
      arguments.talk, {}, Records::in_output,
      [&](const RunControl& control) { return group_hits(arguments.options, control); },
      [](const GroupSummary& summary) { return shown(summary); });
}

/// Prints what is found of each name.
template <class Found>
int print_found(const Result<std::vector<Found>>& found, bool json) {
  if (!found.ok()) return fail(found.error());
  for (const Found& each : found.value()) {
    if (json) {
      print_bytes(to_json(each) + "\n");
    } else {
      print((&each == found.value().data() ? "" : "\n") + to_text(each));
    }
  }
  return 0;
}

Option json_lines_option(bool& json, std::string_view help) {
  return {"--json", &json, OptionRole::unrecorded, Heading::output, help};
}

}  // namespace

void add_index(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<IndexArguments>();
  arguments->options.command = std::move(command);
  CLI::App& verb = add_verb(
      app, "index", "keep documents to be found again: sketches, keys, and if wanted the texts",
      {{"twinset index create crawl.index --scheme mod --scheme fss", "makes an empty one"},
       {"twinset index add crawl.index crawl.jsonl.gz --url url",
        "adds all documents of a file, or none; known ids take the place of the old"},
       {"twinset index delete crawl.index 17 18", "deletes two documents by their ids"},
       {"twinset query crawl.index test.jsonl > answers.jsonl", "finds what they are like"}});
  std::vector<Option> own{required(
      {.usage = "action ACTION",
       .member = Choice(&arguments->action,
                        {"create", "add", "delete", "compact", "verify", "stats", "export"}),
       .help = "create: make an empty index; add, delete: documents; compact: remove the bytes of "
               "deleted ones; verify: read every byte; stats: what it holds; export: its documents "
               "as lines of JSON"})};
  add_options(verb, {own, options_of(arguments->options), answer_options(arguments->talk)});
  verb.callback([arguments, &exit_code] { exit_code = run_index(*arguments); });
}

void add_query(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<QueryArguments>();
  arguments->options.command = std::move(command);
  CLI::App& verb =
      add_verb(app, "query", "ask an index for the documents that texts resemble, contain or quote",
               {{"twinset query crawl.index test.jsonl > answers.jsonl",
                 "a line {id, file, record, hits} for each document"},
                {"twinset query crawl.index new.txt -r 0.8 -c 0.9 --top 3",
                 "near copies, and documents that contain nine tenths of it"},
                {"twinset query crawl.index --of 19", "what a document of the index is like"}});
  add_options(verb, {options_of(arguments->options), lines_options(arguments->talk)});
  verb.callback([arguments, &exit_code] { exit_code = run_query(*arguments); });
}

void add_group(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<GroupArguments>();
  CLI::App& verb =
      add_verb(app, "group", "group the hits of a search: near copies together, the best one first",
               {{"echo '{\"hits\": [\"7\", \"12\", \"9\"]}' | twinset group crawl.index",
                 "a line {groups, order} for each line, at once"},
                {"twinset group crawl.index --best newest:date --rest skip < lists.jsonl",
                 "of each group the newest version alone"},
                {"twinset group crawl.index --access readers < lists.jsonl",
                 "only what an asker may see: {\"hits\": [...], \"access\": [\"staff\"]}"}});
  add_options(verb, {options_of(arguments->options), lines_options(arguments->talk)});
  verb.callback([arguments, &exit_code] { exit_code = run_group(*arguments); });
}

void add_locate(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<NamesArguments<LocateOptions>>();
  CLI::App& verb =
      add_verb(app, "locate", "find where pages are now, in an index of several sweeps with dates",
               {{"twinset locate crawl.index http://a.org/old",
                 "here, moved to another URL, gone, or unknown, with the evidence"},
                {"twinset locate crawl.index http://a.org/old --since 2026-05-01 --json",
                 "the last sweep began on the first of May"}});
  add_options(verb,
              {options_of(arguments->options),
               {json_lines_option(arguments->json, "print a JSON object a line for each page")}});
  verb.callback([arguments, &exit_code] {
    exit_code = print_found(locate(arguments->options, run_control()), arguments->json);
  });
}

void add_lookup(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<NamesArguments<LookupOptions>>();
  CLI::App& verb = add_verb(
      app, "lookup", "look up a URL or an id in an index: its documents, and their clusters",
      {{"twinset lookup crawl.index http://a.org/x",
        "all versions of the page, and the pages that they are like"},
       {"twinset lookup crawl.index 17 -r 0.8 --json", "at another threshold, as JSON"}});
  add_options(verb,
              {options_of(arguments->options),
               {json_lines_option(arguments->json, "print a JSON object a line for each name")}});
  verb.callback([arguments, &exit_code] {
    exit_code = print_found(lookup(arguments->options, run_control()), arguments->json);
  });
}

}  // namespace twinset::cli
