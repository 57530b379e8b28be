// One class for each truth. This file's interface is evaluate/truth.h; the rest is private.
#include "evaluate/truth.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/message.h"

namespace twinset {
namespace {

class ResemblanceTruth final : public Truth {
 public:
  explicit ResemblanceTruth(const Ratio& least) : Truth(least) {}
  Fraction value(const ExactPair& pair) const override { return pair.resemblance(); }
  std::uint64_t least_shared(std::uint64_t size) const override {
    return twinset::least_shared(size, least_);
  }
};

/// Squares are compared: shared^2 / (a * b) with the square of the bound. All are whole numbers, so
/// a pair on the bound is due.
class CosineTruth final : public Truth {
 public:
  explicit CosineTruth(const Ratio& least) : Truth(least) {}
  /// The square of the cosine.
  Fraction value(const ExactPair& pair) const override {
    return {std::uint64_t{pair.shared} * pair.shared, std::uint64_t{pair.a_size} * pair.b_size};
  }
  bool due(const ExactPair& pair) const override {
    const Fraction square = value(pair);
    // Both parts of the bound are below 10^9, and counts below 2^32: the products fit.
    return square.known() &&
           static_cast<unsigned __int128>(square.numerator) * squared(least_.denominator()) >=
               static_cast<unsigned __int128>(squared(least_.numerator())) * square.denominator;
  }
  /// c^2 * size: the partner has at least the shared tokens, so shared^2 >= c^2 * size * shared.
  std::uint64_t least_shared(std::uint64_t size) const override {
    const auto product = static_cast<unsigned __int128>(size) * squared(least_.numerator());
    const std::uint64_t whole = squared(least_.denominator());
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>((product + whole - 1) / whole));
  }

 private:
  static std::uint64_t squared(std::uint64_t number) { return number * number; }
};

class OverlapTruth final : public Truth {
 public:
  OverlapTruth(const Ratio& least, const Ratio& length)
      : Truth(least), shorter_(length.denominator() - length.numerator(), length.denominator()) {}
  Fraction value(const ExactPair& pair) const override {
    return {pair.shared, std::min(pair.a_size, pair.b_size)};
  }
  bool due(const ExactPair& pair) const override {
    const auto [shorter, longer] = std::minmax(pair.a_size, pair.b_size);
    return Truth::due(pair) && Fraction{shorter, longer}.at_least(shorter_);
  }
  std::uint64_t least_shared(std::uint64_t size) const override {
    return twinset::least_shared(twinset::least_shared(size, shorter_), least_);
  }

 private:
  const Ratio shorter_;  ///< the shorter document's least part of the longer one's tokens
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

constexpr std::string_view truth_forms = "resemblance:R, cosine:C or overlap:O,length:L";

/// The tokens of a document, each numbered by its occurrence, so that the set of these is the
/// multiset of the tokens. Numbers are given by `tokens`, so different ones never meet.
std::vector<std::uint64_t> with_occurrences(
    std::span<const std::uint64_t> document,
    std::unordered_map<std::uint64_t, std::uint32_t>& tokens) {
  constexpr unsigned occurrence_bits = 32;
  std::vector<std::uint64_t> features;
  features.reserve(document.size());
  std::unordered_map<std::uint32_t, std::uint32_t> occurrences;
  for (const std::uint64_t token : document) {
    const std::uint32_t number =
        tokens.try_emplace(token, static_cast<std::uint32_t>(tokens.size())).first->second;
    features.push_back(std::uint64_t{number} << occurrence_bits | occurrences[number]++);
  }
  return features;
}

}  // namespace

std::string TruthRule::spec() const {
  switch (of) {
    case Of::resemblance:
      return "resemblance:" + least.text();
    case Of::cosine:
      return "cosine:" + least.text();
    case Of::overlap:
      break;
  }
  return "overlap:" + least.text() + ",length:" + length.text();
}

std::string TruthRule::text() const {
  switch (of) {
    case Of::resemblance:
      return "resemblance " + least.text() + " or more";
    case Of::cosine:
      return "cosine " + least.text() + " or more";
    case Of::overlap:
      break;
  }
  return "overlap " + least.text() + " or more and lengths within " + length.text();
}

Result<TruthRule> parse_truth(std::string_view text) {
  const auto refused = [&](std::string_view why) {
    return usage_error(fmt::format("{}: {}; write {}", option("truth", text), why, truth_forms));
  };
  TruthRule rule;
  bool named = false;
  bool length = false;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string_view part = text.substr(at, end - at);
    at = end + 1;
    const std::size_t colon = std::min(part.find(':'), part.size());
    const std::string_view name = part.substr(0, colon);
    const Result<Ratio> value = Ratio::parse(part.substr(std::min(colon + 1, part.size())));
    if (name == "length" && named && !length && rule.of == TruthRule::Of::overlap) {
      if (!value.ok()) return refused("a length is from 0 to 1");
      rule.length = value.value();
      length = true;
      continue;
    }
    if (named) return refused("only overlap has a second part, its length");
    if (name == "resemblance") {
      rule.of = TruthRule::Of::resemblance;
    } else if (name == "cosine") {
      rule.of = TruthRule::Of::cosine;
    } else if (name == "overlap") {
      rule.of = TruthRule::Of::overlap;
    } else {
      return refused(fmt::format("there is no truth \"{}\"", name));
    }
    if (!value.ok() || value.value().numerator() == 0) {
      return refused("a bound is above 0 and at most 1");
    }
    rule.least = value.value();
    named = true;
  }
  return rule;
}

std::unique_ptr<Truth> make_truth(const TruthRule& rule) {
  switch (rule.of) {
    case TruthRule::Of::resemblance:
      return resemblance_truth(rule.least);
    case TruthRule::Of::cosine:
      return std::make_unique<CosineTruth>(rule.least);
    case TruthRule::Of::overlap:
      break;
  }
  return std::make_unique<OverlapTruth>(rule.least, rule.length);
}

Result<ShingleCollection> truth_features(const TruthRule& rule,
                                         std::span<const std::span<const std::uint64_t>> documents,
                                         unsigned shingle_tokens, std::uint64_t memory_bytes) {
  if (rule.of == TruthRule::Of::resemblance) {
    return ShingleCollection::make(documents, shingle_tokens, memory_bytes);
  }
  if (rule.of == TruthRule::Of::cosine) return ShingleCollection::make(documents, 1, memory_bytes);
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  std::vector<std::vector<std::uint64_t>> features;
  features.reserve(documents.size());
  for (const auto& document : documents) features.push_back(with_occurrences(document, numbers));
  const std::vector<std::span<const std::uint64_t>> views(features.begin(), features.end());
  return ShingleCollection::make(views, 1, memory_bytes);
}

std::vector<std::vector<std::uint64_t>> truth_keys(const ShingleCollection& features,
                                                   const Truth& truth) {
  std::vector<std::vector<std::uint64_t>> keys(features.documents());
  for (std::size_t d = 0; d < keys.size(); ++d) {
    const auto mine = features.shingles(d);
    const std::uint64_t needed = truth.least_shared(mine.size());
    if (needed > mine.size()) continue;
    const auto rarest = mine.first(mine.size() - needed + 1);
    keys[d].assign(rarest.begin(), rarest.end());
  }
  return keys;
}

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
