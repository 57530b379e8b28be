// One script for each shell, with all options written out: nothing runs while a user types.
//
// Each shell has its own quoting. The texts are our own sentences, but they contain apostrophes and
// brackets, so each is quoted by its shell's rules.
//
// This file's interface is completion_script() of completion.h; the rest is private.
#include "completion.h"

#include <algorithm>

#include "twinset/option.h"

namespace twinset::cli {
namespace {

enum class Completes : std::uint8_t { nothing, files, folders, choices };

Completes completes(const OptionFacts& option) {
  if (!option.choices.empty()) return Completes::choices;
  const ValueNames named = named_by(option.value);
  if (named == ValueNames::nothing) return Completes::nothing;
  return named == ValueNames::files ? Completes::files : Completes::folders;
}

std::string joined(const std::vector<std::string>& words, std::string_view separator = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(separator)) + word;
  return text;
}

/// For single quotes of sh, zsh: ' becomes '\''.
std::string replaced(std::string_view text, char what, std::string_view with) {
  std::string out;
  for (const char c : text) out += c == what ? std::string(with) : std::string(1, c);
  return out;
}

std::vector<const OptionFacts*> operands(const VerbFacts& verb) {
  std::vector<const OptionFacts*> found;
  for (const OptionFacts& option : verb.options) {
    if (option.is_operand()) found.push_back(&option);
  }
  return found;
}

std::vector<std::string> option_names(const std::vector<OptionFacts>& options) {
  std::vector<std::string> names;
  for (const OptionFacts& option : options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

// bash

/// The completion of a value, as a call of a function in the script.
std::string bash_action(const OptionFacts& option) {
  switch (completes(option)) {
    case Completes::choices:
      return "_twinset_words '" + joined(option.choices) + "'";
    case Completes::files:
      return "_twinset_paths -f";
    case Completes::folders:
      return "_twinset_paths -d";
    case Completes::nothing:
      break;
  }
  return ":";
}

/// The cases of one verb: after an option, its value; else options or operands.
std::string bash_verb(const VerbFacts& verb) {
  std::string text = "    " + verb.name + ")\n      case \"$previous\" in\n";
  for (const OptionFacts& option : verb.options) {
    if (option.is_operand() || option.value.empty()) continue;
    text += "        " + joined(option.names, "|") + ") " + bash_action(option) + "; return ;;\n";
  }
  text += "      esac\n      case \"$current\" in\n        -*) _twinset_words '" +
          joined(option_names(verb.options)) + "'; return ;;\n      esac\n";
  for (const OptionFacts* operand : operands(verb)) {
    if (completes(*operand) == Completes::nothing) continue;
    return text + "      " + bash_action(*operand) + "\n      ;;\n";
  }
  return text + "      ;;\n";
}

constexpr std::string_view bash_head =
    R"(# bash completion of twinset, printed by `twinset completion bash`.
_twinset_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
  # A value that goes on after its colon, such as newest:FIELD.
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null
}

_twinset_paths() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
}

_twinset() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb="" i
  COMPREPLY=()
  # bash parts --verify=exact into three words.
  if [[ $current == = ]]; then
    current=""
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then
      verb=${COMP_WORDS[i]}
      break
    fi
  done
  case "$verb" in
)";

std::string bash_script(const CommandTree& tree) {
  std::vector<std::string> words;
  for (const VerbFacts& verb : tree.verbs) words.push_back(verb.name);
  const std::vector<std::string> options = option_names(tree.options);
  words.insert(words.end(), options.begin(), options.end());
  std::string text(bash_head);
  text += "    '') _twinset_words '" + joined(words) + "' ;;\n";
  for (const VerbFacts& verb : tree.verbs) text += bash_verb(verb);
  return text + "  esac\n}\n\ncomplete -F _twinset twinset\n";
}

// zsh

/// A description inside [ ] of an _arguments spec inside single quotes.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return out;
}

std::string zsh_action(const OptionFacts& option) {
  switch (completes(option)) {
    case Completes::choices:
      return "(" + replaced(joined(option.choices), ':', "\\:") + ")";
    case Completes::files:
      return "_files";
    case Completes::folders:
      return "_files -/";
    case Completes::nothing:
      break;
  }
  return " ";
}

