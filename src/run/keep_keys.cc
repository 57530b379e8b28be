// Keep order for those who sort documents themselves; this file's interface is KeepKeys, declared
// in twinset/keep.h.
#include <array>
#include <utility>

#include "run/keep_order.h"
#include "text/analyzer.h"

namespace twinset {

struct KeepKeys::Parts {
  KeepRule rule;
  const Analyzer* analyzer;
  Markup markup;
};

KeepKeys::KeepKeys(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
KeepKeys::KeepKeys(KeepKeys&&) noexcept = default;
KeepKeys::~KeepKeys() = default;

Result<KeepKeys> KeepKeys::make(std::string_view rule, std::string_view analyzer, bool html) {
  TWINSET_ASSIGN(KeepRule parsed, KeepRule::parse(rule));
  TWINSET_ASSIGN(const Analyzer* const found, require_analyzer(analyzer));
  return KeepKeys(
      std::make_unique<Parts>(Parts{std::move(parsed), found, html ? Markup::html : Markup::none}));
}

bool KeepKeys::as_read() const { return parts_->rule.by == KeepRule::By::input; }
const std::string& KeepKeys::field() const { return parts_->rule.field; }
bool KeepKeys::descending() const { return parts_->rule.descending; }

void KeepKeys::count(std::string_view value, KeepCounts& counts) const {
  KeepValues values;
  static_cast<KeepCounts&>(values) = counts;
  values.add(value);
  counts = values;
}

std::optional<std::string> KeepKeys::key(std::string_view value, const KeepCounts& all) const {
  std::uint32_t tokens = 0;
  if (parts_->rule.by == KeepRule::By::size) {
    Analysis analysis;
    analyze(*parts_->analyzer, value, parts_->markup, Offsets::drop, analysis);
    tokens = static_cast<std::uint32_t>(analysis.tokens.size());
  }
  KeepValues values;
  static_cast<KeepCounts&>(values) = all;
  values.choose(parts_->rule);
  std::array<char, order_key_bytes> bytes{};
  if (!keep_key(parts_->rule, values.compared_as, tokens, value, bytes.data())) return std::nullopt;
  // Zeros at the end change no order.
  std::string_view key(bytes.data(), bytes.size());
  while (key.ends_with('\0')) key.remove_suffix(1);
  return std::string(key);
}

std::string KeepKeys::warning(const KeepCounts& all) const {
  KeepValues values;
  static_cast<KeepCounts&>(values) = all;
  values.choose(parts_->rule);
  return values.warning(parts_->rule);
}

}  // namespace twinset
