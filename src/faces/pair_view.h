// Two documents side by side: rows of text that both have, that one has, or that has moved; long
// shared passages are cut to their ends. The rows are facts; drawing them needs neither the texts
// nor an analyzer.
//
//   ShownPair pair;
//   set_rows(pair, text_a, text_b, passages);
//   append_pair(out, pair, "pairs-3", "survivor", "removed record");
//
// On a narrow page the columns stack, and text that differs only in spaces is shown once.
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "faces/facts.h"
#include "words/passages.h"

namespace twinset {

/// The most bytes of a pair that are shown; the rest is counted.
inline constexpr std::size_t most_pair_bytes = 16'000;

/// Fills rows and more. `passages`: find_passages(a, b). `left_out_a` and `left_out_b` are the
/// notes of leave_out() in the texts.
void set_rows(ShownPair& pair, std::string_view text_a, std::string_view text_b,
              const Passages& passages, std::span<const TextRange> left_out_a = {},
              std::span<const TextRange> left_out_b = {});

/// The id and the place of a document, as HTML.
void append_document(std::string& out, const ReportDocument& document);

/// "records <b>9</b> <small>in 3 files</small>", one after the other.
void append_facts(std::string& out, const std::vector<Fact>& facts);

/// Appends an <article> with this id. `a` and `b` name the roles of the two.
void append_pair(std::string& out, const ShownPair& pair, const std::string& id,
                 const std::string& a, const std::string& b);

}  // namespace twinset
