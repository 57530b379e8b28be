#include "http.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace twinset::service {
namespace {

using std::chrono::milliseconds;

/// Answers with the body; "/slow" waits until it is let go, "/many" has several pieces.
class Echo final : public HttpHandler {
 public:
  std::atomic<bool> let_go = false;
  std::atomic<int> begun = 0;
  std::atomic<int> told = 0;

  std::optional<HttpAnswer> admit(const HttpRequest& request) override {
    if (request.target == "/no") return HttpAnswer{.status = 404, .body = "no"};
    return std::nullopt;
  }
  HttpTurn turn_of(const HttpRequest& request) const override {
    if (request.target == "/quick") return HttpTurn::at_once;
    return request.target == "/slow-change" ? HttpTurn::changing : HttpTurn::computing;
  }
  HttpAnswer answer(HttpRequest& request) override {
    ++begun;
    if (request.target.starts_with("/slow")) {
      while (!let_go) std::this_thread::sleep_for(milliseconds(1));
    }
    if (request.target == "/many") {
      const auto left = std::make_shared<int>(3);
      return {.body = "first ", .more = [left](std::string& piece) {
                piece = "piece ";
                return (*left)-- > 0;
              }};
    }
    return {.body = request.method + " " + request.body};
  }
  HttpAnswer refuse(HttpRefusal refusal) override {
    constexpr unsigned statuses[] = {400, 408, 413, 431, 503, 503};
    return {.status = statuses[static_cast<std::size_t>(refusal)], .body = "refused"};
  }
  std::vector<std::pair<std::string, std::string>> common_headers() const override {
    return {{"X-Test", "yes"}};
  }
  void done(const HttpExchange&) override { ++told; }
};

class HttpTest : public ::testing::Test {
 protected:
  void start(HttpLimits limits = {}) {
    limits.port = 0;
    server_ = std::move(HttpServer::listen(limits, echo_)).value();
    const std::string address = server_->address();
    port_ = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
    running_ = std::thread([this] { in_time_ = server_->run(stop_); });
  }
  void stop() {
    stop_ = true;
    if (running_.joinable()) running_.join();
  }
  void TearDown() override {
    echo_.let_go = true;
    stop();
    server_.reset();
  }

  int connect() const {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port_);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return socket;
  }
  static void send(int socket, const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t sent = ::send(socket, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (sent <= 0) return;
      at += static_cast<std::size_t>(sent);
    }
  }
  /// All that comes until the other end closes.
  static std::string rest(int socket) {
    std::string out;
    std::array<char, 4096> piece{};
    for (ssize_t got; (got = ::recv(socket, piece.data(), piece.size(), 0)) > 0;) {
      out.append(piece.data(), static_cast<std::size_t>(got));
    }
    ::close(socket);
    return out;
  }
  std::string ask(const std::string& bytes) const {
    const int socket = connect();
    send(socket, bytes);
    return rest(socket);
  }
  static std::string post(const std::string& path, const std::string& body,
                          const std::string& more = "Connection: close\r\n") {
    return "POST " + path +
           " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
           more + "\r\n" + body;
  }
  static std::string status(const std::string& answer) {
    return answer.substr(0, std::min(answer.size(), answer.find('\r')));
  }
  static bool waits_for(const std::function<bool()>& holds) {
    for (int i = 0; i < 5000 && !holds(); ++i) std::this_thread::sleep_for(milliseconds(1));
    return holds();
  }

  Echo echo_;
  std::unique_ptr<HttpServer> server_;
  std::uint16_t port_ = 0;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> in_time_ = false;
  std::thread running_;
};

TEST_F(HttpTest, RequestsOfAConnectionAreAnsweredInTheirOrder) {
  start();
  const std::string answer = ask(post("/a", "one", "") + post("/no", "", "") +
                                 post("/quick", "two", "") + post("/b", "three"));
  const std::size_t one = answer.find("POST one");
  const std::size_t no = answer.find("404 Not Found");
  const std::size_t two = answer.find("POST two");
  const std::size_t three = answer.find("POST three");
  EXPECT_TRUE(one < no && no < two && two < three && three != std::string::npos) << answer;
  EXPECT_NE(answer.find("X-Test: yes"), std::string::npos);
  EXPECT_TRUE(waits_for([&] { return echo_.told == 4; }));
}

TEST_F(HttpTest, PiecesAreChunksOrEndWithTheConnection) {
  start();
  EXPECT_NE(ask(post("/many", ""))
                .find("\r\n\r\n6\r\nfirst \r\n6\r\npiece \r\n6\r\npiece \r\n6\r\n"
                      "piece \r\n0\r\n\r\n"),
            std::string::npos);
  EXPECT_TRUE(ask("GET /many HTTP/1.0\r\n\r\n").ends_with("\r\n\r\nfirst piece piece piece "));
}

TEST_F(HttpTest, ALargeBodyIsRefusedUnread) {
  start({.body = 1000});
  EXPECT_EQ(status(ask("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n")),
            "HTTP/1.1 413 Payload Too Large");
  EXPECT_EQ(status(ask(post("/", std::string(1000, 'x')))), "HTTP/1.1 200 OK");
  EXPECT_EQ(status(ask("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n" +
                       std::string(1001, 'x') + "\r\n0\r\n\r\n")),
            "HTTP/1.1 413 Payload Too Large");
  EXPECT_EQ(status(ask("GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n")),
            "HTTP/1.1 431 Request Header Fields Too Large");
  EXPECT_EQ(echo_.begun, 1);
}

