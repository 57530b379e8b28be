// What is served, as the handlers of routes see it.
//
// Threads: any, but for open(): by one, before `phase` is ready.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "http.h"
#include "metrics.h"
#include "outcome.h"
#include "serve.h"
#include "twinset/browse.h"
#include "twinset/live_index.h"

namespace twinset::service {

enum class Phase : std::uint8_t { opening, ready, stopping };

struct State {
  ServeOptions options;
  bool needs_token = false;
  std::string index_folder;  ///< empty: none is served
  std::string run_folder;    ///< likewise
  std::atomic<Phase> phase = Phase::opening;
  std::function<HttpLoad()> load = [] { return HttpLoad{}; };
  Metrics metrics;
  std::string openapi;

  std::optional<LiveIndex> index;
  std::optional<RunBrowser> run;

  /// Opens what is served. Errors: as the folders'.
  Status open(const RunControl& control);
  /// Of a request that wants `wanted` at most, or all there is.
  std::optional<std::uint64_t> time_limit(std::optional<std::uint64_t> wanted) const;
};

}  // namespace twinset::service
