// This file's interface is calibrate/found_pairs.h; the rest is private.
#include "calibrate/found_pairs.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/message.h"
#include "calibrate/conclusions.h"
#include "join/hamming_plan.h"
#include "join/sketch_check.h"
#include "join/threshold.h"
#include "run/lost_keys.h"
#include "scheme/spec.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr unsigned resemblances_denominator = 20;
constexpr unsigned strictest_resemblance = 19;
constexpr unsigned loosest_resemblance = 6;
constexpr unsigned most_lexicons = 10;
/// The chances that a sub-lexicon leaves out a term, and the numbers of them beside the lexicon.
constexpr std::array<std::string_view, 3> drops = {"1/3", "1/2", "2/3"};
constexpr std::array<unsigned, 4> lexicons = {1, 2, 5, 10};

/// The spec with these values in place of its own.
Result<std::string> with_parameters(
    const std::string& spec, const std::vector<std::pair<std::string, std::string>>& values) {
  TWINSET_ASSIGN(const ParsedSpec parsed, parse_spec(spec));
  std::string out(parsed.name);
  out += '(';
  for (const auto& [name, value] : values) out += fmt::format("{}={}, ", name, value);
  for (const auto& [name, value] : parsed.parameters) {
    if (std::ranges::find(values, name, &std::pair<std::string, std::string>::first) !=
        values.end()) {
      continue;
    }
    out += std::string(name) + "=\"";
    for (const char c : value) out += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    out += "\", ";
  }
  out.resize(out.size() - 2);
  return out + ")";
}

std::string no_threshold_error(const std::string& name) {
  return twinset::option("scheme", name) +
         " joins documents by equal keys alone, which have no threshold to choose; calibrate "
         "takes schemes that tell a distance, such as simhash, equal signatures (imatch), or a "
         "resemblance, such as fss";
}

}  // namespace

Status FoundPairs::add_value(const std::string& value, const std::string& spec, double threshold) {
  TWINSET_ASSIGN(auto scheme, make_scheme(spec, threshold, *options_.files));
  TWINSET_TRY(check_views(*scheme, documents_));
  TWINSET_TRY(check_reads_texts(*scheme));
  const auto same = std::ranges::find_if(
      made_, [&](const Made& made) { return made.scheme->spec() == scheme->spec(); });
  made_of_.push_back(static_cast<std::size_t>(same - made_.begin()));
  values_.push_back(value);
  specs_.push_back(scheme->spec());
  if (same == made_.end()) {
    made_.push_back({std::move(scheme), {}});
    made_.back().sketched = sketch(made_.size() - 1, documents_, options_.threads);
  }
  return {};
}

Status FoundPairs::make_distances(const std::string& spec) {
  option_ = "distance";
  for (unsigned bits = 0; bits <= max_join_distance; ++bits) {
    TWINSET_TRY(add_value(std::to_string(bits), spec, 1));
  }
  return {};
}

/// The scheme is made once for each share left out, with the most lexicons; a value with fewer of
/// them finds the pairs of its first coordinates.
Status FoundPairs::make_coordinates(const std::string& spec) {
  option_ = "scheme";
  const auto value = [&](std::string_view drop, unsigned number) {
    return with_parameters(spec, {{"signatures", std::to_string(number)},
                                  {"edits", "0"},
                                  {"sampling", "drop"},
                                  {"drop", std::string(drop)}});
  };
  for (const std::string_view drop : drops) {
    TWINSET_ASSIGN(const std::string widest, value(drop, most_lexicons));
    for (const unsigned number : lexicons) {
      TWINSET_ASSIGN(const std::string each, value(drop, number));
      TWINSET_ASSIGN(const auto scheme, make_scheme(each, 1, *options_.files));
      TWINSET_TRY(add_value(fmt::format("{}x{}", drop, number), widest, 1));
      specs_.back() = scheme->spec();
      lexicons_.push_back(number);
    }
  }
  return {};
}

Status FoundPairs::make_resemblances(const std::string& spec) {
  option_ = "resemblance";
  std::optional<Error> refusal;
  for (unsigned i = strictest_resemblance; i >= loosest_resemblance; --i) {
    const Ratio threshold(i, resemblances_denominator);
    // Bands cannot be planned for every threshold.
    if (const Result<std::unique_ptr<Scheme>> scheme =
            make_scheme(spec, threshold.value(), *options_.files);
        !scheme.ok()) {
      refusal = scheme.error();
      continue;
    }
    TWINSET_TRY(add_value(threshold.text(), spec, threshold.value()));
    thresholds_.push_back(threshold);
  }
  return values_.empty() ? Status(*refusal) : Status();
}

Result<FoundPairs> FoundPairs::make(const std::string& spec, std::span<const GivenView> documents,
                                    const ShingleCollection& shingles,
                                    const FoundPairsOptions& options) {
  FoundPairs found(documents, shingles, options);
  const SchemeDeclaration* const declared = declared_scheme(spec);
  if (declared == nullptr) {
    TWINSET_TRY(make_scheme(spec, 1, *options.files));  // It names the unknown part.
  }
  if (declared->shared_key == SharedKey::equal) {
    return usage_error(no_threshold_error(std::string(declared->name)));
  }
  if (options.verify == Check::sketch && declared->tells == Tells::nothing) {
    return usage_error("the sketches of scheme " + std::string(declared->name) +
                       " do not estimate resemblance; use " + twinset::option("verify", "exact") +
                       " with " + twinset::option("labels") + " or " + twinset::option("pairs") +
                       ", or a scheme such as fss");
  }
  switch (declared->tells) {
    case Tells::distance:
      TWINSET_TRY(found.make_distances(spec));
      break;
    case Tells::coordinate:
      TWINSET_TRY(found.make_coordinates(spec));
      break;
    default:
      TWINSET_TRY(found.make_resemblances(spec));
  }
  return found;
}

