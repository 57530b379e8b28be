// The options of track; this file's interface is its options_of().
#include "run/common_options.h"
#include "twinset/index.h"

namespace twinset {

std::vector<Option> options_of(TrackOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together({
      inputs_option(options),
      required({"-o, --output DIR", &options.output, unrecorded, most_used,
                "folder to make, with a line for each page; missing or empty"}),
      {"--url FIELD", &options.url, decides, input,
       "field of the record's URL; a page of a web archive knows its own"},
      required(date_option(options.date, input, "field of the record's date")),
      {"--distance BITS", &options.distance, decides, most_used,
       "a change whose signatures differ in more bits is large"},
      {"-r, --resemblance SHARE", &options.resemblance, decides, most_used,
       "a page that is gone has moved to a new URL that resembles it so much"},
      {"--since DATE", &options.since, decides, most_used,
       "a page that was not seen since then is gone", "the day of the newest date"},
      {"--changes", &options.changes, decides, most_used,
       "there is a version only where a page changed: none is gone or born for want of one"},
      {"--report FILE", &options.report, unrecorded, most_used,
       "HTML page to make, with its facts beside it as .json"},
      {"--top N", &options.top, unrecorded, output, "hosts and pages in the summary"},
      scheme_option(options.scheme, "scheme with a distance, by which changes are weighed"),
      input_options(options.input),
      max_bad_option(options.max_bad, unrecorded, input),
      resource_options(options.resources),
  });
}

}  // namespace twinset
