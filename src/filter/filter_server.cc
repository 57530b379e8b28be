// This file's interface is filter/filter_server.h.
#include "filter/filter_server.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "collection/file_collection.h"
#include "filter/filter_lines.h"
#include "run/prepare.h"
#include "system/local_socket.h"

namespace twinset {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr std::size_t read_bytes = std::size_t{64} << 10;
constexpr std::size_t most_sent_at_once = std::size_t{256} << 10;
/// A buffer that has grown beyond this is given back once it is empty.
constexpr std::size_t kept_capacity = std::size_t{256} << 10;
/// A client that does not read its answers is not read either, beyond so many bytes of them...
constexpr std::size_t most_waiting_answers = std::size_t{1} << 20;
/// ... and is let go if it takes none of them for so long.
constexpr std::chrono::seconds longest_silence{60};
/// Of all clients at once, bytes of lines that have not ended, unless --memory gives more or less;
/// no fewer than two of the longest.
constexpr std::uint64_t usual_half_lines = std::uint64_t{256} << 20;
/// Lines of a client that are worked on at once.
constexpr std::size_t most_lines_at_once = 256;
constexpr int poll_milliseconds = 100;
/// Counts are kept, expired prototypes removed and silent clients let go every so often.
constexpr std::chrono::seconds tended_every{10};
/// For files, and whoever is told that there are too many clients.
constexpr std::uint64_t spare_descriptors = 128;

/// A request that changes the prototypes, or an error that stands in its place among the answers.
struct AskedChange {
  PrototypeChange change;
  std::string answer;  ///< not empty: there is no change
};

/// Lines of a client, and the answers to them. Of no client: the set is tended.
struct Work {
  std::uint64_t client = 0;
  std::deque<std::string> lines;
  std::vector<AskedChange> changes;  ///< in a row, before the lines that are left
  std::string answers;
  bool ends = false;  ///< the connection, after the answers
};

/// A client's part of a sum over all clients, which it leaves when it goes.
class PartOfSum {
 public:
  explicit PartOfSum(std::uint64_t& sum) : sum_(sum) {}
  PartOfSum(const PartOfSum&) = delete;
  PartOfSum& operator=(const PartOfSum&) = delete;
  ~PartOfSum() { set(0); }
  void set(std::uint64_t part) {
    sum_ += part - part_;
    part_ = part;
  }

 private:
  std::uint64_t& sum_;
  std::uint64_t part_ = 0;
};

struct Client {
  Client(LocalSocket connected, std::uint64_t& held_in)
      : socket(std::move(connected)), held(held_in) {}
  LocalSocket socket;
  std::string in;
  PartOfSum held;                 ///< bytes of `in`
  std::deque<std::string> lines;  ///< that came before `in`
  std::string out;
  std::size_t sent = 0;     ///< bytes of `out`
  std::size_t scanned = 0;  ///< of `in`: there is no line end before
  bool skips_line = false;  ///< its line is too long
  bool is_worked = false;
  bool has_ended = false;  ///< it sends no more
  bool closes = false;     ///< once its answers are taken
  Poller::Ready watched{.read = true};
  SteadyTime moved{};  ///< when it took or sent bytes last

