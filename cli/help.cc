#include "help.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace twinset::cli {
namespace {

constexpr std::size_t name_indent = 2;
constexpr std::size_t text_column = 30;
constexpr std::size_t example_indent = 6;

/// Optimal string alignment: Damerau's distance in which no part is edited twice.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string_view without_dashes(std::string_view name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

/// "  -r, --resemblance SHARE": long names share one column.
std::string option_column(const OptionFacts& option) {
  std::string text(name_indent, ' ');
  if (option.is_operand()) return text + option.value + (option.repeats ? "..." : "");
  if (option.names.front().starts_with("--")) text += "    ";
  for (std::size_t i = 0; i < option.names.size(); ++i) {
    text += (i == 0 ? "" : ", ") + option.names[i];
  }
  return option.value.empty() ? text : text + " " + option.value;
}

std::string two_columns(std::string left, std::string_view right, std::size_t column) {
  if (left.size() + 2 > column) {
    left += "\n" + wrapped(right, column);
    return left;
  }
  return left + wrapped(right, column).substr(left.size());
}

std::string option_text(const OptionFacts& option) {
  return two_columns(option_column(option), option.help, text_column);
}

/// Operands first, then each group under its heading, in order of declaration.
std::string options_text(const std::vector<OptionFacts>& options) {
  std::string text;
  for (const OptionFacts& option : options) {
    if (option.is_operand()) text += option_text(option);
  }
  std::vector<std::string> groups;
  for (const OptionFacts& option : options) {
    if (!option.is_operand() && std::ranges::find(groups, option.group) == groups.end()) {
      groups.push_back(option.group);
    }
  }
  for (const std::string& group : groups) {
    if (!text.empty()) text += "\n";
    text += group + ":\n";
    for (const OptionFacts& option : options) {
      if (!option.is_operand() && option.group == group) text += option_text(option);
    }
  }
  return text;
}

std::string examples_text(const std::vector<Example>& examples) {
  std::string text = examples.size() == 1 ? "Example:\n" : "Examples:\n";
  for (const Example& example : examples) {
    text += std::string(name_indent, ' ') + example.command + "\n" +
            wrapped(example.meaning, example_indent);
  }
  return text;
}

std::string meanings_text(std::string_view heading, std::span<const Meaning> meanings) {
  std::string text = "\n" + std::string(heading) + ":\n";
  for (const Meaning& meaning : meanings) {
    text +=
        two_columns(std::string(name_indent, ' ') + std::string(meaning.name), meaning.text, 18);
  }
  return text;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
  std::string out;
  std::string line(indent, ' ');
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    if (line.size() > indent && line.size() + 1 + word.size() > columns) {
      out += line + "\n";
      line.assign(indent, ' ');
    }
    if (line.size() > indent) line += ' ';
    line += word;
  }
  return out + line + "\n";
}

std::string main_help(const CommandTree& tree) {
  std::string text = wrapped("twinset - " + tree.summary, 0) + "\n" + examples_text(tree.examples);
  text += "\nUsage: twinset VERB [OPTIONS]\n\nVerbs:\n";
  for (const VerbFacts& verb : tree.verbs) {
    text += two_columns(std::string(name_indent, ' ') + verb.name, verb.summary, 14);
  }
  text += "\n" + options_text(tree.options) + meanings_text("Exit codes", exit_codes) +
          meanings_text("Environment", environment);
  return text + "\ntwinset VERB --help shows the options of a verb.\n";
}

std::string verb_help(const VerbFacts& verb) {
  return wrapped("twinset " + verb.name + " - " + verb.summary, 0) + "\n" +
         examples_text(verb.examples) + "\nUsage: " + verb.usage() + "\n\n" +
         options_text(verb.options);
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known) {
  const std::string_view word = without_dashes(typed);
  std::size_t fewest = (word.size() <= 3 ? 1 : 2) + 1;
  std::string text;
  for (const std::string& name : known) {
    if (without_dashes(name).size() < 2) continue;  // an edit away from every letter
    const std::size_t edits = edits_between(word, without_dashes(name));
    if (edits > fewest || (edits == fewest && text.empty())) continue;
    text = edits < fewest ? name : text + " or " + name;
    fewest = edits;
  }
  return text.empty() ? "" : "did you mean " + text + "?";
}

}  // namespace twinset::cli
