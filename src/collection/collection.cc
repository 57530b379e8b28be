#include "collection/collection.h"

#include <algorithm>

namespace twinset {

std::uint64_t protected_sources(const Collection& collection) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      collection.sources(), [](const Source& source) { return source.is_protected(); }));
}

}  // namespace twinset