  std::size_t waiting_bytes() const { return out.size() - sent; }
};

void give_back(std::string& empty) {
  if (empty.empty() && empty.capacity() > kept_capacity) empty = std::string();
}

/// Work that waits for threads.
class WorkQueue {
 public:
  void put(Work work) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(work));
    }
    changed_.notify_one();
  }
  void end() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
  }
  /// The next one; nullopt once it has ended and is empty.
  std::optional<Work> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty()) return std::nullopt;
    Work work = std::move(waiting_.front());
    waiting_.pop_front();
    return work;
  }
  /// All that waits, without waiting.
  std::deque<Work> take_all() {
    const std::lock_guard lock(mutex_);
    return std::exchange(waiting_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> waiting_;
  bool ends_ = false;
};

class FilterServer {
 public:
  FilterServer(const FilterOptions& options, Prototypes& prototypes, const RunControl& control,
               FilterSummary& summary)
      : options_(options), prototypes_(prototypes), control_(control), summary_(summary) {}

  Status run();

 private:
  static constexpr std::uint64_t listener_token = 0;
  static constexpr std::uint64_t waker_token = 1;

  Status serve(const LocalListener& listener);
  void accept(const LocalListener& listener);
  void read_from(std::uint64_t number, Client& client);
  void begin_work(std::uint64_t number, Client& client);
  void next_lines(Client& client, Work& work);
  void write_to(Client& client);
  void watch(std::uint64_t number, Client& client);
  bool is_over(const Client& client) const;
  void take_done();
  void let_longest_go();
  void let_silent_go();
  void check_lines();
  void change_prototypes();
  void answer_changes(std::deque<Work>& all);
  bool answer_line(FilterRequests& requests, PrototypeChecker& checker, const std::string& line,
                   Work& work);
  void hand_on(Work work);

  const FilterOptions& options_;
  Prototypes& prototypes_;
  const RunControl& control_;
  FilterSummary& summary_;
  FieldNames fields_;
  std::unique_ptr<Poller> poller_;
  std::unique_ptr<Waker> waker_;
  std::uint64_t next_client_ = 2;
  std::uint64_t most_clients_ = 0;
  std::uint64_t most_held_in_ = 0;
  std::uint64_t held_in_ = 0;  ///< bytes of Client::in of all clients
  std::map<std::uint64_t, Client> clients_;
  WorkQueue to_check_;
  WorkQueue to_change_;
  std::mutex done_mutex_;
  std::vector<Work> done_;
  // Of the thread that changes:
  bool told_of_counts_ = false;
  SteadyTime counts_due_{};
};

Status FilterServer::run() {
  fields_ = fields_read(options_.input);
  const auto there = prototypes_.snapshot();
  for (const IndexScheme& of : there->signer().schemes()) {
    TWINSET_TRY(add_record_fields(*of.scheme, fields_));
  }
  const std::uint64_t descriptors = most_descriptors();
  most_clients_ = descriptors - std::min(spare_descriptors, descriptors / 2);
  const std::uint64_t memory = options_.resources.memory;
  most_held_in_ = std::max(memory == 0 ? usual_half_lines : memory / 4,
                           2 * (options_.input.max_record + read_bytes));
  TWINSET_ASSIGN(const auto listener, LocalListener::open(options_.listen));
  TWINSET_ASSIGN(poller_, Poller::make());
  TWINSET_ASSIGN(waker_, Waker::make());
  TWINSET_TRY(poller_->watch(listener->descriptor(), listener_token, {.read = true}));
  TWINSET_TRY(poller_->watch(waker_->descriptor(), waker_token, {.read = true}));
  const unsigned threads = options_.resources.threads != 0
                               ? options_.resources.threads
                               : std::max(std::thread::hardware_concurrency(), 1U);
  std::vector<std::thread> checking;
  for (unsigned i = 0; i < threads; ++i) checking.emplace_back([this] { check_lines(); });
  std::thread changing([this] { change_prototypes(); });
  const Status served = serve(*listener);
  to_check_.end();
  for (std::thread& thread : checking) thread.join();
  // What was still on its way to be changed is changed.
  to_change_.end();
  changing.join();
  take_done();
  return served;
}

Status FilterServer::serve(const LocalListener& listener) {
  SteadyTime tended = std::chrono::steady_clock::now();
  while (check_stop(control_.cancel).ok()) {
    TWINSET_TRY(poller_->wait(poll_milliseconds, [&](std::uint64_t token, Poller::Ready ready) {
      if (token == listener_token) return accept(listener);
      if (token == waker_token) return waker_->clear();
      const auto found = clients_.find(token);
      if (found == clients_.end()) return;
      if (ready.read) read_from(token, found->second);
      if (ready.write) {
        write_to(found->second);
        begin_work(token, found->second);
      }
      if (is_over(found->second)) {
        clients_.erase(found);
      } else {
        watch(token, found->second);
      }
    }));
    take_done();
    const SteadyTime now = std::chrono::steady_clock::now();
    if (now - tended < tended_every) continue;
    tended = now;
    let_silent_go();
    to_change_.put({});
  }
  return {};
}

void FilterServer::accept(const LocalListener& listener) {
  while (std::optional<LocalSocket> socket = listener.accept()) {
    if (clients_.size() >= most_clients_) {
      socket->write(error_line({}, "there are " + std::to_string(clients_.size()) +
                                       " clients, and no more can be served; try again later"));
      continue;
    }
    const std::uint64_t number = next_client_++;
    if (!poller_->watch(socket->descriptor(), number, {.read = true}).ok()) continue;
    clients_.emplace(std::piecewise_construct, std::forward_as_tuple(number),
                     std::forward_as_tuple(std::move(*socket), std::ref(held_in_)));
    ++summary_.clients;
  }
}

void FilterServer::read_from(std::uint64_t number, Client& client) {
  char bytes[read_bytes];
  const LocalSocket::Moved moved = client.socket.read(bytes, sizeof bytes);
  if (moved.state == LocalSocket::State::closed) client.has_ended = true;
  client.in.append(bytes, moved.bytes);
  client.held.set(client.in.size());
  if (moved.bytes > 0 && client.waiting_bytes() == 0) {
    client.moved = std::chrono::steady_clock::now();
  }
  begin_work(number, client);
  if (held_in_ > most_held_in_) let_longest_go();
}

/// One line that does not end must not take the memory of all others: who holds most is told so,
/// and let go.
void FilterServer::let_longest_go() {
  const auto longest = std::ranges::max_element(clients_, {}, [](const auto& each) {
    return each.second.is_worked ? 0 : each.second.in.size();
  });
  Client& client = longest->second;
  if (client.is_worked || client.closes) return;
  client.in = std::string();
  client.scanned = 0;
  client.held.set(0);
  client.out += error_line({}, "clients have sent " + std::to_string(most_held_in_) +
                                   " bytes of lines that have not ended, and this one has most of "
                                   "them: it is not taken; try again later");
  client.closes = true;
  client.moved = std::chrono::steady_clock::now();
  write_to(client);
  watch(longest->first, client);
}

/// Takes whole lines of what was read; an empty one stands for one that is too long.
void FilterServer::next_lines(Client& client, Work& work) {
  const std::uint64_t most = options_.input.max_record;
  std::size_t taken = 0;
  while (work.lines.size() < most_lines_at_once) {
    std::size_t end = client.in.find('\n', std::max(taken, client.scanned));
    if (end == std::string::npos) {
      const bool is_last = client.has_ended && (taken < client.in.size() || client.skips_line);
      if (!is_last) {
        client.scanned = client.in.size();
        break;
      }
      end = client.in.size();
    }
    const std::string_view line = std::string_view(client.in).substr(taken, end - taken);
    if (std::exchange(client.skips_line, false) || line.size() > most) {
      work.lines.emplace_back();
    } else if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
      work.lines.emplace_back(line);
    }
    taken = std::min(end + 1, client.in.size());
  }
  client.in.erase(0, taken);
  client.scanned -= std::min(client.scanned, taken);
  // A half line that is longer than any may be is not held.
  const bool is_half = !client.in.empty() && client.scanned == client.in.size();
  if (is_half && (client.skips_line || client.in.size() > most)) {
    client.skips_line = true;
    client.in.clear();
    client.scanned = 0;
  }
  give_back(client.in);
  client.held.set(client.in.size());
}

