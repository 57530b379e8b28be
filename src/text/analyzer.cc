// Finding an analyzer by name in the generated list, and the fingerprint of what
// an analyzer made.
//
// This file's interface is text/analyzer.h; the rest is private.
#include "text/analyzer.h"

#include <algorithm>
#include <bit>

#include "text/analyzer_list.h"
#include "text/words_reference.h"

namespace twinset {

static_assert(std::endian::native == std::endian::little,
              "the fingerprint is of the tokens' little-endian bytes");

Fingerprint Analysis::lexical_fingerprint() const {
  return fingerprint_bytes(
      {reinterpret_cast<const char*>(tokens.data()), tokens.size() * sizeof tokens[0]});
}

void Analyzer::append_token(std::string_view text, TokenOffsets token, std::string& out) const {
  append_folded_token(text.substr(token.begin, token.end - token.begin), out);
}

const Analyzer* find_analyzer(std::string_view name) {
  for (const Analyzer* analyzer : analyzers()) {
    if (analyzer->name() == name) return analyzer;
  }
  return nullptr;
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

}  // namespace twinset
