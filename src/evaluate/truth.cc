// One class for each truth. This file's interface is evaluate/truth.h; the rest is private.
#include "evaluate/truth.h"

#include <algorithm>
#include <utility>

namespace twinset {
namespace {

class ResemblanceTruth final : public Truth {
 public:
  explicit ResemblanceTruth(const Ratio& least) : Truth(least) {}
  Fraction value(const ExactPair& pair) const override { return pair.resemblance(); }
};

class ContainmentTruth final : public Truth {
 public:
  explicit ContainmentTruth(const Ratio& least) : Truth(least) {}
  Fraction value(const ExactPair& pair) const override {
    return {pair.shared, std::min(pair.a_size, pair.b_size)};
  }
};

class RemovalTruth final : public Truth {
 public:
  explicit RemovalTruth(const Ratio& least) : Truth(least) {}
  Fraction value(const ExactPair& pair) const override { return pair.containment_b_in_a(); }
};

class LabelTruth final : public Truth {
 public:
  explicit LabelTruth(std::vector<std::uint32_t> labels)
      : Truth({1, 1}), labels_(std::move(labels)) {}
  Fraction value(const ExactPair& pair) const override {
    const std::uint32_t a = labels_[pair.a];
    const std::uint32_t b = labels_[pair.b];
    if (a == no_label || b == no_label) return {};
    return {a == b ? 1U : 0U, 1};
  }

 private:
  const std::vector<std::uint32_t> labels_;
};

}  // namespace

std::unique_ptr<Truth> resemblance_truth(const Ratio& least) {
  return std::make_unique<ResemblanceTruth>(least);
}

std::unique_ptr<Truth> containment_truth(const Ratio& least) {
  return std::make_unique<ContainmentTruth>(least);
}

std::unique_ptr<Truth> removal_truth(const Ratio& least) {
  return std::make_unique<RemovalTruth>(least);
}

std::unique_ptr<Truth> label_truth(std::vector<std::uint32_t> labels) {
  return std::make_unique<LabelTruth>(std::move(labels));
}

}  // namespace twinset
