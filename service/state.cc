#include "state.h"

#include <algorithm>

namespace twinset::service {
namespace {

/// Of --memory, for the numbers of a run's rows.
constexpr std::uint64_t memory_share_of_run = 2;
/// A year, which a clock can add to now: a longer time limit is as long.
constexpr std::uint64_t most_milliseconds = 365ULL * 24 * 3600 * 1000;

}  // namespace

Status State::open(const RunControl& control) {
  if (!index_folder.empty()) {
    const LiveAccess access = options.read_only ? LiveAccess::read : LiveAccess::change;
    Result<LiveIndex> opened = LiveIndex::open(index_folder, access, control);
    if (!opened.ok()) return opened.error();
    index.emplace(std::move(opened).value());
  }
  if (!run_folder.empty()) {
    BrowseOptions browse;
    browse.folder = run_folder;
    browse.decisions = options.decisions;
    browse.memory = options.resources.memory / memory_share_of_run;
    browse.tmp = options.resources.tmp;
    TWINSET_ASSIGN(RunBrowser opened, RunBrowser::open(browse, control));
    run.emplace(std::move(opened));
  }
  return {};
}

std::optional<std::uint64_t> State::time_limit(std::optional<std::uint64_t> wanted) const {
  if (options.time_limit == 0) return wanted;
  return std::min(wanted.value_or(options.time_limit), options.time_limit);
}

std::chrono::milliseconds State::limit_of_request() const {
  return std::chrono::milliseconds(std::min(options.time_limit, most_milliseconds));
}

Failure State::out_of_time() const {
  return {503, "time_limit",
          "this takes longer than the time limit of the service, " +
              std::to_string(options.time_limit) + " ms"};
}

}  // namespace twinset::service
