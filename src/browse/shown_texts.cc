// What a page shows of texts follows the rules of `show` and of a run's report: a text of an input
// that is not as the run read it is not shown, and the reason stands in its place.
#include "browse/shown_texts.h"

#include <algorithm>
#include <set>

#include "collection/one_record.h"
#include "faces/pair_rows.h"
#include "scheme/record_view.h"
#include "scheme/scheme.h"
#include "text/shingler.h"
#include "words/left_out.h"
#include "words/numbers.h"
#include "words/passages.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::size_t first_words_bytes = 4096;  ///< of a text, for its first words
constexpr std::uint64_t compressed_factor = 4;

ReportDocument shown_document(const RecordPlace& place) {
  return {visible_name(place.document.id), visible_name(place.document.file),
          place.document.record};
}

/// How two texts are compared.
struct SidesRule {
  const Analyzer* analyzer;
  unsigned shingle_tokens;
  Threshold threshold;
  const TokenRanges* left_out_a;
  const TokenRanges* left_out_b;
};

/// Sets facts, rows and more. Texts that are too long are cut.
void set_sides(ShownPair& out, std::string& text_a, std::string& text_b, const SidesRule& rule) {
  constexpr std::size_t most = ShownTexts::most_text_bytes;
  const bool cut = std::max(text_a.size(), text_b.size()) > most;
  for (std::string* text : {&text_a, &text_b}) text->resize(whole_prefix(*text, most).size());
  Analysis analysis_a;
  Analysis analysis_b;
  rule.analyzer->analyze(text_a, Offsets::keep, analysis_a);
  rule.analyzer->analyze(text_b, Offsets::keep, analysis_b);
  const bool equal = text_a == text_b;
  std::optional<double> whole;
  if (!rule.left_out_a->empty() || !rule.left_out_b->empty()) {
    whole = find_passages(analysis_a, analysis_b, rule.shingle_tokens).resemblance();
  }
  const std::vector<TextRange> notes_a = leave_out(*rule.left_out_a, text_a, analysis_a);
  const std::vector<TextRange> notes_b = leave_out(*rule.left_out_b, text_b, analysis_b);
  Passages found = find_passages(analysis_a, analysis_b, rule.shingle_tokens);
  found.same_without_tokens = equal;
  if (const auto known = found.resemblance()) {
    out.facts.push_back({"resemblance", Value::share(*known, rule.threshold.resemblance.value()),
                         cut ? "of the beginnings, which alone are compared here"
                             : format_count(found.shared_shingles) + " of " +
                                   format_count(found.all_shingles(), "shingle", "shingles")});
  }
  const double contained = rule.threshold.containment.value_or(Ratio()).value();
  if (const auto known = found.containment_b_in_a(); known && !cut) {
    out.facts.push_back({"B in A", Value::share(*known, contained)});
  }
  if (const auto known = found.containment_a_in_b(); known && !cut) {
    out.facts.push_back({"A in B", Value::share(*known, contained)});
  }
  if (whole.has_value()) {
    out.facts.push_back({"whole pages", Value::share(*whole), "with their templates"});
  }
  if (equal) {
    out.more = cut ? "The beginnings are identical." : "The texts are identical.";
  } else {
    set_rows(out, text_a, text_b, found, notes_a, notes_b);
  }
}

}  // namespace

std::string ShownTexts::state_of(const std::string& file) const {
  const MadeInput* const input = folder_.find(file);
  if (input == nullptr || input->input.path.empty()) return {};
  const Result<FileStatus> status = files_.status(input->input.path);
  if (!status.ok() || status.value().kind == FileStatus::Kind::missing) return {};
  const FileStatus& now = status.value();
  return std::to_string(now.inode) + ' ' + std::to_string(now.size) + ' ' +
         std::to_string(now.mtime_ns);
}

std::uint64_t ShownTexts::bytes_of(const std::string& file) const {
  const MadeInput* const input = folder_.find(file);
  if (input == nullptr || input->input.path.empty()) return 0;
  const Result<FileStatus> status = files_.status(input->input.path);
  if (!status.ok()) return 0;
  const bool plain = input->input.compression == Compression::none;
  const std::uint64_t bytes = status.value().size;
  return plain ? bytes : bytes > UINT64_MAX / compressed_factor ? bytes : bytes * compressed_factor;
}