std::uint32_t FoundPairs::values_of(std::size_t scheme, const Comparison& comparison) const {
  if (option_ == "distance") {
    if (!comparison.distance || comparison.distance->differ >= values_.size()) return 0;
    return ~std::uint32_t{0} << comparison.distance->differ &
           ((std::uint32_t{1} << values_.size()) - 1);
  }
  std::uint32_t found = 0;
  for (std::size_t value = 0; value < values_.size(); ++value) {
    if (made_of_[value] != scheme) continue;
    const bool finds =
        option_ == "scheme"
            ? comparison.coordinate && *comparison.coordinate <= lexicons_[value]
            : verdict(comparison, {.resemblance = thresholds_[value]}) == Verdict::reached;
    if (finds) found |= std::uint32_t{1} << value;
  }
  return found;
}

std::uint32_t FoundPairs::values_of(std::size_t scheme, Fraction exact) const {
  std::uint32_t found = 0;
  for (std::size_t value = 0; value < values_.size(); ++value) {
    const bool finds = made_of_[value] == scheme && exact.at_least(thresholds_[value]);
    if (finds) found |= std::uint32_t{1} << value;
  }
  return found;
}

std::uint32_t FoundPairs::values_of_counted(std::size_t scheme, const Overlap& keys) const {
  if (keys.shared == 0) return 0;
  PairFloor floor;
  floor.granted_errors = options_.verify == Check::exact ? granted_standard_errors : 0;
  std::uint32_t found = 0;
  for (std::size_t value = 0; value < values_.size(); ++value) {
    if (made_of_[value] != scheme) continue;
    floor.resemblance = thresholds_[value];
    if (floor.reached_by(keys)) found |= std::uint32_t{1} << value;
  }
  return found;
}

Ratio FoundPairs::loosest(std::size_t scheme) const {
  Ratio least;
  for (std::size_t value = 0; value < thresholds_.size(); ++value) {
    if (made_of_[value] == scheme) least = thresholds_[value];  // Strictest first.
  }
  return least;
}

ComparedDocuments FoundPairs::sketch(std::size_t scheme, std::span<const GivenView> documents,
                                     unsigned threads) const {
  ComparedDocuments out{sketch_documents(*made_[scheme].scheme, documents, threads), {}};
  if (options_.common.empty()) return out;
  out.of_lost.assign(options_.of_lost.size(), decltype(out.keys)(documents.size()));
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::size_t keys = out.keys[i].size();
    std::erase_if(out.keys[i], [&](std::uint64_t key) {
      return std::ranges::binary_search(options_.common, key);
    });
    if (!lost_nearly_all(keys, out.keys[i].size())) continue;
    for (std::size_t value = 0; value < out.of_lost.size(); ++value) {
      out.of_lost[value][i] =
          sketch_documents(*options_.of_lost[value], documents.subspan(i, 1), 1).keys.front();
    }
  }
  return out;
}

std::uint32_t FoundPairs::compared(std::size_t scheme, const ComparedDocuments& documents,
                                   std::uint32_t a, std::uint32_t b) const {
  const Scheme& of = *made_[scheme].scheme;
  if (option_ != "resemblance") {
    if (documents.stored[a].empty() || documents.stored[b].empty()) return 0;
    return values_of(scheme, compare_pair(of, documents, a, b));
  }
  std::uint32_t found = 0;
  for (std::size_t value = 0; value < documents.of_lost.size(); ++value) {
    const auto& keys = documents.of_lost[value];
    if (shares_a_key(keys[a], keys[b])) found |= std::uint32_t{1} << value;
  }
  if (!shares_a_key(documents.keys[a], documents.keys[b])) return found;
  if (options_.verify == Check::exact && !of.counts_keys())
    return values_of(scheme, Fraction{1, 1});
  const Comparison sketches = compare_pair(of, documents, a, b, options_.common);
  return found | (sketches.counts ? values_of_counted(scheme, overlap_of(*sketches.counts))
                                  : values_of(scheme, sketches));
}

/// The values of a scheme at which two of the documents are found.
std::uint32_t FoundPairs::alike(std::size_t made, std::uint32_t a, std::uint32_t b) const {
  const std::uint32_t found = compared(made, made_[made].sketched, a, b);
  if (found == 0 || option_ != "resemblance" || options_.verify != Check::exact) return found;
  return found & values_of(made, shingles_->pair(a, b).resemblance());
}

std::uint32_t FoundPairs::at(std::uint32_t a, std::uint32_t b) const {
  std::uint32_t found = 0;
  for (std::size_t made = 0; made < made_.size(); ++made) {
    found |= alike(made, std::min(a, b), std::max(a, b));
  }
  return found;
}

}  // namespace twinset
