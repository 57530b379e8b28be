// What the verbs share: sizes and shares on the command line, exit codes, the
// interrupt, progress on standard error.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "twinset/dedup.h"
#include "twinset/progress.h"
#include "twinset/result.h"

namespace twinset::cli {

/// "64MiB", "1.5G", "1500000": binary and decimal units (K, M, G, T = 1024^n).
Result<std::uint64_t> parse_size(const std::string& text);
/// "1000": digits alone.
Result<std::uint64_t> parse_count(const std::string& text);

/// Adds an option whose text is parsed by one of these or Ratio::parse; a wrong
/// text is a usage error.
CLI::Option* add_size(CLI::App& app, const std::string& names, std::uint64_t& value,
                      const std::string& help);
CLI::Option* add_ratio(CLI::App& app, const std::string& names, Ratio& value,
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
CLI::Option* add_ratio(CLI::App& app, const std::string& names, std::optional<Ratio>& value,
                       const std::string& help);

/// --format, --text, --id, --max-record, --limit, --allow-lost-inputs.
void add_input_options(CLI::App& app, InputSettings& settings);
/// --memory, --threads, --tmp, --checkpoint.
void add_resource_options(CLI::App& app, Resources& resources);

/// Set by Ctrl-C, TERM and HUP; a second Ctrl-C or TERM ends the process at once.
const std::atomic<bool>& interrupted();
void watch_interrupts();

/// A bar on a terminal, a line every ten seconds elsewhere; silent if `quiet`.
std::unique_ptr<ProgressSink> make_progress(bool quiet);

/// To standard error. What it does not take is lost: there is nowhere to tell it.
void say(const std::string& text);

/// Writes "twinset: message" to standard error and returns the exit code: the error's, or
/// 128 and the number of the signal that interrupted.
int fail(const Error& error);

/// The command line as one could type it again, quoted where a shell needs it.
std::string command_text(int argc, const char* const* argv);

/// "1,234,567".
std::string with_separators(std::uint64_t value);

/// What a run skipped, lost, warns of and continued, on standard error.
void print_facts(const RunFacts& facts);

/// The exit code of a run that is done: 5 if an input was lost in whole or part, unless
/// that was allowed; says so on standard error.
int exit_code_of(const RunFacts& facts, const InputSettings& input);

/// What the run foretold of itself beside what came, if it did.
void print_predictions(const RunFacts& facts);

/// Says that a finished run of the same command was found, and what it had lost.
void say_already_done(const std::string& output, const RunFacts& facts);

/// True if standard output is a terminal that wants color.
bool color_wanted();

/// A verb each: sets up its options on `app`; its callback sets `exit_code`.
void add_dedup(CLI::App& app, std::string command, int& exit_code);
void add_cluster(CLI::App& app, std::string command, int& exit_code);
void add_recut(CLI::App& app, std::string command, int& exit_code);
void add_plan(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_evaluate(CLI::App& app, int& exit_code);
void add_schemes(CLI::App& app, int& exit_code);
void add_inspect(CLI::App& app, int& exit_code);
void add_show(CLI::App& app, int& exit_code);
void add_restore(CLI::App& app, int& exit_code);

}  // namespace twinset::cli
