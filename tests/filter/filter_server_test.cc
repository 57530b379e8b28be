// The socket of a filter: each client gets its answers in order, whatever the others do.
#include "filter/filter_server.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "filter/filter_testing.h"
#include "support/scratch_folder.h"

namespace twinset::testing {
namespace {

/// A client that waits for its answers.
class ToyClient {
 public:
  explicit ToyClient(const std::string& path) : descriptor_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    is_connected_ =
        ::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ToyClient(const ToyClient&) = delete;
  ToyClient& operator=(const ToyClient&) = delete;
  ~ToyClient() { ::close(descriptor_); }

  bool is_connected() const { return is_connected_; }
  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  /// As much as fits, without waiting.
  std::size_t send_some(std::string_view bytes) const {
    const ssize_t sent =
        ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return sent < 0 ? 0 : static_cast<std::size_t>(sent);
  }
  void end() const { ::shutdown(descriptor_, SHUT_WR); }
  /// The next line; empty at the end.
  std::string line() {
    for (;;) {
      const std::size_t end = held_.find('\n');
      if (end != std::string::npos) {
        std::string line = held_.substr(0, end);
        held_.erase(0, end + 1);
        return line;
      }
      char bytes[4096];
      const ssize_t got = ::recv(descriptor_, bytes, sizeof bytes, 0);
      if (got <= 0) return std::exchange(held_, {});
      held_.append(bytes, static_cast<std::size_t>(got));
    }
  }
  std::string ask(const std::string& request) {
    send(request + "\n");
    return line();
  }

 private:
  int descriptor_;
  bool is_connected_ = false;
  std::string held_;
};

std::string request(const std::string& op, const std::string& id, const std::string& text) {
  return "{\"op\": \"" + op + "\", \"id\": \"" + id + "\", \"text\": \"" + text + "\"}";
}

struct ToyServer : ToySet {
  explicit ToyServer(std::uint64_t memory = 0) {
    options.resources.memory = memory;
    options.listen = folder / "s";
    options.input.max_record = 100'000;
    options.resources.threads = 2;
    open();
    control.cancel = &stops;
    server = std::thread([this] {
      status = serve_filter(options, *prototypes, control, summary);
      has_ended = true;
    });
    while (!has_ended && !ToyClient(options.listen).is_connected()) std::this_thread::yield();
  }
  ~ToyServer() { stop(); }
  void stop() {
    stops = true;
    if (server.joinable()) server.join();
    EXPECT_TRUE(status.ok()) << status.error().message;
  }