Result<std::vector<ShownRecord>> ShownTexts::words(std::span<const RecordPlace> places,
                                                   const std::atomic<bool>* cancel) const {
  std::vector<ShownRecord> out;
  std::map<std::string, std::string> states;
  for (const RecordPlace& place : places) {
    out.push_back({.name = place.document});
    const std::string& file = place.document.file;
    if (!states.contains(file)) states.emplace(file, state_of(file));
  }
  // Those that were read before, of inputs that have not changed since.
  std::map<std::string, std::vector<std::size_t>> missing;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const RecordName& name = places[i].document;
      const auto found = kept_.find({name.file, name.record});
      const std::string& state = states[name.file];
      if (found != kept_.end() && !state.empty() && found->second.state == state) {
        out[i].words = found->second.words;
      } else {
        missing[name.file].push_back(i);
      }
    }
  }
  std::uint64_t bytes = 0;
  std::vector<std::size_t> wanted;
  for (const auto& [file, rows] : missing) {
    const std::uint64_t of_file = bytes_of(file);
    if (of_file > cheap_bytes - bytes) {
      for (const std::size_t i : rows) {
        out[i].missing = visible_name(file) + " is large: the words of its records are not read";
      }
      continue;
    }
    bytes += of_file;
    wanted.insert(wanted.end(), rows.begin(), rows.end());
  }
  std::vector<RecordPlace> asked;
  for (const std::size_t i : wanted) asked.push_back(places[i]);
  TWINSET_ASSIGN(const std::vector<SeenText> read,
                 read_texts(files_, folder_, asked, first_words_bytes, cancel));
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    ShownRecord& shown = out[wanted[i]];
    if (!read[i].text.has_value()) {
      shown.missing = read[i].missing;
      continue;
    }
    shown.words = first_words(*read[i].text);
    const Key key{shown.name.file, shown.name.record};
    if (kept_.insert_or_assign(key, Kept{*shown.words, states[shown.name.file]}).second) {
      kept_order_.push_back(key);
    }
    while (kept_order_.size() > most_kept) {
      kept_.erase(kept_order_.front());
      kept_order_.pop_front();
    }
  }
  return out;
}

Result<SeenText> ShownTexts::text(const RecordPlace& place, const std::atomic<bool>* cancel) const {
  TWINSET_ASSIGN(std::vector<SeenText> read,
                 read_texts(files_, folder_, std::span(&place, 1), most_text_bytes + 4, cancel));
  return std::move(read.front());
}

Result<unsigned> ShownTexts::shingle_tokens() const {
  TWINSET_ASSIGN(const std::unique_ptr<Scheme> scheme,
                 make_scheme(folder_.scheme, folder_.threshold.resemblance.value(), files_));
  return scheme->shingle_tokens() != 0 ? scheme->shingle_tokens()
                                       : verification_shingle_tokens(*folder_.analyzer);
}

Result<ShownPair> ShownTexts::pair(const RecordPlace& a, const RecordPlace& b, std::string tag,
                                   Fate color, const std::atomic<bool>* cancel) const {
  ShownPair out;
  out.tag = std::move(tag);
  out.color = color;
  out.a = shown_document(a);
  out.b = shown_document(b);
  TWINSET_ASSIGN(const unsigned width, shingle_tokens());
  TWINSET_ASSIGN(const ViewRule rule, folder_.view_rule(files_, width));
  const std::array<RecordPlace, 2> places{a, b};
  TWINSET_ASSIGN(std::vector<SeenText> texts,
                 read_texts(files_, folder_, places, most_text_bytes + 4, cancel, &rule));
  std::set<std::string> missing;
  for (const SeenText& seen : texts) {
    if (!seen.text.has_value()) missing.insert(seen.missing);
  }
  if (!missing.empty()) {
    for (const std::string& why : missing) {
      out.more += (out.more.empty() ? "The texts are not shown: " : "; ") + why;
    }
    return out;
  }
  set_sides(out, *texts[0].text, *texts[1].text,
            {folder_.analyzer, width, folder_.threshold, &texts[0].left_out, &texts[1].left_out});
  return out;
}

Result<ShownPair> compared_pair(std::string_view a, std::string_view b, bool html) {
  const ViewRule rule{.analyzer = find_analyzer("words")};
  const auto text_of = [&](std::string_view given) {
    Record record;
    record.text = given;
    record.markup = html ? Markup::html : Markup::none;
    RecordView view(rule);
    view.look_at(record);
    return shown_text(view);
  };
  std::string text_a = text_of(a);
  std::string text_b = text_of(b);
  ShownPair out;
  out.tag = "pair";
  const TokenRanges none;
  set_sides(out, text_a, text_b,
            {rule.analyzer, verification_shingle_tokens(*rule.analyzer), {}, &none, &none});
  return out;
}

}  // namespace twinset
