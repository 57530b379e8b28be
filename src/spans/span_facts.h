// The facts for a report of spans: the texts that share most, those that reuse most, and the sums
// for each two inputs.
//
//   SpanFacts facts;
//   TWINSET_TRY(facts.add(shared));    // each two texts
//   facts.most_shared().front().tokens;
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "spans/span_lines.h"

namespace twinset {

/// A text by dense index, and how much of it stands at earlier places.
struct ReusedShare {
  std::uint64_t index = 0;
  std::uint64_t reused = 0;
  std::uint64_t tokens = 0;
  auto operator<=>(const ReusedShare&) const = default;
};

/// Selects what a report shows, in memory that does not grow with the texts.
class SpanFacts {
 public:
  /// Pairs of sources; further ones are not counted.
  static constexpr std::size_t most_counted_sources = std::size_t{1} << 16;

  /// Of two texts.
  Status add(const SharedPassages& shared);
  void add_text(const ReusedShare& text);

  /// The sums for two sources, the earlier one first.
  struct SourcePair {
    std::uint64_t text_pairs = 0;
    std::uint64_t spans = 0;
    std::uint64_t tokens = 0;
  };
  using SourcePairs = std::map<std::pair<std::uint64_t, std::uint64_t>, SourcePair>;

  const std::vector<SharedPassages>& most_shared() const { return most_shared_; }
  const std::vector<ReusedShare>& most_reused() const { return most_reused_; }
  const SourcePairs& sources() const { return sources_; }
  /// There were more pairs of sources than are counted.
  bool too_many_sources() const { return too_many_sources_; }

 private:
  std::vector<SharedPassages> most_shared_;  ///< two texts each
  std::vector<ReusedShare> most_reused_;
  SourcePairs sources_;
  bool too_many_sources_ = false;
};

}  // namespace twinset
