// This file's interface is pair_html.h; the rest is private.
#include "faces/pair_html.h"

#include <fmt/format.h>

#include <iterator>

#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// Neighboring pieces of one mark, with the labels and cuts between them, become one element.
std::string cell_html(const std::vector<Piece>& pieces, const char* only) {
  std::string out;
  std::string close;
  Mark open = Mark::plain;
  const auto enter = [&](Mark mark) {
    if (mark == open) return;
    out += close;
    open = mark;
    const std::string tag = mark == Mark::only ? only : "mark";
    close = mark == Mark::plain ? "" : "</" + tag + ">";
    if (mark != Mark::plain)
      out += mark == Mark::moved ? "<mark class=\"moved\">" : "<" + tag + ">";
  };
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    if (piece.mark == Mark::label) {
      enter(Mark::plain);
      enter(Mark::moved);
      out += "<span class=\"tag\">" + html_text(piece.text) + "</span> ";
    } else if (piece.mark == Mark::skipped) {
      enter(Mark::plain);
      out += "<span class=\"skipped\">" + html_text(piece.text) + "</span>";
    } else if (piece.mark == Mark::cut) {
      out += " <span class=\"cut\">&hellip; " + html_text(piece.text) + " &hellip;</span> ";
    } else {
      // Passages that touch stay separate, except the two ends of a cut one.
      const bool goes_on =
          i > 0 && (pieces[i - 1].mark == Mark::cut || pieces[i - 1].mark == Mark::label);
      if (!goes_on) enter(Mark::plain);
      enter(piece.mark);
      append_html(out, piece.text, Lines::keep);
    }
  }
  return out + close;
}

void append_head(std::string& out, const std::string& role, const ReportDocument& document) {
  out += "<th scope=\"col\">" + html_text(role) + " ";
  append_document(out, document);
  out += "</th>";
}

}  // namespace

void append_document(std::string& out, const ReportDocument& document) {
  if (!document.id.empty()) out += "<bdi class=\"id\">" + html_text(document.id) + "</bdi> ";
  if (document.file.empty()) return;
  out += "<small><bdi>" + html_text(document.file) + "</bdi>, record " +
         format_count(document.record) + "</small>";
}

void append_facts(std::string& out, const std::vector<Fact>& facts) {
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const Fact& fact = facts[i];
    out += i > 0 ? "; " : "";
    out += html_text(fact.name) + " <b>" + html_text(value_text(fact.value)) + "</b>";
    if (!fact.note.empty()) out += " <small>" + html_text(fact.note) + "</small>";
  }
}

void append_pair(std::string& out, const ShownPair& pair, const std::string& id,
                 const std::string& a, const std::string& b) {
  fmt::format_to(std::back_inserter(out), "<article class=\"pair\" id=\"{}\"><h3>{}</h3><p>", id,
                 html_text(pair.tag));
  append_facts(out, pair.facts);
  out += "</p><table class=\"sides\"><thead><tr>";
  append_head(out, a, pair.a);
  append_head(out, b, pair.b);
  out += "</tr></thead><tbody>";
  for (const PairRow& row : pair.rows) {
    fmt::format_to(std::back_inserter(out),
                   "<tr class=\"{}\"><td class=\"text\">{}</td><td class=\"text\">{}</td></tr>",
                   row.same ? "same" : "diff", cell_html(row.a, "del"), cell_html(row.b, "ins"));
  }
  out += "</tbody></table>";
  if (!pair.more.empty()) out += "<p class=\"more\">" + html_text(pair.more) + "</p>";
  out += "</article>\n";
}

}  // namespace twinset
