// twinset show: what a finished run found, with first words.
#include "options.h"
#include "twinset/show.h"

namespace twinset::cli {
namespace {

/// "0.8:0.85", "0.8:" or ":0.85".
void parse_resemblances(const std::string& text, ShowOptions& options) {
  const std::size_t colon = text.find(':');
  const auto parse = [](const std::string& end, std::optional<Ratio>& out) {
    if (end.empty()) return;
    Result<Ratio> ratio = Ratio::parse(end);
    if (!ratio.ok()) refuse_value("--resemblance", ratio.error().message);
    out = ratio.value();
  };
  if (colon == std::string::npos || text.size() == 1) {
    refuse_value("--resemblance", "'" + text + "' is not a range such as 0.8:0.85");
  }
  parse(text.substr(0, colon), options.least);
  parse(text.substr(colon + 1), options.most);
}

}  // namespace

void add_show(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App& verb = add_verb(
      app, "show", "show the clusters of a run, their records and removed ones, with first words",
      {{"twinset show clean", "lists the largest clusters"},
       {"twinset show clean --kind near --resemblance 0.8:0.85",
        "lists removed records that only just reached the threshold"}});
  add_text(verb, "DIR", options->output, "DIR", "folder that dedup, cluster or recut made")
      ->required();
  add_text(verb, "CLUSTER", options->cluster, "CLUSTER",
           "show the cluster of this document, an id or FILE:RECORD [the largest clusters]");
  offer(add_text(verb, "--kind", options->kind, "KIND",
                 "removed records of this kind, least alike first: identical, lexical, near or "
                 "contained; pairs, in a folder of cluster"),
        {"identical", "lexical", "near", "contained"})
      ->group(group::most_used);
  verb.add_option_function<std::string>(
          "-r,--resemblance",
          [options](const std::string& text) { parse_resemblances(text, *options); },
          "removed records (or pairs) of this resemblance, such as 0.8:0.85")
      ->type_name("LOW-HIGH")
      ->group(group::most_used);
  add_count(verb, "--top", options->top, "show at most N [20]")->group(group::most_used);
  verb.add_flag("--json", options->json, "print a JSON object per line")->group(group::output);
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
