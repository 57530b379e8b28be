// From a spec's text to a scheme, and from a scheme to the fingerprint that
// keeps unlike sketches apart.
//
// This file's interface is scheme/scheme.h; the rest is private.
#include "scheme/scheme.h"

#include <fmt/core.h>

#include "scheme/scheme_list.h"
#include "scheme/spec.h"

namespace twinset {
namespace {

Error unknown_scheme(std::string_view name) {
  std::vector<std::string_view> known;
  std::string list;
  for (const SchemeEntry* entry : schemes()) {
    known.push_back(entry->declaration->name);
    list += list.empty() ? "" : ", ";
    list += entry->declaration->name;
  }
  return usage_error(fmt::format("no scheme \"{}\"; did you mean {}? There are: {}", name,
                                 nearest_name(name, known), list));
}

}  // namespace

std::span<const SchemeEntry* const> schemes() { return listed_schemes(); }

Result<std::unique_ptr<Scheme>> make_scheme(std::string_view spec, double threshold) {
  if (!(threshold > 0 && threshold <= 1)) {
    return usage_error(fmt::format("a threshold of {}; it lies above 0 and up to 1", threshold));
  }
  TWINSET_ASSIGN(ParsedSpec parsed, parse_spec(spec));
  for (const SchemeEntry* entry : schemes()) {
    if (entry->declaration->name != parsed.name) continue;
    TWINSET_ASSIGN(std::vector<std::uint64_t> values,
                   resolve_parameters(*entry->declaration, parsed));
    return entry->make({std::move(values), threshold});
  }
  return unknown_scheme(parsed.name);
}

std::uint64_t scheme_fingerprint(const Scheme& scheme, const ViewRule& rule) {
  return checksum(fmt::format("{}; scheme {}; hash {}; {}", scheme.spec(),
                              scheme.declaration().version, hash_version, rule.name()));
}

}  // namespace twinset
