// Defines which pairs of documents are due: a method that looks for similar documents should find
// them. A truth is a number for a pair and a bound on it. Another one, such as the cosine of two
// texts, is one more class in truth.cc.
//
//   const std::unique_ptr<Truth> truth = resemblance_truth({4, 5});
//   truth->value(pair);        // 37/41
//   truth->due(pair);          // is that at least 0.8?
//
// Threads: immutable and shared.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "evaluate/oracle.h"
#include "twinset/ratio.h"

namespace twinset {

class Truth {
 public:
  virtual ~Truth() = default;
  virtual Fraction value(const ExactPair& pair) const = 0;
  bool due(const ExactPair& pair) const { return value(pair).at_least(least_); }

 protected:
  explicit Truth(const Ratio& least) : least_(least) {}
  const Ratio least_;
};

std::unique_ptr<Truth> resemblance_truth(const Ratio& least);

/// The larger containment of the two.
std::unique_ptr<Truth> containment_truth(const Ratio& least);

/// The containment of pair.b, the document that would be removed, in pair.a.
std::unique_ptr<Truth> removal_truth(const Ratio& least);

/// Equal labels: 1 or 0. `labels` are by document; a pair with `no_label` has no value.
inline constexpr std::uint32_t no_label = ~std::uint32_t{0};
std::unique_ptr<Truth> label_truth(std::vector<std::uint32_t> labels);

}  // namespace twinset
