#include "twinset/result.h"

namespace twinset {

std::string_view version() { return TWINSET_VERSION; }

}  // namespace twinset
