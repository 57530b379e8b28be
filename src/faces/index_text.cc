// An index as text: what it holds, and how a change or questions went.
//
// This file's interface is to_text() of twinset/index.h; the rest is private.
#include <string>

#include "faces/named_line.h"
#include "twinset/index.h"
#include "words/numbers.h"

namespace twinset {
namespace {

std::string index_line(const std::string& name, const std::string& value) {
  return named_line(name, value, 13);
}

std::string line_if_any(const std::string& name, std::uint64_t count) {
  return count == 0 ? "" : index_line(name, format_count(count));
}

}  // namespace

std::string to_text(const IndexStats& stats) {
  std::string out = index_line("index", stats.index);
  out += index_line("documents", format_count(stats.documents));
  out += line_if_any("deleted", stats.deleted);
  for (const std::string& scheme : stats.settings.scheme) out += index_line("scheme", scheme);
  out += index_line("analyzer", stats.settings.analyzer);
  out += index_line("texts", stats.settings.texts ? "kept" : "not kept");
  out += index_line("segments", format_count(stats.segments));
  std::string size = format_bytes(stats.bytes);
  if (stats.documents > 0) {
    size += ", " + format_count(stats.bytes / stats.documents) + " bytes a document";
  }
  return out + index_line("size", size);
}

std::string to_text(const IndexSummary& summary) {
  std::string out;
  if (summary.read > 0) out += index_line("records read", format_count(summary.read));
  out += line_if_any("quarantined", summary.quarantined);
  if (summary.read > 0) out += index_line("added", format_count(summary.added));
  out += line_if_any("replaced", summary.replaced);
  out += line_if_any("unchanged", summary.unchanged);
  out += line_if_any("repeated", summary.repeated);
  out += line_if_any("deleted", summary.removed);
  out += line_if_any("not there", summary.not_there.size());
  return out + index_line("documents", format_count(summary.stats.documents));
}

std::string to_text(const QuerySummary& summary) {
  std::string out = index_line("queries", format_count(summary.queries));
  out += index_line("answered", format_count(summary.answered));
  out += index_line("hits", format_count(summary.hits));
  out += line_if_any("quarantined", summary.quarantined);
  return out + line_if_any("keys skipped", summary.skipped);
}

}  // namespace twinset
