// The command line: verbs over the public shelf. Parses, calls, prints.
//
// Data goes to standard output, all else to standard error. The exit codes are in
// command_tree.h.
#include <malloc.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <system_error>

#include "help.h"
#include "options.h"
#include "twinset/result.h"
#include "twinset/scheme.h"

namespace {

/// An arena for each thread would hold memory that no budget counts.
void bound_allocator() {
  ::mallopt(M_ARENA_MAX, 2);
  // Pages of Parquet are a little more than 1 MiB; each would be mapped and unmapped.
  ::mallopt(M_MMAP_THRESHOLD, 2 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 16 << 20);
  // Memory that grows in small pieces then rarely asks the system for more.
  ::mallopt(M_TOP_PAD, 2 << 20);
}

/// A reader that closes the pipe early (head) is not a failure.
int cannot_write_output(int error) {
  if (error == EPIPE) return static_cast<int>(twinset::ErrorCode::io);
  return twinset::cli::fail(
      twinset::io_error("cannot write standard output: " + std::string(std::strerror(error))));
}

void declare(CLI::App& app, const std::string& command, int& exit_code) {
  using namespace twinset::cli;
  app.name("twinset");
  app.footer(
      "twinset dedup crawl.jsonl.gz -o clean\tkeeps one of each group of similar documents\n"
      "twinset cluster crawl.jsonl.gz -o groups --report groups.html\tshows which documents are "
      "alike, and removes none");
  app.set_help_flag("-h,--help", "show this help")->group(other_heading);
  app.set_version_flag("-V,--version", "twinset " + std::string(twinset::version()),
                       "print the version")
      ->group(other_heading);
  app.require_subcommand(1);
  add_dedup(app, command, exit_code);
  add_explain(app, exit_code);
  add_show(app, exit_code);
  add_restore(app, exit_code);
  add_cluster(app, command, exit_code);
  add_recut(app, command, exit_code);
  add_merge(app, command, exit_code);
  add_compare(app, exit_code);
  add_plan(app, exit_code);
  add_evaluate(app, exit_code);
  add_calibrate(app, command, exit_code);
  add_sketch(app, command, exit_code);
  add_join(app, exit_code);
  add_spans(app, command, exit_code);
  add_index(app, command, exit_code);
  add_query(app, command, exit_code);
  add_locate(app, exit_code);
  add_lookup(app, exit_code);
  add_group(app, exit_code);
  add_track(app, command, exit_code);
  add_filter(app, command, exit_code);
  add_serve(app, exit_code);
  add_discover(app, command, exit_code);
  add_labels(app, exit_code);
  add_detect(app, command, exit_code);
  add_phish(app, command, exit_code);
  add_judge(app, exit_code);
  add_lexicon(app, exit_code);
  add_schemes(app, exit_code);
  add_inspect(app, exit_code);
  add_help_verbs(app, exit_code);
}

/// Help requested by an option.
void print_help(const CLI::App& app) {
  const twinset::cli::CommandTree tree = twinset::cli::command_tree(app);
  const auto parsed = app.get_subcommands();
  twinset::cli::print(parsed.empty()
                          ? twinset::cli::main_help(tree)
                          : twinset::cli::verb_help(*tree.find(parsed.front()->get_name())));
}

int parse_and_run(CLI::App& app, int argc, char** argv, const int& exit_code) {
  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::CallForHelp&) {
    print_help(app);
    return 0;
  } catch (const CLI::CallForVersion& asked) {
    twinset::cli::print(std::string(asked.what()) + "\n");
    return 0;
  } catch (const CLI::ParseError& error) {
    twinset::cli::say_lines("twinset: " + twinset::cli::usage_message(app, error));
    return twinset::cli::usage_exit;
  }
}

int run(int argc, char** argv) {
  using namespace twinset::cli;
  bound_allocator();
  watch_interrupts();
  CLI::App app{
      "find documents that are the same, nearly the same, or contained in one another; keep one "
      "of each, and prove why the others were removed"};
  int exit_code = 0;
  declare(app, command_text(argc, argv), exit_code);
  const CommandTree tree = command_tree(app);
  if (argc < 2) {
    say_lines(main_help(tree));
    return usage_exit;
  }
  if (argv[1][0] != '-' && tree.find(argv[1]) == nullptr) {
    return fail(twinset::usage_error(unknown_verb(tree, argv[1])));
  }
  try {
    if (const char* level = std::getenv("TWINSET_SIMD"); level != nullptr && *level != '\0') {
      const twinset::Status limited = twinset::limit_simd(std::string_view(level));
      if (!limited.ok()) return fail(limited.error());
    }
    exit_code = parse_and_run(app, argc, argv, exit_code);
  } catch (const std::system_error& error) {
    // fmt::print() throws this when it cannot write the full buffer.
    if (std::string_view(error.what()).starts_with("cannot write to file")) {
      return cannot_write_output(error.code().value());
    }
    return fail(twinset::io_error(error.what()));
  }
  // Only a flush shows whether the output has arrived.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return cannot_write_output(errno);
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    // Without a call that needs memory.
    std::fputs("twinset: out of memory; give a smaller --memory or fewer --threads\n", stderr);
    return static_cast<int>(twinset::ErrorCode::io);
  }
}
