// The documents that lose their keys to --max-group, and the scheme by which those that lost nearly
// all are compared: too little is left to count, and bands allow groups of any size.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <memory>

#include "scheme/scheme.h"
#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

/// Did a document keep less than half of its keys?
constexpr bool lost_most(std::uint64_t keys, std::uint64_t left) { return left * 2 < keys; }
/// Did it keep so few that it consists of its template?
constexpr bool lost_nearly_all(std::uint64_t keys, std::uint64_t left) { return left * 8 < keys; }

/// The scheme for documents that lost nearly all keys. Error (usage): no bands find pairs of this
/// resemblance.
Result<std::unique_ptr<Scheme>> scheme_of_lost(unsigned shingle_tokens, std::uint64_t seed,
                                               const Ratio& least);

}  // namespace twinset
