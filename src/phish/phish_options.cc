// The options of phish; this file's interface is its options_of().
#include "reuse/reuse_options.h"
#include "run/common_options.h"
#include "twinset/phish.h"

namespace twinset {

std::vector<Option> options_of(PhishOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together({
      required({"labels FILE", &options.labels, decides, most_used,
                "the labels of known pages, a file that discover or labels made; it says how pages "
                "are cut"}),
      inputs_option(options),
      {"--min-parts N", &options.min_parts, decides, most_used,
       "a page that holds fewer parts of a known site is no imitation"},
      {"--min-share SHARE", &options.min_share, decides, most_used,
       "likewise a page that holds a smaller share of such parts; 0.5 is strict"},
      {"--allow HOST", &options.allow, decides, most_used,
       "a host whose site may hold parts of the known pages, such as another one of their owner"},
      {"--site HOST", &options.site, decides, most_used,
       "the site of labels that name no page of theirs"},
      stop_option(options.stop),
      url_option(options.url),
      {"--top N", &options.top, unrecorded, output, "pages to print, the largest share first"},
      input_options(options.input),
      max_bad_option(options.max_bad, unrecorded, input),
      resource_options(options.resources),
  });
}

}  // namespace twinset
