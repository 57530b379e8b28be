#include "serve.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "access.h"
#include "service.h"
#include "state.h"

namespace twinset::service {
namespace {

constexpr std::uint64_t bodies_share = 4;  ///< of the memory, or
constexpr std::uint64_t least_bodies = std::uint64_t{64} << 20;

Status sort_folders(State& state) {
  if (state.options.folders.empty()) return usage_error("no folder is given to be served");
  for (const std::string& folder : state.options.folders) {
    std::error_code failed;
    if (!std::filesystem::is_directory(folder, failed)) {
      return usage_error(folder + " is not a folder");
    }
    const bool is_run = std::filesystem::exists(folder + "/summary.json", failed);
    std::string& kept = is_run ? state.run_folder : state.index_folder;
    if (!kept.empty()) {
      return usage_error(std::string("at most one ") + (is_run ? "run" : "index") +
                         " is served: " + kept + " or " + folder);
    }
    kept = folder;
  }
  return {};
}

unsigned threads_of(const ServeOptions& options) {
  if (options.resources.threads > 0) return options.resources.threads;
  return std::max(1U, std::thread::hardware_concurrency());
}

std::string names_of(const State& state) {
  const auto& folders = state.options.folders;
  std::string names = folders.front();
  if (folders.size() > 1) names += " and " + folders[1];
  return names;
}

/// Segments that were merged in the background are put in place by whoever changes the index next,
/// or looks. An index that another process changes is opened anew.
void keep_fresh(State& state, const std::atomic<bool>& stop) {
  constexpr std::chrono::seconds between{2};
  constexpr std::chrono::milliseconds pause{50};
  auto next = std::chrono::steady_clock::now() + between;
  while (!stop) {
    std::this_thread::sleep_for(pause);
    if (!state.index || std::chrono::steady_clock::now() < next) continue;
    // What went wrong is told by trouble(), and tried again.
    static_cast<void>(state.index->refresh().ok());
    next = std::chrono::steady_clock::now() + between;
  }
}

}  // namespace

Status serve(const ServeOptions& options, bool verbose, const RunControl& control, const Say& say) {
  State state;
  state.options = options;
  TWINSET_TRY(sort_folders(state));
  TWINSET_ASSIGN(const auto address, parse_address(options.listen));
  std::string token;
  if (!options.token_file.empty()) {
    TWINSET_ASSIGN(TokenFile read, read_token_file(options.token_file));
    if (!read.warning.empty()) say("twinset: warning: " + read.warning);
    token = std::move(read.token);
  } else if (!is_loopback(address.first)) {
    return usage_error("at " + options.listen +
                       " others can reach the service: give it a file with a token, or a loopback "
                       "address such as 127.0.0.1:8080");
  }
  state.needs_token = !token.empty();
  Service service(state, Access({address.first, options.host, token}), say, verbose);
  HttpLimits limits{.host = address.first, .port = address.second, .body = options.max_body};
  limits.threads = threads_of(options);
  limits.bodies =
      std::max({least_bodies, 4 * options.max_body, options.resources.memory / bodies_share});
  if (options.time_limit > 0) limits.to_wait = std::chrono::milliseconds(options.time_limit);
  TWINSET_ASSIGN(std::unique_ptr<HttpServer> server, HttpServer::listen(limits, service));
  state.load = [&server] { return server->load(); };

  std::atomic<bool> stop = false;
  twinset::Status opened;
  std::thread keeper([&] {
    opened = state.open(control);
    Phase opening = Phase::opening;
    if (!opened.ok()) {
      stop = true;
    } else if (state.phase.compare_exchange_strong(opening, Phase::ready)) {
      say("twinset: serving " + names_of(state) + " at http://" + server->address() + "/");
    }
    if (opened.ok()) keep_fresh(state, stop);
  });
  std::thread watcher([&] {
    constexpr std::chrono::milliseconds pause{50};
    while (!stop) {
      if (control.cancel != nullptr && *control.cancel) {
        state.phase = Phase::stopping;
        stop = true;
      }
      std::this_thread::sleep_for(pause);
    }
  });
  const bool finished = server->run(stop);
  stop = true;
  watcher.join();
  keeper.join();
  state.phase = Phase::stopping;
  server.reset();
  TWINSET_TRY(opened);
  if (!finished) say("twinset: warning: some requests were not finished in time, and were cut off");
  return {};
}

}  // namespace twinset::service
