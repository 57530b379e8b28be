#include "plan/key_sample.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace twinset {
namespace {

/// The sample is thinned when it has twice its share, in vectors that double when they grow.
constexpr std::uint64_t kept_part = 4;
constexpr std::uint64_t full_part = 2;
constexpr std::uint64_t largest_part = 64;
/// The share of the memory for distinct fingerprints.
constexpr std::uint64_t fingerprint_part = 8;
constexpr std::uint64_t least_fingerprints = 1024;

}  // namespace

void SampleBatch::clear() {
  documents.clear();
  keys.clear();
  sketches.clear();
  fingerprints.clear();
}

std::uint64_t SampleBatch::bytes() const {
  return documents.size() * sizeof(KeyHolder) + keys.size() * sizeof(std::uint64_t) +
         sketches.size();
}

void SampleBatch::append(const KeyHolder& document, std::span<const std::uint64_t> its_keys,
                         std::span<const std::uint8_t> sketch) {
  KeyHolder& added = documents.emplace_back(document);
  added.first_key = keys.size();
  added.keys = static_cast<std::uint32_t>(its_keys.size());
  added.first_byte = sketches.size();
  added.sketch_bytes = static_cast<std::uint32_t>(sketch.size());
  keys.insert(keys.end(), its_keys.begin(), its_keys.end());
  sketches.insert(sketches.end(), sketch.begin(), sketch.end());
}

std::span<const std::uint64_t> SampleBatch::keys_of(const KeyHolder& document) const {
  return std::span(keys).subspan(document.first_key, document.keys);
}

std::span<const std::uint8_t> SampleBatch::sketch_of(const KeyHolder& document) const {
  return std::span(sketches).subspan(document.first_byte, document.sketch_bytes);
}

// Thinning keeps the memory, and a vector that grows has its old elements beside the new ones.
std::uint64_t KeySample::peak_bytes() const {
  return sample_.documents.capacity() * sizeof(KeyHolder) + sample_.sketches.capacity() +
         (sample_.keys.capacity() + sample_.fingerprints.capacity()) * sizeof(std::uint64_t);
}

KeySample::KeySample(std::uint64_t memory_bytes) : memory_bytes_(memory_bytes) {}

unsigned KeySample::halvings_of(std::uint64_t bound) {
  return static_cast<unsigned>(std::countl_zero(bound));
}

double KeySample::share_of(std::uint64_t bound) {
  return std::ldexp(1.0, -static_cast<int>(halvings_of(bound)));
}

bool KeySample::sampled(std::span<const std::uint64_t> keys, std::uint64_t bound) const {
  return std::any_of(keys.begin(), keys.end(),
                     [bound](std::uint64_t key) { return hash(key) <= bound; });
}

