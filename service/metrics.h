// What the server has done, as Prometheus reads it (text format 0.0.4). It names routes, never
// documents.
//
//   metrics.count("/query", 200, bytes_in, bytes_out, seconds);
//   metrics.text({{"twinset_index_documents", "documents of the index", 17}});
//
// Threads: any.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twinset::service {

/// A number as it is now.
struct Gauge {
  std::string_view name;
  std::string_view help;
  double value = 0;
};

class Metrics {
 public:
  void count(std::string_view route, unsigned status, std::uint64_t body_bytes,
             std::uint64_t answer_bytes, double seconds);
  std::string text(const std::vector<Gauge>& gauges) const;

  static constexpr std::array seconds_at_most = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                 0.1,   0.25,   0.5,   1.0,  2.5,   10.0};

 private:
  struct Latency {
    std::array<std::uint64_t, seconds_at_most.size()> within{};
    std::uint64_t count = 0;
    double sum = 0;
  };
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, unsigned>, std::uint64_t, std::less<>> requests_;
  std::map<std::string, Latency, std::less<>> latencies_;
  std::uint64_t body_bytes_ = 0;
  std::uint64_t answer_bytes_ = 0;
};

/// Bytes of the process in memory; 0: not known.
std::uint64_t resident_bytes();

}  // namespace twinset::service
