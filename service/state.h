// What is served, as the handlers of routes see it.
//
// Threads: any, but for open(): by one, before `phase` is ready.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include "deadlines.h"
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
  Deadlines deadlines;  ///< of the questions that are being answered

  /// Opens what is served. Errors: as the folders'.
  Status open(const RunControl& control);
  /// Of a request that wants `wanted` at most, or all there is.
  std::optional<std::uint64_t> time_limit(std::optional<std::uint64_t> wanted) const;

  /// What `ask` finds, which is told of the end of --time-limit by a flag, null if there is none,
  /// and ends with an Error (interrupted) then.
  template <class Ask>
  auto within_limit(const Ask& ask) -> Outcome<std::decay_t<decltype(ask(nullptr).value())>> {
    if (options.time_limit == 0) return ask(nullptr);
    const Deadlines::Limit limit = deadlines.after(limit_of_request());
    auto found = ask(limit.passed());
    if (!found.ok() && found.error().code == ErrorCode::interrupted && *limit.passed()) {
      return out_of_time();
    }
    return found;
  }

 private:
  std::chrono::milliseconds limit_of_request() const;
  Failure out_of_time() const;
};

}  // namespace twinset::service
