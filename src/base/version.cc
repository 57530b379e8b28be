#include "twinset/version.h"

namespace twinset {

std::string_view version() { return TWINSET_VERSION; }

}  // namespace twinset