TEST_F(HttpTest, ASlowClientIsToldSo) {
  start({.to_send_header = milliseconds(100), .to_send_body = milliseconds(100)});
  EXPECT_EQ(status(ask("GET / HT")), "HTTP/1.1 408 Request Timeout");
  EXPECT_EQ(status(ask("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")),
            "HTTP/1.1 408 Request Timeout");
  EXPECT_EQ(ask(""), "") << "who sends nothing is told nothing";
}

TEST_F(HttpTest, ABusyPoolRefusesAndQuickAnswersPassIt) {
  start({.threads = 1, .queue = 1});
  const int first = connect();
  send(first, post("/slow", "1"));
  ASSERT_TRUE(waits_for([&] { return echo_.begun == 1; }));
  const int second = connect();
  send(second, post("/slow", "2"));
  ASSERT_TRUE(waits_for([&] { return server_->load().waiting == 1; }));
  EXPECT_EQ(status(ask(post("/slow", "3"))), "HTTP/1.1 503 Service Unavailable");
  EXPECT_EQ(status(ask(post("/quick", ""))), "HTTP/1.1 200 OK");
  echo_.let_go = true;
  EXPECT_EQ(status(rest(first)), "HTTP/1.1 200 OK");
  EXPECT_EQ(status(rest(second)), "HTTP/1.1 200 OK");
}

TEST_F(HttpTest, QuestionsDoNotWaitForChanges) {
  start({.threads = 1, .queue = 1, .changing = 1});
  const int first = connect();
  send(first, post("/slow-change", "1"));
  ASSERT_TRUE(waits_for([&] { return echo_.begun == 1; }));
  const int second = connect();
  send(second, post("/slow-change", "2"));
  ASSERT_TRUE(waits_for([&] { return server_->load().waiting == 1; }));
  EXPECT_EQ(status(ask(post("/", ""))), "HTTP/1.1 200 OK");
  EXPECT_EQ(status(ask(post("/slow-change", "3"))), "HTTP/1.1 503 Service Unavailable");
  echo_.let_go = true;
  EXPECT_EQ(status(rest(first)), "HTTP/1.1 200 OK");
  EXPECT_EQ(status(rest(second)), "HTTP/1.1 200 OK");
}

TEST_F(HttpTest, MoreConnectionsThanAllowedAreTurnedAway) {
  start({.connections = 2});
  const int one = connect();
  const int two = connect();
  ASSERT_TRUE(waits_for([&] { return server_->load().connections == 2; }));
  EXPECT_EQ(status(ask("")), "HTTP/1.1 503 Service Unavailable");
  ::close(one);
  ASSERT_TRUE(waits_for([&] { return server_->load().connections == 1; }));
  EXPECT_EQ(status(ask(post("/", ""))), "HTTP/1.1 200 OK");
  ::close(two);
}

TEST_F(HttpTest, BodiesTogetherAreBounded) {
  start({.body = 2000, .bodies = 3000, .threads = 2});
  const int one = connect();
  send(one, post("/slow", std::string(2000, 'x')));
  ASSERT_TRUE(waits_for([&] { return echo_.begun == 1; }));
  EXPECT_EQ(status(ask(post("/", std::string(2000, 'x')))), "HTTP/1.1 503 Service Unavailable");
  EXPECT_EQ(status(ask(post("/", std::string(500, 'x')))), "HTTP/1.1 200 OK");
  echo_.let_go = true;
  EXPECT_EQ(status(rest(one)), "HTTP/1.1 200 OK");
  EXPECT_TRUE(waits_for([&] { return server_->load().bodies == 0; }));
}

TEST_F(HttpTest, WhatWasBegunIsFinished) {
  start();
  const int begun = connect();
  const int idle = connect();
  send(begun, post("/slow", "x", ""));
  ASSERT_TRUE(waits_for([&] { return echo_.begun == 1; }));
  stop_ = true;
  EXPECT_EQ(rest(idle), "");
  echo_.let_go = true;
  const std::string answer = rest(begun);
  EXPECT_EQ(status(answer), "HTTP/1.1 200 OK");
  EXPECT_NE(answer.find("Connection: close"), std::string::npos);
  stop();
  EXPECT_TRUE(in_time_);
}

TEST_F(HttpTest, WhatIsNotFinishedInTimeIsCutOff) {
  start({.to_send_body = milliseconds(60'000), .to_stop = milliseconds(100)});
  const int begun = connect();
  send(begun, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
  ASSERT_TRUE(waits_for([&] { return server_->load().in_flight == 1; }));
  stop();
  EXPECT_FALSE(in_time_);
  server_.reset();
  EXPECT_EQ(rest(begun), "");
}

TEST_F(HttpTest, AnAddressThatIsTakenIsAnError) {
  start();
  const Result<std::unique_ptr<HttpServer>> second = HttpServer::listen({.port = port_}, echo_);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace twinset::service
