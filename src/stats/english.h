// The lexicon of English that is compiled in, so that schemes work without a file.
// tools/english_lexicon.py makes its table from Debian's package descriptions and manual pages.
//
// Threads: pure functions over a constant table.
#pragma once

#include <functional>

#include "base/hash.h"
#include "twinset/lexicon.h"
#include "twinset/result.h"

namespace twinset {

/// Without its terms.
TermTable english_table();
/// Covers everything that english_table() and its terms say.
Fingerprint english_hash();
/// All terms in order of their bytes.
Status for_each_english_term(const std::function<Status(const CountedTerm&)>& use);

}  // namespace twinset
