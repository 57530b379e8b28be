// A connection is a coroutine: it waits for the first byte of a request, reads its header, asks
// whether the request is welcome, reads its body, has it answered, and sends that. All coroutines
// run on the thread that calls run(), so nothing here is locked. An answer is computed by the pool,
// which posts the rest of the coroutine back to that thread.
//
// A connection has one timer. When it fires it cancels what the socket waits for, and the coroutine
// sees `fired`.
//
// This file's interface is http.h; the rest is private.
#include "http.h"

#include <arpa/inet.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <charconv>
#include <set>
#include <utility>

#include "pool.h"

namespace twinset::service {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;
using Failure = boost::system::error_code;

constexpr auto told = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::milliseconds poll_stop{50};
constexpr std::chrono::milliseconds to_hang_up{2'000};
constexpr std::size_t most_drained = std::size_t{64} << 20;
constexpr std::uint64_t body_bytes_a_second = 64 << 10;
/// Connections beyond the limit that are told so; others are closed without a word.
constexpr std::size_t most_refused = 64;

std::string text_of(beast::string_view text) { return {text.data(), text.size()}; }

/// Cancels what a socket waits for.
class Deadline {
 public:
  explicit Deadline(tcp::socket& socket)
      : state_(std::make_shared<State>(State{&socket})), timer_(socket.get_executor()) {}
  ~Deadline() { state_->socket = nullptr; }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  void arm(Clock::duration time) { arm_at(Clock::now() + time); }
  void arm_at(Clock::time_point when) {
    state_->fired = false;
    const std::uint64_t turn = ++state_->turn;
    timer_.expires_at(when);
    // It may be called, as fired, after it was armed anew or destroyed.
    timer_.async_wait([state = state_, turn](const Failure& failed) {
      if (failed || state->socket == nullptr || state->turn != turn) return;
      state->fired = true;
      Failure ignored;
      state->socket->cancel(ignored);
    });
  }
  bool fired() const { return state_->fired; }

 private:
  struct State {
    tcp::socket* socket;
    std::uint64_t turn = 0;
    bool fired = false;
  };
  std::shared_ptr<State> state_;
  asio::steady_timer timer_;
};

class Server;

/// What the server knows of a connection while its coroutine is there.
struct Connection {
  Connection(Server& of, tcp::socket taken);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Accounts for `bytes` of body in all; false: others have the memory.
  bool hold(std::uint64_t bytes);

  Server& server;
  tcp::socket socket;
  Deadline deadline;
  std::string client;
  bool is_idle = false;
  bool keep = true;     ///< the connection, after this request
  bool unread = false;  ///< the client may still send of its request
  unsigned version = 11;
  bool head = false;
  std::uint64_t held = 0;
};

class Server final : public HttpServer {
 public:
  Server(const HttpLimits& limits, HttpHandler& handler)
      : limits_(limits),
        handler_(handler),
        acceptor_(io_),
        computing_(limits.threads, limits.queue),
        changing_(limits.changing, limits.queue) {}
  ~Server() override { cut_ = true; }

  Status open();
  std::string address() const override;
  HttpLoad load() const override {
    return {connections_count_, in_flight_, computing_.waiting() + changing_.waiting(), bodies_};
  }
  bool run(const std::atomic<bool>& stop) override;

 private:
  friend struct Connection;
  using Parser = http::request_parser<http::string_body>;

  asio::awaitable<void> accept();
  asio::awaitable<void> watch(const std::atomic<bool>& stop);
  asio::awaitable<void> serve(tcp::socket socket);
  asio::awaitable<void> turn_away(tcp::socket socket);
  asio::awaitable<bool> exchange(Connection& connection, beast::flat_buffer& buffer);
  /// nullopt: it is there; else an answer in its place.
  asio::awaitable<std::optional<HttpAnswer>> read_body(Connection& connection,
                                                       beast::flat_buffer& buffer, Parser& parser);
  /// `pool`: null: at once.
  asio::awaitable<HttpAnswer> answer(HttpRequest& request, Pool* pool);
  Pool* pool_of(const HttpRequest& request);
  /// Calls `task` in the pool; false: the pool is busy.
  asio::awaitable<bool> in_pool(Pool& pool, std::function<void()> task);
  /// The bytes of the body; nullopt: the client did not take them.
  asio::awaitable<std::optional<std::uint64_t>> send(Connection& connection, HttpAnswer& answer,
                                                     Pool& pool);
  asio::awaitable<bool> write(Connection& connection, const std::string& bytes);
  asio::awaitable<void> hang_up(Connection& connection);
  std::string head_of(const Connection& connection, const HttpAnswer& answer) const;

  const HttpLimits limits_;
  HttpHandler& handler_;
  std::atomic<std::uint64_t> connections_count_ = 0;
  std::atomic<std::uint64_t> in_flight_ = 0;
  std::atomic<std::uint64_t> bodies_ = 0;
  std::atomic<bool> cut_ = false;  ///< tasks of the pools end at once
  std::set<Connection*> connections_;
  std::size_t refused_ = 0;
  bool stopping_ = false;
  bool in_time_ = true;
  // The pools end first: their tasks have places in coroutines, which end with io_.
  asio::io_context io_{1};
  tcp::acceptor acceptor_;
  Pool computing_;
  Pool changing_;
};

Connection::Connection(Server& of, tcp::socket taken)
    : server(of), socket(std::move(taken)), deadline(socket) {
  server.connections_.insert(this);
  ++server.connections_count_;
  Failure failed;
  const tcp::endpoint peer = socket.remote_endpoint(failed);
  client = failed ? "unknown" : peer.address().to_string();
  socket.set_option(tcp::no_delay(true), failed);
}

Connection::~Connection() {
  hold(0);
  server.connections_.erase(this);
  --server.connections_count_;
}

bool Connection::hold(std::uint64_t bytes) {
  server.bodies_ += bytes - held;
  held = bytes;
  return bytes == 0 || server.bodies_ <= server.limits_.bodies;
}

Status Server::open() {
  Failure failed;
  const std::string where = limits_.host + ":" + std::to_string(limits_.port);
  asio::ip::address address = asio::ip::make_address(
      limits_.host == "localhost" ? std::string("127.0.0.1") : limits_.host, failed);
  if (failed) return usage_error(where + " is not an address: write 127.0.0.1:8080 or [::1]:8080");
  const tcp::endpoint endpoint(address, limits_.port);
  acceptor_.open(endpoint.protocol(), failed);
  if (!failed) acceptor_.set_option(tcp::acceptor::reuse_address(true), failed);
  if (!failed) acceptor_.bind(endpoint, failed);
  if (!failed) acceptor_.listen(asio::socket_base::max_listen_connections, failed);
  if (failed) return io_error("cannot listen at " + where + ": " + failed.message());
  return {};
}

std::string Server::address() const {
  Failure failed;
  const tcp::endpoint endpoint = acceptor_.local_endpoint(failed);
  const std::string host = endpoint.address().to_string();
  return (endpoint.address().is_v6() ? "[" + host + "]" : host) + ":" +
         std::to_string(endpoint.port());
}

bool Server::run(const std::atomic<bool>& stop) {
  asio::co_spawn(io_, accept(), asio::detached);
  asio::co_spawn(io_, watch(stop), asio::detached);
  io_.run();
  return in_time_;
}

asio::awaitable<void> Server::watch(const std::atomic<bool>& stop) {
  asio::steady_timer timer(io_);
  while (!stop) {
    timer.expires_after(poll_stop);
    co_await timer.async_wait(told);
  }
  stopping_ = true;
  Failure ignored;
  acceptor_.close(ignored);
  const Clock::time_point last = Clock::now() + limits_.to_stop;
  while (connections_count_ > 0 && Clock::now() < last) {
    for (Connection* const connection : connections_) {
      if (connection->is_idle) connection->socket.cancel(ignored);
    }
    timer.expires_after(poll_stop);
    co_await timer.async_wait(told);
  }
  in_time_ = connections_count_ == 0;
  cut_ = true;
  io_.stop();
}

asio::awaitable<void> Server::accept() {
  while (!stopping_) {
    auto [failed, socket] = co_await acceptor_.async_accept(told);
    if (stopping_) co_return;
    if (failed) {
      // Such as no free descriptor: others may be closed meanwhile.
      asio::steady_timer timer(io_, poll_stop);
      co_await timer.async_wait(told);
    } else if (connections_count_ < limits_.connections) {
      asio::co_spawn(io_, serve(std::move(socket)), asio::detached);
    } else if (refused_ < most_refused) {
      asio::co_spawn(io_, turn_away(std::move(socket)), asio::detached);
    }
  }
}

asio::awaitable<void> Server::turn_away(tcp::socket socket) {
  ++refused_;
  Connection connection(*this, std::move(socket));
  connection.keep = false;
  connection.unread = true;
  HttpAnswer busy = handler_.refuse(HttpRefusal::busy);
  co_await send(connection, busy, computing_);
  handler_.done({nullptr, busy.status, 0, busy.body.size(), 0});
  co_await hang_up(connection);
  --refused_;
}

asio::awaitable<void> Server::serve(tcp::socket socket) {
  Connection connection(*this, std::move(socket));
  beast::flat_buffer buffer;
  for (bool first = true; connection.keep && !(stopping_ && buffer.size() == 0); first = false) {
    if (buffer.size() == 0) {
      connection.is_idle = true;
      connection.deadline.arm(first ? limits_.to_send_header : limits_.idle);
      constexpr std::size_t piece = 8192;
      auto [failed, bytes] =
          co_await connection.socket.async_read_some(buffer.prepare(piece), told);
      connection.is_idle = false;
      if (failed) break;
      buffer.commit(bytes);
    }
    const bool goes_on = co_await exchange(connection, buffer);
    if (!goes_on) break;
  }
  co_await hang_up(connection);
}

asio::awaitable<bool> Server::exchange(Connection& connection, beast::flat_buffer& buffer) {
  const Clock::time_point began = Clock::now();
  Parser parser;
  parser.header_limit(static_cast<std::uint32_t>(limits_.header));
  parser.body_limit(boost::none);
  connection.deadline.arm(limits_.to_send_header);
  auto [failed, bytes] = co_await http::async_read_header(connection.socket, buffer, parser, told);
  HttpRequest request;
  request.client = connection.client;
  HttpAnswer out;
  Pool* pool = nullptr;
  connection.head = false;
  connection.version = 11;
  if (failed) {
    const bool slow = connection.deadline.fired();
    const bool is_http = failed.category() == make_error_code(http::error::bad_version).category();
    if (!slow && (!is_http || failed == http::error::end_of_stream)) co_return false;
    connection.keep = false;
    connection.unread = true;
    out = handler_.refuse(slow                                  ? HttpRefusal::slow
                          : failed == http::error::header_limit ? HttpRefusal::large_header
                                                                : HttpRefusal::malformed);
  } else {
    const auto& head = parser.get();
    request.method = text_of(head.method_string());
    request.target = text_of(head.target());
    request.host = text_of(head[http::field::host]);
    request.hosts = static_cast<unsigned>(head.count(http::field::host));
    request.origin = text_of(head[http::field::origin]);
    request.authorization = text_of(head[http::field::authorization]);
    request.content_type = text_of(head[http::field::content_type]);
    if (const auto length = parser.content_length()) request.length = *length;
    connection.version = head.version();
    connection.keep = parser.keep_alive() && connection.version >= 11;
    connection.head = head.method() == http::verb::head;
    connection.unread = !parser.is_done();
    ++in_flight_;
    std::optional<HttpAnswer> refused;
    if (stopping_) {
      refused = handler_.refuse(HttpRefusal::stopping);
    } else {
      refused = handler_.admit(request);
      if (!refused && request.length.value_or(0) > limits_.body) {
        refused = handler_.refuse(HttpRefusal::large_body);
      }
      if (!refused) refused = co_await read_body(connection, buffer, parser);
    }
    if (refused) {
      out = std::move(*refused);
      if (connection.unread) connection.keep = false;
    } else {
      request.body = std::move(parser.get().body());
      pool = pool_of(request);
      out = co_await answer(request, pool);
    }
    if (stopping_) connection.keep = false;
  }
  const std::uint64_t body_bytes = request.body.size();
  const std::optional<std::uint64_t> sent =
      co_await send(connection, out, pool != nullptr ? *pool : computing_);
  if (!failed) --in_flight_;
  connection.hold(0);
  handler_.done({&request, out.status, body_bytes, sent.value_or(0),
                 std::chrono::duration<double>(Clock::now() - began).count()});
  co_return sent.has_value();
}

asio::awaitable<std::optional<HttpAnswer>> Server::read_body(Connection& connection,
                                                             beast::flat_buffer& buffer,
                                                             Parser& parser) {
  if (parser.is_done()) co_return std::nullopt;
  parser.body_limit(limits_.body);
  if (beast::iequals(parser.get()[http::field::expect], "100-continue")) {
    const std::string welcome = "HTTP/1.1 100 Continue\r\n\r\n";
    const bool written = co_await write(connection, welcome);
    if (!written) co_return handler_.refuse(HttpRefusal::slow);
  }
  const Clock::time_point began = Clock::now();
  std::uint64_t received = 0;
  while (!parser.is_done()) {
    connection.deadline.arm_at(began + limits_.to_send_body +
                               std::chrono::seconds(received / body_bytes_a_second));
    auto [failed, bytes] = co_await http::async_read_some(connection.socket, buffer, parser, told);
    received += bytes;
    if (connection.deadline.fired()) co_return handler_.refuse(HttpRefusal::slow);
    if (failed == http::error::body_limit) co_return handler_.refuse(HttpRefusal::large_body);
    if (failed) co_return handler_.refuse(HttpRefusal::malformed);
    if (!connection.hold(parser.get().body().size())) {
      co_return handler_.refuse(HttpRefusal::busy);
    }
  }
  connection.unread = false;
  co_return std::nullopt;
}

asio::awaitable<bool> Server::in_pool(Pool& pool, std::function<void()> task) {
  bool accepted = true;
  const auto start = [&](auto resume) {
    // A function that the pool keeps must be copyable, which a coroutine's rest is not.
    const auto rest = std::make_shared<decltype(resume)>(std::move(resume));
    accepted = pool.offer([this, rest, task] {
      if (!cut_) task();
      asio::post(io_, [rest] { std::move (*rest)(); });
    });
    if (!accepted) asio::post(io_, [rest] { std::move (*rest)(); });
  };
  co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(start, asio::use_awaitable);
  co_return accepted;
}

Pool* Server::pool_of(const HttpRequest& request) {
  const HttpTurn turn = handler_.turn_of(request);
  if (turn == HttpTurn::at_once) return nullptr;
  return turn == HttpTurn::changing ? &changing_ : &computing_;
}

asio::awaitable<HttpAnswer> Server::answer(HttpRequest& request, Pool* pool) {
  HttpAnswer out;
  if (pool == nullptr) {
    out = handler_.answer(request);
    co_return out;
  }
  const Clock::time_point last = Clock::now() + limits_.to_wait;
  std::function<void()> task = [&] {
    out = Clock::now() < last ? handler_.answer(request) : handler_.refuse(HttpRefusal::busy);
  };
  const bool accepted = co_await in_pool(*pool, std::move(task));
  if (!accepted) out = handler_.refuse(HttpRefusal::busy);
  co_return out;
}

std::string Server::head_of(const Connection& connection, const HttpAnswer& answer) const {
  http::response<http::empty_body> head{static_cast<http::status>(answer.status), 11};
  head.set(http::field::server, "twinset");
  for (const auto& [name, value] : handler_.common_headers()) head.set(name, value);
  for (const auto& [name, value] : answer.headers) head.set(name, value);
  head.set(http::field::content_type, answer.type);
  if (!answer.more) {
    head.content_length(answer.body.size());
  } else if (connection.version >= 11) {
    head.chunked(true);
  }
  if (!connection.keep) head.set(http::field::connection, "close");
  std::string out = "HTTP/1.1 " + std::to_string(answer.status) + " " + text_of(head.reason());
  out += "\r\n";
  for (const auto& field : head) {
    out += text_of(field.name_string()) + ": " + text_of(field.value()) + "\r\n";
  }
  return out + "\r\n";
}

asio::awaitable<bool> Server::write(Connection& connection, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    connection.deadline.arm(limits_.to_read);
    auto [failed, written] = co_await connection.socket.async_write_some(
        asio::buffer(bytes.data() + at, bytes.size() - at), told);
    if (failed) co_return false;
    at += written;
  }
  co_return true;
}

asio::awaitable<std::optional<std::uint64_t>> Server::send(Connection& connection,
                                                           HttpAnswer& answer, Pool& pool) {
  const bool chunked = answer.more && connection.version >= 11;
  if (answer.more && !chunked) connection.keep = false;
  const auto piece_of = [chunked](const std::string& bytes) {
    if (!chunked || bytes.empty()) return bytes;
    char size[17];
    const auto end = std::to_chars(size, size + 16, bytes.size(), 16).ptr;
    return std::string(size, end) + "\r\n" + bytes + "\r\n";
  };
  std::string out = head_of(connection, answer);
  std::uint64_t bytes = answer.body.size();
  if (!connection.head) out += piece_of(answer.body);
  bool written = co_await write(connection, out);
  while (written && answer.more && !connection.head) {
    std::string piece;
    bool is_one = false;
    std::function<void()> task = [&] { is_one = answer.more(piece); };
    bool accepted = co_await in_pool(pool, task);
    while (!accepted) {
      // The answer has begun: it waits until the pool has room.
      asio::steady_timer timer(io_, poll_stop);
      co_await timer.async_wait(told);
      accepted = co_await in_pool(pool, task);
    }
    if (!is_one) break;
    bytes += piece.size();
    out = piece_of(piece);
    written = co_await write(connection, out);
  }
  if (written && chunked && !connection.head) {
    const std::string last = "0\r\n\r\n";
    written = co_await write(connection, last);
  }
  if (!written) co_return std::nullopt;
  co_return bytes;
}

/// Whoever still sends would lose the answer if the socket were closed before it was read.
asio::awaitable<void> Server::hang_up(Connection& connection) {
  Failure failed;
  connection.socket.shutdown(tcp::socket::shutdown_send, failed);
  if (!connection.unread || failed) co_return;
  connection.deadline.arm(to_hang_up);
  std::vector<char> dropped(std::size_t{64} << 10);
  for (std::size_t total = 0; total < most_drained && !connection.deadline.fired();) {
    auto [ended, bytes] = co_await connection.socket.async_read_some(asio::buffer(dropped), told);
    if (ended) break;
    total += bytes;
  }
}

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::listen(const HttpLimits& limits,
                                                       HttpHandler& handler) {
  auto server = std::make_unique<Server>(limits, handler);
  TWINSET_TRY(server->open());
  return std::unique_ptr<HttpServer>(std::move(server));
}

Result<std::pair<std::string, std::uint16_t>> parse_address(std::string_view text) {
  const Error wrong = usage_error("'" + std::string(text) +
                                  "' is not an address and a port, such as 127.0.0.1:8080");
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return wrong;
  std::string_view host = text.substr(0, colon);
  const std::string_view digits = text.substr(colon + 1);
  std::uint16_t port = 0;
  const char* const end = digits.data() + digits.size();
  const auto [at, failed] = std::from_chars(digits.data(), end, port);
  if (failed != std::errc() || at != end || digits.empty()) return wrong;
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return wrong;
  }
  const std::string name(host == "localhost" ? "127.0.0.1" : host);
  Failure not_one;
  asio::ip::make_address(name, not_one);
  if (not_one) return wrong;
  return std::pair(name, port);
}

bool is_loopback(std::string_view host) {
  if (host == "localhost") return true;
  Failure failed;
  const asio::ip::address address = asio::ip::make_address(std::string(host), failed);
  return !failed && address.is_loopback();
}

}  // namespace twinset::service
