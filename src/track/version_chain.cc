// This file's interface is track/version_chain.h.
#include "track/version_chain.h"

#include <algorithm>
#include <iterator>

#include "base/plain_bytes.h"

namespace twinset {

void VersionChain::begin() {
  last_.reset();
  page_.reset();
  unsure_.clear();
  days_.reset();
  equal_ = unequal_ = 0;
}

void VersionChain::add(const PageVersion& version, std::vector<TrackedVersion>& known) {
  TrackedVersion tracked;
  tracked.date = version.written;
  tracked.id = version.id;
  tracked.hash = version.bytes_hash;
  if (last_.has_value()) {
    const Change change = between(*last_, version);
    tracked.resemblance = change.resemblance;
    tracked.containment = change.containment;
    if (signer_ != nullptr && !last_->signature.empty() && !version.signature.empty()) {
      const Comparison compared =
          signer_->compare(byte_span(last_->signature), byte_span(version.signature));
      if (compared.distance.has_value()) tracked.distance = compared.distance->differ;
    }
    tracked.kind = last_->tokens_hash == version.tokens_hash ? ChangeKind::same
                   : is_small(tracked)                       ? ChangeKind::small
                                                             : ChangeKind::large;
    note_pace(version, tracked);
  }
  if (page_.has_value()) {
    if (between(*page_, version).resemblance.value_or(0) >= back_resemblance) {
      for (TrackedVersion& each : unsure_) each.kind = ChangeKind::broken;
      tracked.kind = ChangeKind::back;
      end(known);
      known.push_back(std::move(tracked));
    } else {
      unsure_.push_back(std::move(tracked));
      if (unsure_.size() == most_broken_versions) end(known);
    }
  } else if (tracked.kind == ChangeKind::large && !last_->sample.empty() &&
             tracked.resemblance.value_or(1) < unlike_resemblance) {
    // A version without words is no page that could break.
    page_ = std::move(last_);
    unsure_.push_back(std::move(tracked));
  } else {
    known.push_back(std::move(tracked));
  }
  last_ = version;
}

void VersionChain::end(std::vector<TrackedVersion>& known) {
  std::ranges::move(unsure_, std::back_inserter(known));
  unsure_.clear();
  page_.reset();
}

bool VersionChain::is_small(const TrackedVersion& tracked) const {
  if (signer_ == nullptr) return tracked.resemblance.value_or(0) >= small_resemblance;
  return tracked.distance.has_value() && *tracked.distance <= distance_;
}

std::optional<double> VersionChain::recrawl_days() const {
  if (!days_.has_value()) return std::nullopt;
  if (equal_ + 1 >= steady_versions) return *days_ * 2;
  return unequal_ >= steady_changes ? *days_ / 2 : *days_;
}

/// Without a shingle a text resembles none that has some.
VersionChain::Change VersionChain::between(const PageVersion& earlier,
                                           const PageVersion& later) const {
  if (earlier.tokens_hash == later.tokens_hash) return {1.0, 1.0};
  if (sampler_ == nullptr) return {};
  if (earlier.sample.empty() || later.sample.empty()) return {0.0, 0.0};
  const Comparison compared = sampler_->compare(byte_span(earlier.sample), byte_span(later.sample));
  Change change;
  if (compared.resemblance.has_value()) change.resemblance = compared.resemblance->value;
  if (compared.containment_a_in_b.has_value()) {
    change.containment = compared.containment_a_in_b->value;
  }
  return change;
}

void VersionChain::note_pace(const PageVersion& version, const TrackedVersion& tracked) {
  if (version.date > last_->date) days_ = days_between(last_->date, version.date);
  const bool is_equal =
      tracked.distance.has_value() ? *tracked.distance == 0 : tracked.kind == ChangeKind::same;
  equal_ = is_equal ? equal_ + 1 : 0;
  unequal_ = is_equal ? 0 : unequal_ + 1;
}

}  // namespace twinset
