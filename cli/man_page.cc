// The man page twinset(1), in the man macros. This file's interface is man_page() of
// completion.h; the rest is private.
#include <algorithm>
#include <cctype>

#include "completion.h"

namespace twinset::cli {
namespace {

/// Text for roff: a backslash and a hyphen must be escaped, and a line must not begin with a dot or
/// an apostrophe.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      if (out.empty() && (c == '.' || c == '\'')) out += "\\&";
      out += c;
    }
  }
  return out;
}

std::string heading(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return ".SH \"" + text + "\"\n";
}

std::string entry(const std::string& name, std::string_view text) {
  return ".TP\n" + name + "\n" + roff(text) + "\n";
}

std::string option_entry(const OptionFacts& option) {
  if (option.is_operand()) return entry("\\fI" + roff(option.value) + "\\fR", option.help);
  std::string name;
  for (const std::string& each : option.names) {
    name += (name.empty() ? "\\fB" : ", \\fB") + roff(each) + "\\fR";
  }
  if (!option.value.empty()) name += " \\fI" + roff(option.value) + "\\fR";
  return entry(name, option.help);
}

std::string examples_of(const std::vector<Example>& examples) {
  std::string text;
  for (const Example& example : examples) {
    text += entry("\\fB" + roff(example.command) + "\\fR", example.meaning);
  }
  return text;
}

std::string verb_section(const VerbFacts& verb) {
  std::string text = heading("twinset " + verb.name) + roff(verb.summary) + ".\n.PP\n" +
                     roff(verb.usage()) + "\n" + examples_of(verb.examples);
  for (const OptionFacts& option : verb.options) {
    if (option.is_operand()) text += option_entry(option);
  }
  std::string group;
  for (const OptionFacts& option : verb.options) {
    if (option.is_operand()) continue;
    if (option.group != group) text += ".SS \"" + roff(option.group) + "\"\n";
    group = option.group;
    text += option_entry(option);
  }
  return text;
}

}  // namespace

std::string man_page(const CommandTree& tree) {
  std::string text = ".TH TWINSET 1 \"\" \"twinset " + tree.version + "\" \"User commands\"\n" +
                     heading("Name") + "twinset \\- " + roff(tree.summary) + "\n" +
                     heading("Synopsis") + "\\fBtwinset\\fR \\fIVERB\\fR [\\fIOPTIONS\\fR]\n" +
                     heading("Examples") + examples_of(tree.examples) + heading("Verbs");
  for (const VerbFacts& verb : tree.verbs) {
    text += entry("\\fB" + roff(verb.name) + "\\fR", verb.summary);
  }
  text += heading("Options");
  for (const OptionFacts& option : tree.options) text += option_entry(option);
  for (const VerbFacts& verb : tree.verbs) text += verb_section(verb);
  text += heading("Exit status");
  for (const Meaning& code : exit_codes) text += entry(std::string(code.name), code.text);
  text += heading("Environment");
  for (const Meaning& variable : environment) {
    text += entry("\\fB" + roff(variable.name) + "\\fR", variable.text);
  }
  return text;
}

}  // namespace twinset::cli
