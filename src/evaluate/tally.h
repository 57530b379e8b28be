// A tally: a count of a total, while it is counted. Wilson's interval takes each counted thing as
// one observation; clustered_share() makes a Share of tallies by cluster.
//
//   Tally recall{.count = 97, .of = 100};
//   recall.value();        // 0.97
//   recall.interval();     // {0.915..., 0.990...}
//
// Threads: values.
#pragma once

#include <cstdint>

#include "scheme/estimate.h"

namespace twinset {

struct Tally {
  std::uint64_t count = 0;
  std::uint64_t of = 0;

  void add(bool counted) {
    count += counted ? 1 : 0;
    ++of;
  }
  void add(const Tally& other) {
    count += other.count;
    of += other.of;
  }
  bool known() const { return of > 0; }
  /// In [0, 1]; 0 if the total is 0 (see known()).
  double value() const {
    return of == 0 ? 0 : static_cast<double>(count) / static_cast<double>(of);
  }
  /// The 95 % Wilson score interval: it keeps its level near 0 and 1 and for small counts, where
  /// the textbook interval collapses. [0, 1] if the total is 0.
  Interval interval() const;

  bool operator==(const Tally&) const = default;
};

}  // namespace twinset