std::string zsh_option(const OptionFacts& option) {
  std::string text = "'";
  if (option.repeats) {
    text += "*'";
  } else if (option.names.size() > 1) {
    text += "(" + joined(option.names) + ")'";
  }
  if (option.names.size() > 1) {
    text += "{" + joined(option.names, ",") + "}'";
  } else {
    text = (option.repeats ? "'*" : "'") + option.names.front();
  }
  text += "[" + zsh_text(option.help) + "]";
  if (!option.value.empty()) text += ":" + option.value + ":" + zsh_action(option);
  return text + "'";
}

std::string zsh_verb(const VerbFacts& verb) {
  std::string text = "        " + verb.name + ")\n          _arguments -s";
  for (const OptionFacts& option : verb.options) {
    text += " \\\n            ";
    text += option.is_operand() ? std::string("'") + (option.repeats ? "*" : "") + ":" +
                                      option.value + ":" + zsh_action(option) + "'"
                                : zsh_option(option);
  }
  return text + "\n          ;;\n";
}

std::string zsh_script(const CommandTree& tree) {
  std::string text =
      "#compdef twinset\n# zsh completion of twinset, printed by `twinset completion zsh`.\n"
      "_twinset() {\n  local context state state_descr line\n  typeset -A opt_args\n"
      "  _arguments -C";
  for (const OptionFacts& option : tree.options) text += " \\\n    " + zsh_option(option);
  text +=
      " \\\n    '1: :->verb' '*:: :->rest'\n  case $state in\n    verb)\n"
      "      local -a verbs=(\n";
  for (const VerbFacts& verb : tree.verbs) {
    text += "        '" + verb.name + ":" + replaced(verb.summary, '\'', "'\\''") + "'\n";
  }
  text += "      )\n      _describe verb verbs\n      ;;\n    rest)\n      case $line[1] in\n";
  for (const VerbFacts& verb : tree.verbs) text += zsh_verb(verb);
  return text +
         "      esac\n      ;;\n  esac\n}\n\n"
         "# Loaded from a folder of $fpath this file is the function's body.\n"
         "if [[ $funcstack[1] == _twinset ]]; then\n  _twinset \"$@\"\nelse\n"
         "  compdef _twinset twinset\nfi\n";
}

// fish

/// Inside single quotes of fish only \ and ' are special.
std::string fish_text(std::string_view text) {
  return "'" + replaced(replaced(text, '\\', "\\\\"), '\'', "\\'") + "'";
}

std::string fish_option(const OptionFacts& option, const std::string& condition) {
  std::string text = "complete -c twinset -n " + fish_text(condition);
  for (const std::string& name : option.names) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  switch (option.value.empty() ? Completes::nothing : completes(option)) {
    case Completes::choices:
      text += " -x -a " + fish_text(joined(option.choices));
      break;
    case Completes::files:
      text += " -r -F";
      break;
    case Completes::folders:
      text += " -x -a '(__fish_complete_directories)'";
      break;
    case Completes::nothing:
      if (!option.value.empty()) text += " -x";
      break;
  }
  return text + " -d " + fish_text(option.help) + "\n";
}

std::string fish_operand(const OptionFacts& operand, const std::string& condition) {
  const std::string start = "complete -c twinset -n " + fish_text(condition);
  switch (completes(operand)) {
    case Completes::choices:
      return start + " -a " + fish_text(joined(operand.choices)) + "\n";
    case Completes::files:
      return start + " -F\n";
    case Completes::folders:
      return start + " -a '(__fish_complete_directories)'\n";
    case Completes::nothing:
      break;
  }
  return "";
}

std::string fish_script(const CommandTree& tree) {
  std::string text =
      "# fish completion of twinset, printed by `twinset completion fish`.\n"
      "complete -c twinset -f\n";
  for (const OptionFacts& option : tree.options) {
    text += fish_option(option, "__fish_use_subcommand");
  }
  for (const VerbFacts& verb : tree.verbs) {
    text += "complete -c twinset -n __fish_use_subcommand -a " + verb.name + " -d " +
            fish_text(verb.summary) + "\n";
  }
  for (const VerbFacts& verb : tree.verbs) {
    const std::string condition = "__fish_seen_subcommand_from " + verb.name;
    for (const OptionFacts& option : verb.options) {
      text +=
          option.is_operand() ? fish_operand(option, condition) : fish_option(option, condition);
    }
  }
  return text;
}

}  // namespace

std::string completion_script(const CommandTree& tree, Shell shell) {
  switch (shell) {
    case Shell::zsh:
      return zsh_script(tree);
    case Shell::fish:
      return fish_script(tree);
    case Shell::bash:
      break;
  }
  return bash_script(tree);
}

}  // namespace twinset::cli
