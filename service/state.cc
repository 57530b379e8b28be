#include "state.h"

#include <algorithm>

namespace twinset::service {

Status State::open(const RunControl& control) {
  if (!index_folder.empty()) {
    TWINSET_ASSIGN(Index opened, Index::open(index_folder, control));
    index = std::make_shared<const Index>(std::move(opened));
  }
  return {};
}

std::optional<std::uint64_t> State::time_limit(std::optional<std::uint64_t> wanted) const {
  if (options.time_limit == 0) return wanted;
  return std::min(wanted.value_or(options.time_limit), options.time_limit);
}

}  // namespace twinset::service
