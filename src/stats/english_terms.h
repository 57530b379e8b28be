// The generated table of the lexicon of English (src/stats/generated/english_lexicon.cc).
//
// Each term is a letter that says how many bytes it shares with the term before it (a for none, b
// for one, ...), its other bytes, a space, its df, and a line end: "arosary 7", "de 12" are rosary
// and rose.
//
// Threads: a constant table.
#pragma once

#include <cstddef>
#include <cstdint>

#include "twinset/ratio.h"

namespace twinset::english {

struct EnglishFacts {
  std::uint64_t documents = 1;
  std::uint64_t files = 0;
  std::uint32_t analyzer_version = 0;  ///< of `words`
  const char* unicode = "";
  const char* command = "";
  const char* note = "";
  const char* made_from = "";
  const char* content = "";
  std::uint64_t min_df = 0;
  Ratio low;   ///< of the primary window
  Ratio high;  ///< the secondary window goes from here to 1
  std::uint64_t primary_terms = 0;
  std::uint64_t secondary_terms = 0;
};

extern const EnglishFacts facts;
/// All terms; no NUL but the last.
extern const char terms[];
extern const std::size_t terms_bytes;

}  // namespace twinset::english
