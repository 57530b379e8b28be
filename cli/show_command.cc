// twinset show: what a finished run found, with first words.
#include "options.h"
#include "twinset/show.h"

namespace twinset::cli {
void add_show(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App& verb = add_verb(
      app, "show", "show the clusters of a run, their records and removed ones, with first words",
      {{"twinset show clean", "lists the largest clusters"},
       {"twinset show clean --kind near --resemblance 0.8:0.85",
        "lists removed records that only just reached the threshold"}});
  add_options(verb, {options_of(*options)});
  verb.callback([options, &exit_code] {
    const Result<std::string> answer = show(*options, RunControl{&interrupted(), nullptr, nullptr});
    if (!answer.ok()) {
      exit_code = fail(answer.error());
    } else if (options->json) {
      print_bytes(answer.value());
    } else {
      print(answer.value());
    }
  });
}

}  // namespace twinset::cli
