#include "system/guarded.h"

#include <exception>
#include <new>
#include <string>

#include "base/message.h"
#include "system/out_of_memory.h"

namespace twinset {
namespace {

Error unexpected(const std::exception& thrown) noexcept {
  try {
    return io_error(std::string("unexpected failure: ") + thrown.what());
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

}  // namespace

Status guarded(const std::function<Status()>& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::exception& thrown) {
    return unexpected(thrown);
  }
}

}  // namespace twinset
