#include "metrics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

namespace twinset::service {

void Metrics::count(std::string_view route, unsigned status, std::uint64_t body_bytes,
                    std::uint64_t answer_bytes, double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{std::string(route), status}];
  Latency& latency = latencies_[std::string(route)];
  ++latency.count;
  latency.sum += seconds;
  for (std::size_t i = 0; i < seconds_at_most.size(); ++i) {
    latency.within[i] += seconds <= seconds_at_most[i] ? 1 : 0;
  }
  body_bytes_ += body_bytes;
  answer_bytes_ += answer_bytes;
}

std::string Metrics::text(const std::vector<Gauge>& gauges) const {
  std::string out;
  const auto to_out = std::back_inserter(out);
  const auto head = [&](std::string_view name, std::string_view kind, std::string_view help) {
    fmt::format_to(to_out, "# HELP {} {}\n# TYPE {} {}\n", name, help, name, kind);
  };
  const std::lock_guard lock(mutex_);
  head("twinset_requests_total", "counter", "Requests by route and status.");
  for (const auto& [key, requests] : requests_) {
    fmt::format_to(to_out, "twinset_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first,
                   key.second, requests);
  }
  head("twinset_request_seconds", "histogram", "Seconds from the header to the end of the answer.");
  for (const auto& [route, latency] : latencies_) {
    for (std::size_t i = 0; i < seconds_at_most.size(); ++i) {
      fmt::format_to(to_out, "twinset_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route,
                     seconds_at_most[i], latency.within[i]);
    }
    fmt::format_to(to_out,
                   "twinset_request_seconds_bucket{{route=\"{0}\",le=\"+Inf\"}} {1}\n"
                   "twinset_request_seconds_sum{{route=\"{0}\"}} {2}\n"
                   "twinset_request_seconds_count{{route=\"{0}\"}} {1}\n",
                   route, latency.count, latency.sum);
  }
  head("twinset_request_body_bytes_total", "counter", "Bytes of the bodies of requests.");
  fmt::format_to(to_out, "twinset_request_body_bytes_total {}\n", body_bytes_);
  head("twinset_answer_body_bytes_total", "counter", "Bytes of the bodies of answers.");
  fmt::format_to(to_out, "twinset_answer_body_bytes_total {}\n", answer_bytes_);
  for (const Gauge& gauge : gauges) {
    head(gauge.name, "gauge", gauge.help);
    fmt::format_to(to_out, "{} {}\n", gauge.name, gauge.value);
  }
  return out;
}

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t pages = 0;
  std::uint64_t resident = 0;
  if (!(file >> pages >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace twinset::service
