// The domain that somebody registered: all sites below it have one owner.
//
//   registered_domain("www.news.bbc.co.uk")   // "bbc.co.uk"
//
// The Public Suffix List (publicsuffix.org) knows below which suffixes domains are registered. It
// is the one that libpsl was built with, so the answers change with the machine: no key and no
// order may depend on them, and an output that shows them names public_suffix_list().
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace twinset {

/// The end of `host`, which is as host_of() gives it: the public suffix and one label. Empty if
/// the host is itself a public suffix, an address in numbers, or empty.
std::string_view registered_domain(std::string_view host);

/// The list in use: the SHA-1 of its file.
std::string public_suffix_list();

}  // namespace twinset
