// Wilson's interval, with exact ends if all or none were counted.
//
// This file's interface is evaluate/tally.h; there is nothing else in it.
#include "evaluate/tally.h"

namespace twinset {

Interval Tally::interval() const {
  if (of == 0) return {};
  Interval interval = wilson_interval(static_cast<double>(count), static_cast<double>(of));
  if (count == 0) interval.low = 0;
  if (count == of) interval.high = 1;
  return interval;
}

}  // namespace twinset
