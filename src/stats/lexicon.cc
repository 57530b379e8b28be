// The bounds of a window are whole document frequencies, so a term's part depends on its df alone,
// except at the end of a cut secondary lexicon: of the terms with the last df that it takes, the
// first in order of their bytes are taken.
//
// This file's interface is stats/lexicon.h; the rest is private.
#include "stats/lexicon.h"

#include <algorithm>
#include <functional>
#include <map>

#include "base/message.h"
#include "stats/english.h"
#include "stats/nidf.h"
#include "text/token_hash.h"

namespace twinset {
namespace {

bool holds(const std::optional<NidfWindow>& window, std::uint64_t df) {
  return window.has_value() && window->least_df <= df && df <= window->most_df;
}

std::string text_of(const NidfWindow& window) {
  return "nidf " + window.low.text() + " to " + window.high.text() + ", which is df " +
         std::to_string(window.least_df) + " to " + std::to_string(window.most_df);
}

bool is_above(const Ratio& a, const Ratio& b) {
  return std::uint64_t{a.numerator()} * b.denominator() >
         std::uint64_t{b.numerator()} * a.denominator();
}

/// A value of the rule as its user gives it.
std::string given(const LexiconRule& rule, std::string_view name, const std::string& value) {
  return rule.of_scheme ? std::string(name) + "=" + value : option(name, value);
}

Status check(const LexiconRule& rule) {
  if (!is_above(rule.high, rule.low)) {
    return usage_error(given(rule, "nidf", rule.low.text() + ":" + rule.high.text()) +
                       " is no window: it goes from a lower to a higher nidf, such as 0.2:0.8");
  }
  if (!rule.secondary_low.has_value()) return {};
  if (is_above(rule.high, *rule.secondary_low) ||
      !is_above(*rule.secondary_high, *rule.secondary_low)) {
    return usage_error(
        given(rule, "secondary", rule.secondary_low->text() + ":" + rule.secondary_high->text()) +
        " is no window of rarer terms: it begins where that of nidf ends (" + rule.high.text() +
        ") or above, and ends higher");
  }
  return {};
}

/// Gives each term its part; terms must come in order.
class Parts {
 public:
  Parts(std::uint64_t documents, const LexiconRule& rule, std::uint64_t min_df)
      : secondary_terms_(rule.secondary_terms), min_df_(min_df) {
    primary_ = df_window(documents, rule.low, rule.high);
    if (rule.secondary_low.has_value()) {
      secondary_ = df_window(documents, *rule.secondary_low, *rule.secondary_high);
      // Where the windows meet, a df is of the primary one.
      secondary_->most_df = std::min(secondary_->most_df, primary_.least_df - 1);
    }
  }

  /// First reading.
  void count(std::uint64_t df) {
    if (df < min_df_) return;
    if (holds(primary_, df)) {
      ++primary_.terms;
    } else if (holds(secondary_, df)) {
      ++by_df_[df];
    }
  }

  /// Between the readings: finds the last df of the secondary lexicon.
  Status cut(const std::string& path) {
    if (primary_.terms == 0) {
      return usage_error("no term of " + path + " lies in the window of " + text_of(primary_) +
                         " and has " + std::to_string(min_df_) +
                         " documents or more; choose a "
                         "wider window of nidf, or count more documents");
    }
    if (!secondary_.has_value()) return {};
    for (const auto& [df, terms] : by_df_) {
      last_df_ = df;
      last_terms_ = std::min(terms, secondary_terms_ - secondary_->terms);
      secondary_->terms += last_terms_;
      if (secondary_->terms == secondary_terms_) break;
    }
    if (secondary_->terms > 0) return {};
    return usage_error("no term of " + path + " lies in the secondary window of " +
                       text_of(*secondary_) + "; leave the secondary window out");
  }

  /// Second reading.
  TermPart part_of(std::uint64_t df) {
    if (df < min_df_) return TermPart::none;
    if (holds(primary_, df)) return TermPart::primary;
    if (!holds(secondary_, df) || df < last_df_) return TermPart::none;
    if (df > last_df_) return TermPart::secondary;
    if (last_terms_ == 0) return TermPart::none;
    --last_terms_;
    return TermPart::secondary;
  }

  const NidfWindow& primary() const { return primary_; }
  const std::optional<NidfWindow>& secondary() const { return secondary_; }

