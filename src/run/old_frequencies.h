// The age of a table of document frequencies (S-05). It is frozen, so that signatures made with it
// stay comparable; the words of a collection that has grown since are not in it, and weigh as if
// one document had them. The thesis counts anew after each million documents.
//
// Threads: a pure function.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scheme/scheme.h"

namespace twinset {

/// A sentence if more than `most` documents were read with the table of `scheme`; nullopt: more
/// than twice as many as it counted. Empty: there is no table, or it is not old.
std::string old_frequencies_warning(const Scheme& scheme, std::optional<std::uint64_t> most,
                                    std::uint64_t documents);

}  // namespace twinset
