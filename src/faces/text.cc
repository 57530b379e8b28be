// Terminal text. The passages are written in the order of blocks.h; spaces and punctuation between
// two passages are written once, outside the marks, from the text of the passage that comes next.
//
// This file's interface is text.h; the rest is private.
#include "faces/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/message.h"
#include "faces/blocks.h"
#include "faces/colors.h"
#include "faces/share_text.h"
#include "words/left_out.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

bool names_itself(const RecordName& name);

constexpr std::string_view without_templates = "the figures above leave out templates";

std::string painted(std::string_view text, std::string_view paint, const TextOptions& options) {
  std::string out;
  if (options.color) out += paint;
  out += text;
  if (options.color) out += plain;
  return out;
}

/// Writes the passages of two texts as one.
class MergedView {
 public:
  MergedView(const ComparedTexts& texts, const TextOptions& options)
      : texts_(texts), options_(options), blocks_(blocks(texts.passages)) {}

  std::string write() {
    std::size_t i = 0;
    for (; i < blocks_.size() && out_.size() < options_.max_bytes; ++i) write_block(i);
    if (i == blocks_.size()) {
      gap(texts_.text_a, a_end_, texts_.text_a.size());
    } else {
      const std::string left = format_count(blocks_.size() - i, "passage is", "passages are");
      out_ += "\n\n" + painted("... " + left + " not shown ...", dim, options_);
    }
    while (!out_.empty() && (out_.back() == ' ' || out_.back() == '\n')) out_.pop_back();
    out_ += '\n';
    return std::move(out_);
  }

  /// The marks that were used, in words; empty if none.
  std::string legend() const {
    std::string line;
    const auto add = [&](BlockKind kind, std::string_view sample, std::string_view paint) {
      if (!used_[static_cast<std::size_t>(kind)]) return;
      if (!line.empty()) line += "  ";
      line += painted(sample, paint, options_);
    };
    add(BlockKind::only_a, "[-only in A-]", red);
    add(BlockKind::only_b, "{+only in B+}", green);
    add(BlockKind::away, "[~elsewhere in B~]", blue);
    add(BlockKind::here, "{~elsewhere in A~}", blue);
    return line;
  }

 private:
  const Passage& a(const Block& block) const { return texts_.passages.a[block.a]; }
  const Passage& b(const Block& block) const { return texts_.passages.b[block.b]; }

  static bool of_a(const Block& block) {
    return block.kind == BlockKind::only_a || block.kind == BlockKind::away;
  }

  /// True at a place where only the other text has a letter.
  bool is_empty(const Block& block) const {
    if (block.kind == BlockKind::same) return false;
    const Passage& passage = of_a(block) ? a(block) : b(block);
    return passage.begin == passage.end;
  }

  void write_block(std::size_t index) {
    const Block& block = blocks_[index];
    if (is_empty(block)) return;
    used_[static_cast<std::size_t>(block.kind)] = true;
    switch (block.kind) {
      case BlockKind::same: {
        const Ends ends = index == 0                    ? Ends::tail
                          : index + 1 == blocks_.size() ? Ends::head
                                                        : Ends::both;
        gap(texts_.text_a, a_end_, a(block).begin);
        shared(excerpt(texts_.text_a, a(block), ends));
        a_end_ = a(block).end;
        b_end_ = b(block).end;
        return;
      }
      case BlockKind::only_a:
      case BlockKind::away:
        gap(texts_.text_a, a_end_, a(block).begin);
        if (block.kind == BlockKind::only_a)
          marked("[-", "-]", texts_.text_a, a(block), red);
        else
          marked("[~", "~]", texts_.text_a, a(block), blue);
        a_end_ = a(block).end;
        return;
      case BlockKind::only_b:
      case BlockKind::here:
        if (index > 0 && of_a(blocks_[index - 1]) && !is_empty(blocks_[index - 1])) {
          out_ += ' ';  // a replacement: A's spaces are already before it
        } else {
          gap(texts_.text_b, b_end_, b(block).begin);
        }
        if (block.kind == BlockKind::only_b)
          marked("{+", "+}", texts_.text_b, b(block), green);
        else
          marked("{~", "~}", texts_.text_b, b(block), blue);
        b_end_ = b(block).end;
        return;
    }
  }

  /// Bytes between passages; long stretches without a token are cut as well.
  void gap(std::string_view text, std::size_t begin, std::size_t end) {
    const std::string_view between = text.substr(begin, end - begin);
    constexpr std::size_t most_gap_bytes = 200;
    put(whole_prefix(between, most_gap_bytes), plain);
    if (between.size() > most_gap_bytes) {
      elision(fmt::format("{} without a word", format_bytes(between.size() - most_gap_bytes)));
    } else if (between.empty() && !out_.empty() && out_.back() != '\n' && out_.back() != ' ') {
      out_ += ' ';
    }
  }

  void elision(std::string_view what) {
    out_ += painted(fmt::format("... {} ...", what), dim, options_);
  }

