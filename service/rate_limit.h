// So many requests a second for each client: a bucket of tokens, filled evenly, of which a request
// takes one. A client that was quiet may send a second's worth at once.
//
//   RateLimit limit(50);
//   if (const unsigned wait = limit.take("10.0.0.7", now)) refuse(wait);   // seconds
//
// Threads: one at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace twinset::service {

class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;
  explicit RateLimit(std::uint64_t a_second) : a_second_(static_cast<double>(a_second)) {}

  /// 0: the request may pass; else after how many seconds one may.
  unsigned take(const std::string& client, Clock::time_point now);
  std::size_t clients() const { return buckets_.size(); }

  static constexpr std::size_t most_clients = 65'536;

 private:
  struct Bucket {
    double tokens;
    Clock::time_point filled;
  };
  void forget_full(Clock::time_point now);

  double a_second_;
  std::unordered_map<std::string, Bucket> buckets_;
};

}  // namespace twinset::service
