// Every string that comes from outside goes through html_text or html_name; everything
// else written here is a constant or a number.
//
// This file's interface is page.h; the rest is private.
#include "report/page.h"

#include <fmt/format.h>

#include <iterator>

#include "report/numbers.h"
#include "report/page_style.h"
#include "report/visible.h"

namespace twinset {

void append_page_head(std::string& out, const char* what, const std::string& title) {
  out +=
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta name=\"generator\" content=\"twinset\">\n<title>";
  out += title.empty() ? "twinset report" : html_name(title) + " - twinset";
  out += "</title>\n<style>";
  out += page_style;
  out +=
      "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the "
      "numbers</a>\n<header><h1>";
  out += what;
  if (!title.empty()) out += ": <bdi>" + html_name(title) + "</bdi>";
  out += "</h1>\n";
}

void append_navigation(std::string& out, std::span<const PageSection> sections) {
  out += "<nav aria-label=\"Sections\">";
  for (const PageSection& section : sections) {
    fmt::format_to(std::back_inserter(out), "<a href=\"#{}\">{}</a>", section.id, section.name);
  }
  out += "</nav></header>\n<main id=\"main\">\n";
}

void append_section(std::string& out, const PageSection& section) {
  fmt::format_to(std::back_inserter(out),
                 "<section id=\"{0}\" aria-labelledby=\"{0}-title\"><h2 id=\"{0}-title\">{1}</h2>",
                 section.id, section.name);
}

void append_warnings(std::string& out, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    out += "<p class=\"warn\" role=\"note\">" + html_name(warning, most_line_bytes) + "</p>";
  }
}

void append_tile(std::string& out, const char* name, std::uint64_t count, const std::string& note) {
  fmt::format_to(std::back_inserter(out), "<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>",
                 name, format_count(count), note);
}

void append_strip(std::string& out, std::span<const PagePart> parts, std::uint64_t whole,
                  const char* label) {
  if (whole == 0) return;
  fmt::format_to(std::back_inserter(out),
                 "<svg class=\"strip\" viewBox=\"0 0 1000 14\" preserveAspectRatio=\"none\" "
                 "role=\"img\" aria-label=\"{}\">",
                 label);
  double x = 0;
  std::string key;
  for (const PagePart& part : parts) {
    if (part.count == 0) continue;
    const double width = 1000 * static_cast<double>(part.count) / static_cast<double>(whole);
    fmt::format_to(std::back_inserter(out),
                   "<rect class=\"{}\" x=\"{:.2f}\" y=\"0\" width=\"{:.2f}\" height=\"14\"/>",
                   part.css, x, width);
    x += width;
    fmt::format_to(std::back_inserter(key),
                   "<span><span class=\"swatch {}\"></span>{} {} ({})</span> ", part.css,
                   format_count(part.count), part.name,
                   html_text(format_percent(part.count, whole)));
  }
  out += "</svg><p class=\"key\">" + key + "</p>";
}

void append_fact(std::string& out, const char* name, std::string_view value, bool code) {
  if (value.empty()) return;
  fmt::format_to(std::back_inserter(out), "<dt>{}</dt><dd>{}{}{}</dd>", name, code ? "<code>" : "",
                 html_name(value, most_line_bytes), code ? "</code>" : "");
}

std::string threshold_text(const ReportRun& run) {
  std::string text = "resemblance " + format_share(run.threshold) + " or more";
  if (run.containment_threshold > 0) {
    text += ", or containment " + format_share(run.containment_threshold) + " or more";
  }
  return text;
}

std::string took_text(double seconds, unsigned threads, std::uint64_t text_bytes) {
  std::string took = format_seconds(seconds);
  if (threads > 0) took += " on " + format_count(threads, "thread", "threads");
  if (text_bytes > 0) {
    const double rate = static_cast<double>(text_bytes) / seconds;
    took += ", " + format_bytes(static_cast<std::uint64_t>(rate)) + " of text a second";
  }
  return took;
}

void append_page_foot(std::string& out, const char* note) {
  out +=
      "</main>\n<footer>Shares are rounded down: 1.000 is exactly 1, and a number below a "
      "threshold is never shown at it. ";
  out += note;
  out += "This page is one file and loads nothing.</footer>\n</body>\n</html>\n";
}

}  // namespace twinset
