// twinset serve: an index and a finished run over HTTP (docs/serve.md).
//
//   ServeOptions options;
//   options.folders = {"crawl.index"};
//   serve(options, run_control(), [](const std::string& said) { say(said); });
//
// Threads: one call at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "twinset/option.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset::service {

struct ServeOptions {
  std::vector<std::string> folders;  ///< an index, a run's output, or both
  std::string listen = "127.0.0.1:8080";
  std::vector<std::string> host;  ///< further names by which it is asked
  std::string token_file;
  bool read_only = false;
  std::string decisions;  ///< file of decisions
  std::uint64_t max_body = std::uint64_t{16} << 20;
  std::uint64_t time_limit = 10'000;  ///< milliseconds for a request
  std::optional<std::uint64_t> rate;  ///< requests a second and client
  Resources resources;                ///< of which memory, threads and tmp count
};

std::vector<Option> options_of(ServeOptions& options);

/// What is said while it serves: the address, warnings, with `verbose` a line for each request.
using Say = std::function<void(const std::string& line)>;

/// Serves until control.cancel is set, finishes what was begun, and returns. Errors: usage (an
/// option, a folder that is neither; an address that others reach, without a token), io (the
/// address is taken; another process changes the index).
Status serve(const ServeOptions& options, bool verbose, const RunControl& control, const Say& say);

}  // namespace twinset::service
