// Counts the documents of each term, out of core. Stands alone in `twinset lexicon count`, and can
// stand beside the collectors of any other run.
//
//   TermCounter terms({.context = ..., .path = spill + "terms", .memory_bytes = ...});
//   run.pass("read", {&terms});
//   terms.seal();
//   terms.for_each([&](std::string_view term, std::uint64_t documents) { ... });
//
// A term is a token in the form that its hash covers: token_hash(term) is the token that schemes
// see.
//
// Threads: as a Collector.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rows/string_counts.h"
#include "run/collector.h"
#include "twinset/result.h"

namespace twinset {

/// Appends the bytes that `hash` covers: the canonical form of the token at `token`, or the part
/// of it that has this hash, if the analyzer makes several tokens of one place.
void append_term(const Analyzer& analyzer, std::string_view text, TokenOffsets token,
                 std::uint64_t hash, std::string& out);

/// The different terms of a batch, each with its number of documents.
class TermRows final : public Collector::Rows {
 public:
  void begin(const BatchPlace&) override;
  void release_large() override { *this = TermRows(); }

  void take(const VisibleText& document, const Analyzer& analyzer);
  Status add_to(StringCounts& counts) const;
  std::uint64_t documents() const { return documents_; }
  std::uint64_t long_terms() const { return long_terms_; }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint64_t documents = 0;
    std::uint64_t last_document = 0;  ///< that has the term, from 1
    std::size_t offset = 0;           ///< in texts_
    std::size_t bytes = 0;            ///< 0: too long to be a term
  };
  Entry& entry_of(std::uint64_t hash);
  void grow();

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  ///< number of an entry plus 1; 0: free
  std::string texts_;
  std::uint64_t documents_ = 0;
  std::uint64_t long_terms_ = 0;
};

class TermCounter final : public CollectorOf<TermRows> {
 public:
  /// The last part of `options.path` names it in checkpoints.
  explicit TermCounter(const RowsOptions& options);

  std::uint64_t documents() const { return documents_; }
  /// Different tokens of a document that were too long to be terms, added up.
  std::uint64_t long_terms() const { return long_terms_; }
  /// Ends counting.
  Status seal() { return counts_->seal(); }
  /// All terms in ascending order of their bytes; the number of terms is not known before.
  Status for_each(
      const std::function<Status(std::string_view term, std::uint64_t documents)>& use) const {
    return counts_->for_each(use);
  }

  Status open(const StateFile* checkpoint) override;
  Status checkpoint(StateFile& file) override;
  std::uint64_t stored_bytes() const override { return counts_->stored_bytes(); }

 private:
  Status take(const ReadRecord& record, TermRows& rows) const override;
  Status put(TermRows& rows) override;

  RowsOptions options_;
  std::string name_;
  std::unique_ptr<StringCounts> counts_;
  std::uint64_t documents_ = 0;
  std::uint64_t long_terms_ = 0;
};

}  // namespace twinset
