// Facts with every kind of section, for the tests of report.json and of the page.
//
// Threads: pure functions.
#pragma once

#include <string>

#include "faces/facts.h"
#include "faces/pair_rows.h"
#include "text/analyzer.h"
#include "words/passages.h"

namespace twinset {

/// The rows of two texts, by shingles of three words.
inline ShownPair pair_of(const ReportDocument& document, const std::string& a,
                         const std::string& b) {
  ShownPair pair;
  pair.a = pair.b = document;
  const Analyzer* words = find_analyzer("words");
  Analysis first;
  Analysis second;
  words->analyze(a, Offsets::keep, first);
  words->analyze(b, Offsets::keep, second);
  set_rows(pair, a, b, find_passages(first, second, 3));
  return pair;
}

/// A report with `text` in every string that is not a section's name.
inline ReportFacts facts_of(const std::string& text) {
  const ReportDocument document{.id = text, .file = text, .record = 1234, .words = text};
  const std::vector<Fact> values = {
      {text, Value::text(text), text},          {text, Value::code(text), text},
      {text, Value::count(1234567), text},      {text, Value::percent(1, 3), text},
      {text, Value::share(0.79996, 0.8), text}, {text, Value::bytes(2'500'000), text},
      {text, Value::seconds(12.5), text}};
  ReportFacts facts{.title = text,
                    .output = text,
                    .command = text,
                    .started = text,
                    .version = text,
                    .folder = text,
                    .warnings = {text, text},
                    .sections = {}};
  Section totals{.name = "totals", .lead = text};
  totals.numbers = {{text, Value::count(12), text}, {text, Value::count(34), text}};
  totals.parts = {{text, Fate::kept, 3}, {text, Fate::near, 0}, {text, Fate::lexical, 1}};
  Section tables{.name = "tables", .title = text, .lead = text, .numbers = values};
  tables.tables = {{{text, text, text}, {{values[0].value, values[2].value, values[3].value}}}};
  tables.histograms = {
      {text, text, text, {text, text}, {{text, text, {5, 3}}, {text, text, {0, 0}}}, false},
      {text, text, text, {text}, {{text, text, {7}}}, true}};
  tables.tiles = {{text, 9, text, {text, "list", 1}}, {text, 4}};
  tables.plots = {
      {text, text, text, true, {{text, {{1, 900}, {2.5, 30}, {5e9, 1}}, 10}, {text, {{1, 1}}}}}};
  Section list{.name = "list", .title = text};
  list.list = {{{document, document},
                values,
                {{text, "graphs", 1}, {text, "pairs", 2}},
                text,
                {{document, values}}},
               {{document}, {}, {}}};
  Section graphs{.name = "graphs", .title = text};
  graphs.graphs = {{{text, "list", 1},
                    text,
                    0.5,
                    {{document, 2}, {document, 0}, {document, 0}},
                    {{1, 0, 0.6}, {2, 1, 0.3}}}};
  Section pairs{.name = "pairs", .title = text, .side_a = text, .side_b = text};
  const std::string common = " one two three four five ";
  pairs.pairs = {pair_of(document, text + common + "six", common + text + " seven " + common),
                 pair_of(document, common + text, common)};
  pairs.pairs[0].tag = text;
  pairs.pairs[0].facts = values;
  pairs.pairs[1].more = text;
  facts.sections = {totals, tables, list, graphs, pairs};
  return facts;
}

}  // namespace twinset
