#include "options.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <thread>

#include "help.h"
#include "twinset/result.h"

namespace twinset::cli {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// The text of each Heading.
constexpr const char* headings[] = {
    "Most used", "Which records to remove", "Sample and schemes", "Input", "Output", "Method",
    "Resources"};

/// More workers than processors only cost memory and time.
std::string no_more_than_processors(const std::string& typed) {
  const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  std::uint64_t threads = 0;
  const char* const end = typed.data() + typed.size();
  const auto [at, failed] = std::from_chars(typed.data(), end, threads);
  if (failed != std::errc() || at != end || threads <= processors) return typed;
  const std::string used = std::to_string(processors);
  say("twinset: --threads " + typed + " is more than the " + used + " processors here; " + used +
      " are used");
  return used;
}

/// Sets the option, or refuses its value: a usage error "--option: why".
void set_or_refuse(const Option& option, const std::string& typed) {
  const Status set = option.set(typed);
  if (!set.ok())
    throw CLI::ValidationError(std::string(option.long_flag()),
                               set.error().text(Door::command_line));
}

/// "RULE:first|longest": the offered values follow a colon.
std::string type_name_of(const Option& option) {
  std::string type = option.value_name();
  for (const std::string& value : option.known) {
    type += (&value == &option.known.front() ? ":" : "|") + value;
  }
  return type;
}

void add_option(CLI::App& verb, const Option& option) {
  const std::string_view letter = option.short_flag();
  const std::string names =
      std::string(letter) + (letter.empty() ? "" : ",") + std::string(option.long_flag());
  std::string help(option.help);
  CLI::Option* added = nullptr;
  if (bool* const* on = std::get_if<bool*>(&option.member)) {
    added = verb.add_flag(names, **on, help);
  } else if (std::holds_alternative<std::vector<std::string>*>(option.member)) {
    added = verb.add_option_function<std::vector<std::string>>(
        names,
        [option](const std::vector<std::string>& values) {
          for (const std::string& typed : values) set_or_refuse(option, typed);
        },
        help);
  } else {
    const std::string by_default =
        option.by_default.empty() ? option.text() : std::string(option.by_default);
    if (!by_default.empty() && !option.is_required) help += " [" + by_default + "]";
    added = verb.add_option_function<std::string>(
        names, [option](const std::string& typed) { set_or_refuse(option, typed); }, help);
  }
  added->type_name(type_name_of(option))
      ->group(headings[static_cast<std::size_t>(option.heading)])
      ->required(option.is_required);
  if (option.name() == "threads") added->transform(no_more_than_processors);
}

OptionFacts facts_of(const CLI::Option& option) {
  OptionFacts facts;
  for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
  facts.help = option.get_description();
  facts.group = option.get_group();
  facts.required = option.get_required();
  if (option.get_items_expected_max() == 0) return facts;  // a flag
  facts.repeats = option.get_items_expected_max() > 1;
  const std::string type = option.get_type_name();  // type_name_of()
  const std::size_t colon = type.find(':');
  facts.value = facts.names.empty() ? option.get_name(true) : type.substr(0, colon);
  const std::string values = colon == std::string::npos ? type : type.substr(colon + 1);
  if (colon != std::string::npos || values.find('|') != std::string::npos) {
    facts.choices = split(values, '|');
  }
  return facts;
}

std::vector<OptionFacts> options_of(const CLI::App& app) {
  std::vector<OptionFacts> options;
  for (const CLI::Option* option : app.get_options()) options.push_back(facts_of(*option));
  std::stable_partition(options.begin(), options.end(),
                        [](const OptionFacts& option) { return option.is_operand(); });
  // The parser declares --help first, but users know it; so it goes last.
  std::stable_partition(options.begin(), options.end(),
                        [](const OptionFacts& option) { return option.group != other_heading; });
  return options;
}

/// The footer has lines "COMMAND\tMEANING" (add_verb).
std::vector<Example> examples_of_verb(const CLI::App& app) {
  std::vector<Example> examples;
  for (const std::string& line : split(app.get_footer(), '\n')) {
    const std::size_t tab = line.find('\t');
    examples.push_back({line.substr(0, tab), tab == std::string::npos ? "" : line.substr(tab + 1)});
  }
  return examples;
}

std::vector<std::string> names_known_to(const VerbFacts& verb) {
  std::vector<std::string> names;
  for (const OptionFacts& option : verb.options) {
    if (!option.is_operand()) names.push_back(option.long_name());
  }
  return names;
}

std::string with_hint(std::string sentence, const std::string& hint) {
  return hint.empty() ? sentence : sentence + "; " + hint;
}

/// An argument that no option of the verb takes.
std::string unexpected_argument(const VerbFacts& verb, const std::string& argument) {
  if (!argument.starts_with('-')) {
    return "'" + argument + "' is one argument too many: " + verb.usage();
  }
  const std::string name = argument.substr(0, argument.find('='));
  return with_hint("there is no option " + name, did_you_mean(name, names_known_to(verb)));
}

/// The parser says "The following arguments were not expected: --b --a".
std::string first_unexpected(const std::string& message) {
  const std::vector<std::string> words = split(message.substr(message.find(": ") + 2), ' ');
  const auto option = std::ranges::find_if(
      words, [](const std::string& word) { return word.starts_with('-') && word.size() > 1; });
  if (option != words.end()) return *option;
  return words.empty() ? "" : words.back();
}

std::string missing_argument(const VerbFacts& verb, const std::string& name) {
  for (const OptionFacts& option : verb.options) {
    if (option.value == name && option.is_operand() && name == "IN") {
      return "no input given: name a file, a folder, or - for standard input";
    }
    if (option.value == name && option.is_operand()) {
      return "no " + name + " given (" + option.help + "): " + verb.usage();
    }
    if (!option.is_operand() && option.long_name() == name) {
      return "no " + name + " given: " + name + " " + option.value + ", " + option.help;
    }
  }
  return name + " is missing";
}

/// The parser says "--memory: 1 required SIZE missing", or that it came twice.
std::string wrong_number_of_values(const VerbFacts& verb, const std::string& message) {
  const std::string name = message.substr(0, message.find(':'));
  for (const OptionFacts& option : verb.options) {
    if (option.is_operand() || option.long_name() != name) continue;
    if (message.find("missing") != std::string::npos) {
      return name + " needs a value: " + name + " " + option.value;
    }
    return name + " is given more than once";
  }
  return message;
}

}  // namespace

