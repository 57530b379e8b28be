// An index as text: what it holds, where a page is, and how a change or questions went.
//
// This file's interface is to_text() of twinset/index.h and twinset/hits.h; the rest is private.
#include <string>

#include "faces/named_line.h"
#include "twinset/hits.h"
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

std::string share_text(const char* name, const std::optional<Interval>& share, bool exact) {
  if (!share.has_value()) return "";
  std::string text = std::string(", ") + name + " " + format_share(share->value);
  if (!exact) text += " (" + format_share(share->low) + " to " + format_share(share->high) + ")";
  return text;
}

/// "17 http://a/x of 2026-01-01".
std::string document_text(const IndexDocument& document) {
  std::string text = document.id;
  if (!document.url.empty()) text += " " + document.url;
  if (!document.date.empty()) text += " of " + document.date;
  if (!document.survivor.empty()) text += ", removed in favor of " + document.survivor;
  return text;
}

/// "http://a/x of 2026-01-01 -> http://b/y of 2026-03-01, resemblance 0.812 (0.700 to 0.890)".
std::string move_text(const MoveEvidence& move) {
  return move.from + " of " + move.from_date + " -> " + move.to.url + " of " + move.to.date +
         share_text("resemblance", move.resemblance, move.exact) +
         share_text("containment", move.containment, move.exact) +
         share_text("contains", move.contains, move.exact) + ", " + format_count(move.kept) +
         " of " + format_count(move.own, "piece of its own", "pieces of its own");
}

}  // namespace

std::string to_text(const PageLocation& location) {
  std::string out = index_line("page", location.url);
  if (!location.newest.has_value()) return out + index_line("unknown", "not in the index");
  constexpr const char* names[] = {"here", "moved to", "gone, last at"};
  out += index_line(names[static_cast<std::size_t>(location.status)], location.newest->url);
  out += index_line("date", location.newest->date);
  out += index_line("document", location.newest->id);
  out += index_line("confidence", format_share(*location.confidence));
  if (location.status == PageStatus::here) return out;
  out += index_line("last sweep", "since " + location.since);
  out += index_line("last seen", location.last_seen);
  if (!location.host_seen.empty()) out += index_line("host seen", location.host_seen);
  for (const MoveEvidence& move : location.evidence) out += index_line("move", move_text(move));
  for (const MoveEvidence& move : location.others) out += index_line("also at", move_text(move));
  return out;
}

std::string to_text(const IndexLookup& lookup) {
  std::string out = index_line("name", lookup.name);
  if (lookup.documents.empty()) return out + index_line("unknown", "not in the index");
  for (const IndexDocument& document : lookup.documents) {
    out += index_line("document", document_text(document));
  }
  for (const IndexCluster& cluster : lookup.clusters) {
    out +=
        index_line("cluster", (cluster.whole ? "" : "the first ") +
                                  format_count(cluster.documents.size(), "document", "documents"));
    for (const IndexDocument& document : cluster.documents) {
      out += index_line("", document_text(document));
    }
  }
  return out;
}

std::string to_text(const IndexStats& stats) {
  std::string out = index_line("index", stats.index);
  out += index_line("documents", format_count(stats.documents));
  out += line_if_any("removed", stats.removed);
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

std::string to_text(const GroupSummary& summary) {
  std::string out = index_line("lists", format_count(summary.lists));
  out += line_if_any("no lists", summary.quarantined);
  out += index_line("hits", format_count(summary.hits));
  return out + index_line("groups", format_count(summary.groups));
}

std::string to_text(const QuerySummary& summary) {
  std::string out = index_line("queries", format_count(summary.queries));
  out += index_line("answered", format_count(summary.answered));
  out += index_line("hits", format_count(summary.hits));
  out += line_if_any("quarantined", summary.quarantined);
  return out + line_if_any("keys skipped", summary.skipped);
}

}  // namespace twinset
