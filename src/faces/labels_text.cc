// A file of labels for a terminal.
//
// This file's interface is faces/labels_text.h and to_text() of twinset/labels.h; the rest is
// private.
#include "faces/labels_text.h"

#include <fmt/core.h>

#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::size_t shown_label_bytes = 100;

void append_label_text(std::string& out, const Label& label, ChunkHash hash) {
  out += fmt::format("{:>15}{:>13}  {:<5}  {}", format_count(label.count),
                     format_count(label.documents),
                     label.kind == LabelKind::file ? "file" : "chunk", to_hex(label.hash, hash));
  if (!label.samples.empty()) out += "  " + visible_name(label.samples.front().url);
  out += '\n';
  const std::string words = first_words(label.text, shown_label_bytes);
  if (!words.empty()) out += std::string(30, ' ') + visible_name(words) + "\n";
}

}  // namespace

const LabelLines label_lines{"          count    documents  kind   hash, first page, words\n",
                             append_label_text};

std::string to_text(const LabelsSummary& summary) {
  return format_count(summary.chunks, "chunk", "chunks") + " and " +
         format_count(summary.files, "file", "files") + ", made by " + visible_text(summary.rules) +
         "; content " + summary.hash + "\n";
}

}  // namespace twinset
