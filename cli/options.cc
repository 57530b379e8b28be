#include "options.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <thread>

#include "help.h"
#include "numbers.h"
#include "twinset/schemes.h"
#include "twinset/version.h"

namespace twinset::cli {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// The name that a message uses: "--resemblance" of "-r,--resemblance".
std::string shown_name(const std::string& names) {
  const std::vector<std::string> all = split(names, ',');
  const auto longest =
      std::ranges::find_if(all, [](const std::string& name) { return name.starts_with("--"); });
  return longest == all.end() ? names : longest->substr(0, longest->find('{'));
}

template <class Value, class Parse>
CLI::Option* add_parsed(CLI::App& app, const std::string& names, Value& value,
                        const std::string& help, Parse parse) {
  return app.add_option_function<std::string>(
      names,
      [&value, names, parse](const std::string& text) {
        auto parsed = parse(text);
        if (!parsed.ok()) refuse_value(names, parsed.error().message);
        value = parsed.value();
      },
      help);
}

/// `Value` is an unsigned integer, or an optional one.
template <class Number, class Value>
CLI::Option* add_number(CLI::App& app, const std::string& names, Value& value,
                        const std::string& help) {
  return app
      .add_option_function<std::string>(
          names,
          [&value, names](const std::string& text) {
            const Result<std::uint64_t> count = parse_count(text);
            if (!count.ok()) refuse_value(names, count.error().message);
            if (count.value() > std::numeric_limits<Number>::max()) {
              refuse_value(names, "'" + text + "' is too large a number");
            }
            value = static_cast<Number>(count.value());
          },
          help)
      ->type_name("N");
}

/// A size of the machine's resources: 0 would mean nothing.
void add_size_above_zero(CLI::App& app, const std::string& name, std::uint64_t& value,
                         const std::string& help) {
  add_parsed(
      app, name, value, help,
      [](const std::string& text) {
        Result<std::uint64_t> size = parse_size(text);
        if (!size.ok() || size.value() != 0) return size;
        return Result<std::uint64_t>(usage_error("0 is too little; leave it out for the usual"));
      })
      ->type_name("SIZE")
      ->group(group::resources);
}

/// More workers than processors only cost memory and time.
unsigned no_more_than_processors(std::uint64_t threads) {
  const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  if (threads <= processors) return static_cast<unsigned>(threads);
  say("twinset: --threads " + std::to_string(threads) + " is more than the " +
      std::to_string(processors) + " processors here; " + std::to_string(processors) + " are used");
  return processors;
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
  if (const std::string value = option.get_default_str(); !value.empty()) {
    facts.help += " [" + value + "]";
  }
  // "RULE:first|longest": the values that are offered follow a colon (offer()).
  const std::string type = option.get_type_name();
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
  // The parser declares --help first, but users know it already.
  std::stable_partition(options.begin(), options.end(),
                        [](const OptionFacts& option) { return option.group != group::other; });
  return options;
}

/// The footer holds lines "COMMAND\tMEANING" (add_verb).
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
  verb.set_help_flag("-h,--help", "show this help")->group(group::other);
  return verb;
}

void refuse_value(const std::string& names, const std::string& why) {
  throw CLI::ValidationError(shown_name(names), why);
}

CLI::Option* add_count(CLI::App& app, const std::string& names, std::uint64_t& value,
                       const std::string& help) {
  return add_number<std::uint64_t>(app, names, value, help);
}

CLI::Option* add_count(CLI::App& app, const std::string& names, unsigned& value,
                       const std::string& help) {
  return add_number<unsigned>(app, names, value, help);
}

CLI::Option* add_count(CLI::App& app, const std::string& names, std::optional<std::uint64_t>& value,
                       const std::string& help) {
  return add_number<std::uint64_t>(app, names, value, help);
}

CLI::Option* add_count(CLI::App& app, const std::string& names, std::optional<unsigned>& value,
                       const std::string& help) {
  return add_number<unsigned>(app, names, value, help);
}

CLI::Option* add_size(CLI::App& app, const std::string& names, std::uint64_t& value,
                      const std::string& help) {
  return add_parsed(app, names, value, help, parse_size)->type_name("SIZE");
}

CLI::Option* add_ratio(CLI::App& app, const std::string& names, Ratio& value,
                       const std::string& help) {
  return add_parsed(app, names, value, help, Ratio::parse)->type_name("SHARE");
}

CLI::Option* add_ratio(CLI::App& app, const std::string& names, std::optional<Ratio>& value,
                       const std::string& help) {
  return add_parsed(app, names, value, help, Ratio::parse)->type_name("SHARE");
}

CLI::Option* add_text(CLI::App& app, const std::string& names, std::string& value,
                      const std::string& value_name, const std::string& help) {
  return app.add_option(names, value, help)->type_name(value_name);
}

