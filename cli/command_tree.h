// The verbs and their options as plain facts, from which help, completion, the man page and "did
// you mean" are made. option_tree() in options.h reads them from the parser, so none of them can
// forget an option.
//
// Threads: values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace twinset::cli {

struct OptionFacts {
  std::vector<std::string> names;    ///< "-r", "--resemblance"; empty for an operand
  std::string value;                 ///< "SHARE", an operand's name; empty for a flag
  std::string help;                  ///< a sentence, with the default at its end in [ ]
  std::string group;                 ///< the heading it is under
  std::vector<std::string> choices;  ///< known values; may end in ':'
  bool required = false;
  bool repeats = false;

  bool is_operand() const { return names.empty(); }
  /// The long name if there is one: "--resemblance".
  const std::string& long_name() const { return names.back(); }
};

struct Example {
  std::string command;
  std::string meaning;
};

struct VerbFacts {
  std::string name;
  std::string summary;  ///< one sentence
  std::vector<Example> examples;
  std::vector<OptionFacts> options;  ///< operands first

  /// "twinset dedup [OPTIONS] IN...".
  std::string usage() const;
};

struct CommandTree {
  std::string version;
  std::string summary;
  std::vector<Example> examples;
  std::vector<OptionFacts> options;  ///< of twinset itself
  std::vector<VerbFacts> verbs;      ///< most used first

  const VerbFacts* find(std::string_view verb) const;
};

/// The meanings of exit codes and environment variables, for help and man page.
struct Meaning {
  std::string_view name;
  std::string_view text;
};
inline constexpr Meaning exit_codes[] = {
    {"0", "done"},
    {"2", "wrong command line or option"},
    {"3", "more bad records than --max-bad, or more removals than --max-removed"},
    {"4", "a file could not be read or written"},
    {"5", "done, but an input was lost in whole or in part"},
    {"129, 130, 143", "interrupted by SIGHUP, Ctrl-C, SIGTERM"},
};
inline constexpr Meaning environment[] = {
    {"NO_COLOR", "if set and not empty, no color unless --color always"},
    {"TWINSET_SIMD",
     "portable, sse4, avx2 or avx3: instructions to use at most; the results "
     "are the same"},
    {"TMPDIR", "folder for the temporary files of evaluate [/tmp]"},
};

}  // namespace twinset::cli
