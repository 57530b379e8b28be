// Keep order: from the --keep rule and what pass 1 wrote down to an order per
// document.
//
// Threads: one call at a time.
#pragma once

#include <cstdint>
#include <string>

#include "join/documents.h"
#include "run/job.h"
#include "twinset/result.h"

namespace twinset {

/// Of the values of the --keep field, one a document that is no reference.
struct KeepValues {
  enum class Kind : std::uint8_t { bytes, numbers, dates };
  std::uint64_t documents = 0;
  std::uint64_t missing = 0;
  std::uint64_t numbers = 0;
  std::uint64_t dates = 0;  ///< Unix time, which is a number too, among them
  std::string other;        ///< the first value that is neither; as text
  std::string not_a_date;   ///< the first that is no date
  Kind compared_as = Kind::bytes;

  /// A sentence where the rule may not do what its words say: no document has the field,
  /// or values can't be read as what they are compared as. Empty if all is well.
  std::string warning(const KeepRule& rule) const;
};

/// Looks at the values of job.keep's field and chooses how they compare: as numbers if all
/// are; as dates if all are, or under newest and oldest if any is and they are not all
/// numbers (the others then count as missing); else as bytes. Without a field, nothing is looked
/// at.
Result<KeepValues> keep_values(const Job& job, const RecordFiles& records,
                               const DocumentTable& documents);

/// Sets the table's orders by job.keep; does nothing where input order is keep
/// order. Equal values get one order (ties fall to input order), missing values
/// the last, references one ahead of all.
Status set_keep_order(const Job& job, const RecordFiles& records, KeepValues::Kind kind,
                      DocumentTable& documents, std::uint64_t memory_bytes);

}  // namespace twinset
