#include "state.h"

#include <algorithm>

namespace twinset::service {

Status State::open(const RunControl& control) {
  if (!index_folder.empty()) {
    const LiveAccess access = options.read_only ? LiveAccess::read : LiveAccess::change;
    Result<LiveIndex> opened = LiveIndex::open(index_folder, access, control);
    if (!opened.ok()) return opened.error();
    index.emplace(std::move(opened).value());
  }
  return {};
}

std::optional<std::uint64_t> State::time_limit(std::optional<std::uint64_t> wanted) const {
  if (options.time_limit == 0) return wanted;
  return std::min(wanted.value_or(options.time_limit), options.time_limit);
}

}  // namespace twinset::service
