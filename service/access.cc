#include "access.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "http.h"

namespace twinset::service {
namespace {

constexpr std::size_t least_token_bytes = 16;
constexpr std::size_t most_token_bytes = 4096;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool equal_names(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

/// "[::1]:80" is "::1", "a.org:80" is "a.org"; a dot at the end says nothing.
std::string_view host_alone(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    if (end == std::string_view::npos) return {};
    const std::string_view after = host.substr(end + 1);
    if (!after.empty() && after[0] != ':') return {};
    return host.substr(1, end - 1);
  }
  host = host.substr(0, host.find(':'));
  if (host.ends_with('.')) host.remove_suffix(1);
  return host;
}

}  // namespace

bool Access::knows_token(std::string_view authorization) const {
  constexpr std::string_view scheme = "bearer ";
  if (authorization.size() < scheme.size() ||
      !equal_names(authorization.substr(0, scheme.size()), scheme)) {
    return false;
  }
  const std::string_view given = authorization.substr(scheme.size());
  if (given.size() != settings_.token.size()) return false;
  volatile unsigned char differs = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    differs =
        static_cast<unsigned char>(differs | (static_cast<unsigned char>(given[i]) ^
                                              static_cast<unsigned char>(settings_.token[i])));
  }
  return differs == 0;
}

bool Access::knows_host(std::string_view host) const {
  const std::string_view name = host_alone(host);
  if (name.empty()) return false;
  if (is_loopback(name) || equal_names(name, "localhost")) return true;
  if (equal_names(name, settings_.listen)) return true;
  return std::any_of(settings_.hosts.begin(), settings_.hosts.end(), [&](const std::string& known) {
    return equal_names(name, host_alone(known)) || equal_names(host, known);
  });
}

bool Access::is_own_page(std::string_view origin, std::string_view host) {
  if (origin.empty()) return true;
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme) && equal_names(origin.substr(scheme.size()), host)) return true;
  }
  return false;
}

Result<TokenFile> read_token_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return io_error("cannot read " + path + ": " + std::strerror(errno));
  }
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!std::getline(file, line)) return io_error("cannot read a line of " + path);
  if (line.ends_with('\r')) line.pop_back();
  if (line.size() < least_token_bytes || line.size() > most_token_bytes) {
    return usage_error("the token in " + path + " has " + std::to_string(line.size()) +
                       " bytes: give it 16 or more, as `openssl rand -hex 32` makes them");
  }
  const auto is_plain = [](char c) { return c > ' ' && c < '\x7f'; };
  if (!std::all_of(line.begin(), line.end(), is_plain)) {
    return usage_error("the token in " + path + " has a byte other than visible ASCII");
  }
  TokenFile read{line, {}};
  if ((status.st_mode & (S_IRGRP | S_IROTH)) != 0) {
    read.warning = "others can read the token in " + path + "; chmod 600 hides it from them";
  }
  return read;
}

}  // namespace twinset::service
