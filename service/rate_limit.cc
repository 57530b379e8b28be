#include "rate_limit.h"

#include <algorithm>
#include <cmath>

namespace twinset::service {

unsigned RateLimit::take(const std::string& client, Clock::time_point now) {
  if (buckets_.size() >= most_clients && !buckets_.contains(client)) forget_full(now);
  const auto [found, is_new] = buckets_.try_emplace(client, Bucket{a_second_, now});
  Bucket& bucket = found->second;
  const double seconds = std::chrono::duration<double>(now - bucket.filled).count();
  bucket.tokens = std::min(a_second_, bucket.tokens + std::max(0.0, seconds) * a_second_);
  bucket.filled = now;
  if (bucket.tokens >= 1) {
    bucket.tokens -= 1;
    return 0;
  }
  return static_cast<unsigned>(std::ceil((1 - bucket.tokens) / a_second_));
}

/// A full bucket is as a new one. If none is full, so many ask at once that all begin anew.
void RateLimit::forget_full(Clock::time_point now) {
  std::erase_if(buckets_, [now](const auto& bucket) {
    return now - bucket.second.filled >= std::chrono::seconds(1);
  });
  if (buckets_.size() >= most_clients) buckets_.clear();
}

}  // namespace twinset::service
