// This file's interface is scheme/field_features.h.
#include "scheme/field_features.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "scheme/fixed_point.h"
#include "text/token_hash.h"

namespace twinset {
namespace {

constexpr std::uint64_t field_salt = 0x6669656c64733a31ULL;
constexpr std::uint64_t low_salt = 0x6c6f770000000000ULL;
constexpr std::uint64_t high_salt = 0x6869676800000000ULL;

std::uint64_t name_hash(std::string_view name) { return mix64(token_hash(name) ^ field_salt); }

std::vector<std::string> values_of(const DocumentView& document, std::string_view name) {
  std::vector<std::string> values;
  document.field(name, values);
  return values;
}

/// A number as JSON and people write it; nullopt for anything else. Exact to a double, and
/// the same on every CPU.
std::optional<double> number_in(const std::string& value) {
  double number = 0;
  const char* const end = value.data() + value.size();
  const auto [at, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || at != end || !(number == number)) return std::nullopt;
  return number;
}

/// Parts of the full weight, which is this many.
constexpr std::uint64_t full_parts = std::uint64_t{1} << 16;

std::uint64_t part_of(std::uint64_t weight, std::uint64_t parts) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(weight) * parts / full_parts);
}

}  // namespace

Result<std::vector<std::string>> split_names(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string_view name = list.substr(0, comma);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (name.empty()) return usage_error("an empty name in \"" + std::string(list) + "\"");
    if (std::ranges::find(names, name) != names.end()) {
      return usage_error("\"" + std::string(name) + "\" is named twice");
    }
    names.emplace_back(name);
    const bool more = comma < list.size();
    list.remove_prefix(std::min(comma + 1, list.size()));
    if (more && list.empty()) return usage_error("an empty name after the last comma");
  }
  return names;
}

std::uint64_t field_value_hash(const DocumentView& document, std::string_view name,
                               std::string_view value) {
  Analysis analysis;
  if (document.analyzer() != nullptr) {
    document.analyzer()->analyze(value, Offsets::drop, analysis);
  }
  const std::uint64_t hash =
      analysis.tokens.empty() ? token_hash(value) : analysis.lexical_fingerprint().low;
  return mix64(name_hash(name) + hash);
}

void add_field_features(const DocumentView& document, const FieldFeatures& fields,
                        FeatureList& features, std::vector<FieldFeature>* named) {
  if (features.size() == 0) return;
  const auto add = [&](std::uint64_t hash, std::uint64_t weight, const std::string& field,
                       const std::string& value) {
    if (weight == 0) return;
    features.add(hash, weight);
    if (named != nullptr) named->push_back({field, value});
  };
  const std::uint64_t full = static_cast<std::uint64_t>(std::min<unsigned __int128>(
      UINT64_MAX,
      static_cast<unsigned __int128>(features.largest_weight()) * fields.percent / 100));
  for (const std::string& name : fields.values) {
    std::map<std::uint64_t, std::string> values;
    for (std::string& value : values_of(document, name)) {
      const std::uint64_t hash = field_value_hash(document, name, value);
      values.try_emplace(hash, std::move(value));
    }
    for (const auto& [hash, value] : values) add(hash, full, name, value);
  }
  for (const std::string& name : fields.extremes) {
    for (const std::string& value : values_of(document, name)) {
      const std::optional<double> number = number_in(value);
      if (!number) continue;
      // From -1 at 0 to 1 at 1, in parts.
      const double distance = 2 * std::clamp(*number, 0.0, 1.0) - 1;
      const bool high = distance > 0;
      const auto parts =
          static_cast<std::uint64_t>((high ? distance : -distance) * double{full_parts});
      add(mix64(name_hash(name) ^ (high ? high_salt : low_salt)), part_of(full, parts), name,
          high ? "high" : "low");
    }
  }
  for (const std::string& name : fields.counts) {
    for (const std::string& value : values_of(document, name)) {
      const std::optional<double> number = number_in(value);
      if (!number || *number <= 0) continue;
      const auto count = static_cast<std::uint64_t>(std::min(*number, double{UINT32_MAX}));
      const std::uint64_t parts = log2_fixed(count + 1) >> (log2_fraction_bits + 5 - 16);
      add(name_hash(name), part_of(full, std::min(parts, full_parts)), name, value);
    }
  }
}

std::uint64_t hash_of_fields(const DocumentView& document, const std::vector<std::string>& names) {
  std::uint64_t hash = field_salt;
  for (const std::string& name : names) {
    for (const std::string& value : values_of(document, name)) {
      hash = mix64(hash + field_value_hash(document, name, value));
    }
    hash = mix64(hash + name_hash(name));
  }
  return hash;
}

std::uint64_t field_bits(const DocumentView& document, std::string_view name, unsigned bits) {
  const std::vector<std::string> values = values_of(document, name);
  if (values.empty()) return 0;
  if (values.size() == 1) {
    std::uint64_t number = 0;
    const char* const end = values[0].data() + values[0].size();
    const auto [at, error] = std::from_chars(values[0].data(), end, number);
    if (error == std::errc() && at == end && number >> bits == 0) return number;
  }
  return hash_of_fields(document, {std::string(name)}) >> (64 - bits);
}

}  // namespace twinset
