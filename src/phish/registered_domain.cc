#include "phish/registered_domain.h"

#ifdef TWINSET_HAS_PUBLIC_SUFFIXES

#include <libpsl.h>

namespace twinset {
namespace {

/// A canonical host whose last label begins with a digit is an address of IPv4; "[" begins one of
/// IPv6.
bool is_address(const std::string& host) {
  const char first = host[host.rfind('.') + 1];
  return host.front() == '[' || (first >= '0' && first <= '9');
}

}  // namespace

bool knows_public_suffixes() { return psl_builtin() != nullptr; }

std::string public_suffix_list() { return psl_builtin_sha1sum(); }

std::string registered_domain(std::string_view host) {
  std::string name(host);
  if (name.empty() || is_address(name)) return name;
  const char* const domain = psl_registrable_domain(psl_builtin(), name.c_str());
  return domain == nullptr ? name : domain;
}

}  // namespace twinset

#else

namespace twinset {

bool knows_public_suffixes() { return false; }
std::string public_suffix_list() { return {}; }
std::string registered_domain(std::string_view) { return {}; }

}  // namespace twinset

#endif
