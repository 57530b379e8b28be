// 64 clients at once of a service in this process, which the sanitizers then see whole: they ask an
// index and a run, add and delete, while the index is looked at anew every two seconds.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "serve.h"
#include "support/scratch_folder.h"
#include "support_runs/small_run.h"
#include "twinset/index.h"

namespace twinset::service {
namespace {

using twinset::testing::ScratchFolder;
using twinset::testing::SmallRun;

constexpr int clients = 64;
constexpr int rounds = 4;

/// A connection that is kept: a request, then its answer.
class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// The status, and the body; a GET if there is no body to send. 0: the connection broke.
  std::pair<int, std::string> ask(const std::string& path, const std::string& body = "") {
    std::string request =
        (body.empty() ? "GET " : "POST ") + path + " HTTP/1.1\r\nHost: localhost\r\n";
    if (!body.empty()) {
      request +=
          "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
          "\r\n";
    }
    request += "\r\n" + body;
    if (::send(socket_, request.data(), request.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(request.size())) {
      return {};
    }
    std::size_t head = 0;
    while ((head = read_.find("\r\n\r\n")) == std::string::npos) {
      if (!more()) return {};
    }
    const std::string_view length = "Content-Length: ";
    const std::size_t at = read_.find(length);
    std::size_t bytes = 0;
    if (at == std::string::npos || at > head) return {};
    std::from_chars(read_.data() + at + length.size(), read_.data() + head, bytes);
    while (read_.size() < head + 4 + bytes) {
      if (!more()) return {};
    }
    int status = 0;
    std::from_chars(read_.data() + 9, read_.data() + 12, status);
    std::string answer = read_.substr(head + 4, bytes);
    read_.erase(0, head + 4 + bytes);
    return {status, std::move(answer)};
  }

 private:
  bool more() {
    std::array<char, 8192> piece{};
    const ssize_t got = ::recv(socket_, piece.data(), piece.size(), 0);
    if (got > 0) read_.append(piece.data(), static_cast<std::size_t>(got));
    return got > 0;
  }
  int socket_;
  std::string read_;
};

TEST(ManyClients, AskAndChangeAtOnce) {
  SmallRun run;
  run.run();
  ScratchFolder folder;
  IndexOptions index;
  index.index = folder / "a.index";
  index.settings.texts = true;
  ASSERT_TRUE(create_index(index, {}).ok());

  ServeOptions options;
  options.folders = {index.index, run.options.output};
  options.listen = "127.0.0.1:0";
  options.resources.threads = 4;
  options.decisions = folder / "decisions.jsonl";
  options.time_limit = 60'000;
  std::atomic<bool> stop = false;
  std::promise<std::uint16_t> serving;
  twinset::Status served;
  std::thread server([&] {
    served = serve(options, false, RunControl{&stop}, [&](const std::string& said) {
      if (said.find(" at http://") == std::string::npos) return;
      serving.set_value(static_cast<std::uint16_t>(std::stoi(said.substr(said.rfind(':') + 1))));
    });
  });
  const std::uint16_t port = serving.get_future().get();

  std::mutex mutex;
  std::map<std::string, std::map<int, int>> statuses;  // By path.
  std::vector<std::thread> threads;
  for (int number = 0; number < clients; ++number) {
    threads.emplace_back([&, number] {
      Client client(port);
      std::map<std::string, std::map<int, int>> mine;
      const auto ask = [&](const std::string& path, const std::string& body = "") {
        const auto [status, answer] = client.ask(path, body);
        ++mine[path.substr(0, path.find('?'))][status];
        return answer;
      };
      for (int round = 0; round < rounds; ++round) {
        const std::string id = std::to_string(number * rounds + round);
        const std::string text = "the words of document " + id + " that client " +
                                 std::to_string(number) + " has added to this index";
        const std::string named = R"({"id": )" + id + "}";
        EXPECT_NE(ask("/add", R"({"documents": [{"id": )" + id + R"(, "text": ")" + text +
                                  R"(", "url": "http://a.org/)" + id + R"(", "date": "2026-01-0)" +
                                  std::to_string(round + 1) + R"("}]})")
                      .find(R"("added": 1)"),
                  std::string::npos);
        EXPECT_NE(ask("/query", named).find(R"("hits": [{)"), std::string::npos);
        ask("/query", R"({"passages": true, "text": ")" + text + R"("})");
        ask("/document", named);
        ask("/lookup", R"({"name": ")" + id + R"("})");
        ask("/locate", R"({"url": "http://a.org/)" + id + R"("})");
        ask("/track", R"({"url": "http://a.org/)" + id + R"("})");
        ask("/group", R"({"hits": [0, 1, 2, )" + id + "]}");
        ask("/filter", R"({"text": ")" + text + R"("})");
        ask("/clusters?sort=resemblance&search=n");
        ask("/clusters/1");
        ask("/pair?a=n1&b=n4");
        ask("/record?name=n2");
        ask("/lists/removed?sort=resemblance");
        ask("/overview");
        ask("/decisions", R"({"decisions": [{"record": "n4", "decision": "restore"}]})");
        ask("/metrics");
        if (round % 2 == 1) {
          EXPECT_NE(ask("/delete", R"({"ids": [)" + id + "]}").find(R"("deleted": 1)"),
                    std::string::npos);
        }
      }
      const std::lock_guard lock(mutex);
      for (const auto& [path, by_status] : mine) {
        for (const auto& [status, times] : by_status) statuses[path][status] += times;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& [path, by_status] : statuses) {
    EXPECT_EQ(by_status.size(), 1U) << path;
    for (const auto& [status, times] : by_status) EXPECT_EQ(status, 200) << path << " " << times;
  }
  EXPECT_EQ(statuses.size(), 17U);
  {
    Client client(port);
    EXPECT_NE(
        client.ask("/about").second.find(R"("documents": )" + std::to_string(clients * rounds / 2)),
        std::string::npos);
  }
  stop = true;
  server.join();
  EXPECT_TRUE(served.ok()) << served.error().text();
}

}  // namespace
}  // namespace twinset::service
