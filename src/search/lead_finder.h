// Among documents that are all in memory, those that may resemble one: found by the keys that they
// share, not by comparing each with each.
//
//   LeadFinder finder(signer, least, texts);
//   for (const HeldDocument& document : documents) finder.add(document);
//   finder.ready();
//   for (std::uint32_t i = 0; i < finder.size(); ++i) {
//     for (const std::uint32_t lead : finder.candidates(i)) ...   // any of them resembles i
//     if (it is a lead) finder.lead(i);
//   }
//
// No lead that reaches a share by its sketches, or is the same, is left out. Where a stored sketch
// does not tell its keys, values at fixed places are compared: of two sketches that are alike
// enough so many bytes are equal that some of any larger number of places are, or, if they need not
// be that alike, so many of their values. Sketches of other forms meet all leads.
//
// Memory: 28 bytes a key. Threads: one at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/likeness.h"

namespace twinset {

class LeadFinder {
 public:
  /// `texts`: pairs whose sketches are somewhat below the least shares count, too.
  LeadFinder(const IndexSigner& signer, const LeastShares& least, bool texts);

  /// The next document, which outlives this.
  void add(const HeldDocument& document);
  void ready();
  std::uint32_t size() const { return static_cast<std::uint32_t>(documents_.size()); }
  /// Rising numbers of leads, valid until the next call.
  std::span<const std::uint32_t> candidates(std::uint32_t number);
  void lead(std::uint32_t number);

 private:
  /// The sketches of a scheme of values at fixed places.
  struct Places {
    std::size_t scheme = 0;
    std::size_t bytes = 0;    ///< so many of each sketch are looked at,
    std::size_t step = 1;     ///< so far apart
    std::uint32_t least = 0;  ///< of them are equal in documents that are alike
    /// If bytes would tell nothing: bits of the packed values of which `least` are equal.
    unsigned value_bits = 0;
    /// Of 64 leads their first bytes, then their second ones, and so on; then of the next 64.
    std::vector<std::uint8_t> columns;
    std::vector<std::uint32_t> leads;  ///< those that have a sketch
  };
  struct Link {
    std::uint32_t lead = 0;
    std::uint32_t next = 0;  ///< 1 + a link; 0: none
    std::uint32_t tag = 0;   ///< of its key
  };
  Places places_of(const IndexSigner& signer, std::size_t scheme, const LeastShares& least,
                   bool texts) const;
  bool take_keys(std::size_t scheme, std::span<const std::uint8_t> stored);
  void find_equal_bytes(const Places& places, std::span<const std::uint8_t> sketch);
  void find_equal_values(const Places& places, std::span<const std::uint8_t> sketch);
  std::uint32_t& head_of(std::uint64_t key) { return heads_[key & (heads_.size() - 1)]; }

  const IndexSigner& signer_;
  std::vector<const HeldDocument*> documents_;
  std::vector<Places> places_;  ///< by scheme; without bytes: its sketches are looked for by keys
  bool meets_all_ = false;
  std::vector<std::uint64_t> keys_;
  std::vector<std::size_t> ends_;     ///< of each document's keys
  std::vector<std::uint32_t> heads_;  ///< by the lowest bits of a key: 1 + a link
  std::vector<Link> links_;
  std::vector<std::uint32_t> leads_;
  std::vector<std::uint32_t> found_;
  Marks marks_;  ///< scratch
};

}  // namespace twinset
