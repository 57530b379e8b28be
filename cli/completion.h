// Shell completion and the man page, made from the command tree.
//
//   print_bytes(completion_script(tree, Shell::bash));
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "command_tree.h"

namespace twinset::cli {

enum class Shell : std::uint8_t { bash, zsh, fish };

/// A script for the shell to load. It completes verbs, options, known values, files and folders.
std::string completion_script(const CommandTree& tree, Shell shell);

/// The page twinset(1), in the man macros of roff.
std::string man_page(const CommandTree& tree);

}  // namespace twinset::cli
