// serve_load: made documents, and the load of many clients on `twinset serve` over an index of
// them.
//
//   serve_load write --documents 10000000 | twinset index add x.index - --url url --date date
//   twinset serve x.index --listen 127.0.0.1:8080 &
//   serve_load ask --port 8080 --documents 10000000 --clients 64 --rate 400 --add-rate 200
//
// Of five documents the second is the first with some words replaced. The questions are texts of
// the collection, each with a word replaced, and as many that it has not, in turn. With --rate the
// clients together send so many questions a second, at moments that do not depend on the answers,
// and a time is that from the moment when a question was due; without, each client asks again as
// soon as it is answered. One thread sends and receives for all of them; others add documents
// meanwhile, and wait for each answer.
//
// It needs nothing of twinset, so that it is a client like any other.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

double in_unit(std::uint64_t value) { return static_cast<double>(value >> 11) * 0x1p-53; }

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "serve_load: %s\n", why.c_str());
  std::exit(1);
}

// Documents.

constexpr std::uint64_t family = 5;
constexpr double vocabulary = 200'000;

/// Words as frequent as in language: the k-th has a share of 1 / k.
std::string word(std::uint64_t drawn) {
  return "w" + std::to_string(static_cast<std::uint64_t>(std::pow(vocabulary, in_unit(drawn))));
}

/// `replaced` draws the words that are not those of the document; 0: none are.
std::string text_of(std::uint64_t document, std::uint64_t mean_words, std::uint64_t replaced = 0) {
  const bool is_copy = document % family == 1;
  const std::uint64_t of = is_copy ? document - 1 : document;
  const std::uint64_t copy = is_copy ? mixed(document) | 1 : 0;
  const auto words = static_cast<std::uint64_t>(static_cast<double>(mean_words) *
                                                (0.25 + 1.5 * in_unit(mixed(of ^ 0x5eed))));
  std::string text;
  for (std::uint64_t i = 0; i < words; ++i) {
    std::uint64_t drawn = mixed(mixed(of) ^ i * 0x9e3779b97f4a7c15);
    if (copy != 0 && mixed(copy ^ i) % 40 == 0) drawn = mixed(copy ^ drawn);
    if (replaced != 0 && mixed(replaced ^ i) % 50 == 0) drawn = mixed(replaced ^ drawn);
    text += (i > 0 ? " " : "") + word(drawn);
  }
  return text;
}

std::string document_json(std::uint64_t document, std::uint64_t mean_words) {
  const std::string number = std::to_string(document);
  return "{\"id\": \"d" + number + "\", \"url\": \"https://h" + std::to_string(document % 9973) +
         ".org/" + number + "\", \"date\": \"2026-0" + std::to_string(1 + document % 9) +
         "-01\", \"text\": \"" + text_of(document, mean_words) + "\"}";
}

// What a person gives.

class Options {
 public:
  Options(int count, char** words) {
    for (int i = 2; i + 1 < count; i += 2) {
      const std::string name = words[i];
      if (!name.starts_with("--")) fail("unknown option " + name);
      given_[name.substr(2)] = words[i + 1];
    }
    if (count % 2 != 0) fail(std::string(words[count - 1]) + " has no value");
  }
  std::uint64_t number(const std::string& name, std::uint64_t usual) {
    const auto found = given_.find(name);
    if (found == given_.end()) return usual;
    const std::uint64_t value = std::strtoull(found->second.c_str(), nullptr, 10);
    given_.erase(found);
    return value;
  }
  std::string text(const std::string& name) {
    const std::string value = given_[name];
    given_.erase(name);
    return value;
  }
  void end() const {
    if (!given_.empty()) fail("unknown option --" + given_.begin()->first);
  }

 private:
  std::map<std::string, std::string> given_;
};

int write_documents(Options options) {
  const std::uint64_t documents = options.number("documents", 1'000'000);
  const std::uint64_t first = options.number("first", 0);
  const std::uint64_t words = options.number("mean-words", 120);
  options.end();
  std::string lines;
  for (std::uint64_t i = first; i < first + documents; ++i) {
    lines += document_json(i, words) + "\n";
    if (lines.size() < (1U << 20) && i + 1 < first + documents) continue;
    if (std::fwrite(lines.data(), 1, lines.size(), stdout) != lines.size()) return 1;
    lines.clear();
  }
  return 0;
}

// Requests.

std::string request(const std::string& path, const std::string& body, const std::string& token) {
  return "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" +
         (token.empty() ? "" : "Authorization: Bearer " + token + "\r\n") +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

int connected(std::uint64_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    fail("nobody listens at port " + std::to_string(port));
  }
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return socket;
}

/// An answer that arrives in pieces.
struct Answer {
  std::string bytes;
  std::size_t whole = 0;  ///< its bytes; 0: not known yet
  int status = 0;

