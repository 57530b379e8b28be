// twinset schemes and twinset inspect: what this build knows, and what a file is.
#include "options.h"
#include "twinset/look.h"
#include "twinset/scheme.h"

namespace twinset::cli {

void add_schemes(CLI::App& app, int& exit_code) {
  struct Arguments {
    bool json = false;
    bool markdown = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App& verb = add_verb(app, "schemes", "list every scheme with its parameters",
                            {{"twinset schemes", "prints names, parameters and their ranges"}});
  add_options(
      verb,
      {{{"--json", &arguments->json, OptionRole::unrecorded, Heading::output, "print a JSON array"},
        {"--markdown", &arguments->markdown, OptionRole::unrecorded, Heading::output,
         "print the page docs/schemes.md"}}});
  verb.get_option("--markdown")->excludes("--json");
  verb.callback([arguments, &exit_code] {
    const std::vector<SchemeDeclaration> schemes = known_schemes();
    print_bytes(arguments->json       ? to_json(schemes)
                : arguments->markdown ? to_markdown(schemes)
                                      : to_text(schemes));
    exit_code = 0;
  });
}

void add_inspect(CLI::App& app, int& exit_code) {
  auto path = std::make_shared<std::string>();
  CLI::App& verb = add_verb(app, "inspect", "say what a file or folder is, and what it holds",
                            {{"twinset inspect crawl.jsonl.gz", "counts its records and bad ones"},
                             {"twinset inspect clean", "sums up a finished run"}});
  add_options(verb, {{required({.usage = "file FILE",
                                .member = path.get(),
                                .help = "an input, a folder that a run made, or a file in it"})}});
  verb.callback([path, &exit_code] {
    const Result<FileFacts> found = inspect(*path, run_control());
    if (!found.ok()) {
      exit_code = fail(found.error());
      return;
    }
    print(to_text(found.value()));
  });
}

}  // namespace twinset::cli