  ScratchFolder folder;
  std::atomic<bool> stops = false;
  std::atomic<bool> has_ended = false;
  FilterSummary summary;
  Status status;
  std::thread server;
};

TEST(FilterServer, AnswersInTheOrderOfEachClient) {
  ToyServer toy;
  struct stat file {};
  ASSERT_EQ(::stat(toy.options.listen.c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0600U);
  ToyClient client(toy.options.listen);
  const std::string spam = message_of(1, 60);
  // All at once: what a client has asked for first comes first.
  client.send(request("check", "1", spam) + "\n" + request("add", "a", spam) + "\nno request\n" +
              request("check", "2", spam) + "\n\n" + request("remove", "a", "") + "\n" +
              request("check", "3", spam));
  client.end();
  EXPECT_EQ(client.line(), "{\"ok\": true, \"id\": \"1\", \"verdict\": \"pass\"}");
  EXPECT_EQ(client.line(), "{\"ok\": true, \"id\": \"a\", \"added\": true}");
  EXPECT_TRUE(client.line().starts_with("{\"ok\": false, \"error\": \"the line"));
  EXPECT_TRUE(client.line().starts_with(
      "{\"ok\": true, \"id\": \"2\", \"verdict\": \"match\", \"prototype\": \"a\", \"same\": "
      "\"bytes\""));
  EXPECT_EQ(client.line(), "{\"ok\": true, \"id\": \"a\", \"removed\": true}");
  EXPECT_EQ(client.line(), "{\"ok\": true, \"id\": \"3\", \"verdict\": \"pass\"}");
  EXPECT_EQ(client.line(), "");
  toy.stop();
  EXPECT_NE(::stat(toy.options.listen.c_str(), &file), 0) << "the socket goes with its server";
}

TEST(FilterServer, ClientsAtOnceLoseNothing) {
  ToyServer toy;
  std::vector<std::thread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&toy, i] {
      ToyClient client(toy.options.listen);
      for (int j = 0; j < 40; ++j) {
        const std::string id = std::to_string(i) + "-" + std::to_string(j);
        const std::string text = message_of(static_cast<std::uint64_t>(i * 100 + j), 40);
        EXPECT_EQ(client.ask(request("add", id, text)),
                  "{\"ok\": true, \"id\": \"" + id + "\", \"added\": true}");
        const std::string found = client.ask(request("check", "x", text));
        EXPECT_NE(found.find("\"prototype\": \"" + id + "\""), std::string::npos) << found;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  toy.stop();
  toy.open();
  EXPECT_EQ(toy.prototypes->stats(1).value().prototypes, 320U);
}

TEST(FilterServer, ALineThatIsTooLongIsRefusedAndTheNextOneRead) {
  ToyServer toy;
  ToyClient client(toy.options.listen);
  client.send("{\"text\": \"" + std::string(3'000'000, 'x') + "\"}\n" +
              request("check", "next", "one two three four five") + "\n");
  EXPECT_EQ(client.line(),
            "{\"ok\": false, \"error\": \"a line has at most 100000 bytes, and this has more\"}");
  EXPECT_EQ(client.line(), "{\"ok\": true, \"id\": \"next\", \"verdict\": \"pass\"}");
}

TEST(FilterServer, NobodyWaitsForAClientThatDoesNotReadOrEnd) {
  ToyServer toy;
  // One never reads its answers, and one never ends its line.
  const ToyClient silent(toy.options.listen);
  const std::string lines =
      request("check", std::string(2000, 'i'), "one two three four five") + "\n";
  std::size_t sent = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t some = silent.send_some(lines);
    sent += some;
    if (some == 0 && i > 5000) break;
  }
  const ToyClient half(toy.options.listen);
  half.send("{\"op\": \"che");
  {
    // One goes before it gets its answers.
    const ToyClient gone(toy.options.listen);
    for (int i = 0; i < 100; ++i) gone.send(lines);
  }
  ToyClient client(toy.options.listen);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(client.ask(request("check", "1", "one two three four five")),
              "{\"ok\": true, \"id\": \"1\", \"verdict\": \"pass\"}");
  }
  EXPECT_GT(sent, 0U);
}

TEST(FilterServer, HalfLinesOfAllClientsTakeBoundedMemory) {
  ToyServer toy(4'000'000);
  std::vector<std::unique_ptr<ToyClient>> clients;
  const std::string half(90'000, 'x');
  for (int i = 0; i < 40; ++i) {
    clients.push_back(std::make_unique<ToyClient>(toy.options.listen));
    clients.back()->send(half);
  }
  // A quarter of the memory holds eleven of them; who has no half line is served.
  ToyClient other(toy.options.listen);
  EXPECT_EQ(other.ask(request("check", "1", "one two three four five")),
            "{\"ok\": true, \"id\": \"1\", \"verdict\": \"pass\"}");
  int let_go = 0;
  int answered = 0;
  for (const auto& client : clients) {
    client->send("\n");
    const std::string line = client->line();
    let_go += line.find("lines that have not ended") != std::string::npos ? 1 : 0;
    answered += line.find("the line") != std::string::npos ? 1 : 0;
  }
  EXPECT_GE(let_go, 25);
  EXPECT_GE(answered, 5);
  EXPECT_EQ(let_go + answered, 40);
}

TEST(FilterServer, ManyClientsAreServed) {
  ToyServer toy;
  std::vector<std::unique_ptr<ToyClient>> clients;
  for (int i = 0; i < 300; ++i) {
    clients.push_back(std::make_unique<ToyClient>(toy.options.listen));
    ASSERT_TRUE(clients.back()->is_connected()) << i;
  }
  for (const auto& client : clients) {
    EXPECT_EQ(client->ask(request("check", "1", "one two three four five")),
              "{\"ok\": true, \"id\": \"1\", \"verdict\": \"pass\"}");
  }
  clients.clear();
  toy.stop();
  EXPECT_GE(toy.summary.clients, 300U);
}

TEST(FilterServer, TellsItsNumbers) {
  ToyServer toy;
  ToyClient client(toy.options.listen);
  client.ask(request("check", "1", "one two three four five"));
  EXPECT_TRUE(client.ask("{\"op\": \"stats\"}")
                  .starts_with("{\"ok\": true, \"prototypes\": 0, \"checked\": 1, "));
  EXPECT_NE(client.ask("{\"op\": \"metrics\"}").find("twinset_filter_passed_total 1"),
            std::string::npos);
  ToyClient browser(toy.options.listen);
  browser.send("GET /metrics HTTP/1.1\r\nHost: filter\r\n\r\n");
  EXPECT_EQ(browser.line(), "HTTP/1.0 200 OK\r");
  std::string all;
  for (std::string line; !(line = browser.line()).empty();) all += line + "\n";
  EXPECT_NE(all.find("twinset_filter_checked_total 1\n"), std::string::npos) << all;
}

TEST(FilterServer, NumbersComeAfterTheChangesThatWereAskedForFirst) {
  ToyServer toy;
  ToyClient client(toy.options.listen);
  client.send(request("add", "a", message_of(1, 20)) + "\nGET /metrics HTTP/1.1\r\n\r\n");
  EXPECT_EQ(client.line(), "{\"ok\": true, \"id\": \"a\", \"added\": true}");
  EXPECT_EQ(client.line(), "HTTP/1.0 200 OK\r");
}

TEST(FilterServer, ALineIsTooLongHoweverItCame) {
  ToyServer toy;
  const std::string refused =
      "{\"ok\": false, \"error\": \"a line has at most 100000 bytes, and this has more\"}";
  const std::string line = "{\"text\": \"" + std::string(120'000, 'x') + "\"}";
  ToyClient whole(toy.options.listen);
  EXPECT_EQ(whole.ask(line), refused);
  ToyClient last(toy.options.listen);
  last.send(line);
  last.end();
  EXPECT_EQ(last.line(), refused);
  EXPECT_EQ(last.line(), "");
}

TEST(FilterServer, LargeAnswersKeepNobodyWaiting) {
  ToyServer toy;
  ToyClient client(toy.options.listen);
  const std::string text = message_of(1, 40);
  client.ask(request("add", std::string(4000, 'i'), text));
  EXPECT_NE(client.ask(request("add", std::string(5000, 'i'), text)).find("at most 4096 bytes"),
            std::string::npos);
  ToyClient large(toy.options.listen);
  std::thread sender([&] {
    std::string lines;
    for (int i = 0; i < 5000; ++i) lines += request("check", "1", text) + "\n";
    large.send(lines);
  });
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(client.ask(request("check", "1", "one two three four five")),
              "{\"ok\": true, \"id\": \"1\", \"verdict\": \"pass\"}");
  }
  for (int i = 0; i < 5000; ++i) EXPECT_GT(large.line().size(), 4000U);
  sender.join();
}

TEST(FilterServer, ASocketIsServedOnce) {
  ToyServer toy;
  ToySet other;
  other.options.set = "other";
  other.options.listen = toy.options.listen;
  FilterSummary summary;
  const Status served = serve_filter(other.options, other.open(), other.control, summary);
  ASSERT_FALSE(served.ok());
  EXPECT_EQ(served.error().code, ErrorCode::usage);
  EXPECT_NE(served.error().message.find("another process serves"), std::string::npos);
}

}  // namespace
}  // namespace twinset::testing
