// A pair or a label to judge, and the tables of verdicts, for a terminal.
//
// This file's interface is to_text() of twinset/judge.h; the rest is private.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "faces/text.h"
#include "judge/categories.h"
#include "judge/judged_file.h"
#include "twinset/judge.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// Of passages on a terminal; the whole texts are one letter away.
constexpr std::size_t most_passage_bytes = 8'000;

std::string share_text(const Interval& share) {
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", share.value, share.low, share.high);
}

void append_rows(std::string& out, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      // Names to the left, numbers to the right, the interval as it comes.
      const bool left = i == 0 || i + 1 == row.size();
      line += left ? fmt::format("{:<{}}  ", row[i], widths[i])
                   : fmt::format("{:>{}}  ", row[i], widths[i]);
    }
    line.resize(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
}

/// A line for each category of each class, as the paper's Table 3 has them.
void append_shares(std::string& out, const JudgedTables& tables, const JudgeVerdicts& judge) {
  const auto last = [](const std::string& share, const std::string& category) {
    return fmt::format("{:<20}  {}", share, category);
  };
  std::vector<std::vector<std::string>> rows{{tables.by.empty() ? "class" : tables.by, "labels",
                                              "sampled", "judged", "verdicts",
                                              last("share, 95 %", "category")}};
  for (const JudgedClass& of : judge.classes) {
    std::vector<std::string> row{visible_name(of.name), format_count(of.pairs),
                                 format_count(of.sampled), format_count(of.judged)};
    for (std::size_t i = 0; i < tables.categories.size(); ++i) {
      const bool has_share = !of.shares.empty() && tables.categories[i] != dropped_category;
      row.push_back(format_count(of.verdicts[i]));
      row.push_back(last(has_share ? share_text(of.shares[i]) : "-", tables.categories[i]));
      rows.push_back(std::move(row));
      row = {"", "", "", ""};
    }
  }
  append_rows(out, rows);
}

std::string label_text(const ComparedTexts& texts) {
  std::string out = visible_text(texts.name_a) + "\n" + visible_text(texts.name_b) + "\n";
  if (!texts.text_a.empty()) out += "\n" + visible_text(texts.text_a, Lines::keep) + "\n";
  if (!texts.text_b.empty()) out += "\nSeen in:\n" + texts.text_b;
  for (const std::string& note : texts.notes) out += "\nNote: " + visible_text(note) + ".\n";
  return out;
}

}  // namespace

std::string to_text(const PairToJudge& pair, const AnswerOptions& answer, bool whole) {
  const ComparedTexts& texts = pair.texts;
  if (pair.kind == Judged::labels) return label_text(texts);
  std::string out =
      "A  " + visible_name(texts.name_a) + "\nB  " + visible_name(texts.name_b) + "\n";
  if (whole) {
    for (const auto& [letter, text] :
         {std::pair("A", &texts.text_a), std::pair("B", &texts.text_b)}) {
      out += std::string("\n--- ") + letter + " ---\n" + visible_text(*text, Lines::keep) + "\n";
    }
  } else {
    const TextOptions options{
        .color = answer.color, .passages = true, .max_bytes = most_passage_bytes};
    const std::string passages = passages_text(texts, options);
    out += passages.empty() ? "\nNeither text has a word.\n" : passages;
  }
  for (const std::string& note : texts.notes) out += "\nNote: " + visible_text(note) + ".\n";
  return out;
}

std::string to_text(const JudgedTables& tables) {
  const char* const one = judged_name(tables.kind, false);
  const char* const several = judged_name(tables.kind, true);
  std::string out;
  for (const JudgeVerdicts& judge : tables.judges) {
    out += fmt::format("{}{} judged {} of {} sampled from {}\n\n", out.empty() ? "" : "\n",
                       visible_name(judge.judge), format_count(judge.judged),
                       format_count(tables.sampled, one, several), visible_name(tables.source));
    if (tables.kind == Judged::labels) {
      append_shares(out, tables, judge);
      continue;
    }
    std::vector<std::vector<std::string>> rows{
        {tables.by.empty() ? "class" : tables.by, "pairs", "sampled", "judged"}};
    rows.front().insert(rows.front().end(), tables.categories.begin(), tables.categories.end());
    rows.front().push_back("precision, 95 %");
    for (const JudgedClass& of : judge.classes) {
      rows.push_back({visible_name(of.name), format_count(of.pairs), format_count(of.sampled),
                      format_count(of.judged)});
      for (const std::uint64_t count : of.verdicts) rows.back().push_back(format_count(count));
      rows.back().push_back(of.precision.has_value() ? share_text(*of.precision) : "-");
    }
    append_rows(out, rows);
  }
  if (tables.judges.empty()) {
    out += fmt::format("no verdicts yet on {} sampled from {}\n",
                       format_count(tables.sampled, one, several), visible_name(tables.source));
  }
  if (!tables.agreements.empty()) out += "\n";
  for (const JudgeAgreement& of : tables.agreements) {
    out += fmt::format("{} and {} agree on {} of {}: {}; ", visible_name(of.a), visible_name(of.b),
                       format_count(of.agreed), format_count(of.both, one, several),
                       share_text(of.share));
    out += of.kappa.has_value()
               ? fmt::format("Cohen's kappa {:.3f} +- {:.3f}\n", *of.kappa, of.kappa_error)
               : std::string("no kappa, since both used one category alone\n");
  }
  if (!tables.notes.empty()) out += '\n';
  for (const std::string& note : tables.notes) out += "Note: " + note + ".\n";
  return out;
}

}  // namespace twinset
