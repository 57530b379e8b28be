// twinset help, version, completion and man: the verbs that describe the others. All are made from
// the command tree when they run, so they know every option.
#include "completion.h"
#include "help.h"
#include "options.h"
#include "twinset/result.h"

namespace twinset::cli {
namespace {

int print_help_of(const CLI::App& app, const std::string& name) {
  const CommandTree tree = command_tree(app);
  if (name.empty()) {
    print(main_help(tree));
    return 0;
  }
  if (const VerbFacts* verb = tree.find(name)) {
    print(verb_help(*verb));
    return 0;
  }
  return fail(usage_error(unknown_verb(tree, name)));
}

std::vector<std::string> names_of_verbs(const CLI::App& app) {
  std::vector<std::string> names;
  for (const VerbFacts& verb : command_tree(app).verbs) names.push_back(verb.name);
  return names;
}

}  // namespace

std::string unknown_verb(const CommandTree& tree, const std::string& name) {
  std::vector<std::string> verbs;
  for (const VerbFacts& verb : tree.verbs) verbs.push_back(verb.name);
  const std::string hint = did_you_mean(name, verbs);
  return "there is no verb '" + name + "'; " +
         (hint.empty() ? "twinset help lists the verbs" : hint);
}

void add_help_verbs(CLI::App& app, int& exit_code) {
  auto shell = std::make_shared<Shell>(Shell::bash);
  CLI::App& completion = add_verb(
      app, "completion", "print a script that completes verbs and options in your shell",
      {{"source <(twinset completion bash)", "completion in this shell; make install sets it up"}});
  add_options(completion, {{required({.usage = "shell SHELL",
                                      .member = Choice(shell.get(), {"bash", "zsh", "fish"}),
                                      .help = "bash, zsh or fish"})}});
  completion.callback([&app, shell] { print_bytes(completion_script(command_tree(app), *shell)); });

  CLI::App& man = add_verb(app, "man", "print the manual page",
                           {{"twinset man | man -l -", "shows it; make install installs it"}});
  man.callback([&app] { print_bytes(man_page(command_tree(app))); });

  auto name = std::make_shared<std::string>();
  CLI::App& help = add_verb(app, "help", "show this help, or that of a verb",
                            {{"twinset help dedup", "the same as twinset dedup --help"}});
  CLI::App& version_verb =
      add_verb(app, "version", "print the version",
               {{"twinset version", "prints twinset " + std::string(version())}});
  version_verb.callback([] { print("twinset " + std::string(version()) + "\n"); });
  // Last, so that it can offer every verb.
  add_options(help, {{offering(names_of_verbs(app),
                               {.usage = "verb VERB", .member = name.get(), .help = "the verb"})}});
  help.callback([&app, name, &exit_code] { exit_code = print_help_of(app, *name); });
}

}  // namespace twinset::cli
