// Steps of discover and detect over columns, for engines that move rows between machines: the
// module twinset/spark.py stands on it. Each function takes a part of the pages, or of what was
// found in them, and knows nothing of the others; the rules are those of twinset/reuse.h.
//
// This file's interface is verbs.h; the rest is private.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fields.h"
#include "numbers.h"
#include "options.h"
#include "table.h"
#include "texts.h"
#include "twinset/field.h"
#include "twinset/labels.h"
#include "twinset/reuse.h"
#include "verbs.h"

namespace twinset::python {
namespace {

std::uint64_t at(const Numbers& numbers, std::size_t i) {
  return static_cast<std::uint64_t>(numbers.data()[i]);
}

// ---- detect ----

Badness badness_of(const std::string& name) {
  DetectOptions options;
  nb::dict settings;
  settings["badness"] = nb::cast(name);
  set_options(options_of(options), settings);
  return options.badness;
}

DetectedPage page_of(const Numbers& chunks, const Numbers& labeled, std::size_t i) {
  DetectedPage page;
  page.chunks = at(chunks, i);
  page.labeled = at(labeled, i);
  return page;
}

/// The columns of neighborhoods by which these are ranked.
struct NeighborhoodColumns {
  const Numbers& pages;
  const Numbers& chunks;
  const Numbers& labeled;
  const Numbers& contains_sum;

  std::size_t size() const { return pages.shape(0); }
  DetectedNeighborhood operator[](std::size_t i) const {
    DetectedNeighborhood found;
    found.pages = at(pages, i);
    found.chunks = at(chunks, i);
    found.labeled = at(labeled, i);
    found.contains_sum = at(contains_sum, i);
    return found;
  }
};

NeighborhoodColumns neighborhoods_of(const Numbers& pages, const Numbers& chunks,
                                     const Numbers& labeled, const Numbers& contains_sum) {
  check_sizes(pages, chunks, labeled, contains_sum);
  return {pages, chunks, labeled, contains_sum};
}

/// Adds up the shares of a part, of pages or neighborhoods with chunks.
class Shares {
 public:
  void add_pages(const Numbers& chunks, const Numbers& labeled) {
    check_sizes(chunks, labeled);
    for (std::size_t i = 0; i < chunks.shape(0); ++i) {
      const DetectedPage page = page_of(chunks, labeled, i);
      if (page.chunks > 0) sums_.add(page.units());
    }
  }
  void add_neighborhoods(const Numbers& pages, const Numbers& chunks, const Numbers& labeled,
                         const Numbers& contains_sum, const std::string& badness) {
    const NeighborhoodColumns columns = neighborhoods_of(pages, chunks, labeled, contains_sum);
    const Badness by = badness_of(badness);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const DetectedNeighborhood found = columns[i];
      if (found.chunks > 0) sums_.add(found.units(by));
    }
  }
  /// So many pages without a label.
  void add_empty(std::uint64_t pages) { sums_.add(0, pages); }
  void add_state(const nb::bytes& state) {
    ShareSums::State numbers;
    if (state.size() != sizeof numbers) raise(usage_error("these are no sums of shares"));
    std::memcpy(numbers.data(), state.c_str(), sizeof numbers);
    sums_.add(ShareSums::of(numbers));
  }
  nb::bytes state() const {
    const ShareSums::State numbers = sums_.state();
    return nb::bytes(numbers.data(), sizeof numbers);
  }

  std::uint64_t count() const { return sums_.count(); }
  nb::list by_twentieth() const {
    nb::list all;
    for (const std::uint64_t shares : sums_.by_twentieth()) all.append(shares);
    return all;
  }
  /// The fields of the threshold, and its share exactly.
  nb::tuple threshold(const std::string& text, const std::string& option) const {
    DetectThreshold found = or_raise(detect_threshold(text, option.c_str(), sums_));
    return nb::make_tuple(values_of(fields_of(found)), found.threshold);
  }

 private:
  ShareSums sums_;
};

DetectThreshold above(double share) {
  DetectThreshold threshold;
  threshold.threshold = share;
  return threshold;
}

/// The shares of pages, and whether these are bad, as 1.
nb::tuple judge_pages(const Numbers& chunks, const Numbers& labeled, double share) {
  check_sizes(chunks, labeled);
  const DetectThreshold threshold = above(share);
  std::vector<double> contains;
  std::vector<std::uint8_t> bad;
  for (std::size_t i = 0; i < chunks.shape(0); ++i) {
    const DetectedPage page = page_of(chunks, labeled, i);
    contains.push_back(page.contains());
    bad.push_back(threshold.is_above(page.units()) ? 1 : 0);
  }
  return nb::make_tuple(column(std::move(contains)), column(std::move(bad)));
}

/// The badness of neighborhoods by chunks and by pages, and whether they are bad, as 1.
nb::tuple judge_neighborhoods(const Numbers& pages, const Numbers& chunks, const Numbers& labeled,
                              const Numbers& contains_sum, const std::string& badness,
                              double share) {
  const NeighborhoodColumns columns = neighborhoods_of(pages, chunks, labeled, contains_sum);
  const Badness by = badness_of(badness);
  const DetectThreshold threshold = above(share);
  std::vector<double> by_chunks;
  std::vector<double> by_pages;
  std::vector<std::uint8_t> bad;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const DetectedNeighborhood found = columns[i];
    by_chunks.push_back(found.badness(Badness::chunks));
    by_pages.push_back(found.badness(Badness::pages));
    bad.push_back(threshold.is_above(found.units(by)) ? 1 : 0);
  }
  return nb::make_tuple(column(std::move(by_chunks)), column(std::move(by_pages)),
                        column(std::move(bad)));
}

// ---- discover ----

