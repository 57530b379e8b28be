// The three identities of B section 5.2, as 128-bit fingerprints: equal bytes,
// equal canonical tokens, equal sets of shingles. Each implies the next.
//
// A text without tokens has no signature, and equals only texts of the same bytes: its lexical and
// shingle fingerprints are made of its bytes, under a seed that no other fingerprint uses, so that
// they equal nothing else.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "text/analyzer.h"

namespace twinset {

/// The fingerprint of the decoded text's bytes. Equal: identical.
Fingerprint identical_fingerprint(std::string_view text);

/// The fingerprint of the canonical tokens. Equal: lexically equivalent.
Fingerprint lexical_fingerprint(std::string_view text, const Analysis& analysis);

/// In place of the former, of the text that a reader sees if it has bytes that are not UTF-8: they
/// make no token, and two texts that differ in them are not equal.
Fingerprint undecodable_fingerprint(std::string_view visible);

/// The fingerprint of the set of shingles: neither order nor repeats count. Equal:
/// shingle-equivalent, resemblance 1. Sorts a copy, O(n log n); `scratch` keeps
/// its capacity.
Fingerprint shingle_set_fingerprint(std::string_view text, std::span<const std::uint64_t> shingles,
                                    std::vector<std::uint64_t>& scratch);

}  // namespace twinset
