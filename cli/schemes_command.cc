// twinset schemes and twinset inspect: what this build knows, what a file is.
#include "options.h"
#include "twinset/inspect.h"
#include "twinset/schemes.h"

namespace twinset::cli {

void add_schemes(CLI::App& app, int& exit_code) {
  struct Arguments {
    bool json = false;
    bool markdown = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App& verb = add_verb(app, "schemes", "list every scheme with its parameters",
                            {{"twinset schemes", "prints names, parameters and their ranges"}});
  verb.add_flag("--json", arguments->json, "print a JSON array")->group(group::output);
  verb.add_flag("--markdown", arguments->markdown, "print the page docs/schemes.md")
      ->excludes("--json")
      ->group(group::output);
  verb.callback([arguments, &exit_code] {
    const SchemesAs form = arguments->json       ? SchemesAs::json
                           : arguments->markdown ? SchemesAs::markdown
                                                 : SchemesAs::text;
    print_bytes(schemes_text(form));
    exit_code = 0;
  });
}

void add_inspect(CLI::App& app, int& exit_code) {
  auto path = std::make_shared<std::string>();
  CLI::App& verb = add_verb(app, "inspect", "say what a file or folder is, and what it holds",
                            {{"twinset inspect crawl.jsonl.gz", "counts its records and bad ones"},
                             {"twinset inspect clean", "sums up a finished run"}});
  add_text(verb, "FILE", *path, "FILE", "an input, a folder that a run made, or a file in it")
      ->required();
  verb.callback([path, &exit_code] {
    const Result<std::string> found = inspect(*path);
    if (!found.ok()) {
      exit_code = fail(found.error());
      return;
    }
    print(found.value());
  });
}

}  // namespace twinset::cli
