#include "collection/input_changed.h"

namespace twinset {

Error input_changed(const Source& source) {
  Error error = io_error(source.shown +
                         " changed since this run began; nothing was written. Run the same "
                         "command again when nothing is writing to it: it starts over");
  error.input_changed = true;
  return error;
}

}  // namespace twinset
