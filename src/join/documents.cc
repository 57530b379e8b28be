#include "join/documents.h"

#include <algorithm>

namespace twinset {

DocumentTable::DocumentTable(std::span<const std::uint64_t> lines, std::uint64_t reference_sources)
    : reference_sources_(reference_sources) {
  bases_.reserve(lines.size() + 1);
  bases_.push_back(0);
  for (const std::uint64_t count : lines) bases_.push_back(bases_.back() + count);
  standings_.assign(bases_.back(), 0);
}

DocumentId DocumentTable::document(std::uint64_t index) const {
  if (is_earlier(index)) return {sources(), index - size() + 1};
  const auto after = std::upper_bound(bases_.begin(), bases_.end(), index);
  const auto source = static_cast<std::uint64_t>(after - bases_.begin()) - 1;
  return {source, index - bases_[source] + 1};
}

}  // namespace twinset
