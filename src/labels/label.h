// A label: the hash of a chunk or a file that is known, where it was seen, and how often.
//
//   Label label{.kind = LabelKind::chunk, .hash = chunk.hash, .count = 1, .documents = 1};
//   add_sample(label, {"http://a.org/page", chunk.bytes.begin, 120});
//   add_label(label, other);   // what both collections together have
//
// Adding is associative and commutative, so that the parts of a collection can be counted apart, in
// any order: counts are summed, the least samples and the least text are kept. It is not
// idempotent: a collection counted twice counts twice.
//
// Threads: values.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/labels.h"
#include "web/chunk_hash.h"

namespace twinset {

enum class LabelKind : std::uint8_t { chunk, file };

inline constexpr std::size_t most_label_text_bytes = 240;

/// A place where it was seen.
struct LabelSample {
  std::string url;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  auto operator<=>(const LabelSample&) const = default;
};

struct Label {
  LabelKind kind = LabelKind::chunk;
  ChunkDigest hash{};
  std::uint64_t count = 0;             ///< how often it was seen
  std::uint64_t documents = 0;         ///< in how many documents
  std::vector<LabelSample> samples{};  ///< ascending, none twice, at most most_label_samples
  std::string text{};                  ///< for people, at most most_label_text_bytes
  bool operator==(const Label&) const = default;
};

/// Labels are kept in this order.
inline std::strong_ordering compare_labels(const Label& a, const Label& b) {
  if (const auto order = a.hash <=> b.hash; order != 0) return order;
  return a.kind <=> b.kind;
}

/// Keeps a sample if it is one of the least. One with a longer URL is left out, for a part of it
/// would name another place.
void add_sample(Label& label, LabelSample sample);

/// Keeps the least text that is not empty, cut to its most bytes between code points.
void add_text(Label& label, std::string_view text);

/// Adds a label of the same kind and hash. Sums that do not fit stay at the most.
void add_label(Label& label, const Label& other);

}  // namespace twinset