  static std::string hidden(const Excerpt& excerpt, std::string_view adjective) {
    if (excerpt.hidden_tokens == 0) return format_bytes(excerpt.hidden_bytes);
    return fmt::format("{} {}{}", format_count(excerpt.hidden_tokens), adjective,
                       excerpt.hidden_tokens == 1 ? "word" : "words");
  }

  /// Writes a part of one of the texts, with notes on what was not compared in gray; `paint` goes
  /// on after a note.
  void put(std::string_view part, std::string_view paint) {
    const bool in_a = part.data() >= texts_.text_a.data() &&
                      part.data() < texts_.text_a.data() + texts_.text_a.size();
    split_notes(in_a ? texts_.text_a : texts_.text_b, in_a ? texts_.left_out_a : texts_.left_out_b,
                part, [&](std::string_view piece, bool is_note) {
                  const bool painted = is_note && options_.color;
                  if (painted) out_ += std::string(plain) += dim;
                  append_visible(out_, piece, Lines::keep);
                  if (painted) out_ += std::string(plain) += paint == plain ? "" : paint;
                });
  }

  void shared(const Excerpt& shown) {
    put(shown.head, plain);
    if (!shown.cut) return;
    if (!shown.head.empty()) out_ += ' ';
    elision(hidden(shown, "shared "));
    if (!shown.tail.empty()) out_ += ' ';
    put(shown.tail, plain);
  }

  void marked(std::string_view open, std::string_view close, std::string_view text,
              const Passage& passage, std::string_view paint) {
    const Excerpt shown = excerpt(text, passage, Ends::both);
    if (options_.color) out_ += paint;
    out_ += open;
    if (passage.shared && passage.match != no_match) {
      out_ += fmt::format("{}: ", std::uint64_t{passage.match} + 1);
    }
    put(shown.head, paint);
    if (shown.cut) {
      out_ += fmt::format(" ... {} ... ", hidden(shown, ""));
      put(shown.tail, paint);
    }
    out_ += close;
    if (options_.color) out_ += plain;
  }

  const ComparedTexts& texts_;
  const TextOptions& options_;
  std::vector<Block> blocks_;
  std::array<bool, 5> used_{};
  std::string out_;
  std::size_t a_end_ = 0;  ///< bytes of A written so far
  std::size_t b_end_ = 0;
};

void append_numbers(std::string& out, const ComparedTexts& texts, const TextOptions& options) {
  const Passages& found = texts.passages;
  const auto document = [&](char letter, std::string_view name, std::uint64_t tokens,
                            std::uint64_t shared, bool is_short) {
    out += fmt::format("{}  {}\n   {}, {} of them in shared passages{}\n",
                       painted(std::string_view(&letter, 1), bold, options), visible_name(name),
                       format_count(tokens, "word", "words"), format_count(shared),
                       is_short ? fmt::format("; short: a shingle has {}, and all of it is one",
                                              found.shingle_tokens)
                                : "");
  };
  document('A', texts.name_a, found.tokens_a, found.shared_tokens_a, found.short_a());
  document('B', texts.name_b, found.tokens_b, found.shared_tokens_b, found.short_b());
  const auto share = [&](std::string_view label, std::optional<double> value, std::uint64_t whole,
                         std::string_view of) {
    out += fmt::format("{:<12} {}   {} of {} shingles {}\n", label,
                       value ? painted(format_share(*value), bold, options) : "unknown",
                       format_count(found.shared_shingles), format_count(whole), of);
  };
  out += '\n';
  if (found.all_shingles() == 0) {
    out += texts.whole_resemblance ? "Without templates neither document has a word: "
                                   : "Neither document has a word: ";
    out += found.same_without_tokens ? "their bytes are equal, so each is all of the other.\n\n"
                                     : "how alike they are is unknown, as their bytes differ.\n\n";
  }
  share("resemblance", found.resemblance(), found.all_shingles(), "of both together");
  share("A in B", found.containment_a_in_b(), found.shingles_a, "of A");
  share("B in A", found.containment_b_in_a(), found.shingles_b, "of B");
  if (texts.whole_resemblance) {
    out += fmt::format("{:<12} {}   {}\n", "whole pages", format_share(*texts.whole_resemblance),
                       without_templates);
  }
}

void append_estimates(std::string& out, const EstimatedShares& shares, const TextOptions& options) {
  out += "\nestimated by " + shares.scheme + ", with Wilson's 95 % intervals\n";
  const auto share = [&](std::string_view label, const std::optional<Interval>& estimate) {
    out += fmt::format("{:<12} {}\n", label,
                       estimate ? painted(format_share(estimate->value), bold, options) + "   " +
                                      interval_text(estimate->low, estimate->high)
                                : "unknown");
  };
  share("resemblance", shares.resemblance);
  share("A in B", shares.containment_a_in_b);
  share("B in A", shares.containment_b_in_a);
}

