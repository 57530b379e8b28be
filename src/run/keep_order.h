// Keep order: an order for each document, from the --keep rule and the records of pass 1.
//
// Threads: one call at a time.
#pragma once

#include <cstdint>
#include <string>

#include "join/documents.h"
#include "run/job.h"
#include "run/record_files.h"
#include "twinset/keep.h"
#include "twinset/result.h"

namespace twinset {

/// The values of the --keep field in all documents except references.
struct KeepValues : KeepCounts {
  enum class Kind : std::uint8_t { bytes, numbers, dates };
  std::string other = {};       ///< the first value that is neither a number nor a date, as text
  std::string not_a_date = {};  ///< the first value that is not a date
  Kind compared_as = Kind::bytes;

  /// The next document's value; empty: it has none.
  void add(std::string_view value);
  /// After all of them: as numbers if all are numbers; as dates if all are dates, or, for newest
  /// and oldest, if any is a date and not all are numbers (the others then count as missing);
  /// otherwise as bytes.
  void choose(const KeepRule& rule);

  /// A warning if the rule may not do what its name says: no document has the field, or some values
  /// are not of the type they are compared as. Otherwise empty.
  std::string warning(const KeepRule& rule) const;
};

/// Sets the first order_key_bytes of `out`, zeros until then, by which documents are ordered under
/// a rule that is not KeepRule::By::input: of one of so many tokens, with this value. False: it has
/// no value that counts, and comes last. Ties are broken by input order.
bool keep_key(const KeepRule& rule, KeepValues::Kind kind, std::uint32_t size,
              std::string_view value, char* out);

/// Reads the values of job.keep's field and chooses how they compare. Does nothing without a
/// field.
Result<KeepValues> keep_values(const Job& job, const RecordFiles& records,
                               const DocumentTable& documents);

/// Sets the table's orders by job.keep; does nothing if keep order is input order. Equal
/// values get one order (input order breaks ties), missing values the last one, and
/// references one before all others.
Status set_keep_order(const Job& job, const RecordFiles& records, KeepValues::Kind kind,
                      DocumentTable& documents, std::uint64_t memory_bytes);

}  // namespace twinset
