#include "collection/collection.h"

#include <algorithm>

namespace twinset {

std::string made_id(std::string_view file, bool one_document, std::uint64_t record) {
  return one_document && record == 1 ? std::string(file)
                                     : std::string(file) + ":" + std::to_string(record);
}

std::uint64_t protected_sources(const Collection& collection) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      collection.sources(), [](const Source& source) { return source.is_protected(); }));
}

}  // namespace twinset
