// An index opened for questions. This file's interface is verbs.h; the rest is private.
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "fields.h"
#include "one_text.h"
#include "options.h"
#include "twinset/hits.h"
#include "verbs.h"

namespace twinset::python {
namespace {

/// Settings as they are typed.
template <class Settings>
Settings settings_of(const nb::dict& typed) {
  Settings made;
  set_options(options_of(made), typed);
  return made;
}

template <class Settings>
nb::list described_settings() {
  Settings made;
  return described(options_of(made));
}

template <class T>
nb::dict values(T value) {
  return values_of(fields_of(value));
}

/// Calls `job()` without the interpreter: it reads files.
template <class Job>
auto reading(Job job) {
  return or_raise(without_interpreter(SIZE_MAX, job));
}

template <class T>
nb::tuple value_class(const char* name) {
  T empty;
  return nb::make_tuple(name, described(fields_of(empty), Elements::alike));
}

}  // namespace

void add_index(nb::module_& module) {
  nb::class_<Index>(module, "OpenIndex", "An index as it was when it was opened.")
      .def_static("open",
                  [](const nb::bytes& folder) {
                    const std::string path(folder.c_str(), folder.size());
                    return reading([&] { return Index::open(path); });
                  })
      .def("stats", [](const Index& index) { return values(index.stats()); })
      .def(
          "query",
          [](const Index& index, nb::handle text, const nb::dict& settings, bool html) {
            const OneText one(text, "text");
            const auto query = settings_of<QuerySettings>(settings);
            return values(reading([&] { return index.query(one.view(), query, html); }));
          },
          nb::arg("text").none(), nb::arg("settings"), nb::arg("html"))
      .def("query_document",
           [](const Index& index, nb::handle id, const nb::dict& settings) {
             const OneText one(id, "id");
             const auto query = settings_of<QuerySettings>(settings);
             return values(reading([&] { return index.query_document(one.view(), query); }));
           })
      .def("locate",
           [](const Index& index, nb::handle url, const nb::dict& settings) {
             const OneText one(url, "url");
             const auto wanted = settings_of<LocateSettings>(settings);
             return values(reading([&] { return index.locate(one.view(), wanted); }));
           })
      .def("lookup",
           [](const Index& index, nb::handle name, const nb::dict& settings) {
             const OneText one(name, "id");
             const auto wanted = settings_of<LookupSettings>(settings);
             return values(reading([&] { return index.lookup(one.view(), wanted); }));
           })
      .def("group",
           [](const Index& index, const nb::bytes& list, const nb::dict& settings) {
             const auto wanted = settings_of<GroupSettings>(settings);
             const HitList hits = or_raise(read_hit_list({list.c_str(), list.size()}));
             return values(reading([&] { return index.group(hits, wanted); }));
           })
      .def("find", [](const Index& index, nb::handle id) -> nb::object {
        const OneText one(id, "id");
        auto found = reading([&] { return index.find(one.view()); });
        if (!found.has_value()) return nb::none();
        return values(*std::move(found));
      });
  // The settings of its questions, by method.
  module.def("index_settings", [] {
    nb::dict all;
    all["query"] = all["query_document"] = described_settings<QuerySettings>();
    all["locate"] = described_settings<LocateSettings>();
    all["lookup"] = described_settings<LookupSettings>();
    all["group"] = described_settings<GroupSettings>();
    return all;
  });
  // The classes of what an index answers with.
  module.def("index_values", [] {
    nb::list all;
    all.append(value_class<IndexStats>("IndexStats"));
    all.append(value_class<IndexDocument>("IndexDocument"));
    all.append(value_class<IndexAnswer>("IndexAnswer"));
    all.append(value_class<PageLocation>("PageLocation"));
    all.append(value_class<IndexLookup>("IndexLookup"));
    all.append(value_class<GroupedHits>("GroupedHits"));
    return all;
  });
}

}  // namespace twinset::python
