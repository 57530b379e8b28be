// A share: so many of so many, with its 95 % Wilson interval. Every recall and
// precision twinset prints is one of these, so none stands without its count.
//
//   Share recall{.count = 97, .of = 100};
//   recall.value();        // 0.97
//   recall.interval();     // {0.915..., 0.990...}
//
// Threads: values.
#pragma once

#include <cstdint>

#include "scheme/estimate.h"

namespace twinset {

struct Share {
  std::uint64_t count = 0;
  std::uint64_t of = 0;

  void add(bool counted) {
    count += counted ? 1 : 0;
    ++of;
  }
  void add(const Share& other) {
    count += other.count;
    of += other.of;
  }
  bool known() const { return of > 0; }
  /// In [0, 1]; 0 when nothing was counted (see known()).
  double value() const {
    return of == 0 ? 0 : static_cast<double>(count) / static_cast<double>(of);
  }
  /// The 95 % Wilson score interval: holds its level near 0 and 1 and for small
  /// counts, where the textbook interval collapses. [0, 1] when nothing counted.
  Interval interval() const;

  bool operator==(const Share&) const = default;
};

}  // namespace twinset
