// Help as text: an example first, then the options by group, at most 80 columns wide.
//
//   print(verb_help(*tree.find("dedup")));
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "command_tree.h"

namespace twinset::cli {

inline constexpr std::size_t help_columns = 80;

/// `twinset --help`.
std::string main_help(const CommandTree& tree);

/// `twinset VERB --help`.
std::string verb_help(const VerbFacts& verb);

/// The words of `text` in lines of at most `columns`, each after `indent` blanks. A
/// word longer than that gets a line of its own.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns = help_columns);

/// "did you mean --resemblance?", or nothing. Suggests the names that are nearest to
/// `typed`, at most two edits away (one edit for words of three letters or fewer); an
/// edit inserts, removes or replaces a letter, or swaps two neighbors.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known);

}  // namespace twinset::cli
