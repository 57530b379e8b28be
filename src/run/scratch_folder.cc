#include "run/scratch_folder.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace twinset {
namespace {

std::string temporary_folder(std::string_view usual) {
  const char* const wanted = std::getenv("TMPDIR");
  if (!usual.empty()) return wanted != nullptr && *wanted != '\0' ? wanted : std::string(usual);
  std::error_code failed;  // Then the folder cannot be made, which is reported.
  return std::filesystem::temp_directory_path(failed).string();
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
