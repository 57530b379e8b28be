// Small web archives, made record by record.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace twinset::testing {

/// A WARC record of that type; `headers` are more lines of its head.
inline std::string warc_record(std::string_view type, std::string_view headers,
                               std::string_view block) {
  return "WARC/1.1\r\nWARC-Type: " + std::string(type) +
         "\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2024-05-01T12:00:00Z\r\n" +
         std::string(headers) + "Content-Length: " + std::to_string(block.size()) + "\r\n\r\n" +
         std::string(block) + "\r\n\r\n";
}

inline std::string http_response(std::string_view headers, std::string_view body,
                                 std::string_view status = "200 OK") {
  return "HTTP/1.1 " + std::string(status) + "\r\n" + std::string(headers) + "\r\n" +
         std::string(body);
}

/// A page as a response.
inline std::string warc_page(std::string_view url, std::string_view body,
                             std::string_view http_headers = "Content-Type: text/html\r\n") {
  return warc_record("response", "WARC-Target-URI: " + std::string(url) + "\r\n",
                     http_response(http_headers, body));
}

inline std::string arc_record(std::string_view url, std::string_view content,
                              std::string_view mime = "text/html") {
  return std::string(url) + " 192.0.2.1 20080430204825 " + std::string(mime) + " " +
         std::to_string(content.size()) + "\n" + std::string(content) + "\n";
}

/// The record that an ARC file begins with.
inline std::string arc_begin() {
  return arc_record("filedesc://x.arc",
                    "1 0 Tests\nURL IP-address Archive-date Content-type Archive-length\n",
                    "text/plain");
}

}  // namespace twinset::testing
