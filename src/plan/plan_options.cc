// The options of plan; this file's interface is options_of().
#include "run/common_options.h"
#include "twinset/plan.h"

namespace twinset {

std::vector<Option> options_of(PlanOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return noting_typed(
      options,
      together({
          inputs_option(options),
          {"--for", Choice(&options.run, {"dedup", "cluster"}), decides, most_used,
           "verb to make predictions for"},
          {"-r, --resemblance SHARE", &options.resemblance, decides, most_used,
           "threshold of that run", "0.8; for cluster 0.5"},
          {"--cluster MACHINESxCORES", &options.cluster, unrecorded, most_used,
           "also predict the run in shards on so many machines, each with --memory"},
          {"--documents N", &options.documents, unrecorded, most_used,
           "documents of the run on --cluster, all like those read", "those read"},
          within_option(options.within),
          input_options(options.input),
          content_option(options.input),
          analyzer_option(options.analyzer),
          scheme_option(options.scheme, "scheme of that run", "fss; for cluster mod(samples=64)"),
          distance_option(options),
          profile_option(options),
          template_options(options),
          min_tokens_option(options.min_tokens, method),
          exact_below_option(options.exact_below, method),
          max_group_option(options.max_group),
          seed_option(options),
          df_documents_option(options),
          resource_options(options.resources),
      }));
}

}  // namespace twinset
