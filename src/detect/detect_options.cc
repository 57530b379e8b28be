// The options of detect; this file's interface is its options_of().
#include "reuse/reuse_options.h"
#include "run/common_options.h"
#include "twinset/reuse.h"
#include "web/chunk_options.h"

namespace twinset {

std::vector<Option> options_of(DetectOptions& options) {
  using enum OptionRole;
  using enum Heading;
  Option inputs = inputs_option(options);
  inputs.is_required = false;
  return together({
      inputs,
      {"-L, --labels FILE", &options.labels, decides, most_used,
       "the labels to find, a file that discover or labels made; it says how pages are cut"},
      {"-o, --output DIR", &options.output, unrecorded, most_used,
       "folder to make, with all pages, matches and neighborhoods; missing or empty. Without it "
       "only the first ones are printed"},
      {"--threshold SHARE", &options.threshold, decides, most_used,
       "mark a page or neighborhood as bad if its share of labels is higher: a share such as "
       "0.163, or auto, the mean and one standard deviation"},
      {"--page-threshold SHARE", &options.page_threshold, decides, most_used,
       "the same for pages alone", "--threshold"},
      {"--badness", Choice(&options.badness, {"chunks", "pages"}), decides, most_used,
       "chunks: a neighborhood's labeled chunks of all its chunks; pages: the mean share over its "
       "pages"},
      stop_option(options.stop),
      {"--merge DIR", &options.merge, decides, most_used,
       "make the lists of one run of folders that detect made of the parts of a collection"},
      page_options(options.pages),
      {"--report FILE", &options.report, unrecorded, most_used,
       "HTML page to make, with the worst pages and neighborhoods; its facts are beside it as "
       ".json"},
      {"--top N", &options.top, unrecorded, output,
       "pages and neighborhoods to print and to show in the report, the worst first"},
      input_options(options.input),
      max_bad_option(options.max_bad, unrecorded, input),
      resource_options(options.resources),
  });
}

}  // namespace twinset