void append_passages(std::string& out, const ComparedTexts& texts, const TextOptions& options) {
  if (!options.passages || texts.passages.all_shingles() == 0) return;
  MergedView view(texts, options);
  const std::string merged = view.write();
  const std::string legend = view.legend();
  out += '\n';
  if (texts.text_a == texts.text_b) {
    out += "The texts are identical.\n";
    return;
  }
  if (legend.empty() && texts.whole_resemblance) {
    out += "Without templates the words are the same.\n";
    return;
  }
  if (legend.empty())
    out += "The words are the same; spaces, punctuation or case differ.\n";
  else
    out += legend + "\n\n";
  out += merged;
}

void append_removed(std::string& out, const Explanation& explanation, const TextOptions& options) {
  const char* why = "it resembles";
  if (explanation.kind == RemovalKind::identical) why = "its text is byte for byte that of";
  if (explanation.kind == RemovalKind::lexical) why = "its words are, one by one, those of";
  if (explanation.kind == RemovalKind::contained) why = "it is contained in";
  out += fmt::format("{} ({}): {}\n  {}\n", painted("removed", red, options),
                     name_of(explanation.kind), why,
                     painted(visible_name(explanation.survivor.id), bold, options));
  if (!names_itself(explanation.survivor)) out += "  " + place_text(explanation.survivor) + "\n";
  std::string how = explanation.exact ? "" : " (estimated from sketches)";
  if (const auto& interval = explanation.interval) {
    how = fmt::format(" (estimated from sketches; 95 % interval {})",
                      interval_text(interval->low, interval->high));
  }
  out += fmt::format("\nresemblance              {}{}\n",
                     format_share(explanation.resemblance, explanation.threshold), how);
  out += fmt::format("this record in survivor  {}\n", format_share(explanation.containment));
  out +=
      fmt::format("survivor in this record  {}\n", format_share(explanation.survivor_containment));
  if (explanation.whole_resemblance) {
    out += fmt::format("whole pages resemble     {}; {}\n",
                       format_share(*explanation.whole_resemblance), without_templates);
  }
  if (!explanation.texts) return;
  out += "\nA is the survivor, B this record.\n";
  append_passages(out, *explanation.texts, options);
}

void append_kept(std::string& out, const Explanation& explanation, const TextOptions& options) {
  if (explanation.stands_for == 0) {
    out += painted("kept", green, options) + "; no other record went because of it\n";
    return;
  }
  out += fmt::format("{}; it stands for {}\n\n", painted("kept", green, options),
                     format_count(explanation.stands_for, "removed record", "removed records"));
  std::vector<std::array<std::string, 3>> rows;
  std::size_t width = 0;
  for (const AlikeRecord& member : explanation.examples) {
    const bool contained = member.kind == RemovalKind::contained;
    rows.push_back({contained ? format_share(member.containment)
                              : format_share(member.resemblance.value_or(0), explanation.threshold),
                    member.kind ? std::string(name_of(*member.kind)) : "", name_text(member.name)});
    width = std::max(width, rows.back()[0].size());
  }
  for (const auto& row : rows) {
    out += fmt::format("  {:<{}}  {:<9}  {}\n", row[0], width, row[1], row[2]);
  }
  if (explanation.stands_for > rows.size()) {
    out += fmt::format("  ... {} more ...\n", format_count(explanation.stands_for - rows.size()));
  }
}

/// Is its id its place? Then that is not said again.
bool names_itself(const RecordName& name) {
  return name.id == name.file || name.id == name.file + ":" + std::to_string(name.record);
}

}  // namespace

std::string place_text(const RecordName& name) {
  return fmt::format("{}, record {}", visible_name(name.file), format_count(name.record));
}

std::string name_text(const RecordName& name) {
  return names_itself(name) ? visible_name(name.id)
                            : fmt::format("{}  ({})", visible_name(name.id), place_text(name));
}

std::string compare_text(const ComparedTexts& texts, const TextOptions& options) {
  std::string out;
  append_numbers(out, texts, options);
  if (texts.estimated) append_estimates(out, *texts.estimated, options);
  append_passages(out, texts, options);
  for (const std::string& note : texts.notes) out += "\nNote: " + visible_text(note) + ".\n";
  return out;
}

std::string passages_text(const ComparedTexts& texts, const TextOptions& options) {
  std::string out;
  append_passages(out, texts, options);
  return out;
}

std::string explain_text(const Explanation& explanation, const TextOptions& options) {
  std::string out =
      painted(visible_name(explanation.document.id), bold, options) + "\n" +
      (names_itself(explanation.document) ? "" : place_text(explanation.document) + "\n") + "\n";
  using enum Explanation::Fate;
  if (explanation.fate == removed) {
    append_removed(out, explanation, options);
  } else if (explanation.fate == kept || explanation.fate == reference) {
    if (explanation.fate == reference)
      out += "reference: nothing of this input is written or removed\n";
    append_kept(out, explanation, options);
  } else {
    out += fmt::format("{}: {}", name_of(explanation.fate), visible_name(explanation.reason));
    out += explanation.fate == filtered ? " (" + option("min_tokens") + ")\n" : "\n";
  }
  if (!explanation.notes.empty()) out += '\n';
  for (const std::string& note : explanation.notes) {
    out += "Note: " + visible_text(note) + ".\n";
  }
  return out;
}

}  // namespace twinset
