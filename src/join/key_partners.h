// The documents of a small collection that share a key of a scheme: all of them, without the
// shortcuts of a run over a large collection.
//
//   const KeyPartners shared(keys, 1000);
//   PartnerReader partners(shared);
//   for (std::uint32_t before : partners.before(7)) ...
//
// Threads: a KeyPartners is immutable and shared; a PartnerReader belongs to one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scheme/scheme.h"

namespace twinset {

class KeyPartners {
 public:
  /// `keys` by document; repeats within one do not matter. Keys that more than `max_group`
  /// documents hold are left out (0: none are). 24 bytes a key.
  KeyPartners(std::span<const std::vector<std::uint64_t>> keys, std::uint64_t max_group);
  /// Of a scheme that does not count keys none are left out.
  KeyPartners(const Scheme& scheme, std::span<const std::vector<std::uint64_t>> keys,
              std::uint64_t max_group)
      : KeyPartners(keys, scheme.counts_keys() ? max_group : 0) {}

  std::size_t documents() const { return begins_.size() - 1; }
  /// The number of keys left out because too many documents hold them.
  std::uint64_t common_keys() const { return common_keys_; }

 private:
  friend class PartnerReader;
  std::vector<std::uint64_t> begins_;   // of a document's places in groups_
  std::vector<std::uint64_t> groups_;   // a document's groups, by where they begin
  std::vector<std::uint32_t> members_;  // of all groups, ascending in each
  std::uint64_t common_keys_ = 0;
};

class PartnerReader {
 public:
  explicit PartnerReader(const KeyPartners& shared) : shared_(shared), seen_(shared.documents()) {}

  /// The documents before `document` that share a key with it, each once, in no particular order.
  /// Valid until the next call.
  std::span<const std::uint32_t> before(std::uint32_t document);

 private:
  const KeyPartners& shared_;
  std::vector<std::uint32_t> seen_;  // the last call that found a partner
  std::uint32_t call_ = 0;
  std::vector<std::uint32_t> partners_;
};

}  // namespace twinset
