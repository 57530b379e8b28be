// Keep order, for a program that sorts documents itself, in a database or in a cluster of machines:
// the bytes by which a rule such as "newest:date" (docs/keep.md) puts them in order. The first of
// several similar documents in this order stays (group.h).
//
//   const KeepKeys keys = KeepKeys::make("newest:date", "words", false).value();
//   KeepCounts all;
//   for (const std::string_view date : dates) keys.count(date, all);
//   const std::optional<std::string> key = keys.key(dates[0], all);
//
// One word among numbers makes all of them words, so values are counted before they get keys.
//
// Threads: immutable; any may call.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "twinset/result.h"

namespace twinset {

/// The values of a field that documents have, counted. Sums of parts are those of the whole.
struct KeepCounts {
  std::uint64_t documents = 0;
  std::uint64_t missing = 0;  ///< without a value
  std::uint64_t numbers = 0;
  std::uint64_t dates = 0;  ///< of these some may be numbers, too
};

/// Documents are in the order of their keys, those without one last, and equal ones as they are
/// read.
class KeepKeys {
 public:
  /// `html`: texts are pages. Errors (usage): a bad rule, an unknown analyzer.
  static Result<KeepKeys> make(std::string_view rule, std::string_view analyzer, bool html);
  KeepKeys(KeepKeys&&) noexcept;
  ~KeepKeys();

  /// There are no keys: the order is that in which documents are read.
  bool as_read() const;
  /// The field whose values have keys. Empty: their texts have.
  const std::string& field() const;
  bool descending() const;

  /// Counts the value of one more document; an empty one is missing.
  void count(std::string_view value, KeepCounts& counts) const;
  /// Of a value, or of a text. `all`: the counts of all documents, by which values are numbers,
  /// dates or neither.
  std::optional<std::string> key(std::string_view value, const KeepCounts& all) const;
  /// What is odd about the values, in a sentence for render_message(); may be empty.
  std::string warning(const KeepCounts& all) const;

 private:
  struct Parts;
  explicit KeepKeys(std::unique_ptr<const Parts> parts);

  std::unique_ptr<const Parts> parts_;
};

}  // namespace twinset
