// The verbs, and the parser that is set up from their declared options (twinset/option.h). Only the
// files of verbs include this header: its parser takes long to compile.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string>
#include <vector>

#include "command_tree.h"
#include "common.h"
#include "twinset/option.h"

namespace twinset::cli {

/// The heading of --help and --version.
inline constexpr const char* other_heading = "Other";

/// A verb: one sentence, and under --help also its examples.
CLI::App& add_verb(CLI::App& app, const std::string& name, const std::string& summary,
                   const std::vector<Example>& examples);

/// Adds the options of the lists, sorted by heading. In help, operands come first, and the default
/// is at the end of its sentence in [ ].
void add_options(CLI::App& verb, std::initializer_list<std::vector<Option>> lists);

/// --verbose, --quiet, --no-progress, --json: for verbs that make files.
std::vector<Option> options_of(Talk& talk);
/// --json, --quiet, --no-progress: for verbs whose result is the text they print.
std::vector<Option> answer_options(Talk& talk);
/// --quiet, --no-progress: for verbs whose output itself is lines of JSON.
std::vector<Option> lines_options(Talk& talk);
Option color_option(Color& color);

/// All verbs and options of `app`, which must have been set up.
CommandTree command_tree(const CLI::App& app);

/// A sentence about a verb that does not exist, with the nearest one.
std::string unknown_verb(const CommandTree& tree, const std::string& name);

/// A sentence about a command line that the parser refused, and the remedy.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error);

/// One function for each verb: adds it and its options to `app`; its callback sets `exit_code`.
void add_dedup(CLI::App& app, std::string command, int& exit_code);
void add_cluster(CLI::App& app, std::string command, int& exit_code);
void add_recut(CLI::App& app, std::string command, int& exit_code);
void add_merge(CLI::App& app, std::string command, int& exit_code);
void add_plan(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_show(CLI::App& app, int& exit_code);
void add_restore(CLI::App& app, int& exit_code);
void add_evaluate(CLI::App& app, int& exit_code);
void add_calibrate(CLI::App& app, std::string command, int& exit_code);
void add_sketch(CLI::App& app, std::string command, int& exit_code);
void add_join(CLI::App& app, int& exit_code);
void add_spans(CLI::App& app, std::string command, int& exit_code);
void add_discover(CLI::App& app, std::string command, int& exit_code);
void add_labels(CLI::App& app, int& exit_code);
void add_detect(CLI::App& app, std::string command, int& exit_code);
void add_phish(CLI::App& app, std::string command, int& exit_code);
void add_judge(CLI::App& app, int& exit_code);
void add_lexicon(CLI::App& app, int& exit_code);
void add_index(CLI::App& app, std::string command, int& exit_code);
void add_query(CLI::App& app, std::string command, int& exit_code);
void add_locate(CLI::App& app, int& exit_code);
void add_lookup(CLI::App& app, int& exit_code);
void add_group(CLI::App& app, int& exit_code);
void add_track(CLI::App& app, std::string command, int& exit_code);
void add_filter(CLI::App& app, std::string command, int& exit_code);
void add_serve(CLI::App& app, int& exit_code);
void add_schemes(CLI::App& app, int& exit_code);
void add_inspect(CLI::App& app, int& exit_code);
/// completion, man, help and version, which describe all the others.
void add_help_verbs(CLI::App& app, int& exit_code);

}  // namespace twinset::cli
