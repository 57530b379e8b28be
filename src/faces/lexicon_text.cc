// A table of terms as text.
//
// This file's interface is to_text() of twinset/lexicon.h; the rest is private.
#include "faces/named_line.h"
#include "twinset/lexicon.h"
#include "words/numbers.h"

namespace twinset {
namespace {

std::string text_of(const NidfWindow& window) {
  return format_count(window.terms, "term", "terms") + ", nidf " + window.low.text() + " to " +
         window.high.text() + ": df " + format_count(window.least_df) + " to " +
         format_count(window.most_df);
}

}  // namespace

std::string to_text(const TermTable& table) {
  const auto line = [](const std::string& name, const std::string& value) {
    return named_line(name, value, 11);
  };
  std::string out;
  const std::string name = table.path.empty() ? "built in, English" : table.path;
  out += line(table.is_lexicon() ? "lexicon" : "df file", name);
  out += line("documents", format_count(table.documents));
  out += line("terms", format_count(table.terms));
  if (table.primary.has_value()) out += line("primary", text_of(*table.primary));
  if (table.secondary.has_value()) out += line("secondary", text_of(*table.secondary));
  if (table.is_lexicon() || table.min_df > 1) out += line("least df", format_count(table.min_df));
  out += line("analyzer", table.analyzer + " " + std::to_string(table.analyzer_version) +
                              ", Unicode " + table.unicode);
  out += line("hash", table.hash);
  if (!table.made_from.empty()) out += line("made from", table.made_from);
  out += line("command", table.command);
  out += line("counted", format_count(table.files, "file", "files") + ", content " + table.content);
  if (!table.note.empty()) out += line("note", table.note);
  return out;
}

}  // namespace twinset
