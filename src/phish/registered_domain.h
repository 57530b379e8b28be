// The registered domain of a host: what one owner has, such as "bank.co.uk" of
// "login.bank.co.uk". Which endings are public, as "co.uk" is and "github.io", is on the list of
// public suffixes (publicsuffix.org), built into libpsl: a newer library may know more of them.
//
//   registered_domain("login.bank.co.uk")   // "bank.co.uk"
//   registered_domain("me.github.io")       // itself: everybody can have one
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace twinset {

/// False in a build without libpsl.
bool knows_public_suffixes();
/// The SHA-1 of the list, in hexadecimal digits; empty without libpsl.
std::string public_suffix_list();

/// `host`: canonical (web/url.h). An address, a public suffix and a host without a dot are their
/// own; empty of none, and without libpsl.
std::string registered_domain(std::string_view host);

}  // namespace twinset
