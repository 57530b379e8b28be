// The options of evaluate; this file's interface is options_of().
#include "dedup/dedup_options.h"
#include "run/common_options.h"
#include "twinset/evaluate.h"

namespace twinset {

std::vector<Option> options_of(EvaluateOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return noting_typed(
      options,
      together({
          {inputs_option(options)},
          decision_options(options, options, options),
          verify_option(options),
          key_options(options, options),
          template_options(options),
          {"--sample-seed N", &options.sample_seed, decides, method,
           "random seed that chooses originals and edits"},
          {"--schemes LIST", &options.schemes, decides, trial,
           "try these schemes beside the run, each alone: all, or specs such as "
           "'fss,mod(modulus=16)'; at 0.5, 0.7, 0.8, 0.9 and --resemblance, with costs and a "
           "verdict"},
          {"--sample N", &options.sample, decides, trial, "documents to sample at most", "2000"},
          {"--labels FIELD", &options.labels, decides, trial,
           "field that holds a record's label: clusters are compared with the labels"},
          {"--labels-file FILE", &options.labels_file, decides, trial,
           "labels by id instead: lines {\"id\": ..., \"label\": ...}"},
          {"--ignore-unknown-labels", &options.ignore_unknown_labels, decides, trial,
           "accept ids in that file that no document has"},
          {"--truth RULE", &options.truth, decides, trial,
           "which pairs are due: resemblance:R; cosine:C, of the sets of different tokens; or "
           "overlap:O,length:L: at least O of the shorter text's tokens are in the other, and it "
           "has "
           "at least 1 - L as many; adds a table of means over queries",
           "resemblance at the threshold"},
          {"--utility LABEL", &options.utility, decides, trial,
           "take documents of this label as queries: found ones with it count 1, with another "
           "-COST"},
          {"--cost N", &options.cost, decides, trial, "of a found document with another label"},
          {"--copies-out FILE", &options.copies_out, unrecorded, trial,
           "file to make: the planted copies with their true resemblance, to test other tools "
           "with"},
          resource_options(options.resources),
      }));
}

}  // namespace twinset