void FilterServer::begin_work(std::uint64_t number, Client& client) {
  if (client.is_worked || client.closes || client.waiting_bytes() > most_waiting_answers) return;
  Work work;
  work.client = number;
  work.lines.swap(client.lines);
  if (work.lines.empty()) next_lines(client, work);
  if (work.lines.empty()) return;
  client.is_worked = true;
  to_check_.put(std::move(work));
}

/// Sends what the client takes now, but no more than others can wait for.
void FilterServer::write_to(Client& client) {
  if (client.waiting_bytes() == 0) return;
  const std::string_view next = std::string_view(client.out).substr(client.sent, most_sent_at_once);
  const LocalSocket::Moved moved = client.socket.write(next);
  client.sent += moved.bytes;
  if (moved.bytes > 0) client.moved = std::chrono::steady_clock::now();
  if (moved.state == LocalSocket::State::closed) {
    client.sent = client.out.size();
    client.has_ended = client.closes = true;
  }
  if (client.waiting_bytes() > 0) return;
  client.out.clear();
  client.sent = 0;
  give_back(client.out);
}

/// Watches for what the client is ready to do next.
void FilterServer::watch(std::uint64_t number, Client& client) {
  const bool is_full = client.is_worked && client.in.size() > read_bytes;
  const Poller::Ready wanted{.read = !client.has_ended && !client.closes && !is_full &&
                                     client.waiting_bytes() <= most_waiting_answers,
                             .write = client.waiting_bytes() > 0};
  if (wanted.read == client.watched.read && wanted.write == client.watched.write) return;
  poller_->change(client.socket.descriptor(), number, client.watched, wanted);
  client.watched = wanted;
}

