// This file's interface is lists.h; the rest is private.
#include "lists.h"

#include <nanobind/stl/shared_ptr.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "table.h"
#include "twinset/look.h"

namespace twinset::python {
namespace {

struct NamedList {
  const char* name;
  ResultList list;
  const char* verb;  ///< that writes it
  HeldIn held = HeldIn::folder;
};
constexpr std::array result_lists{
    NamedList{"kept", ResultList::kept, "dedup", HeldIn::memory},
    NamedList{"removed", ResultList::removed, "dedup", HeldIn::memory},
    NamedList{"clusters", ResultList::clusters, "cluster", HeldIn::memory},
    NamedList{"pairs", ResultList::pairs, "cluster", HeldIn::memory},
    NamedList{"clusters", ResultList::clusters, "recut"},
    NamedList{"kept", ResultList::kept, "merge"},
    NamedList{"removed", ResultList::removed, "merge"},
    NamedList{"clusters", ResultList::clusters, "merge"},
    NamedList{"pairs", ResultList::pairs, "merge"},
    NamedList{"spans", ResultList::spans, "spans"},
    NamedList{"pages", ResultList::pages, "detect"},
    NamedList{"matches", ResultList::matches, "detect"},
    NamedList{"neighborhoods", ResultList::neighborhoods, "detect"},
    NamedList{"recursion", ResultList::recursion, "detect"},
    NamedList{"signatures", ResultList::signatures, "sketch", HeldIn::lines},
    NamedList{"pairs", ResultList::joined, "join", HeldIn::lines},
    NamedList{"hits", ResultList::hits, "query", HeldIn::lines},
    NamedList{"documents", ResultList::documents, "index_export", HeldIn::lines},
};

/// `read(list, control, columns, row)` is a way to read it.
template <class Read>
std::shared_ptr<Table> made_table(const std::string& verb, const std::string& name, Read read) {
  const auto found = std::ranges::find_if(result_lists, [&](const NamedList& listed) {
    return verb == listed.verb && name == listed.name;
  });
  if (found == result_lists.end()) throw nb::key_error(name.c_str());
  return watched(nb::none(), {}, [&](const RunControl& control) -> Result<std::shared_ptr<Table>> {
    FieldTable rows;
    const Status done = read(
        found->list, control,
        [&](std::string_view prefix, std::vector<Field> fields) {
          rows.add_columns(prefix, std::move(fields));
        },
        [&]() -> Status {
          rows.add();
          return {};
        });
    if (!done.ok()) return done.error();
    return std::const_pointer_cast<Table>(std::move(rows).table());
  });
}

}  // namespace

const char* name_of(HeldIn held) {
  constexpr std::array names{"folder", "memory", "lines"};
  return names.at(static_cast<std::size_t>(held));
}

VerbLists lists_of(std::string_view verb) {
  VerbLists lists;
  for (const NamedList& listed : result_lists) {
    if (verb != listed.verb) continue;
    lists.held = listed.held;
    lists.names.push_back(listed.name);
  }
  return lists;
}

void add_lists(nb::module_& module) {
  module.def("table_of",
             [](const std::string& verb, const std::string& name, const nb::bytes& place) {
               const std::string path(place.c_str(), place.size());
               return made_table(verb, name, [&](ResultList list, const auto&... others) {
                 return read_list(path, list, others...);
               });
             });
  module.def("table_of_lines",
             [](const std::string& verb, const std::string& name, const nb::bytes& lines) {
               const std::string_view held(lines.c_str(), lines.size());
               return made_table(verb, name, [&](ResultList list, const auto&... others) {
                 return read_lines(held, list, others...);
               });
             });
}

}  // namespace twinset::python
