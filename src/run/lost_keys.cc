// This file's interface is run/lost_keys.h; the rest is private.
#include "run/lost_keys.h"

#include <fmt/core.h>

namespace twinset {

Result<std::unique_ptr<Scheme>> scheme_of_lost(unsigned shingle_tokens, std::uint64_t seed,
                                               const Ratio& least) {
  return make_scheme(fmt::format("fss(shingle={}, seed={})", shingle_tokens, seed), least.value());
}

}  // namespace twinset
