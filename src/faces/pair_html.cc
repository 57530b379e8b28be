// This file's interface is pair_html.h; the rest is private.
#include "faces/pair_html.h"

#include <fmt/format.h>

#include <iterator>

#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// Different line breaks and indentation do not justify a second copy on a narrow page.
bool equal_but_for_space(std::string a, std::string b) {
  for (std::string* const text : {&a, &b}) {
    std::erase_if(*text, [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; });
  }
  return a == b;
}

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

void append_heading(std::string& out, const std::string& role, const ReportDocument& document) {
  out += "<div class=\"side\"><span class=\"role\">" + html_text(role) + "</span> ";
  append_document(out, document);
  out += "</div>";
}

}  // namespace

void append_document(std::string& out, const ReportDocument& document) {
  if (!document.id.empty()) out += "<bdi class=\"id\">" + html_text(document.id) + "</bdi> ";
  if (document.file.empty()) return;
  out += "<span class=\"quiet\"><bdi>" + html_text(document.file) + "</bdi>, record " +
         format_count(document.record) + "</span>";
}

void append_facts(std::string& out, const std::vector<Fact>& facts) {
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const Fact& fact = facts[i];
    out += i > 0 ? " <span class=\"fact\">" : "<span class=\"fact first\">";
    out += html_text(fact.name) + " <b>" + html_text(value_text(fact.value)) + "</b>";
    if (!fact.note.empty()) out += " <small>" + html_text(fact.note) + "</small>";
    out += "</span>";
  }
}

void append_pair(std::string& out, const ShownPair& pair, const std::string& id,
                 const std::string& a, const std::string& b) {
  fmt::format_to(std::back_inserter(out),
                 "<article class=\"pair\" id=\"{}\"><h3><span class=\"kind {}\">{}</span></h3><p>",
                 id, fate_name(pair.color), html_text(pair.tag));
  append_facts(out, pair.facts);
  out +=
      "</p><div class=\"sides\" tabindex=\"0\" role=\"region\" aria-label=\"The two texts\"><div "
      "class=\"row head\">";
  append_heading(out, a, pair.a);
  append_heading(out, b, pair.b);
  out += "</div>";
  for (const PairRow& row : pair.rows) {
    const std::string left = cell_html(row.a, "del");
    const std::string right = cell_html(row.b, "ins");
    fmt::format_to(std::back_inserter(out),
                   "<div class=\"row {}{}\"><div class=\"side a\">{}</div>"
                   "<div class=\"side b\">{}</div></div>",
                   row.same ? "same" : "diff", equal_but_for_space(left, right) ? " equal" : "",
                   left, right);
  }
  if (!pair.more.empty()) out += "<p class=\"more\">" + html_text(pair.more) + "</p>";
  out += "</div></article>";
}

}  // namespace twinset
