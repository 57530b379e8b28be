// The common parts of the HTML pages: the head, which forbids scripts and requests,
// the navigation, warnings, tiles of numbers, a strip of parts, facts, the foot.
//
//   append_page_head(out, "Clusters", "out/terms");
//   append_navigation(out, {{"sizes", "Sizes"}, {"run", "The run"}});
//   append_warnings(out, warnings);
//   ...
//   append_page_foot(out, "Estimates.");
//
// Titles, warnings and facts are strings as read: they are escaped here. Names, notes
// and identifiers are the pages' own.
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace twinset {

/// Of a command or a warning.
inline constexpr std::size_t most_line_bytes = 4000;

/// From the doctype to the heading: `what`, and the title if there is one. Leaves the
/// <header> open.
void append_page_head(std::string& out, const char* what, const std::string& title);

struct PageSection {
  const char* id;
  const char* name;
};

/// Links to sections; ends the <header> and begins <main>.
void append_navigation(std::string& out, std::span<const PageSection> sections);

/// <section> with its heading; the caller closes it.
void append_section(std::string& out, const PageSection& section);

void append_warnings(std::string& out, const std::vector<std::string>& warnings);

/// A number, what it counts, and a note of the page's own in HTML.
void append_tile(std::string& out, const char* name, std::uint64_t count, const std::string& note);

/// A part of a whole and the class that colors it.
struct PagePart {
  const char* name;
  const char* css;
  std::uint64_t count;
};

/// A whole as one strip with a key below it. Parts of 0 are left out; together the
/// others are `whole`. `label` says to those who do not see it what it is.
void append_strip(std::string& out, std::span<const PagePart> parts, std::uint64_t whole,
                  const char* label);

/// A line of a <dl class="run">; none if there is no value.
void append_fact(std::string& out, const char* name, std::string_view value, bool code = false);

/// "resemblance 0.500 or more, or containment 0.900 or more"
std::string threshold_text(const ReportRun& run);

/// "12.5 s on 2 threads, 80 kB of text a second".
std::string took_text(double seconds, unsigned threads, std::uint64_t text_bytes);

/// Ends <main> and the page. `note` is the page's own.
void append_page_foot(std::string& out, const char* note);

}  // namespace twinset
