// The lines of a filter: the verdict on a message of an input, and the requests and answers of its
// socket (docs/filter.md).
//
//   TWINSET_ASSIGN(const FilterRequest request, FilterRequests(fields).read(line));
//
// Threads: pure functions; a reader of requests belongs to one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/reader.h"
#include "twinset/field.h"
#include "twinset/filter.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct VerdictLine {
  NamedDocument document;  ///< without its fingerprint
  FilterAnswer answer;
};
std::vector<Field> fields_of(VerdictLine& line);

enum class FilterOp : std::uint8_t { check, add, remove, stats, metrics };

struct FilterRequest {
  FilterOp op = FilterOp::check;
  std::string id;  ///< a JSON value; empty: none
  std::string text;
  Markup markup = Markup::none;
};

class FilterRequests {
 public:
  /// `fields`: of records that are given as they are; outlives this.
  explicit FilterRequests(const FieldNames& fields) : fields_(fields) {}

  /// Errors (usage): it is no request; a field that is not known; a record that is none.
  Result<FilterRequest> read(std::string_view line);

 private:
  Status take_raw(const std::string& encoded, const std::string& format, FilterRequest& request);

  const FieldNames& fields_;
  RecordBatch batch_;
};

/// The answers, with their line ends.
std::string error_line(const std::string& id, const std::string& error);
std::string checked_line(const std::string& id, const FilterAnswer& answer);
std::string changed_line(const std::string& id, std::string_view what, bool is);
std::string stats_line(const FilterStats& stats);
std::string metrics_line(const FilterStats& stats);
/// The numbers in the text format of Prometheus, a sample a line.
std::string metrics_text(const FilterStats& stats);

}  // namespace twinset
