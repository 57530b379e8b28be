#include "run/scratch_folder.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>

namespace twinset {
namespace {

/// A folder that is not there is the error of what is made in it.
std::string temporary_folder(std::string_view usual) {
  const char* const wanted = std::getenv("TMPDIR");
  return wanted != nullptr && *wanted != '\0' ? wanted : std::string(usual);
}

}  // namespace

std::string scratch_path(const Resources& resources, std::string_view verb,
                         std::string_view usual) {
  static std::atomic<unsigned> made = 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return (resources.tmp.empty() ? temporary_folder(usual) : resources.tmp) + "/twinset-" +
         std::string(verb) + "-" + std::to_string(::getpid()) + "-" + std::to_string(now) + "-" +
         std::to_string(++made);
}

}  // namespace twinset