CLI::App& add_verb(CLI::App& app, const std::string& name, const std::string& summary,
                   const std::vector<Example>& examples) {
  CLI::App& verb = *app.add_subcommand(name, summary);
  std::string footer;
  for (const Example& example : examples) {
    footer += (footer.empty() ? "" : "\n") + example.command + "\t" + example.meaning;
  }
  verb.footer(footer);
  verb.set_help_flag("-h,--help", "show this help")->group(other_heading);
  return verb;
}

void add_options(CLI::App& verb, std::initializer_list<std::vector<Option>> lists) {
  std::vector<Option> options;
  for (const std::vector<Option>& list : lists) {
    options.insert(options.end(), list.begin(), list.end());
  }
  std::ranges::stable_sort(options, {}, &Option::heading);
  for (const Option& option : options) add_option(verb, option);
}

std::vector<Option> options_of(Talk& talk) {
  using enum OptionRole;
  using enum Heading;
  return {{"-v, --verbose", &talk.verbose, unrecorded, output,
           "also print how the run went: scheme, pairs compared, time, memory"},
          {"-q, --quiet", &talk.quiet, unrecorded, output, "print errors only"},
          {"--no-progress", &talk.no_progress, unrecorded, output, "no progress on standard error"},
          {"--json", &talk.json, unrecorded, output, "print the summary as JSON"}};
}

std::vector<Option> answer_options(Talk& talk) {
  using enum OptionRole;
  using enum Heading;
  return {
      {"--json", &talk.json, unrecorded, output, "print the result as JSON"},
      {"-q, --quiet", &talk.quiet, unrecorded, output, "no progress and no warnings"},
      {"--no-progress", &talk.no_progress, unrecorded, output, "no progress on standard error"}};
}

std::vector<Option> lines_options(Talk& talk) {
  return {
      {"-q, --quiet", &talk.quiet, OptionRole::unrecorded, Heading::output, "print errors only"},
      {"--no-progress", &talk.no_progress, OptionRole::unrecorded, Heading::output,
       "no progress on standard error"}};
}

Option color_option(Color& color) {
  return {"--color", Choice(&color, {"auto", "always", "never"}), OptionRole::unrecorded,
          Heading::output, "color the output; auto: on a terminal, unless NO_COLOR is set"};
}

CommandTree command_tree(const CLI::App& app) {
  CommandTree tree;
  tree.version = std::string(version());
  tree.summary = app.get_description();
  tree.examples = examples_of_verb(app);
  tree.options = options_of(app);
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    tree.verbs.push_back(
        {verb->get_name(), verb->get_description(), examples_of_verb(*verb), options_of(*verb)});
  }
  return tree;
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const CommandTree tree = command_tree(app);
  const auto parsed = app.get_subcommands();
  if (const std::vector<std::string> unknown = app.remaining(); !unknown.empty()) {
    return "there is no option " + unknown.front() +
           " before the verb\ntwinset help lists the verbs\n";
  }
  if (parsed.empty()) return std::string(error.what()) + "\ntwinset help lists the verbs\n";
  const VerbFacts& verb = *tree.find(parsed.front()->get_name());
  std::string message = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    message = unexpected_argument(verb, first_unexpected(message));
  } else if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    message = missing_argument(verb, message.substr(0, message.find(' ')));
  } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    message = wrong_number_of_values(verb, message);
  }
  return message + "\ntwinset " + verb.name + " --help lists its options\n";
}

}  // namespace twinset::cli