DiscoverOptions discover_options(Texts* texts, const nb::dict& typed) {
  DiscoverOptions options;
  set_options(options_of(options), typed);
  if (texts != nullptr) options.columns = {texts->column("memory")};
  return options;
}

/// Calls `use` for the pages of the texts.
template <class Use>
CutRules for_each_page(Texts& texts, const nb::dict& typed, Use use) {
  const DiscoverOptions options = discover_options(&texts, typed);
  return watched(nb::none(), {}, [&](const RunControl& control) {
    return cut_pages(options, control, [&](const CutPage& page) -> Status {
      use(page);
      return {};
    });
  });
}

nb::dict values_of(const CutRules& cut) {
  nb::dict values;
  values["rules"] = text_of(cut.rules);
  values["hash"] = text_of(cut.hash);
  values["pages"] = nb::cast(cut.pages);
  return values;
}

/// The pages and their objects as two tables, whose rows name the text of a page from 0.
nb::tuple page_objects(Texts& texts, const nb::dict& typed) {
  std::uint64_t row = 0;
  CutPage page;
  FieldTable pages({{"row", &row},
                    {"site", &page.site},
                    {"recursion_error", &page.recursion_error},
                    {"short_chunks", &page.short_chunks},
                    {"stop_chunks", &page.stop_chunks},
                    {"file_stops", &page.file_stops}});
  PageObject object;
  bool is_first = false;
  FieldTable objects({{"row", &row},
                      {"site", &page.site},
                      {"first", &is_first},
                      {"file", &object.is_file},
                      {"hash", &object.hash},
                      {"offset", &object.offset},
                      {"length", &object.length}});
  std::set<std::string, std::less<>> chunks;
  for_each_page(texts, typed, [&](const CutPage& found) {
    row = found.record - 1;
    page = found;
    pages.add();
    chunks.clear();
    for (const PageObject& each : found.objects) {
      object = each;
      is_first = each.is_file || chunks.insert(each.hash).second;
      objects.add();
    }
  });
  return nb::make_tuple(nb::cast(std::const_pointer_cast<Table>(std::move(pages).table())),
                        nb::cast(std::const_pointer_cast<Table>(std::move(objects).table())));
}

/// The first words of objects: of the texts at `rows`, ascending, those at these offsets.
nb::list quotes(Texts& texts, const nb::dict& typed, const Numbers& rows, const Numbers& files,
                const Numbers& offsets) {
  check_sizes(rows, files, offsets);
  std::vector<std::string> found(rows.shape(0));
  std::size_t next = 0;
  for_each_page(texts, typed, [&](const CutPage& page) {
    while (next < found.size() && at(rows, next) < page.record - 1) ++next;
    for (; next < found.size() && at(rows, next) == page.record - 1; ++next) {
      for (const PageObject& object : page.objects) {
        if (object.is_file != (at(files, next) != 0) || object.offset != at(offsets, next))
          continue;
        found[next] = page.quote(object);
        break;
      }
    }
  });
  nb::list all;
  for (const std::string& text : found) all.append(text_of(text));
  return all;
}

/// The fate of objects that were counted: 1 for a label, 2 and 3 for stop chunks in a site and over
/// sites, 0 for what is rare.
nb::object fates(const nb::dict& typed, const Numbers& files, const Numbers& counts,
                 const Numbers& sites, const Numbers& most_in_site) {
  check_sizes(files, counts, sites, most_in_site);
  const DiscoverOptions options = discover_options(nullptr, typed);
  std::vector<std::int64_t> found;
  for (std::size_t i = 0; i < files.shape(0); ++i) {
    found.push_back(static_cast<std::int64_t>(fate_of(
        {at(counts, i), at(sites, i), at(most_in_site, i), false}, at(files, i) != 0, options)));
  }
  return column(std::move(found));
}

}  // namespace

void add_reuse_engine(nb::module_& module) {
  nb::class_<Shares>(module, "Shares")
      .def(nb::init<>())
      .def("add_pages", &Shares::add_pages, nb::arg("chunks"), nb::arg("labeled"))
      .def("add_neighborhoods", &Shares::add_neighborhoods, nb::arg("pages"), nb::arg("chunks"),
           nb::arg("labeled"), nb::arg("contains_sum"), nb::arg("badness"))
      .def("add_empty", &Shares::add_empty, nb::arg("pages"))
      .def("add_state", &Shares::add_state, nb::arg("state"))
      .def("state", &Shares::state)
      .def_prop_ro("count", &Shares::count)
      .def_prop_ro("by_twentieth", &Shares::by_twentieth)
      .def("threshold", &Shares::threshold, nb::arg("text"), nb::arg("option"));
  module.def("judge_pages", &judge_pages, nb::arg("chunks"), nb::arg("labeled"), nb::arg("share"));
  module.def("judge_neighborhoods", &judge_neighborhoods, nb::arg("pages"), nb::arg("chunks"),
             nb::arg("labeled"), nb::arg("contains_sum"), nb::arg("badness"), nb::arg("share"));
  module.attr("most_label_samples") = most_label_samples;
  module.attr("most_url_bytes") = most_url_bytes;
  module.def("cut_rules", [](Texts& texts, const nb::dict& typed) {
    return values_of(for_each_page(texts, typed, [](const CutPage&) {}));
  });
  module.def("page_objects", &page_objects, nb::arg("texts"), nb::arg("typed"));
  module.def("quotes", &quotes, nb::arg("texts"), nb::arg("typed"), nb::arg("rows"),
             nb::arg("files"), nb::arg("offsets"));
  module.def("fates", &fates, nb::arg("typed"), nb::arg("files"), nb::arg("counts"),
             nb::arg("sites"), nb::arg("most_in_site"));
}

}  // namespace twinset::python
