#include "outcome.h"

#include <cerrno>
#include <cstring>

namespace twinset::service {

Failure failure_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::usage:
    case ErrorCode::bad_records:
      return {400, "usage", error.message};
    case ErrorCode::interrupted:
      return {503, "stopping", "the service is stopping", 5};
    default:
      break;
  }
  // An Error has no number of the system's; its message ends with the system's words.
  for (const int full : {ENOSPC, EDQUOT}) {
    if (error.message.find(std::strerror(full)) != std::string::npos) {
      return {507, "disk_full", error.message};
    }
  }
  return {500, "io", error.message};
}

}  // namespace twinset::service
