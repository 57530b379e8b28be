// The command line: verbs over the public shelf. Parses, calls, prints.
//
// Data goes to standard output, all else to standard error. Exit codes: 0 done,
// 2 usage, 3 too many bad records (or removals), 4 input or output, 5 done, but an
// input was lost in whole or part, 130 interrupted.
#include <malloc.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include "common.h"
#include "twinset/schemes.h"

namespace {

constexpr int usage_exit = 2;

/// CLI11 would only say that a verb is missing.
bool names_unknown_verb(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  const auto verbs = app.get_subcommands([](const CLI::App*) { return true; });
  return std::none_of(verbs.begin(), verbs.end(),
                      [&](const CLI::App* verb) { return verb->get_name() == argv[1]; });
}

/// Each thread an arena of its own would hold memory that no budget knows of.
void bound_allocator() {
  ::mallopt(M_ARENA_MAX, 2);
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 16 << 20);
}

/// A reader that has seen enough (head) is no failure to speak of.
int cannot_write_output(int error) {
  if (error == EPIPE) return static_cast<int>(twinset::ErrorCode::io);
  return twinset::cli::fail(
      twinset::io_error("cannot write standard output: " + std::string(std::strerror(error))));
}

}  // namespace

int main(int argc, char** argv) {
  bound_allocator();
  twinset::cli::watch_interrupts();
  CLI::App app{
      "twinset finds documents that are the same, nearly the same, or contained in one\n"
      "another, keeps one of each, and proves why the others went."};
  app.name("twinset");
  app.set_version_flag("--version", "twinset " + std::string(twinset::version()));
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.footer(
      "twinset VERB --help tells all of a verb. TWINSET_SIMD=portable|sse4|avx2|avx3 limits\n"
      "the instructions used; results are the same.");
  int exit_code = 0;
  twinset::cli::add_dedup(app, twinset::cli::command_text(argc, argv), exit_code);
  twinset::cli::add_cluster(app, twinset::cli::command_text(argc, argv), exit_code);
  twinset::cli::add_recut(app, twinset::cli::command_text(argc, argv), exit_code);
  twinset::cli::add_plan(app, exit_code);
  twinset::cli::add_compare(app, exit_code);
  twinset::cli::add_explain(app, exit_code);
  twinset::cli::add_evaluate(app, exit_code);
  twinset::cli::add_schemes(app, exit_code);
  twinset::cli::add_inspect(app, exit_code);
  if (argc < 2) {
    twinset::cli::say("twinset: no verb given; twinset --help lists them\n");
    return usage_exit;
  }
  if (names_unknown_verb(app, argc, argv)) {
    twinset::cli::say("twinset: there is no verb '" + std::string(argv[1]) +
                      "'; twinset --help lists them\n");
    return usage_exit;
  }
  try {
    if (const char* level = std::getenv("TWINSET_SIMD"); level != nullptr && *level != '\0') {
      const twinset::Status limited = twinset::limit_simd(std::string_view(level));
      if (!limited.ok()) return twinset::cli::fail(limited.error());
    }
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    twinset::cli::say(std::string("twinset: ") + error.what() + "\n");
    twinset::cli::say("twinset --help lists the verbs, twinset VERB --help their options\n");
    return usage_exit;
  } catch (const std::system_error& error) {
    // What fmt::print() throws when it writes more than the buffer holds.
    if (std::string_view(error.what()).starts_with("cannot write to file")) {
      return cannot_write_output(error.code().value());
    }
    return twinset::cli::fail(twinset::io_error(error.what()));
  }
  // What was printed is only known to have arrived when the buffer is out.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return cannot_write_output(errno);
  return exit_code;
}
