// Columns of texts in memory as a collection: no file is read or made.
//
//   TWINSET_ASSIGN(auto collection, MemoryCollection::make(options.columns, options.input.format));
//
// A record is one text: its number is the text's place from 1, its bytes are the text itself, which
// is read without a copy. Its id and its fields come from the columns beside it, whatever name the
// id has, as JSON strings. A missing text (null) is a bad record. A run over columns is never
// continued.
//
// Threads: as a Collection.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collection/collection.h"
#include "text/markup.h"
#include "twinset/collection.h"
#include "twinset/result.h"

namespace twinset {

class MemoryCollection final : public Collection {
 public:
  /// By InputSettings::format as of JSON Lines: with "html" and "xhtml" all texts are pages, with
  /// "auto" those that begin like one. Errors (usage): another format; two columns of one name.
  static Result<std::shared_ptr<Collection>> make(std::span<const TextColumn> columns,
                                                  const std::string& format);
  /// The columns must have passed check_columns(). `markup`: of those that are not
  /// TextColumn::html.
  explicit MemoryCollection(std::span<const TextColumn> columns, Markup markup = Markup::none);

  std::span<const Source> sources() const override { return sources_; }
  std::string identity() const override { return {}; }
  Result<std::unique_ptr<Reader>> open(std::uint64_t source, const ReaderLimits& limits) override;
  Result<bool> is_lost(std::uint64_t) override { return false; }
  Rereading rereading(std::uint64_t) const override { return Rereading::at_random; }
  Result<std::size_t> read_at(std::uint64_t source, std::uint64_t offset,
                              std::string& raw) override;
  void decode(std::uint64_t source, std::uint64_t offset, std::string_view raw,
              const FieldNames& fields, RecordBatch& batch) const override;
  bool has_changed(std::uint64_t) const override { return false; }
  Result<std::unique_ptr<ByteSink>> create_output(std::uint64_t source, const RunContext& context,
                                                  const std::string& root,
                                                  const std::string& folder) const override;

 private:
  Markup markup_of_texts(const TextColumn& column) const {
    return column.html ? Markup::html : markup_;
  }

  std::vector<TextColumn> columns_;  ///< references first
  Markup markup_;
  std::vector<Source> sources_;
};

/// Error (usage): two columns of one name.
Status check_columns(std::span<const TextColumn> columns);

}  // namespace twinset