void KeySample::take(const KeyHolder& document, std::span<const std::uint64_t> keys,
                     std::span<const std::uint8_t> sketch, SampleBatch& batch) const {
  if (keys.size_bytes() + sketch.size() > memory_bytes_ / largest_part) {
    left_out_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (sampled(keys, bound_.load(std::memory_order_relaxed))) batch.append(document, keys, sketch);
}

void KeySample::take_fingerprint(const Fingerprint& lexical, SampleBatch& batch) const {
  if (lexical.low <= fingerprint_bound_.load(std::memory_order_relaxed)) {
    batch.fingerprints.push_back(lexical.low);
  }
}

void KeySample::add(SampleBatch& batch) {
  const std::scoped_lock adding(adding_);
  // The bound may have been halved since.
  const std::uint64_t bound = bound_.load(std::memory_order_relaxed);
  for (const KeyHolder& document : batch.documents) {
    const auto keys = batch.keys_of(document);
    if (!sampled(keys, bound)) continue;
    sample_.append(document, keys, batch.sketch_of(document));
  }
  sample_.fingerprints.insert(sample_.fingerprints.end(), batch.fingerprints.begin(),
                              batch.fingerprints.end());
  batch.clear();
  if (sample_.bytes() > memory_bytes_ / full_part) shrink();
  const std::uint64_t most =
      std::max(memory_bytes_ / fingerprint_part / sizeof(std::uint64_t), 2 * least_fingerprints);
  if (sample_.fingerprints.size() > most) shrink_fingerprints();
}

/// Keeps the first of several copies. Copies have the same keys, so all or none are in the sample.
void KeySample::fold() {
  std::vector<KeyHolder>& all = sample_.documents;
  std::sort(all.begin(), all.end(), [](const KeyHolder& a, const KeyHolder& b) {
    return a.lexical != b.lexical ? a.lexical < b.lexical : a.document < b.document;
  });
  std::size_t left = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (left > 0 && all[left - 1].lexical == all[i].lexical) {
      all[left - 1].copies += 1 + all[i].copies;
    } else {
      all[left++] = all[i];
    }
  }
  all.resize(left);
  // Sorts by arrival: keys and sketches are in that order, which compacting relies on.
  std::sort(all.begin(), all.end(), [](const KeyHolder& a, const KeyHolder& b) {
    return a.first_key != b.first_key ? a.first_key < b.first_key : a.first_byte < b.first_byte;
  });
  drop_unsampled(bound_.load(std::memory_order_relaxed));
}

/// Folds, then halves the bound until the sample fits.
void KeySample::shrink() {
  fold();
  std::uint64_t bound = bound_.load(std::memory_order_relaxed);
  while (sample_.bytes() > memory_bytes_ / kept_part && sample_.documents.size() > 1) {
    bound >>= 1;
    drop_unsampled(bound);
  }
  bound_.store(bound, std::memory_order_relaxed);
}

/// Moves the remaining documents forward in place, without a second sample in memory.
void KeySample::drop_unsampled(std::uint64_t bound) {
  std::size_t documents = 0;
  std::size_t keys = 0;
  std::size_t bytes = 0;
  for (KeyHolder document : sample_.documents) {
    const auto its_keys = sample_.keys_of(document);
    if (!sampled(its_keys, bound)) continue;
    const auto sketch = sample_.sketch_of(document);
    std::copy(its_keys.begin(), its_keys.end(),
              sample_.keys.begin() + static_cast<std::ptrdiff_t>(keys));
    std::copy(sketch.begin(), sketch.end(),
              sample_.sketches.begin() + static_cast<std::ptrdiff_t>(bytes));
    document.first_key = keys;
    document.first_byte = bytes;
    keys += its_keys.size();
    bytes += sketch.size();
    sample_.documents[documents++] = document;
  }
  sample_.documents.resize(documents);
  sample_.keys.resize(keys);
  sample_.sketches.resize(bytes);
}

/// Keeps distinct ones only, and at most half of their share.
void KeySample::shrink_fingerprints() {
  std::vector<std::uint64_t>& all = sample_.fingerprints;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const std::uint64_t most =
      std::max(memory_bytes_ / fingerprint_part / sizeof(std::uint64_t) / 2, least_fingerprints);
  std::uint64_t bound = fingerprint_bound_.load(std::memory_order_relaxed);
  // Some were taken before the bound was halved.
  all.erase(std::upper_bound(all.begin(), all.end(), bound), all.end());
  while (all.size() > most) {
    bound >>= 1;
    all.erase(std::upper_bound(all.begin(), all.end(), bound), all.end());
  }
  fingerprint_bound_.store(bound, std::memory_order_relaxed);
}

const SampleBatch& KeySample::finish() {
  shrink_fingerprints();
  shrink();
  // Batches came in the order in which threads finished them.
  std::sort(sample_.documents.begin(), sample_.documents.end(),
            [](const KeyHolder& a, const KeyHolder& b) { return a.document < b.document; });
  return sample_;
}

}  // namespace twinset
