// A table of terms as text and as JSON.
//
// This file's interface is to_text() and to_json() of twinset/lexicon.h; the rest is private.
#include <algorithm>
#include <array>

#include "io/json.h"
#include "report/numbers.h"
#include "twinset/lexicon.h"

namespace twinset {
namespace {

constexpr std::array<const char*, 3> part_names{"", "primary", "secondary"};

std::string line(const std::string& name, const std::string& value) {
  std::string padded = name;
  padded.resize(std::max<std::size_t>(11, name.size() + 1), ' ');
  return padded + value + "\n";
}

std::string text_of(const NidfWindow& window) {
  return format_count(window.terms, "term", "terms") + ", nidf " + window.low.text() + " to " +
         window.high.text() + ": df " + format_count(window.least_df) + " to " +
         format_count(window.most_df);
}

std::string json_of(const NidfWindow& window) {
  std::string out;
  JsonObject object(out);
  object.string("low", window.low.text())
      .string("high", window.high.text())
      .number("least_df", window.least_df)
      .number("most_df", window.most_df)
      .number("terms", window.terms)
      .end();
  return out;
}

}  // namespace

std::string to_text(const TermTable& table) {
  std::string out;
  const std::string name = table.path.empty() ? "built in, English" : table.path;
  out += line(table.is_lexicon() ? "lexicon" : "df file", name);
  out += line("documents", format_count(table.documents));
  out += line("terms", format_count(table.terms));
  if (table.primary.has_value()) out += line("primary", text_of(*table.primary));
  if (table.secondary.has_value()) out += line("secondary", text_of(*table.secondary));
  if (table.is_lexicon()) out += line("least df", format_count(table.min_df));
  out += line("analyzer", table.analyzer + " " + std::to_string(table.analyzer_version) +
                              ", Unicode " + table.unicode);
  out += line("hash", table.hash);
  if (!table.made_from.empty()) out += line("made from", table.made_from);
  out += line("command", table.command);
  out += line("counted", format_count(table.files, "file", "files") + ", content " + table.content);
  if (!table.note.empty()) out += line("note", table.note);
  return out;
}

std::string to_json(const TermTable& table) {
  std::string out;
  JsonObject object(out);
  object.string("kind", table.is_lexicon() ? "lexicon" : "df")
      .string("file", table.path)
      .string("hash", table.hash)
      .number("documents", table.documents)
      .number("terms", table.terms);
  if (table.primary.has_value()) object.raw("primary", json_of(*table.primary));
  if (table.secondary.has_value()) object.raw("secondary", json_of(*table.secondary));
  if (table.is_lexicon()) {
    object.number("min_df", table.min_df).string("made_from", table.made_from);
  }
  object.string("analyzer", table.analyzer)
      .number("analyzer_version", table.analyzer_version)
      .string("unicode", table.unicode)
      .string("command", table.command)
      .number("files", table.files)
      .string("content", table.content)
      .string("note", table.note)
      .end();
  return out + "\n";
}

std::string to_json(const CountedTerm& term, const TermTable& table) {
  std::string out;
  JsonObject object(out);
  object.string("term", term.text)
      .number("df", term.documents)
      .real("nidf", nidf(table.documents, term.documents));
  if (term.part != TermPart::none) {
    object.string("part", part_names[static_cast<std::size_t>(term.part)]);
  }
  object.end();
  return out + "\n";
}

}  // namespace twinset