  /// True once it is whole.
  bool take(std::string_view piece) {
    bytes += piece;
    if (whole == 0) {
      const std::size_t end = bytes.find("\r\n\r\n");
      if (end == std::string::npos) return false;
      status = std::atoi(bytes.c_str() + std::min<std::size_t>(bytes.size(), 9));
      std::string head = bytes.substr(0, end);
      std::ranges::transform(head, head.begin(), [](unsigned char c) { return std::tolower(c); });
      const std::size_t at = head.find("content-length:");
      if (at == std::string::npos) fail("an answer without a length:\n" + head);
      whole = end + 4 + std::strtoull(head.c_str() + at + 15, nullptr, 10);
    }
    return bytes.size() >= whole;
  }
};

void send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) fail("the service has closed a connection");
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

Answer answer_of(int socket) {
  Answer answer;
  char piece[1 << 16];
  for (;;) {
    const ssize_t got = ::recv(socket, piece, sizeof piece, 0);
    if (got <= 0) fail("the service has closed a connection");
    if (answer.take({piece, static_cast<std::size_t>(got)})) return answer;
  }
}

struct Load {
  std::uint64_t port, documents, words, clients, seconds, rate, adders, add_rate, per_add;
  std::string token, settings;
};

/// Seconds of CPU, and kB of memory of its own, of a process.
struct Usage {
  double cpu_seconds = 0;
  std::uint64_t anonymous = 0, of_files = 0;

  static Usage of(std::uint64_t pid) {
    Usage usage;
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string all((std::istreambuf_iterator<char>(stat)), {});
    std::istringstream rest(all.substr(std::min(all.size(), all.rfind(')') + 2)));
    std::string skipped;
    double user = 0, system = 0;
    for (int i = 0; i < 11; ++i) rest >> skipped;
    rest >> user >> system;
    usage.cpu_seconds = (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("RssAnon:")) usage.anonymous = std::strtoull(&line[8], nullptr, 10);
      if (line.starts_with("RssFile:")) usage.of_files = std::strtoull(&line[8], nullptr, 10);
    }
    return usage;
  }
};

std::vector<std::string> questions(const Load& load) {
  std::vector<std::string> all;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const std::uint64_t document = mixed(i ^ 0xa5c) % load.documents;
    // Every second one is of no document.
    const std::string text = i % 2 == 0 ? text_of(document, load.words, mixed(i) | 1)
                                        : text_of(document + (std::uint64_t{1} << 40), load.words);
    all.push_back(
        request("/query", "{\"text\": \"" + text + "\"" + load.settings + "}", load.token));
  }
  return all;
}

void print_times(const char* what, std::vector<double>& seconds, double total) {
  std::ranges::sort(seconds);
  const auto at = [&](double share) {
    return seconds.empty() ? 0.0
                           : 1000 * seconds[static_cast<std::size_t>(
                                        share * static_cast<double>(seconds.size() - 1))];
  };
  std::printf(
      "%-10s %8zu, %7.0f/s; p50 %7.2f ms, p90 %7.2f, p99 %7.2f, p99.9 %7.2f, longest %7.2f\n", what,
      seconds.size(), static_cast<double>(seconds.size()) / total, at(0.5), at(0.9), at(0.99),
      at(0.999), at(1));
}

struct Client {
  int socket = -1;
  bool is_asking = false;
  bool asked_known = false;
  Clock::time_point due;
  Answer answer;
};

/// Asks from all clients until the time is over; the seconds of each question.
std::vector<double> ask(const Load& load, const std::vector<std::string>& all,
                        std::map<int, std::uint64_t>& statuses, std::uint64_t& found) {
  const int poller = ::epoll_create1(0);
  std::vector<Client> clients(load.clients);
  for (std::size_t i = 0; i < clients.size(); ++i) {
    clients[i].socket = connected(load.port);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = i;
    ::epoll_ctl(poller, EPOLL_CTL_ADD, clients[i].socket, &event);
  }
  const Clock::time_point begin = Clock::now();
  const Clock::time_point end = begin + std::chrono::seconds(load.seconds);
  std::vector<double> seconds;
  // In turn, for the service closes a connection on which nothing is asked.
  std::deque<std::size_t> idle;
  for (std::size_t i = 0; i < clients.size(); ++i) idle.push_back(i);
  std::uint64_t asked = 0;
  const auto next_due = [&] {
    return load.rate == 0
               ? Clock::now()
               : begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                             static_cast<double>(asked) / static_cast<double>(load.rate)));
  };
  for (std::size_t under_way = 0;;) {
    for (Clock::time_point due = next_due(); !idle.empty() && due <= Clock::now() && due < end;
         due = next_due()) {
      Client& client = clients[idle.front()];
      idle.pop_front();
      client.due = due;
      client.answer = {};
      client.asked_known = asked % 2 == 0;
      send_all(client.socket, all[asked++ % all.size()]);
      ++under_way;
    }
    if (under_way == 0 && Clock::now() >= end) break;
    epoll_event events[64];
    const int ready = ::epoll_wait(poller, events, 64, 1);
    for (int i = 0; i < ready; ++i) {
      Client& client = clients[events[i].data.u64];
      char piece[1 << 16];
      const ssize_t got = ::recv(client.socket, piece, sizeof piece, 0);
      if (got <= 0) fail("the service has closed a connection");
      if (!client.answer.take({piece, static_cast<std::size_t>(got)})) continue;
      seconds.push_back(std::chrono::duration<double>(Clock::now() - client.due).count());
      ++statuses[client.answer.status];
      if (client.asked_known) found += client.answer.bytes.find("\"id\"") != std::string::npos;
      idle.push_back(events[i].data.u64);
      --under_way;
    }
  }
  for (const Client& client : clients) ::close(client.socket);
  ::close(poller);
  return seconds;
}

