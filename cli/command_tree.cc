#include "command_tree.h"

#include <algorithm>

namespace twinset::cli {

std::string VerbFacts::usage() const {
  std::string text = "twinset " + name + " [OPTIONS]";
  for (const OptionFacts& option : options) {
    if (!option.is_operand()) continue;
    const std::string operand = option.value + (option.repeats ? "..." : "");
    text += option.required ? " " + operand : " [" + operand + "]";
  }
  return text;
}

const VerbFacts* CommandTree::find(std::string_view verb) const {
  const auto found = std::ranges::find(verbs, verb, &VerbFacts::name);
  return found == verbs.end() ? nullptr : &*found;
}

}  // namespace twinset::cli
