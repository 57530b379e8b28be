// This file's interface is evaluate/trial_parts.h; the rest is private.
#include "evaluate/trial_parts.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace twinset {
namespace {

enum Family : std::size_t {
  kind_family,
  label_family,
  edit_family,
  length_family,
  size_family,
  resemblance_family
};

struct SizeClass {
  std::string_view label;
  std::uint32_t least;
};
constexpr std::array<SizeClass, 5> size_classes = {
    {{"30+ documents", 30}, {"10-29", 10}, {"5-9", 5}, {"3-4", 3}, {"2", 0}}};

struct ResemblanceBand {
  std::string_view label;
  Ratio least;
};
constexpr std::array<ResemblanceBand, 7> resemblance_bands = {{{">= 0.95", {19, 20}},
                                                               {"0.90-0.95", {9, 10}},
                                                               {"0.85-0.90", {17, 20}},
                                                               {"0.80-0.85", {4, 5}},
                                                               {"0.70-0.80", {7, 10}},
                                                               {"0.50-0.70", {1, 2}},
                                                               {"< 0.50", {0, 1}}}};

/// Labels as numbers, by document; copies have none.
std::vector<std::uint32_t> label_numbers(const TrialSet& set) {
  std::map<std::string_view, std::uint32_t> numbers;
  std::vector<std::uint32_t> labels;
  for (const TrialDocument& document : set.documents()) {
    labels.push_back(document.place.labeled
                         ? numbers.try_emplace(document.place.label, numbers.size()).first->second
                         : no_label);
  }
  return labels;
}

}  // namespace

std::vector<PlantedEdit> planted_edits(const TrialSet& set) {
  const std::unique_ptr<Truth> containment = containment_truth({1, 1});
  std::vector<PlantedEdit> planted;
  for (const Edit& edit : edits()) planted.push_back({.name = std::string(edit.name)});
  for (std::size_t d = set.originals(); d < set.documents().size(); ++d) {
    const ExactPair pair = set.planted_pair(static_cast<std::uint32_t>(d));
    PlantedEdit& edit = planted[static_cast<std::size_t>(set.documents()[d].edit - edits().data())];
    ++edit.planted;
    edit.mean_resemblance += pair.resemblance().value();
    edit.mean_containment += containment->value(pair).value();
  }
  for (PlantedEdit& edit : planted) {
    if (edit.planted == 0) continue;
    edit.mean_resemblance /= static_cast<double>(edit.planted);
    edit.mean_containment /= static_cast<double>(edit.planted);
  }
  return planted;
}

TrialParts::TrialParts(const TrialSet& set, const Ratio& resemblance)
    : set_(set),
      truth_(set.truth(resemblance)),
      containment_(containment_truth(set.options().containment)),
      label_(label_truth(label_numbers(set))),
      clusters_(set.components(*truth_)),
      cluster_sizes_(clusters_.size()) {
  for (const std::uint32_t cluster : clusters_) ++cluster_sizes_[cluster];
  const auto add = [&](std::string name, std::string title, std::vector<std::string> labels) {
    families_.push_back(
        {std::move(name), std::move(title), families_.empty() ? 0 : size(), std::move(labels)});
  };
  add("kind", "pairs", {"natural", "planted", "other", "only contained"});
  add("label", "natural pairs", {"one label", "two labels"});
  std::vector<std::string> names;
  for (const Edit& edit : edits()) names.emplace_back(edit.name);
  add("edit", "edit", names);
  names.clear();
  for (std::size_t i = 0; i < length_classes; ++i) {
    names.push_back(std::string(length_class_name(static_cast<LengthClass>(i))) + " tokens");
  }
  add("length", "shorter text", names);
  names.clear();
  for (const SizeClass& each : size_classes) names.emplace_back(each.label);
  add("cluster", "cluster", names);
  names.clear();
  for (const ResemblanceBand& band : resemblance_bands) names.emplace_back(band.label);
  add("resemblance", "resemblance", names);
}

std::size_t TrialParts::length_part(std::size_t tokens) const {
  return part(length_family, static_cast<std::size_t>(length_class(tokens)));
}

std::size_t TrialParts::size_part(std::uint32_t document) const {
  const std::uint32_t size = cluster_sizes_[clusters_[document]];
  std::size_t i = 0;
  while (size < size_classes[i].least) ++i;
  return part(size_family, i);
}

std::vector<std::size_t> TrialParts::of_pair(const ExactPair& pair) const {
  if (!due(pair)) {
    if (!containment_->due(pair)) return {};
    return {only_contained()};
  }
  const TrialDocument& a = set_.documents()[pair.a];
  const TrialDocument& b = set_.documents()[pair.b];
  const PairKind kind = set_.kind(pair);
  std::size_t band = 0;
  const Fraction resemblance = set_.resemblance(pair);
  while (!resemblance.at_least(resemblance_bands[band].least)) ++band;
  std::vector<std::size_t> parts = {
      part(kind_family, static_cast<std::size_t>(kind)),
      length_part(std::min(a.analysis.tokens.size(), b.analysis.tokens.size())), size_part(pair.b),
      part(resemblance_family, band)};
  if (kind == PairKind::planted) {
    parts.push_back(part(edit_family, static_cast<std::size_t>(b.edit - edits().data())));
  }
  if (label_->value(pair).known()) {
    parts.push_back(part(label_family, label_->due(pair) ? 0 : 1));
  }
  return parts;
}

std::vector<std::size_t> TrialParts::of_removal(std::uint32_t removed) const {
  const TrialDocument& document = set_.documents()[removed];
  std::vector<std::size_t> parts = {length_part(document.analysis.tokens.size()),
                                    size_part(removed)};
  if (document.edit != nullptr) {
    parts.push_back(part(edit_family, static_cast<std::size_t>(document.edit - edits().data())));
  }
  return parts;
}

Result<std::vector<Share>> PartCounts::shares(std::uint64_t seed,
                                              const KeepGoing& keep_going) const {
  std::vector<Share> shares;
  for (const ClusterTallies& counts : counts_) {
    TWINSET_ASSIGN(Share share, counts.share(seed, keep_going));
    shares.push_back(share);
  }
  return shares;
}

}  // namespace twinset