int ask_service(Options options) {
  Load load{};
  load.port = options.number("port", 8080);
  load.documents = options.number("documents", 1'000'000);
  load.words = options.number("mean-words", 120);
  load.clients = options.number("clients", 64);
  load.seconds = options.number("seconds", 30);
  load.rate = options.number("rate", 0);
  load.adders = options.number("adders", 4);
  load.add_rate = options.number("add-rate", 0);
  load.per_add = options.number("documents-an-add", 1);
  load.token = options.text("token");
  load.settings = options.text("settings");
  const std::uint64_t pid = options.number("pid", 0);
  options.end();
  const std::vector<std::string> all = questions(load);
  std::atomic<bool> ends = false;
  std::vector<std::vector<double>> added(load.adders);
  // No run adds a document of another one.
  std::atomic<std::uint64_t> next =
      load.documents +
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                     std::chrono::system_clock::now().time_since_epoch())
                                     .count());
  std::vector<std::thread> adders;
  const Clock::time_point begin = Clock::now();
  for (std::uint64_t adder = 0; load.add_rate > 0 && adder < load.adders; ++adder) {
    adders.emplace_back([&, adder] {
      const int socket = connected(load.port);
      for (std::uint64_t i = 0; !ends; ++i) {
        const auto due =
            begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                        static_cast<double>(i * load.adders) / static_cast<double>(load.add_rate)));
        std::this_thread::sleep_until(due);
        std::string body = "{\"documents\": [";
        for (std::uint64_t j = 0; j < load.per_add; ++j) {
          body += (j > 0 ? ", " : "") + document_json(next++, load.words);
        }
        const Clock::time_point sent = Clock::now();
        send_all(socket, request("/add", body + "]}", load.token));
        const Answer answer = answer_of(socket);
        if (answer.status != 200) fail("an add was refused:\n" + answer.bytes);
        added[adder].push_back(std::chrono::duration<double>(Clock::now() - sent).count());
      }
      ::close(socket);
    });
  }
  const Usage before = Usage::of(pid);
  std::map<int, std::uint64_t> statuses;
  std::uint64_t found = 0;
  std::vector<double> seconds = ask(load, all, statuses, found);
  const double total = std::chrono::duration<double>(Clock::now() - begin).count();
  const Usage after = Usage::of(pid);
  ends = true;
  for (std::thread& adder : adders) adder.join();
  const std::size_t answered = seconds.size();
  print_times("questions", seconds, total);
  for (const auto& [status, count] : statuses) {
    std::printf("  status %d: %llu\n", status, static_cast<unsigned long long>(count));
  }
  std::printf(
      "  of the known ones %.1f %% were found\n",
      200.0 * static_cast<double>(found) / static_cast<double>(std::max<std::size_t>(answered, 1)));
  if (load.add_rate > 0) {
    std::vector<double> of_all;
    for (const auto& each : added) of_all.insert(of_all.end(), each.begin(), each.end());
    print_times("adds", of_all, total);
  }
  if (pid != 0) {
    std::printf(
        "  the service took %.2f ms of CPU for each question, adds included; %llu MB of its own, "
        "%llu MB of files\n",
        1000 * (after.cpu_seconds - before.cpu_seconds) /
            static_cast<double>(std::max<std::size_t>(answered, 1)),
        static_cast<unsigned long long>(after.anonymous / 1024),
        static_cast<unsigned long long>(after.of_files / 1024));
  }
  return statuses.size() == 1 && statuses.contains(200) ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  const std::string verb = count > 1 ? words[1] : "";
  if (verb == "write") return write_documents(Options(count, words));
  if (verb == "ask") return ask_service(Options(count, words));
  fail("say write or ask; the top of bench/serve_load.cc tells how");
}
