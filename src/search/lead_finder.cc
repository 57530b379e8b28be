// This file's interface is search/lead_finder.h.
#include "search/lead_finder.h"

#include <algorithm>
#include <array>
#include <bit>

#include "scheme/estimate.h"
#include "scheme/packed_bits.h"

namespace twinset {
namespace {

/// So many equal bytes keep pairs out that are alike by chance.
constexpr std::size_t wanted_bytes = 8;

/// Leads whose bytes are compared side by side.
constexpr std::size_t block_leads = 64;
/// A byte counts to that.
constexpr std::size_t counted_at_once = 255;

/// Keys of one scheme are none of another's.
std::uint64_t key_of(std::size_t scheme, std::uint64_t key) { return key ^ mix64(scheme + 1); }

/// The bits that do not choose the head. Keys that agree there, too, only cost a comparison.
std::uint32_t tag_of(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); }

}  // namespace

LeadFinder::LeadFinder(const IndexSigner& signer, const LeastShares& least, bool texts)
    : signer_(signer) {
  for (std::size_t i = 0; i < signer.schemes().size(); ++i) {
    places_.push_back(places_of(signer, i, least, texts));
  }
}

LeadFinder::Places LeadFinder::places_of(const IndexSigner& signer, std::size_t scheme,
                                         const LeastShares& least, bool texts) const {
  Places places;
  places.scheme = scheme;
  const SketchFacts& facts = signer.schemes()[scheme].scheme->facts();
  const std::uint64_t values = facts.compared_values;
  if (values == 0 || facts.stored_bytes == 0) return places;
  std::uint64_t equal = 0;
  const auto is_enough = [&](std::uint64_t of) {
    HeldLikeness found;
    const Estimate estimate = estimate_equal_values(of, facts);
    found.likeness.resemblance = estimate;
    found.errors.resemblance = estimate.standard_error;
    return texts ? may_reach(found, least) : reaches(found, least);
  };
  while (equal < values && !is_enough(equal)) ++equal;
  // Of long values the lowest byte is looked at, for the upper ones of least values are alike. Each
  // different value makes one of the bytes different, at most.
  places.step = std::max<std::size_t>(1, facts.stored_bytes / values);
  const auto different = static_cast<std::size_t>(values - equal);
  if (different >= facts.stored_bytes / places.step) {
    if (facts.stored_bytes * 8 != values * facts.value_bits) return places;
    places.value_bits = facts.value_bits;
    places.least = static_cast<std::uint32_t>(equal);
    return places;
  }
  places.bytes = std::min(facts.stored_bytes / places.step, different + wanted_bytes);
  places.least = static_cast<std::uint32_t>(places.bytes - different);
  return places;
}

void LeadFinder::add(const HeldDocument& document) {
  documents_.push_back(&document);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Places& places = places_[i];
    if (places.bytes > 0 || places.value_bits > 0 || document.sketches[i].empty()) continue;
    if (!take_keys(i, document.sketches[i])) meets_all_ = true;
  }
  keys_.push_back(key_of(places_.size(), document.tokens_hash.low));
  ends_.push_back(keys_.size());
}

/// False: the stored form does not tell them.
bool LeadFinder::take_keys(std::size_t scheme, std::span<const std::uint8_t> stored) {
  const Scheme& of = *signer_.schemes()[scheme].scheme;
  marks_.keys.clear();
  // In any order, where IndexSigner would sort them.
  if (of.facts().signature_bits == 0) {
    if (!of.restore(stored, marks_.sketch)) return false;
    of.keys(marks_.sketch, marks_.keys);
  } else if (!signer_.restore(scheme, stored, marks_)) {
    return false;
  }
  for (const std::uint64_t key : marks_.keys) keys_.push_back(key_of(scheme, key));
  return true;
}

void LeadFinder::ready() { heads_.resize(std::bit_ceil(2 * keys_.size() + 1)); }

std::span<const std::uint32_t> LeadFinder::candidates(std::uint32_t number) {
  if (meets_all_) return leads_;
  found_.clear();
  for (std::size_t at = number == 0 ? 0 : ends_[number - 1]; at < ends_[number]; ++at) {
    for (std::uint32_t link = head_of(keys_[at]); link != 0; link = links_[link - 1].next) {
      const Link& of = links_[link - 1];
      if (of.tag == tag_of(keys_[at])) found_.push_back(of.lead);
    }
  }
  for (const Places& places : places_) {
    find_equal_bytes(places, documents_[number]->sketches[places.scheme]);
    find_equal_values(places, documents_[number]->sketches[places.scheme]);
  }
  std::ranges::sort(found_);
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  return found_;
}

/// Finds the leads with enough bytes of the sketch, some at a time.
void LeadFinder::find_equal_bytes(const Places& places, std::span<const std::uint8_t> sketch) {
  if (places.bytes == 0 || sketch.size() < places.bytes * places.step) return;
  for (std::size_t first = 0; first < places.leads.size(); first += block_leads) {
    const std::uint8_t* const block = places.columns.data() + first * places.bytes;
    std::array<std::uint16_t, block_leads> equal{};
    for (std::size_t begin = 0; begin < places.bytes; begin += counted_at_once) {
      const std::size_t end = std::min(places.bytes, begin + counted_at_once);
      std::array<std::uint8_t, block_leads> counts{};
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint8_t value = sketch[i * places.step];
        const std::uint8_t* const column = block + i * block_leads;
        for (std::size_t k = 0; k < block_leads; ++k) {
          counts[k] = static_cast<std::uint8_t>(counts[k] + (column[k] == value ? 1 : 0));
        }
      }
      for (std::size_t k = 0; k < block_leads; ++k) {
        equal[k] = static_cast<std::uint16_t>(equal[k] + counts[k]);
      }
    }
    const std::size_t here = std::min(block_leads, places.leads.size() - first);
    for (std::size_t k = 0; k < here; ++k) {
      if (equal[k] >= places.least) found_.push_back(places.leads[first + k]);
    }
  }
}

/// Finds the leads with enough values of the sketch.
void LeadFinder::find_equal_values(const Places& places, std::span<const std::uint8_t> sketch) {
  if (places.value_bits == 0 || sketch.empty()) return;
  for (const std::uint32_t lead : places.leads) {
    const std::span<const std::uint8_t> other = documents_[lead]->sketches[places.scheme];
    if (other.size() != sketch.size() ||
        count_matching(sketch, other, places.value_bits) >= places.least) {
      found_.push_back(lead);
    }
  }
}

void LeadFinder::lead(std::uint32_t number) {
  leads_.push_back(number);
  for (std::size_t at = number == 0 ? 0 : ends_[number - 1]; at < ends_[number]; ++at) {
    std::uint32_t& head = head_of(keys_[at]);
    links_.push_back({number, head, tag_of(keys_[at])});
    head = static_cast<std::uint32_t>(links_.size());
  }
  for (Places& places : places_) {
    const std::span<const std::uint8_t> sketch = documents_[number]->sketches[places.scheme];
    if (places.value_bits > 0 && !sketch.empty()) places.leads.push_back(number);
    if (places.bytes == 0 || sketch.size() < places.bytes * places.step) continue;
    const std::size_t place = places.leads.size() % block_leads;
    if (place == 0) places.columns.resize(places.columns.size() + block_leads * places.bytes);
    std::uint8_t* const block =
        places.columns.data() + places.columns.size() - block_leads * places.bytes;
    for (std::size_t i = 0; i < places.bytes; ++i) {
      block[i * block_leads + place] = sketch[i * places.step];
    }
    places.leads.push_back(number);
  }
}

}  // namespace twinset
