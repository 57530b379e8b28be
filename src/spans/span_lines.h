// The last stage of spans: reads the texts around earlier places again, follows each common run to
// both its ends, and writes a line for each.
//
//   SpanLines lines(job, names, documents, rule, texts, sink);
//   TWINSET_TRY(lines.follow(places));            // or write(pairs): every two places
//   lines.reused();                               // the stretches of later texts
//
// How a text is followed is in spans/follow_places.h.
//
// Threads: one call at a time, with the job's threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collection/output_files.h"
#include "join/common_runs.h"
#include "join/documents.h"
#include "run/names.h"
#include "run/texts.h"
#include "spans/earlier_places.h"
#include "twinset/field.h"
#include "twinset/run.h"

namespace twinset {

inline constexpr const char* spans_list = "spans.jsonl.zst";

/// A line: two places of one passage.
struct SpanLine {
  enum class Place : std::uint8_t { first, nearest, both };
  struct Side {
    NamedDocument document;   ///< without its fingerprint
    std::uint64_t begin = 0;  ///< in bytes
    std::uint64_t end = 0;
  };

  Side a;  ///< the earlier one
  Side b;
  std::uint64_t tokens = 0;
  std::optional<Place> place;  ///< none if every two places are found
};
std::vector<Field> fields_of(SpanLine& line);

/// A stretch of a text that stands at an earlier place, too, in tokens.
struct ReusedStretch {
  DocumentId document;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};
struct ByStretch {
  bool operator()(const ReusedStretch& a, const ReusedStretch& b) const {
    return a.document != b.document ? a.document < b.document : a.begin < b.begin;
  }
  static std::uint64_t radix(const ReusedStretch& row) { return row.document.value(); }
};
using ReusedRows = SortedRows<ReusedStretch, ByStretch>;

/// The common runs of two texts, added up.
struct SharedPassages {
  DocumentId earlier;
  DocumentId later;
  std::uint64_t spans = 0;
  std::uint64_t tokens = 0;   ///< of all spans
  std::uint64_t longest = 0;  ///< in tokens
};

class SpanLines {
 public:
  /// Takes the sums for two texts, in input order of the later one.
  using TakeShared = std::function<Status(const SharedPassages& shared)>;

  SpanLines(const Job& job, const RecordFiles& records, const DocumentTable& documents,
            const AnchorRule& rule, Texts& texts, std::unique_ptr<ByteSink> sink,
            TakeShared take_shared);

  /// The spans at first and nearest places. They are in order of the later text and the place in
  /// it.
  Status follow(const EarlierPlaceRows& places);
  /// The spans of every two places, in order of the later and then the earlier text.
  Status write(const RunPairRows& pairs);

  /// Sealed by the two above.
  ReusedRows& reused() { return reused_; }
  std::uint64_t spans() const { return spans_; }
  /// By 2^i to 2^(i+1) - 1 tokens.
  const std::vector<std::uint64_t>& by_tokens() const { return by_tokens_; }

 private:
  class Worker;
  struct Task;
  Status run(const std::function<Result<bool>(Task&)>& take);
  Result<bool> is_long(std::uint32_t text);
  Status put(Task& task);
  Status end_shared();
  Status finish();

  const Job& job_;
  const RecordFiles& records_;
  const DocumentTable& documents_;
  AnchorRule rule_;
  Texts& texts_;
  LineFile lines_;
  TakeShared take_shared_;
  ReusedRows reused_;
  SharedPassages open_;
  std::uint64_t spans_ = 0;
  std::vector<std::uint64_t> by_tokens_;
};

}  // namespace twinset
