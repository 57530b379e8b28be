// This file's interface is stats/english.h; the rest is private.
#include "stats/english.h"

#include <charconv>
#include <string>
#include <string_view>

#include "base/file_header.h"
#include "base/varint.h"
#include "stats/english_terms.h"
#include "stats/nidf.h"

namespace twinset {

TermTable english_table() {
  const english::EnglishFacts& facts = english::facts;
  TermTable table;
  table.hash = fingerprint_text(english_hash());
  table.documents = facts.documents;
  table.terms = facts.primary_terms + facts.secondary_terms;
  table.analyzer = "words";
  table.analyzer_version = facts.analyzer_version;
  table.unicode = facts.unicode;
  table.command = facts.command;
  table.note = facts.note;
  table.made_from = facts.made_from;
  table.files = facts.files;
  table.content = facts.content;
  table.min_df = facts.min_df;
  table.primary = df_window(facts.documents, facts.low, facts.high);
  table.primary->terms = facts.primary_terms;
  table.secondary = df_window(facts.documents, facts.high, Ratio(1, 1));
  table.secondary->most_df = table.primary->least_df - 1;
  table.secondary->terms = facts.secondary_terms;
  return table;
}

Fingerprint english_hash() {
  static const Fingerprint hash = [] {
    const english::EnglishFacts& facts = english::facts;
    std::string numbers;
    for (const std::uint64_t number : {facts.documents, facts.primary_terms, facts.secondary_terms,
                                       facts.min_df, std::uint64_t{facts.analyzer_version}}) {
      append_varint(number, numbers);
    }
    RunningFingerprint all;
    all.add(numbers + facts.low.text() + " " + facts.high.text() + "\n");
    all.add({english::terms, english::terms_bytes});
    return all.value();
  }();
  return hash;
}

Status for_each_english_term(const std::function<Status(const CountedTerm&)>& use) {
  const TermTable table = english_table();
  std::string term;
  std::string_view rest(english::terms, english::terms_bytes);
  while (!rest.empty()) {
    const std::size_t space = rest.find(' ');
    const std::size_t end = rest.find('\n');
    term.resize(static_cast<std::size_t>(rest[0] - 'a'));
    term += rest.substr(1, space - 1);
    std::uint64_t df = 0;
    std::from_chars(rest.data() + space + 1, rest.data() + end, df);
    const bool primary = df >= table.primary->least_df;
    TWINSET_TRY(use({term, df, primary ? TermPart::primary : TermPart::secondary}));
    rest.remove_prefix(end + 1);
  }
  return {};
}

}  // namespace twinset
