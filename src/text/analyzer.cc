// Finds an analyzer by name in the generated list, analyzes a document through its markup, and
// fingerprints its tokens.
//
// This file's interface is text/analyzer.h; the rest is private.
#include "text/analyzer.h"

#include <algorithm>
#include <bit>

#include "text/analyzer_list.h"
#include "text/canonical.h"
#include "twinset/scheme.h"

namespace twinset {

static_assert(std::endian::native == std::endian::little,
              "the fingerprint is of the tokens' little-endian bytes");

Fingerprint Analysis::lexical_fingerprint() const {
  return fingerprint_bytes(
      {reinterpret_cast<const char*>(tokens.data()), tokens.size() * sizeof tokens[0]});
}

void Analyzer::append_token(std::string_view text, TokenOffsets token, std::string& out) const {
  append_canonical(text.substr(token.begin, token.end - token.begin), LetterCase::fold, out);
}

void analyze(const Analyzer& analyzer, std::string_view text, Markup markup, Offsets offsets,
             Analysis& out) {
  if (markup_before(analyzer, markup) == Markup::none) {
    return analyzer.analyze(text, offsets, out);
  }
  extract_html(text, offsets, out.html, markup);
  analyzer.analyze(out.html.view(), offsets, out);
  map_to_page(out.html, out.offsets);
  out.html.release_large();
}

std::string without_markup(std::string text, Markup markup) {
  if (markup == Markup::none) return text;
  HtmlText seen;
  extract_html(text, Offsets::drop, seen, markup);
  return std::string(seen.view());
}

Markup markup_before(const Analyzer& analyzer, Markup markup) {
  return analyzer.reads_markup() ? Markup::none : markup;
}

const Analyzer* find_analyzer(std::string_view name) {
  for (const Analyzer* analyzer : analyzers()) {
    if (analyzer->name() == name) return analyzer;
  }
  return nullptr;
}

Result<const Analyzer*> require_analyzer(std::string_view name) {
  const Analyzer* const found = find_analyzer(name);
  if (found != nullptr) return found;
  std::string known;
  for (const Analyzer* analyzer : analyzers()) {
    known += known.empty() ? "" : ", ";
    known += analyzer->name();
  }
  return usage_error("no analyzer '" + std::string(name) + "'; there is: " + known);
}

std::span<const Analyzer* const> analyzers() {
  static const std::vector<const Analyzer*> by_name = [] {
    std::vector<const Analyzer*> found;
    for (const AnalyzerEntry* entry : listed_analyzers()) found.push_back(&entry->analyzer);
    std::ranges::sort(found, {}, &Analyzer::name);
    return found;
  }();
  return by_name;
}

std::vector<AnalyzerDeclaration> known_analyzers() {
  std::vector<AnalyzerDeclaration> known;
  for (const Analyzer* each : analyzers()) {
    known.push_back({each->name(), each->version(), each->summary(), each->takes_features()});
  }
  return known;
}

}  // namespace twinset
