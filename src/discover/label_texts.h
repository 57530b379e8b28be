// The whole hash and the first words of each label, from the page that has it first: a second
// reading of these pages.
//
//   TWINSET_ASSIGN(LabelTexts texts, LabelTexts::make(job, rule, documents, found.labels()));
//   TWINSET_TRY(run.pass("texts", {&texts}));
//   TWINSET_ASSIGN(auto sorted, texts.sorted(memory));   // by key
//   texts.read(row.number, text);
//
// Rows have the first 128 bits of a hash; a file of labels has all of it.
//
// Memory: a bit a line of input, and the pages in use of a mapped table of 72 bytes a label.
//
// Threads: as a Collector; the readers after the pass.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "discover/found_labels.h"
#include "join/documents.h"
#include "reuse/page_reader.h"
#include "rows/blob_file.h"
#include "rows/table.h"
#include "run/collector.h"
#include "run/job.h"
#include "twinset/result.h"

namespace twinset {

struct LabelText {
  LabelKind kind = LabelKind::chunk;
  ChunkDigest hash;
  std::string text;
};

struct LabelTextRows final : Collector::Rows {
  void begin(const BatchPlace&) override;
  void release_large() override;

  std::optional<PageReader> reader;
  ReadPage page;
  std::string blobs;
  std::vector<std::size_t> ends;  ///< of each in `blobs`
};

class LabelTexts final : public CollectorOf<LabelTextRows> {
 public:
  /// `labels` are sealed. All but `labels` outlive it.
  static Result<std::unique_ptr<LabelTexts>> make(const Job& job, const PageRule& rule,
                                                  const DocumentTable& documents,
                                                  const FoundLabelRows& labels);
  ~LabelTexts() override;

  /// Their numbers in the order of their keys.
  Result<std::unique_ptr<SortedBlobs>> sorted(std::uint64_t memory_bytes);
  Status read(std::uint64_t number, LabelText& out) const;
  std::uint64_t size() const { return blobs_.blobs(); }

  Status open(const StateFile*) override { return {}; }
  Status checkpoint(StateFile&) override { return {}; }
  std::uint64_t stored_bytes() const override { return blobs_.stored_bytes(); }

 private:
  using Places = Table<FoundLabel, Fingerprint>;

  LabelTexts(const Job& job, const PageRule& rule, const DocumentTable& documents, Places places);
  Status take(const ReadRecord& record, LabelTextRows& rows) const override;
  Status put(LabelTextRows& rows) override;
  /// Notes the object if this is its first place.
  Status note(const ReadRecord& record, LabelKind kind, const ChunkDigest& hash,
              std::uint32_t offset, LabelTextRows& rows, const Chunk* chunk) const;

  const Job& job_;
  const PageRule& rule_;
  const DocumentTable& documents_;
  Places places_;
  std::vector<bool> wanted_;  ///< lines that have the first place of a label
  BlobFile blobs_;
};

}  // namespace twinset
