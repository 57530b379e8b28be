#include "twinset/columns.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <unordered_map>

namespace twinset {
namespace {

/// A view's bytes that stand in itself.
constexpr std::int32_t most_inline_bytes = 12;

std::string value_name(std::uint64_t i) { return "value " + std::to_string(i + 1); }

Status check_validity(const Validity& validity, std::uint64_t values) {
  if (validity.bits.empty()) return {};
  const std::uint64_t bits = static_cast<std::uint64_t>(validity.bits.size()) * 8;
  if (validity.offset <= bits && values <= bits - validity.offset) return {};
  return usage_error("the validity bitmap has " + std::to_string(bits) + " bits, and " +
                     std::to_string(values) + " values from bit " +
                     std::to_string(validity.offset) + " on need more");
}

}  // namespace

template <class Offset>
Result<StringColumn> StringColumn::checked_offsets(std::string_view bytes,
                                                   std::span<const Offset> offsets,
                                                   Validity validity, Layout layout) {
  const std::uint64_t values = offsets.empty() ? 0 : offsets.size() - 1;
  TWINSET_TRY(check_validity(validity, values));
  for (std::uint64_t i = 0; i < values; ++i) {
    const Offset begin = offsets[i];
    const Offset end = offsets[i + 1];
    if (begin >= 0 && end >= begin && static_cast<std::uint64_t>(end) <= bytes.size()) continue;
    std::string message = value_name(i) + " goes from byte " + std::to_string(begin) + " to " +
                          std::to_string(end) + " of " + std::to_string(bytes.size()) +
                          "; offsets start at 0 or later, never fall, and end within the bytes";
    if (std::is_same_v<Offset, std::int32_t> && (begin < 0 || end < 0)) {
      message += "; those of 32 bits reach 2 GiB, of more text give offsets of 64 bits";
    }
    return usage_error(std::move(message));
  }
  StringColumn column;
  column.layout_ = layout;
  column.data_ = offsets.data();
  column.size_ = values;
  column.bytes_ = bytes;
  column.validity_ = validity;
  return column;
}

Result<StringColumn> StringColumn::from_offsets(std::string_view bytes,
                                                std::span<const std::int32_t> offsets,
                                                Validity validity) {
  return checked_offsets(bytes, offsets, validity, Layout::offsets_32);
}

Result<StringColumn> StringColumn::from_offsets(std::string_view bytes,
                                                std::span<const std::int64_t> offsets,
                                                Validity validity) {
  return checked_offsets(bytes, offsets, validity, Layout::offsets_64);
}

Result<StringColumn> StringColumn::from_views(std::span<const ArrowView> views,
                                              std::span<const std::string_view> buffers,
                                              Validity validity) {
  TWINSET_TRY(check_validity(validity, views.size()));
  for (std::uint64_t i = 0; i < views.size(); ++i) {
    const ArrowView& view = views[i];
    if (!validity[i] || (view.bytes >= 0 && view.bytes <= most_inline_bytes)) continue;
    if (view.bytes < 0) {
      return usage_error(value_name(i) + " has " + std::to_string(view.bytes) + " bytes");
    }
    if (view.buffer < 0 || static_cast<std::size_t>(view.buffer) >= buffers.size()) {
      return usage_error(value_name(i) + " is in buffer " + std::to_string(view.buffer) + " of " +
                         std::to_string(buffers.size()) + ", counted from 0");
    }
    const std::size_t held = buffers[static_cast<std::size_t>(view.buffer)].size();
    if (view.begin < 0 ||
        static_cast<std::uint64_t>(view.begin) + static_cast<std::uint64_t>(view.bytes) > held) {
      return usage_error(value_name(i) + " has " + std::to_string(view.bytes) +
                         " bytes from byte " + std::to_string(view.begin) + " of a buffer of " +
                         std::to_string(held));
    }
  }
  StringColumn column;
  column.layout_ = Layout::views;
  column.data_ = views.data();
  column.size_ = views.size();
  column.buffers_ = buffers;
  column.validity_ = validity;
  return column;
}

template <class Offset>
std::string_view StringColumn::between_offsets(std::uint64_t i) const {
  const auto* offsets = static_cast<const Offset*>(data_);
  const auto begin = static_cast<std::size_t>(offsets[i]);
  return bytes_.substr(begin, static_cast<std::size_t>(offsets[i + 1]) - begin);
}

std::string_view StringColumn::operator[](std::uint64_t i) const {
  switch (layout_) {
    case Layout::strings:
      return static_cast<const std::string*>(data_)[i];
    case Layout::string_views:
      return static_cast<const std::string_view*>(data_)[i];
    case Layout::offsets_32:
      return between_offsets<std::int32_t>(i);
    case Layout::offsets_64:
      return between_offsets<std::int64_t>(i);
    case Layout::views:
      break;
  }
  const ArrowView& view = static_cast<const ArrowView*>(data_)[i];
  const auto bytes = static_cast<std::size_t>(view.bytes);
  if (view.bytes <= most_inline_bytes) {
    return {reinterpret_cast<const char*>(&view) + offsetof(ArrowView, first), bytes};
  }
  return buffers_[static_cast<std::size_t>(view.buffer)].substr(
      static_cast<std::size_t>(view.begin), bytes);
}

Status TextColumn::check_size(const StringColumn& values, const std::string& what) const {
  if (values.size() == size()) return {};
  return usage_error(name + ": " + what + " has " + std::to_string(values.size()) + " values for " +
                     std::to_string(size()) + " texts");
}

Status TextColumn::set_ids(StringColumn ids) {
  TWINSET_TRY(check_size(ids, "the column of ids"));
  std::unordered_map<std::string_view, std::uint64_t> first;
  first.reserve(ids.size());
  for (std::uint64_t i = 0; i < ids.size(); ++i) {
    if (!ids.has(i)) continue;
    const auto [found, is_new] = first.emplace(ids[i], i);
    if (is_new) continue;
    return usage_error(name + ": texts " + std::to_string(found->second + 1) + " and " +
                       std::to_string(i + 1) + " have the same id, \"" + std::string(ids[i]) +
                       "\"");
  }
  ids_ = ids;
  return {};
}

Status TextColumn::add_field(std::string field, StringColumn values) {
  if (field.empty()) return usage_error(name + ": a column of fields has no name");
  TWINSET_TRY(check_size(values, "the field \"" + field + "\""));
  for (const NamedValues& other : fields_) {
    if (other.name == field) {
      return usage_error(name + ": two fields have the name \"" + field + "\"");
    }
  }
  fields_.push_back({std::move(field), values});
  return {};
}

}  // namespace twinset
