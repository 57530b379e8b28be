// twinset show: the findings of a finished run, with first words.
#include "options.h"
#include "twinset/look.h"

namespace twinset::cli {
void add_show(CLI::App& app, int& exit_code) {
  struct Arguments {
    ShowOptions options;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App& verb = add_verb(
      app, "show", "show what a run found, with first words: clusters, records, the worst pages",
      {{"twinset show clean", "lists the largest clusters"},
       {"twinset show clean --kind near --resemblance 0.8:0.85",
        "lists removed records that only just reached the threshold"}});
  add_options(verb, {options_of(arguments->options),
                     {{"--json", &arguments->json, OptionRole::unrecorded, Heading::output,
                       "print a JSON object per line"}}});
  verb.callback([arguments, &exit_code] {
    const Result<Shown> found = show(arguments->options, run_control());
    if (!found.ok()) {
      exit_code = fail(found.error());
    } else if (arguments->json) {
      print_bytes(to_json(found.value()));
    } else {
      print(to_text(found.value()));
    }
  });
}

}  // namespace twinset::cli
