#include "reuse/reuse_options.h"

#include "run/common_options.h"

namespace twinset {

Option url_option(std::string& url) {
  return {"--url FIELD", &url, OptionRole::decides, Heading::input,
          "field of a record that holds its URL; pages of web archives know theirs, and a record "
          "without one stands where its file does"};
}

Option stop_option(std::string& stop) {
  return {"--stop FILE",
          &stop,
          OptionRole::decides,
          Heading::most_used,
          "a file of labels that are stop chunks: common without copying, and in no count",
          "none"};
}

std::vector<Option> page_options(PageSettings& settings) {
  using enum OptionRole;
  using enum Heading;
  return together({
      url_option(settings.url),
      {"--repeats N", &settings.repeats, decides, method,
       "leave out a page if parts of its path stand N times in a row, as a crawler's loops make "
       "them; 0: keep all"},
  });
}

}  // namespace twinset
