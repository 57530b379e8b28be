// Finds an analyzer by name in the generated list, analyzes a document through its markup, and
// fingerprints its tokens.
//
// This file's interface is text/analyzer.h; the rest is private.
#include "text/analyzer.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>

#include "base/spec_text.h"
#include "text/analyzer_list.h"
#include "text/canonical.h"
#include "twinset/scheme.h"

namespace twinset {

static_assert(std::endian::native == std::endian::little,
              "the fingerprint is of the tokens' little-endian bytes");

namespace {

/// Of its errors.
constexpr SpecNoun analyzer_noun{"analyzer", "an analyzer", "words"};

/// The number of the value that `text` means.
Result<std::uint64_t> value_of(const ParameterDeclaration& parameter, const std::string& text) {
  const auto refused = [&](const std::string& why) {
    return usage_error(std::string(parameter.name) + "=" + text + " cannot be used: " + why + " (" +
                       std::string(parameter.help) + ")");
  };
  if (parameter.kind == ParameterKind::choice) {
    const auto found = std::ranges::find(parameter.choices, text);
    if (found != parameter.choices.end()) {
      return static_cast<std::uint64_t>(found - parameter.choices.begin());
    }
    std::string known;
    for (const std::string_view each : parameter.choices) {
      known += (known.empty() ? "" : ", ") + std::string(each);
    }
    return refused("expected one of " + known);
  }
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stopped != end || value < parameter.minimum ||
      value > parameter.maximum) {
    return refused("expected a number from " + std::to_string(parameter.minimum) + " to " +
                   std::to_string(parameter.maximum));
  }
  return value;
}

Result<const Analyzer*> analyzer_with(const AnalyzerEntry& entry, const ParsedSpec& spec) {
  const std::string at = "analyzer " + std::string(spec.name) + ": ";
  std::vector<std::optional<std::uint64_t>> given(entry.parameters.size());
  for (const auto& [name, text] : spec.parameters) {
    const auto found = std::ranges::find(entry.parameters, name, &ParameterDeclaration::name);
    if (found == entry.parameters.end()) {
      std::string known;
      for (const ParameterDeclaration& each : entry.parameters) {
        known += (known.empty() ? "; it has " : ", ") + std::string(each.name);
      }
      return usage_error(at + "no parameter '" + std::string(name) + "'" +
                         (known.empty() ? "; it has none" : known));
    }
    const Result<std::uint64_t> value = value_of(*found, text);
    if (!value.ok()) return usage_error(at + value.error().message);
    auto& place = given[static_cast<std::size_t>(found - entry.parameters.begin())];
    if (place.has_value()) return usage_error(at + std::string(name) + " is given twice");
    place = value.value();
  }
  if (entry.parameters.empty()) return &entry.analyzer;
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < given.size(); ++i) {
    values.push_back(given[i].value_or(entry.parameters[i].standard));
  }
  return &entry.with(values);
}

}  // namespace

std::string analyzer_name(std::string_view name, std::span<const ParameterDeclaration> parameters,
                          std::span<const std::uint64_t> values) {
  std::string list;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ParameterDeclaration& declared = parameters[i];
    if (values[i] == declared.standard) continue;
    list += list.empty() ? "" : ", ";
    list += std::string(declared.name) + '=';
    list += declared.kind == ParameterKind::choice ? std::string(declared.choices[values[i]])
                                                   : std::to_string(values[i]);
  }
  return std::string(name) + (list.empty() ? "" : "(" + list + ")");
}

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
  const Result<const Analyzer*> found = require_analyzer(name);
  return found.ok() ? found.value() : nullptr;
}

Result<const Analyzer*> require_analyzer(std::string_view name) {
  ParsedSpec spec{name, {}};
  if (name.find('(') != name.npos) {
    TWINSET_ASSIGN(spec, parse_spec(name, analyzer_noun));
  }
  for (const AnalyzerEntry* entry : listed_analyzers()) {
    if (entry->analyzer.name() == spec.name) return analyzer_with(*entry, spec);
  }
  std::string known;
  for (const Analyzer* analyzer : analyzers()) {
    known += known.empty() ? "" : ", ";
    known += analyzer->name();
  }
  return usage_error("no analyzer '" + std::string(spec.name) + "'; there is: " + known);
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
