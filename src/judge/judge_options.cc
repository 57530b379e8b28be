// The options of the verb of this room; this file's interface is their options_of().
#include "run/common_options.h"
#include "twinset/judge.h"

namespace twinset {

namespace {

/// How the records that a file of pairs names are read; limits and lost inputs are of collections.
std::vector<Option> record_options(std::vector<Option> all) {
  std::erase_if(all, [](const Option& option) {
    return option.name() == "limit" || option.name() == "allow_lost_inputs";
  });
  return all;
}

}  // namespace

std::vector<Option> options_of(JudgeOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together({
      required(
          {"sources SOURCE", &options.sources, decides, most_used,
           "folder that dedup, cluster or detect made, a file of pairs as JSON Lines, or a file of "
           "labels; with --table judged files"}),
      {"-o, --output FILE", &options.output, unrecorded, most_used,
       "file of the verdicts, made or continued"},
      {"--sample N", &options.sample, decides, most_used, "pairs or labels of each class"},
      {"--by", Choice(&options.by, {"distance", "resemblance", "label", "count"}), decides,
       most_used,
       "classes of pairs: each distance, each tenth of resemblance, or each label; of labels: each "
       "kind, or each decade of their counts",
       "one class"},
      {"--seed N", &options.seed, decides, most_used, "another seed takes another sample"},
      {"--categories LIST", &options.categories, decides, most_used,
       "names told apart by their first letters; the first is the good one, unclear is dropped",
       "same,different,unclear; for labels commercial, template and four more"},
      {"--judge NAME", &options.judge, unrecorded, most_used, "name beside each verdict",
       "your login name"},
      {"--page FILE", &options.page, unrecorded, output,
       "make an HTML page on which to judge, in place of the terminal"},
      {"--table", &options.table, unrecorded, output, "only count the verdicts of judged files"},
      record_options(input_options(options.input)),
      analyzer_option(options.analyzer),
  });
}

}  // namespace twinset