bool FilterServer::is_over(const Client& client) const {
  if (client.is_worked || client.waiting_bytes() > 0 || !client.lines.empty()) return false;
  return client.closes || client.has_ended;
}

/// Gives clients the answers that are ready.
void FilterServer::take_done() {
  std::vector<Work> done;
  {
    const std::lock_guard lock(done_mutex_);
    done.swap(done_);
  }
  for (Work& work : done) {
    const auto found = clients_.find(work.client);
    if (found == clients_.end()) continue;
    Client& client = found->second;
    client.is_worked = false;
    client.closes = client.closes || work.ends;
    if (client.waiting_bytes() == 0) client.moved = std::chrono::steady_clock::now();
    client.out.erase(0, std::exchange(client.sent, 0));
    client.out += work.answers;
    client.lines = std::move(work.lines);
    write_to(client);
    begin_work(found->first, client);
    if (is_over(client)) {
      clients_.erase(found);
    } else {
      watch(found->first, client);
    }
  }
}

void FilterServer::let_silent_go() {
  const SteadyTime now = std::chrono::steady_clock::now();
  std::erase_if(clients_, [&](const auto& each) {
    const Client& client = each.second;
    const bool waits_for_it = client.waiting_bytes() > 0 || !client.in.empty();
    return !client.is_worked && waits_for_it && now - client.moved > longest_silence;
  });
}

void FilterServer::hand_on(Work work) {
  {
    const std::lock_guard lock(done_mutex_);
    done_.push_back(std::move(work));
  }
  waker_->wake();
}

/// A thread that checks.
void FilterServer::check_lines() {
  PrototypeChecker checker(prototypes_);
  FilterRequests requests(fields_);
  while (std::optional<Work> work = to_check_.take()) {
    bool goes_on = true;
    // The rest waits until the client has taken these answers.
    while (goes_on && !work->lines.empty() && work->answers.size() < most_waiting_answers) {
      const std::string line = std::move(work->lines.front());
      work->lines.pop_front();
      goes_on = answer_line(requests, checker, line, *work);
    }
    if (work->changes.empty()) {
      hand_on(std::move(*work));
    } else {
      to_change_.put(std::move(*work));
    }
  }
}

