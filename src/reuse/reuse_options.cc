#include "reuse/reuse_options.h"

#include "run/common_options.h"

namespace twinset {

std::vector<Option> page_options(PageSettings& settings) {
  using enum OptionRole;
  using enum Heading;
  return together({
      {"--url FIELD", &settings.url, decides, input,
       "field of a record that holds its URL; pages of web archives know theirs, and a record "
       "without one stands where its file does"},
      {"--repeats N", &settings.repeats, decides, method,
       "leave out a page if parts of its path stand N times in a row, as a crawler's loops make "
       "them; 0: keep all"},
  });
}

}  // namespace twinset
