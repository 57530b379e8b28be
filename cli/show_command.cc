// twinset show: what a finished run found, with first words.
#include <fmt/format.h>

#include "common.h"
#include "twinset/show.h"

namespace twinset::cli {
namespace {

/// "0.8:0.85", "0.8:" or ":0.85".
void parse_band(const std::string& text, ShowOptions& options) {
  const std::size_t colon = text.find(':');
  const auto parse = [](const std::string& end, std::optional<Ratio>& out) {
    if (end.empty()) return;
    Result<Ratio> ratio = Ratio::parse(end);
    if (!ratio.ok()) throw CLI::ValidationError("--resemblance", ratio.error().message);
    out = ratio.value();
  };
  if (colon == std::string::npos || text.size() == 1) {
    throw CLI::ValidationError("--resemblance", "'" + text + "' is no band such as 0.8:0.85");
  }
  parse(text.substr(0, colon), options.least);
  parse(text.substr(colon + 1), options.most);
}

}  // namespace

void add_show(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App& verb = *app.add_subcommand(
      "show", "clusters, their records, and what was removed, with first words");
  verb.add_option("DIR", options->output, "folder that dedup, cluster or recut made")->required();
  verb.add_option("CLUSTER", options->cluster,
                  "id or FILE:RECORD of a document: the cluster it is in [the largest clusters]");
  verb.add_option("--kind", options->kind,
                  "removed records of this kind, least alike first; of cluster's folder pairs")
      ->type_name("identical|lexical|near|contained");
  verb.add_option_function<std::string>(
          "--resemblance,-r", [options](const std::string& text) { parse_band(text, *options); },
          "removed records (or pairs) of this resemblance, such as 0.8:0.85")
      ->type_name("LOW:HIGH");
  add_count(verb, "--top", options->top, "show so many at most [20]");
  verb.add_flag("--json", options->json, "a JSON object a line");
  verb.callback([options, &exit_code] {
    const Result<std::string> answer = show(*options, RunControl{&interrupted(), nullptr, nullptr});
    if (!answer.ok()) {
      exit_code = fail(answer.error());
      return;
    }
    fmt::print("{}", answer.value());
  });
}

}  // namespace twinset::cli
