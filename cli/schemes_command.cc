// twinset schemes and twinset inspect: what this build knows, what a file is.
#include <fmt/core.h>

#include "common.h"
#include "twinset/inspect.h"
#include "twinset/schemes.h"

namespace twinset::cli {

void add_schemes(CLI::App& app, int& exit_code) {
  struct Arguments {
    bool json = false;
    bool markdown = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App& verb = *app.add_subcommand("schemes", "every scheme with its parameters");
  verb.add_flag("--json", arguments->json, "as a JSON array");
  verb.add_flag("--markdown", arguments->markdown, "as the page docs/schemes.md")
      ->excludes("--json");
  verb.callback([arguments, &exit_code] {
    const SchemesAs form = arguments->json       ? SchemesAs::json
                           : arguments->markdown ? SchemesAs::markdown
                                                 : SchemesAs::text;
    fmt::print("{}", schemes_text(form));
    exit_code = 0;
  });
}

void add_inspect(CLI::App& app, int& exit_code) {
  auto path = std::make_shared<std::string>();
  CLI::App& verb = *app.add_subcommand(
      "inspect", "what a file is: an input, an output of dedup, a spilled file");
  verb.add_option("FILE", *path, "the file, or a folder that dedup made")->required();
  verb.callback([path, &exit_code] {
    const Result<std::string> found = inspect(*path);
    if (!found.ok()) {
      exit_code = fail(found.error());
      return;
    }
    fmt::print("{}", found.value());
  });
}

}  // namespace twinset::cli
