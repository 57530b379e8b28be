// Options as the verbs declare them, and the verbs themselves. Only the files that
// declare options include this header: its parser takes long to compile.
//
// Every option has a help sentence, a group and, unless it is a flag, the name of its
// value; the default stands at the end of the sentence in [ ]. Groups are shown in the
// order of declaration: most used first, resources last.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command_tree.h"
#include "common.h"
#include "twinset/ratio.h"

namespace twinset::cli {

namespace group {
inline constexpr const char* most_used = "Most used";
inline constexpr const char* input = "Input";
inline constexpr const char* output = "Output";
inline constexpr const char* method = "Method";
inline constexpr const char* resources = "Resources";
inline constexpr const char* other = "Other";
}  // namespace group

/// A verb: one sentence, and under --help also its examples.
CLI::App& add_verb(CLI::App& app, const std::string& name, const std::string& summary,
                   const std::vector<Example>& examples);

/// Refuses the value of an option: a usage error "--option: why".
[[noreturn]] void refuse_value(const std::string& names, const std::string& why);

CLI::Option* add_size(CLI::App& app, const std::string& names, std::uint64_t& value,
                      const std::string& help);
CLI::Option* add_ratio(CLI::App& app, const std::string& names, Ratio& value,
                       const std::string& help);
CLI::Option* add_ratio(CLI::App& app, const std::string& names, std::optional<Ratio>& value,
                       const std::string& help);
/// A whole number in decimal digits and nothing else: neither 1e3 nor 0x10 nor 1000x.
CLI::Option* add_count(CLI::App& app, const std::string& names, std::uint64_t& value,
                       const std::string& help);
CLI::Option* add_count(CLI::App& app, const std::string& names, unsigned& value,
                       const std::string& help);
CLI::Option* add_count(CLI::App& app, const std::string& names, std::optional<std::uint64_t>& value,
                       const std::string& help);
CLI::Option* add_count(CLI::App& app, const std::string& names, std::optional<unsigned>& value,
                       const std::string& help);

/// Text, whose value help calls `value_name`.
CLI::Option* add_text(CLI::App& app, const std::string& names, std::string& value,
                      const std::string& value_name, const std::string& help);
CLI::Option* add_texts(CLI::App& app, const std::string& names, std::vector<std::string>& values,
                       const std::string& value_name, const std::string& help);

/// Values that completion offers, though others are allowed (a spec with parameters).
CLI::Option* offer(CLI::Option* option, const std::vector<std::string>& values);

/// One of a few words. `Value` may be an optional.
template <class Value, class Choice>
CLI::Option* add_choice(CLI::App& app, const std::string& names, Value& value,
                        const std::vector<std::pair<std::string, Choice>>& choices,
                        const std::string& help) {
  std::string list;
  std::string sentence;
  for (const auto& [word, choice] : choices) {
    list += (list.empty() ? "" : "|") + word;
    sentence += (sentence.empty() ? "" : ", ") + word;
  }
  return app
      .add_option_function<std::string>(
          names,
          [&value, names, choices, sentence](const std::string& text) {
            for (const auto& [word, choice] : choices) {
              if (word != text) continue;
              value = choice;
              return;
            }
            refuse_value(names, "'" + text + "' is not one of " + sentence);
          },
          help)
      ->type_name(list);
}

/// IN..., the documents to read.
void add_inputs(CLI::App& app, std::vector<std::string>& inputs);
/// --text, --id, --format, --limit, --max-record, --allow-lost-inputs.
void add_input_options(CLI::App& app, InputSettings& settings);
/// --memory, --threads, --tmp, --checkpoint.
void add_resource_options(CLI::App& app, Resources& resources);
/// --json, --verbose, --quiet, --no-progress.
void add_talk_options(CLI::App& app, Talk& talk);
/// --json, --quiet, --no-progress: for verbs whose result is the text they print.
void add_answer_talk_options(CLI::App& app, Talk& talk);
/// --color.
void add_color_option(CLI::App& app, Color& color);

/// --scheme, --analyzer, --seed: declared alike in every verb.
CLI::Option* add_scheme(CLI::App& app, std::string& scheme, const std::string& help);
void add_analyzer(CLI::App& app, std::string& analyzer);
void add_seed(CLI::App& app, std::uint64_t& seed);

/// All verbs and options of `app`, which must have been set up.
CommandTree command_tree(const CLI::App& app);

/// A sentence about a verb that does not exist, with the nearest one.
std::string unknown_verb(const CommandTree& tree, const std::string& name);

/// A sentence about a command line that the parser refused, and the remedy.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error);

/// A verb each: declares its options on `app`; its callback sets `exit_code`.
void add_dedup(CLI::App& app, std::string command, int& exit_code);
void add_cluster(CLI::App& app, std::string command, int& exit_code);
void add_recut(CLI::App& app, std::string command, int& exit_code);
void add_plan(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_show(CLI::App& app, int& exit_code);
void add_restore(CLI::App& app, int& exit_code);
void add_evaluate(CLI::App& app, int& exit_code);
void add_schemes(CLI::App& app, int& exit_code);
void add_inspect(CLI::App& app, int& exit_code);
/// completion, man, help and version, which speak of all the others.
void add_help_verbs(CLI::App& app, int& exit_code);

}  // namespace twinset::cli
