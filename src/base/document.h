// The identity of a document, in every row that twinset sorts, spills or stores.
//
// A document is (source, record): the input's number in the order given, and
// the record's number within it from 1. In keep order an order-preserving key goes before that
// pair, and the first document of a group is the one that stays.
//
// Threads: values.
#pragma once

#include <compare>
#include <cstdint>

namespace twinset {

/// (source, record) in one word that sorts as the pair does.
class DocumentId {
 public:
  static constexpr unsigned record_bits = 40;
  static constexpr std::uint64_t max_record = (std::uint64_t{1} << record_bits) - 1;
  static constexpr std::uint64_t max_sources = std::uint64_t{1} << (64 - record_bits);

  constexpr DocumentId() = default;
  constexpr DocumentId(std::uint64_t source, std::uint64_t record)
      : value_(source << record_bits | record) {}

  constexpr std::uint64_t source() const { return value_ >> record_bits; }
  constexpr std::uint64_t record() const { return value_ & max_record; }
  constexpr std::uint64_t value() const { return value_; }
  constexpr auto operator<=>(const DocumentId&) const = default;

 private:
  std::uint64_t value_ = 0;
};

/// A document's place in keep order; input order breaks ties.
struct Place {
  std::uint64_t order = 0;
  DocumentId document;
  constexpr auto operator<=>(const Place&) const = default;
  /// Never descends as places ascend. Made of the document's number in input order (all orders 0),
  /// else of the order.
  constexpr std::uint64_t radix() const {
    return order == 0 ? document.value() >> 1 : std::uint64_t{1} << 63 | order >> 1;
  }
};

}  // namespace twinset