CLI::Option* add_texts(CLI::App& app, const std::string& names, std::vector<std::string>& values,
                       const std::string& value_name, const std::string& help) {
  return app.add_option(names, values, help)->type_name(value_name);
}

CLI::Option* offer(CLI::Option* option, const std::vector<std::string>& values) {
  std::string list;
  for (const std::string& value : values) list += (list.empty() ? "" : "|") + value;
  return option->check(CLI::Validator([](std::string&) { return std::string(); }, list));
}

void add_inputs(CLI::App& app, std::vector<std::string>& inputs) {
  add_texts(app, "IN", inputs, "IN",
            "files to read: JSON Lines (plain, .gz or .zst), text or HTML; folders and globs of "
            "them; - for standard input")
      ->required();
}

void add_input_options(CLI::App& app, InputSettings& settings) {
  add_text(app, "--text", settings.text_field, "FIELD",
           "field that holds the text; nested names are joined by dots, \\. is a dot in a name")
      ->capture_default_str()
      ->group(group::input);
  add_text(app, "--id", settings.id_field, "FIELD", "field that holds the id")
      ->capture_default_str()
      ->group(group::input);
  offer(add_text(app, "--format", settings.format, "NAME",
                 "read all inputs as jsonl, text or html; with html, the text field of JSON Lines "
                 "holds a page [by extension]"),
        {"jsonl", "text", "html"})
      ->group(group::input);
  add_count(app, "--limit", settings.limit, "read at most N records [all]")->group(group::input);
  add_size(app, "--max-record", settings.max_record_bytes,
           "skip longer records and list them in quarantine.jsonl [64MiB]")
      ->group(group::input);
  app.add_flag("--allow-lost-inputs", settings.allow_lost,
               "leave out inputs that cannot be read, and exit 0 even if one is damaged")
      ->group(group::input);
}

void add_resource_options(CLI::App& app, Resources& resources) {
  app.add_option_function<std::string>(
         "-j,--threads",
         [&resources](const std::string& text) {
           const Result<std::uint64_t> count = parse_count(text);
           if (!count.ok()) refuse_value("--threads", count.error().message);
           resources.threads = no_more_than_processors(count.value());
         },
         "threads to use, at most one for each processor [as many as --memory has room for]")
      ->type_name("N")
      ->group(group::resources);
  add_size_above_zero(app, "--memory", resources.memory_bytes,
                      "memory to use at most, 96MiB or more [half of the machine's]");
  add_text(app, "--tmp", resources.tmp, "DIR", "folder for temporary files [beside the output]")
      ->group(group::resources);
  add_size_above_zero(app, "--checkpoint", resources.checkpoint_bytes,
                      "save the state of the run after reading this much text, so that the same "
                      "command can continue after a kill [2GiB]");
}

void add_answer_talk_options(CLI::App& app, Talk& talk) {
  app.add_flag("--json", talk.json, "print the result as JSON")->group(group::output);
  app.add_flag("-q,--quiet", talk.quiet, "no progress and no warnings")->group(group::output);
  app.add_flag("--no-progress", talk.no_progress, "no progress on standard error")
      ->group(group::output);
}

void add_talk_options(CLI::App& app, Talk& talk) {
  app.add_flag("-v,--verbose", talk.verbose,
               "also print how the run went: scheme, pairs compared, time, memory")
      ->group(group::output);
  app.add_flag("-q,--quiet", talk.quiet, "print errors only")->group(group::output);
  app.add_flag("--no-progress", talk.no_progress, "no progress on standard error")
      ->group(group::output);
  app.add_flag("--json", talk.json, "print the summary as JSON")->group(group::output);
}

void add_color_option(CLI::App& app, Color& color) {
  add_choice<Color, Color>(
      app, "--color", color,
      {{"auto", Color::automatic}, {"always", Color::always}, {"never", Color::never}},
      "color the output; auto: on a terminal, unless NO_COLOR is set [auto]")
      ->group(group::output);
}

CLI::Option* add_scheme(CLI::App& app, std::string& scheme, const std::string& help) {
  return offer(add_text(app, "--scheme", scheme, "SPEC", help), scheme_names());
}

void add_analyzer(CLI::App& app, std::string& analyzer) {
  offer(add_text(app, "--analyzer", analyzer, "NAME",
                 "how text becomes tokens: words; words_nfkc, which takes full-width and other "
                 "forms of a letter for the letter; code, which keeps case, signs and symbols; or "
                 "features, where the text is a JSON array of ids and each id counts as one "
                 "shingle"),
        analyzer_names())
      ->capture_default_str()
      ->group(group::method);
}

void add_seed(CLI::App& app, std::uint64_t& seed) {
  add_count(app, "--seed", seed, "random seed [0]")->group(group::method);
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
