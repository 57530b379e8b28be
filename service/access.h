// Who may ask: the token, the Host that a browser was led to, the page that sends a request.
//
//   const Access access({"127.0.0.1", {}, "secret"});
//   if (!access.knows_token(request.authorization)) return 401;
//
// A page of another site can make a browser send requests to this machine, also under a name of its
// own that leads here (DNS rebinding). The browser tells that name as Host, and the page as Origin.
//
// Threads: immutable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "twinset/result.h"

namespace twinset::service {

class Access {
 public:
  struct Settings {
    std::string listen;              ///< the host that is listened at
    std::vector<std::string> hosts;  ///< further names by which it is asked
    std::string token;               ///< empty: none is needed
  };
  explicit Access(Settings settings) : settings_(std::move(settings)) {}

  bool needs_token() const { return !settings_.token.empty(); }
  /// Of an Authorization header, "Bearer TOKEN". Takes as long for a wrong token of the length of
  /// the right one.
  bool knows_token(std::string_view authorization) const;
  /// Of a Host header, with a port or without.
  bool knows_host(std::string_view host) const;
  /// Is the Origin header's page of the host that is asked, or not there?
  static bool is_own_page(std::string_view origin, std::string_view host);

 private:
  Settings settings_;
};

struct TokenFile {
  std::string token;
  std::string warning;  ///< others can read it; else empty
};

/// The first line of the file. Errors: usage (it has fewer than 16 bytes, or what a header cannot
/// hold), io.
Result<TokenFile> read_token_file(const std::string& path);

}  // namespace twinset::service
