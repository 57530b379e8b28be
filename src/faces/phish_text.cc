// The result of phish as text.
//
// This file's interface is to_text() of twinset/phish.h; the rest is private.
#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "faces/reuse_text.h"
#include "faces/run_text.h"
#include "twinset/phish.h"
#include "twinset/visible.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::size_t shown_parts = 3;
constexpr std::size_t shown_part_bytes = 90;

/// "http://x.org/ imitates https://bank.example/login: 5 of 7 parts", and the first of these.
void append_page(std::string& out, const PhishPage& page, std::size_t most_parts) {
  out += fmt::format("{:>8}  {} imitates {}: {} of {}\n", format_share(page.contains()),
                     visible_name(page.url), visible_name(page.imitates),
                     format_count(page.labeled), format_count(page.chunks, "part", "parts"));
  const std::size_t parts = std::min(page.parts.size(), most_parts);
  for (std::size_t i = 0; i < parts; ++i) {
    out += "            " + words_text(page.parts[i].text, shown_part_bytes) + '\n';
  }
}

}  // namespace

std::string to_text(const PhishSummary& summary, bool verbose) {
  std::string out;
  if (!summary.found.empty()) out += "   share  page, and parts of it that the imitated one has\n";
  for (const PhishPage& page : summary.found) {
    append_page(out, page, verbose ? page.parts.size() : shown_parts);
  }
  if (!out.empty()) out += '\n';
  out += reuse_line(summary.pages, "page", "pages", " read");
  if (summary.quarantined > 0) {
    out += reuse_line(summary.quarantined, "record", "records", " could not be read");
  }
  out += reuse_line(summary.imitations, "page imitates", "pages imitate", " a known one");
  if (summary.imitations > summary.found.size()) {
    out += reuse_line(summary.imitations - summary.found.size(), "of these is", "of these are",
                      " not shown");
  }
  if (summary.own_pages > 0) {
    out += reuse_line(summary.own_pages, "page holds parts of its", "pages hold parts of their",
                      " own site");
  }
  return verbose ? out + "\n" + engine_text(summary) : out;
}

}  // namespace twinset
