// The file of a table and its JSON for readers have the same fields in two orders.
#include "stats/term_fields.h"

#include <algorithm>

#include "io/field_json.h"

namespace twinset {
namespace {

/// A document frequency has a bound, so that it fits beside the part.
constexpr std::uint64_t most_documents = std::uint64_t{1} << 61;

bool is_possible(const std::optional<NidfWindow>& window, std::uint64_t documents) {
  return !window.has_value() || (1 <= window->least_df && window->least_df <= window->most_df &&
                                 window->most_df <= documents);
}

std::vector<Field> all_fields(TermTable& table, bool has_origin) {
  return {
      {"kind", Computed{[&table] { return std::string(table.is_lexicon() ? "lexicon" : "df"); }},
       Unit::text, "`df` or `lexicon`"},
      {"file", &table.path, Unit::text,
       "as you named it, or the name of a built-in one; empty for the lexicon of English"},
      {"hash", &table.hash, Unit::code, "32 hexadecimal digits"},
      {"documents", &table.documents, Unit::count, "N: all good records, those without a term too"},
      {"terms", &table.terms, Unit::count, "the number of terms"},
      if_set({"primary", OptionalNested(&table.primary), Unit::share, "the window of a lexicon"}),
      if_set({"secondary", OptionalNested(&table.secondary), Unit::share,
              "its window of rarer terms, if it has one"}),
      shown_if(has_origin || table.min_df > 1,
               {"min_df", &table.min_df, Unit::count, "terms of fewer documents were left out"}),
      shown_if(has_origin, {"made_from", &table.made_from, Unit::code,
                            "of a lexicon: the hash of the df file"}),
      {"analyzer", &table.analyzer, Unit::text, "the analyzer whose tokens the terms are"},
      {"analyzer_version", &table.analyzer_version, Unit::count, "its version"},
      {"unicode", &table.unicode, Unit::text, "its version of Unicode"},
      {"command", &table.command, Unit::code,
       "the command, with the options that decide the content; not where and how it ran"},
      {"files", &table.files, Unit::count, "number of files that were counted"},
      {"content", &table.content, Unit::code,
       "XXH3-128 of the `checksum` of each, as [summary.json](summary.md) has them, in order"},
      {"note", &table.note, Unit::text, "`--note`"}};
}

}  // namespace

std::vector<Field> fields_of(NidfWindow& window) {
  return {{"low", &window.low, Unit::share, "the least nidf"},
          {"high", &window.high, Unit::share, "the most"},
          {"least_df", &window.least_df, Unit::count,
           "the window as whole document frequencies, which decide"},
          {"most_df", &window.most_df, Unit::count, "its other end"},
          {"terms", &window.terms, Unit::count, "terms of the part"}};
}

std::vector<Field> fields_of(TermTable& table) { return all_fields(table, table.is_lexicon()); }

std::vector<Field> stored_fields(TermTable& table) {
  std::vector<Field> all = all_fields(table, true);
  std::vector<Field> fields;
  for (const std::string_view name :
       {"documents", "analyzer", "analyzer_version", "unicode", "command", "note", "made_from",
        "files", "content", "min_df", "primary", "secondary"}) {
    fields.push_back(*std::ranges::find(all, name, &Field::name));
  }
  fields.push_back({"documents is from 1 to 2^61", FieldRule{[&table] {
                      return table.documents >= 1 && table.documents <= most_documents;
                    }}});
  fields.push_back({"windows lie within 1 to documents", FieldRule{[&table] {
                      return is_possible(table.primary, table.documents) &&
                             is_possible(table.secondary, table.documents);
                    }}});
  fields.push_back({"no secondary part without a primary one", FieldRule{[&table] {
                      return table.primary.has_value() || !table.secondary.has_value();
                    }}});
  return fields;
}

std::vector<Field> fields_of(CountedTerm& term) {
  return {{"term", Computed{[&term] { return std::string(term.text); }}, Unit::text,
           "as the analyzer makes it"},
          {"df", &term.documents, Unit::count, "documents that have it"},
          shown_if(term.part != TermPart::none,
                   {"part", Choice(&term.part, {"none", "primary", "secondary"}), Unit::text,
                    "of a lexicon: `primary` or `secondary`"})};
}

std::string to_json(const TermTable& table) {
  return fields_json(fields_of(to_write(table))) + "\n";
}

std::string to_json(const CountedTerm& term, const TermTable& table) {
  std::vector<Field> fields = fields_of(to_write(term));
  fields.insert(fields.begin() + 2,
                {"nidf", Computed{[&] { return nidf(table.documents, term.documents); }}});
  return fields_json(fields) + "\n";
}

}  // namespace twinset