 private:
  std::uint64_t secondary_terms_;
  std::uint64_t min_df_;
  NidfWindow primary_;
  std::optional<NidfWindow> secondary_;
  std::map<std::uint64_t, std::uint64_t, std::greater<>> by_df_;
  std::uint64_t last_df_ = 0;
  std::uint64_t last_terms_ = 0;  ///< that it still takes of this df
};

constexpr std::uint64_t usual_min_df = 2;

/// The first reading of counted terms: `table` becomes that of their lexicon.
Result<Parts> choose_parts(const TermFile& counts, const LexiconRule& rule, TermTable& table) {
  TWINSET_TRY(check(rule));
  table = counts.table();
  if (table.is_lexicon()) {
    return usage_error(table.path + " is a lexicon already; build takes a df file or inputs");
  }
  if (table.documents < 2) {
    return usage_error(table.path + " counts 1 document; nidf needs 2 or more");
  }
  const std::uint64_t min_df = rule.min_df.value_or(std::max(usual_min_df, table.min_df));
  if (min_df < table.min_df) {
    return usage_error(table.path + " was counted without terms of fewer than " +
                       std::to_string(table.min_df) + " documents; " +
                       option("min_df", std::to_string(table.min_df)) + " or more");
  }
  Parts parts(table.documents, rule, min_df);
  TWINSET_TRY(counts.for_each([&](const CountedTerm& term) -> Status {
    parts.count(term.documents);
    return {};
  }));
  TWINSET_TRY(parts.cut(table.path));
  table.primary = parts.primary();
  table.secondary = parts.secondary();
  table.terms = table.primary->terms + (table.secondary.has_value() ? table.secondary->terms : 0);
  table.min_df = min_df;
  table.made_from = table.hash;
  table.command = rule.command;
  if (!rule.note.empty()) table.note = rule.note;
  return parts;
}

/// The second reading.
Status for_each_chosen(const TermFile& counts, Parts& parts,
                       const std::function<Status(const CountedTerm&)>& use) {
  return counts.for_each([&](const CountedTerm& term) -> Status {
    const TermPart part = parts.part_of(term.documents);
    if (part == TermPart::none) return {};
    return use({term.text, term.documents, part});
  });
}

bool is_more_frequent(const LexiconTerm& a, const LexiconTerm& b) {
  return a.documents > b.documents;
}

}  // namespace

void Lexicon::take(const CountedTerm& term, TermTexts texts) {
  auto& part = term.part == TermPart::primary ? primary_ : secondary_;
  const std::uint64_t place = primary_.size() + secondary_.size();
  part.push_back({token_hash(term.text), term.documents, place});
  if (texts == TermTexts::keep) texts_.emplace_back(term.text);
}

void Lexicon::arrange() {
  std::ranges::sort(primary_, {}, &LexiconTerm::hash);
  std::ranges::stable_sort(secondary_, is_more_frequent);
}

Result<Lexicon> Lexicon::load(FileSystem& files, const std::string& path, TermTexts texts) {
  Lexicon lexicon;
  const auto take = [&](const CountedTerm& term) -> Status {
    lexicon.take(term, texts);
    return {};
  };
  if (path.empty()) {
    lexicon.table_ = english_table();
    TWINSET_TRY(for_each_english_term(take));
  } else {
    TWINSET_ASSIGN(const TermFile file, TermFile::open(files, path));
    lexicon.table_ = file.table();
    if (!lexicon.table_.is_lexicon()) {
      return usage_error(path + " is a df file, not a lexicon; " + verb("lexicon build") + " " +
                         path + " " + option("output", "X.lexicon") + " makes one of it");
    }
    TWINSET_TRY(file.for_each(take));
  }
  lexicon.arrange();
  return lexicon;
}

Result<Lexicon> Lexicon::cut(const TermFile& counts, const LexiconRule& rule, TermTexts texts) {
  Lexicon lexicon;
  TWINSET_ASSIGN(Parts parts, choose_parts(counts, rule, lexicon.table_));
  TWINSET_TRY(for_each_chosen(counts, parts, [&](const CountedTerm& term) -> Status {
    lexicon.take(term, texts);
    return {};
  }));
  lexicon.arrange();
  return lexicon;
}

Result<TermTable> write_lexicon(const RunContext& context, const TermFile& counts,
                                const LexiconRule& rule, const std::string& path) {
  TermTable table;
  TWINSET_ASSIGN(Parts parts, choose_parts(counts, rule, table));
  TermWriter writer(context, path, table);
  TWINSET_TRY(
      for_each_chosen(counts, parts, [&](const CountedTerm& term) { return writer.append(term); }));
  return writer.finish();
}

}  // namespace twinset
