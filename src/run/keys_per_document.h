// How many keys documents have, for schemes whose chance to recognize an edited copy depends on it
// (Scheme::survival()): each key is a signature at a coordinate, and a document without a signature
// at most of them is found by few.
//
// Threads: values and pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "scheme/scheme.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct KeysPerDocument {
  static constexpr std::size_t most_keys = 32;

  void add(std::size_t keys) { ++documents[keys < most_keys ? keys : most_keys]; }
  void add(const KeysPerDocument& more) {
    for (std::size_t keys = 0; keys <= most_keys; ++keys) documents[keys] += more.documents[keys];
  }

  std::array<std::uint64_t, most_keys + 1> documents{};  ///< by their number of keys
};

/// Fills in RunFacts::coordinates and by_edits. Adds a warning if documents have too few keys for
/// Scheme::promise(). Nothing if survival() tells nothing.
void describe_survival(const Scheme& scheme, const KeysPerDocument& counts, RunFacts& facts);

/// Error (usage) if so few copies are found that a run is refused.
Status check_promise(const Scheme& scheme, const KeysPerDocument& counts);

}  // namespace twinset
