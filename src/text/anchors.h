// Anchors: a sample of a text's windows of a few tokens, taken so that every N tokens in a row
// contain one, and equal rows of N tokens contain the same one. Two texts that share N tokens in a
// row therefore share an anchor at the same place of it, and no other window needs to be looked at.
//
// These are minimizers (Roberts et al., Reducing storage requirements for biological sequence
// comparison, 2004; Schleimer et al., Winnowing, 2003): of the windows in each N tokens the
// leftmost of least hash. About 2 in N - width + 2 windows are anchors.
//
//   const AnchorRule rule(50);
//   AnchorSampler sampler;
//   sampler.sample(analysis.tokens, rule, anchors);
//
// Threads: AnchorRule is a value; an AnchorSampler belongs to one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twinset {

inline constexpr unsigned most_span_tokens = 10'000;

struct AnchorRule {
  /// Ranges: 1 <= run_tokens <= most_span_tokens.
  explicit AnchorRule(unsigned run_tokens);

  unsigned run_tokens;  ///< N: no common run of so many tokens is missed
  unsigned width;       ///< tokens of an anchor
};

struct TextAnchor {
  std::uint64_t key = 0;       ///< a hash of its tokens
  std::uint32_t position = 0;  ///< of its first token
  /// The rows of N tokens that chose this anchor begin at [first_run, first_run + runs).
  std::uint32_t first_run = 0;
  std::uint32_t runs = 0;
};

/// Replaces `out` by the leftmost least of each `choice` windows in a row, in order; none of fewer
/// windows. O(windows) for usual ones, O(windows * choice) for any.
void choose_anchors(std::span<const std::uint64_t> windows, std::size_t choice,
                    std::vector<TextAnchor>& out);

class AnchorSampler {
 public:
  /// Replaces `out` by the anchors, in order; none of a text shorter than N tokens. O(tokens) for
  /// usual texts, O(tokens * N) for any.
  void sample(std::span<const std::uint64_t> tokens, const AnchorRule& rule,
              std::vector<TextAnchor>& out);

 private:
  std::vector<std::uint64_t> windows_;
};

}  // namespace twinset
