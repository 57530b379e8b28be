// Makes a scheme from a spec's text, and from a scheme the fingerprint that keeps different
// sketches apart.
//
// This file's interface is scheme/scheme.h; the rest is private.
#include "scheme/scheme.h"

#include <fmt/core.h>

#include "base/message.h"
#include "scheme/scheme_list.h"
#include "scheme/spec.h"
#include "text/word_rule.h"

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

Scheme::Scheme(const SchemeDeclaration& declaration, Parameters values, const SketchFacts& facts)
    : declaration_(declaration), values_(std::move(values)), facts_(facts) {
  for (std::size_t i = 0; facts_.uses_shingles && i < values_.size(); ++i) {
    if (declaration.parameters[i].name != "shingle") continue;
    shingle_tokens_ = static_cast<unsigned>(values_[i]);
  }
}

std::string Scheme::spec() const { return render_spec(declaration_, values_); }

std::string Scheme::content_spec() const {
  return render_spec(declaration_, values_, FilesAs::content);
}

const SchemeDeclaration* declared_scheme(std::string_view spec) {
  const Result<ParsedSpec> parsed = parse_spec(spec);
  for (const SchemeEntry* entry : schemes()) {
    if (parsed.ok() && entry->declaration->name == parsed.value().name) return entry->declaration;
  }
  return nullptr;
}

Result<std::unique_ptr<Scheme>> make_scheme(std::string_view spec, double threshold,
                                            FileSystem& files) {
  if (!(threshold > 0 && threshold <= 1)) {
    return usage_error(
        fmt::format("a threshold of {}: it must be above 0 and at most 1", threshold));
  }
  TWINSET_ASSIGN(const ParsedSpec parsed, parse_spec(spec));
  for (const SchemeEntry* entry : schemes()) {
    if (entry->declaration->name != parsed.name) continue;
    TWINSET_ASSIGN(Parameters values, resolve_parameters(*entry->declaration, parsed, files));
    return entry->make({std::move(values), threshold, &files});
  }
  return unknown_scheme(parsed.name);
}

Status check_analyzer(const Scheme& scheme, const Analyzer& analyzer) {
  const SketchFacts& facts = scheme.facts();
  const bool same_name = facts.analyzer == analyzer.name();
  if (facts.analyzer.empty() || (same_name && facts.analyzer_version == analyzer.version())) {
    return {};
  }
  // A lexicon that is compiled in has no file that could be counted again: its terms are those of
  // this build's `words`, which a rule may leave out of a text, but never changes.
  if (facts.analyzer == "words" && facts.analyzer_version == 0 && takes_words(analyzer)) return {};
  return usage_error(
      fmt::format("scheme {} has terms of analyzer {} {}, and the texts are read with {} {}; {}",
                  scheme.declaration().name, facts.analyzer,
                  facts.analyzer_version != 0 ? facts.analyzer_version
                                              : find_analyzer(facts.analyzer)->version(),
                  analyzer.name(), analyzer.version(),
                  same_name ? std::string("count and build its lexicon again")
                            : fmt::format("give {}, or a lexicon that was counted with {}",
                                          option("analyzer", facts.analyzer), analyzer.name())));
}

std::uint64_t scheme_fingerprint(const Scheme& scheme, const ViewRule& rule) {
  return checksum(fmt::format("{}; scheme {}; hash {}; {}", scheme.content_spec(),
                              scheme.declaration().version, hash_version, rule.name()));
}

std::vector<SchemeDeclaration> known_schemes() {
  std::vector<SchemeDeclaration> known;
  for (const SchemeEntry* entry : schemes()) known.push_back(*entry->declaration);
  return known;
}

}  // namespace twinset
