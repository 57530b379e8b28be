// A text of which some ranges are replaced before its words are found, and where each byte of the
// result comes from:
//
//   Rewriting rewriting(text, out.compatible);
//   rewriting.replace(begin, end, "fi");        // ranges ascend
//   if (!rewriting.finish()) return words_simd(text, offsets, out);
//
// Threads: values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text/canonical.h"
#include "text/html.h"
#include "text/words_kernel.h"

namespace twinset {

class Rewriting {
 public:
  /// The longest text (text/analyzer.h): below 4 GiB, also where that is all of memory.
  static constexpr std::size_t most_bytes = 0xFFFFFFFF - 63;

  Rewriting(std::string_view text, HtmlText& out) : text_(text), out_(out) {
    out.bytes.clear();
    out.segments.clear();
    out.size = 0;
  }

  /// Puts `by` in the place of [begin, end) of the text, unless that made the result too long.
  void replace(std::size_t begin, std::size_t end, std::string_view by) {
    if (out_.size + (text_.size() - copied_) + by.size() > most_bytes) return;
    put(copied_, 0, text_.substr(copied_, begin - copied_));
    put(begin, end - begin, by);
    copied_ = end;
    replaced_ = true;
  }

  /// Copies the rest. False if nothing was replaced: then ignore the result.
  bool finish() {
    if (replaced_) put(copied_, 0, text_.substr(copied_));
    return replaced_;
  }

 private:
  /// `bytes` stand for `whole` bytes from `from` on, or for as many as they are if that is 0.
  void put(std::size_t from, std::size_t whole, std::string_view bytes) {
    if (bytes.empty()) return;
    out_.segments.push_back({static_cast<std::uint32_t>(out_.size),
                             static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(whole)});
    out_.bytes.insert(out_.bytes.end(), bytes.begin(), bytes.end());
    out_.size = out_.bytes.size();
  }

  std::string_view text_;
  HtmlText& out_;
  std::size_t copied_ = 0;  ///< of the text
  bool replaced_ = false;
};

/// Appends the canonical forms of the words of a rewritten text, with spaces between: what an
/// analyzer's append_token() gives for a token whose bytes become `rewritten`.
inline void append_words(std::string_view rewritten, std::string& out) {
  Analysis words;
  words_simd(rewritten, Offsets::keep, words);
  for (std::size_t i = 0; i < words.offsets.size(); ++i) {
    if (i > 0) out += ' ';
    const TokenOffsets word = words.offsets[i];
    append_canonical(rewritten.substr(word.begin, word.end - word.begin), LetterCase::fold, out);
  }
}

}  // namespace twinset
