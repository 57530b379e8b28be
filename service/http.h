// An HTTP/1.1 server: it moves bytes, keeps its limits, and asks a handler for the answers.
//
//   Result<std::unique_ptr<HttpServer>> server = HttpServer::listen(limits, handler);
//   server.value()->address();                          // "127.0.0.1:8080"
//   server.value()->run(stop);                          // until `stop` is set
//
// One thread reads and writes; answers are computed by a pool of threads, changes made by another.
// A client that sends slowly, or more than it may, or to a pool that is busy, is answered so (408,
// 413, 503) and costs a connection and no thread. Requests of a connection are answered in their
// order.
//
// All of Boost.Beast is in http.cc.
//
// Threads: run() by one; the handler is called by several.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/result.h"

namespace twinset::service {

struct HttpLimits {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8080;  ///< 0: any
  std::uint64_t body = std::uint64_t{16} << 20;
  std::uint64_t bodies = std::uint64_t{256} << 20;  ///< of all requests that are held at once
  std::size_t header = std::size_t{16} << 10;
  std::size_t connections = 1024;
  unsigned threads = 1;                       ///< that compute answers
  std::size_t queue = 256;                    ///< requests that wait for one of them
  unsigned changing = 8;                      ///< threads for requests that wait for the disk
  std::chrono::milliseconds to_wait{10'000};  ///< in the queue, at most
  std::chrono::milliseconds to_send_header{10'000};
  std::chrono::milliseconds to_send_body{10'000};  ///< and a second more for each 64 KiB
  std::chrono::milliseconds idle{60'000};
  std::chrono::milliseconds to_read{60'000};  ///< a piece of an answer, by the client
  std::chrono::milliseconds to_stop{30'000};  ///< for what was begun
};

struct HttpRequest {
  std::string method;
  std::string target;  ///< path and query, as sent
  std::string host;
  std::string origin;
  std::string authorization;
  std::string content_type;
  std::string client;                   ///< its address
  std::optional<std::uint64_t> length;  ///< of the body, if the header tells it
  unsigned hosts = 0;                   ///< Host headers
  std::string body;
};

struct HttpAnswer {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};
  /// Further pieces of the body, each made in the pool when the one before it was sent; false:
  /// there is none.
  std::function<bool(std::string& piece)> more{};
};

/// How a request went, for the metrics.
struct HttpExchange {
  const HttpRequest* request = nullptr;
  unsigned status = 0;
  std::uint64_t body_bytes = 0;
  std::uint64_t answer_bytes = 0;
  double seconds = 0;
};

/// What a server answers by itself.
enum class HttpRefusal : std::uint8_t {
  malformed,     ///< 400
  slow,          ///< 408
  large_body,    ///< 413
  large_header,  ///< 431
  busy,          ///< 503, of the pool or the memory for bodies
  stopping       ///< 503
};

/// By which threads a request is answered.
enum class HttpTurn : std::uint8_t {
  at_once,    ///< that which moves bytes, however busy the others are
  computing,  ///< HttpLimits::threads
  changing    ///< HttpLimits::changing: it waits for the disk, and nobody should wait for it
};

class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  /// Called when the header is there, by the thread that moves bytes: an answer, and no body is
  /// read; nullopt: the request is welcome.
  virtual std::optional<HttpAnswer> admit(const HttpRequest& request) = 0;
  virtual HttpTurn turn_of(const HttpRequest& request) const = 0;
  virtual HttpAnswer answer(HttpRequest& request) = 0;
  virtual HttpAnswer refuse(HttpRefusal refusal) = 0;
  /// `name`, `value` of each answer.
  virtual std::vector<std::pair<std::string, std::string>> common_headers() const = 0;
  virtual void done(const HttpExchange& exchange) = 0;
};

struct HttpLoad {
  std::uint64_t connections = 0;
  std::uint64_t in_flight = 0;  ///< requests that were admitted and are not answered
  std::uint64_t waiting = 0;    ///< of them, those in the queue
  std::uint64_t bodies = 0;     ///< bytes held
};

class HttpServer {
 public:
  /// Errors: usage (not an address), io (it cannot be had). `handler` outlives the server.
  static Result<std::unique_ptr<HttpServer>> listen(const HttpLimits& limits, HttpHandler& handler);
  virtual ~HttpServer() = default;

  /// With the port: "127.0.0.1:8080", "[::1]:8080".
  virtual std::string address() const = 0;
  virtual HttpLoad load() const = 0;
  /// Serves until `stop` is true, then finishes what was begun. False: it was not finished in time,
  /// and was cut off.
  virtual bool run(const std::atomic<bool>& stop) = 0;
};

/// An address and its port, "127.0.0.1:8080", "[::1]:0", "localhost:80". Errors (usage).
Result<std::pair<std::string, std::uint16_t>> parse_address(std::string_view text);
/// Is it of this machine alone: 127.0.0.0/8, ::1, localhost?
bool is_loopback(std::string_view host);

}  // namespace twinset::service