/// Answers a line, or notes what it changes; false: the changes come first.
bool FilterServer::answer_line(FilterRequests& requests, PrototypeChecker& checker,
                               const std::string& line, Work& work) {
  if (line.starts_with("GET ")) {
    if (!work.changes.empty()) {
      work.lines.push_front(line);
      return false;
    }
    const auto stats = prototypes_.stats(0);
    const std::string body = stats.ok() ? metrics_text(stats.value()) : stats.error().message;
    work.answers +=
        std::string(stats.ok() ? "HTTP/1.0 200 OK" : "HTTP/1.0 500 Internal Server Error") +
        "\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: " +
        std::to_string(body.size()) + "\r\n\r\n" + body;
    work.ends = true;
    work.lines.clear();
    return true;
  }
  Result<FilterRequest> request =
      line.empty() ? Result<FilterRequest>(usage_error("a line has at most " +
                                                       std::to_string(options_.input.max_record) +
                                                       " bytes, and this has more"))
                   : requests.read(line);
  if (!request.ok()) {
    const std::string answer = error_line({}, request.error().message);
    if (work.changes.empty()) {
      work.answers += answer;
    } else {
      work.changes.push_back({{}, answer});
    }
    return true;
  }
  FilterRequest& asked = request.value();
  if (asked.op == FilterOp::add || asked.op == FilterOp::remove) {
    work.changes.push_back({{.removes = asked.op == FilterOp::remove,
                             .id = std::move(asked.id),
                             .text = std::move(asked.text),
                             .markup = asked.markup},
                            {}});
    return true;
  }
  if (!work.changes.empty()) {
    // The client has asked for these first.
    work.lines.push_front(line);
    return false;
  }
  if (asked.op == FilterOp::check) {
    Record record;
    record.text = asked.text;
    record.markup = asked.markup;
    const Result<FilterAnswer> answer = checker.check(record);
    work.answers += answer.ok() ? checked_line(asked.id, answer.value())
                                : error_line(asked.id, answer.error().message);
    return true;
  }
  const Result<FilterStats> stats = prototypes_.stats(told_prototypes);
  if (!stats.ok()) {
    work.answers += error_line({}, stats.error().message);
    return true;
  }
  work.answers +=
      asked.op == FilterOp::stats ? stats_line(stats.value()) : metrics_line(stats.value());
  return true;
}

/// The thread that changes: all that waits is made durable at once.
void FilterServer::change_prototypes() {
  while (std::optional<Work> first = to_change_.take()) {
    std::deque<Work> all = to_change_.take_all();
    all.push_front(std::move(*first));
    answer_changes(all);
  }
}

void FilterServer::answer_changes(std::deque<Work>& all) {
  std::vector<PrototypeChange> changes;
  for (Work& work : all) {
    for (AskedChange& asked : work.changes) {
      if (asked.answer.empty()) changes.push_back(std::move(asked.change));
    }
  }
  const Status made = prototypes_.change(changes);
  auto next = changes.begin();
  for (Work& work : all) {
    for (AskedChange& asked : work.changes) {
      if (asked.answer.empty()) {
        const PrototypeChange& change = *next++;
        asked.answer = !made.ok()                ? error_line(change.id, made.error().message)
                       : !change.refused.empty() ? error_line(change.id, change.refused)
                       : change.removes ? changed_line(change.id, "removed", change.was_there)
                                        : changed_line(change.id, "added", true);
      }
      work.answers += asked.answer;
    }
    work.changes.clear();
    // The lines that are left come before further ones of their client.
    if (work.client == 0) {
      if (std::chrono::steady_clock::now() < counts_due_) continue;
      const SteadyTime begun = std::chrono::steady_clock::now();
      const Status kept = prototypes_.keep_counts();
      // Changes wait meanwhile: of many counts not often.
      const SteadyTime ended = std::chrono::steady_clock::now();
      counts_due_ = ended + 50 * (ended - begun);
      // They are tried again; whoever asks is answered meanwhile.
      if (!kept.ok() && control_.progress != nullptr && !told_of_counts_) {
        control_.progress->notice(kept.error().message + "; matches are counted on");
      }
      told_of_counts_ = !kept.ok();
    } else if (work.lines.empty()) {
      hand_on(std::move(work));
    } else {
      to_check_.put(std::move(work));
    }
  }
}

}  // namespace

Status serve_filter(const FilterOptions& options, Prototypes& prototypes, const RunControl& control,
                    FilterSummary& summary) {
  return FilterServer(options, prototypes, control, summary).run();
}

}  // namespace twinset
