// The options of calibrate; this file's interface is options_of().
#include "run/common_options.h"
#include "twinset/calibrate.h"

namespace twinset {

std::vector<Option> options_of(CalibrateOptions& options) {
  using enum OptionRole;
  using enum Heading;
  std::vector<Option> all = together({
      inputs_option(options),
      input_options(options.input),
      content_option(options.input),
      analyzer_option(options.analyzer),
      scheme_option(options.scheme,
                    "scheme to calibrate: simhash, whose distance is chosen; imatch, whose number "
                    "of lexicons and share of terms left out are; or one that estimates "
                    "resemblance, whose threshold is"),
      {"--labels FIELD", &options.labels, decides, most_used,
       "documents with one value in this field are the same"},
      {"--pairs FILE", &options.pairs, decides, most_used,
       "judged pairs instead: lines {\"a\": ID, \"b\": ID, \"same\": true}, or with a \"verdict\" "
       "same or different"},
      {"--precision SHARE", &options.precision, decides, most_used,
       "share of the found pairs that must be the same: the loosest value whose precision is at "
       "least this by the lower end of its 95 % interval is chosen"},
      {"-r, --resemblance SHARE", &options.resemblance, decides, most_used,
       "without --labels and --pairs: two documents are the same from this exact resemblance on"},
      {"-o, --output FILE", &options.output, unrecorded, most_used,
       "profile to make, which cluster and dedup take (--profile)"},
      {"--verify", Choice(&options.verify, {"exact", "sketch"}), decides, method,
       "with a scheme that estimates resemblance: find pairs by the texts or by estimates, as the "
       "runs will that use the profile",
       "exact; sketch without --labels and --pairs"},
      max_group_option(options.max_group),
      {"--sample-seed N", &options.sample_seed, decides, method,
       "random seed that chooses documents, copies and halves"},
      {"--sample N", &options.sample, decides, trial,
       "found pairs to judge at most, at each length and value, of all that a run finds; without "
       "--labels also documents to plant copies in. With --labels half as many pairs of one label "
       "are looked for, or 100,000 of a scheme that tells a distance",
       "2000; 10000 with --labels"},
      resource_options(options.resources),
  });
  for (Option& option : all) option.is_required = option.is_required || option.name() == "scheme";
  return all;
}

}  // namespace twinset
