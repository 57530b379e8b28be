#include "web/registered_domain.h"

#include <libpsl.h>

#include "web/host.h"

namespace twinset {

std::string_view registered_domain(std::string_view host) {
  constexpr std::size_t longest_domain = 253;  // RFC 1035, written out
  const bool plain = host.find('\0') == std::string_view::npos;
  if (host.empty() || host.size() > longest_domain || !plain || is_address(host)) return {};
  const std::string ended(host);
  const char* const found = psl_registrable_domain(psl_builtin(), ended.c_str());
  return found == nullptr ? std::string_view() : host.substr(found - ended.c_str());
}

std::string public_suffix_list() {
  const char* const sum = psl_builtin_sha1sum();
  return sum == nullptr ? std::string() : std::string(sum);
}

}  // namespace twinset
