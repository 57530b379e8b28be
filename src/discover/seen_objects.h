// Every chunk and every file of a collection, with its place: what discovery counts.
//
//   SeenObjects seen(job, rule, memory);
//   TWINSET_TRY(run.pass("read", {&seen}));
//   seen.chunks()          // rows of a key together: PartitionedRows::for_each_group
//   seen.url(index, url)   // of a page, by its line
//
// Memory beside the rows': 4 bytes a line of input, its site, and the sites' hashes.
//
// Threads: as a Collector; the readers from any, after seal().
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/document.h"
#include "reuse/page_reader.h"
#include "rows/blob_file.h"
#include "rows/key.h"
#include "rows/partitioned_rows.h"
#include "run/collector.h"
#include "run/job.h"
#include "twinset/result.h"

namespace twinset {

/// A chunk or a file at its place in a page.
struct ObjectRow {
  Key128 key;  ///< ChunkDigest::key()
  DocumentId document;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  auto operator<=>(const ObjectRow&) const = default;
};

struct SeenObjectRows final : Collector::Rows {
  void begin(const BatchPlace& batch) override;
  void release_large() override;

  struct Line {
    std::uint64_t number = 0;
    std::uint64_t site = 0;   ///< hash
    std::size_t url_end = 0;  ///< in `urls`
  };

  BatchPlace place;
  std::optional<PageReader> reader;
  ReadPage page;
  std::vector<ObjectRow> files;
  std::vector<ObjectRow> chunks;
  std::vector<Line> lines;  ///< of pages
  std::string urls;
  std::vector<std::string> recursion_errors;  ///< the first ones
  std::uint64_t recursion_count = 0;
  std::uint64_t short_chunks = 0;
  std::uint64_t stop_chunks = 0;
  std::uint64_t stop_files = 0;
};

class SeenObjects final : public CollectorOf<SeenObjectRows> {
 public:
  static constexpr std::uint32_t no_site = 0xFFFFFFFF;
  static constexpr std::size_t most_examples = 10;

  /// `rule` and `job` outlive it.
  SeenObjects(const Job& job, const PageRule& rule, std::uint64_t memory_bytes);

  /// After the pass; `memory_bytes` hold places of URLs.
  Status seal(std::uint64_t memory_bytes);

  PartitionedRows<ObjectRow>& files() { return *files_; }
  PartitionedRows<ObjectRow>& chunks() { return *chunks_; }
  /// Frees the rows, not the URLs.
  void drop_rows();

  std::uint64_t lines() const { return sites_.size(); }
  /// The number of the site of a page, by its line in the collection.
  std::uint32_t site(std::uint64_t index) const { return sites_[index]; }
  std::uint64_t sites() const { return site_numbers_.size(); }
  Status url(std::uint64_t index, std::string& out) const { return urls_->read(index, out); }

  std::uint64_t pages() const { return pages_; }
  std::uint64_t recursion_errors() const { return recursion_count_; }
  const std::vector<std::string>& recursion_examples() const { return recursion_errors_; }
  std::uint64_t short_chunks() const { return short_chunks_; }
  std::uint64_t stop_chunks() const { return stop_chunks_; }
  std::uint64_t stop_files() const { return stop_files_; }

  Status open(const StateFile* checkpoint) override;
  Status checkpoint(StateFile&) override { return {}; }
  std::uint64_t stored_bytes() const override;

 private:
  Status take(const ReadRecord& record, SeenObjectRows& rows) const override;
  Status add(SeenObjectRows& rows) override;
  Status put(SeenObjectRows& rows) override;

  const Job& job_;
  const PageRule& rule_;
  std::uint64_t memory_bytes_;
  std::unique_ptr<PartitionedRows<ObjectRow>> files_;
  std::unique_ptr<PartitionedRows<ObjectRow>> chunks_;
  std::unique_ptr<BlobFile> urls_;  ///< one for each line
  std::vector<std::uint32_t> sites_;
  std::unordered_map<std::uint64_t, std::uint32_t> site_numbers_;
  std::uint64_t pages_ = 0;
  std::vector<std::string> recursion_errors_;
  std::uint64_t recursion_count_ = 0;
  std::uint64_t short_chunks_ = 0;
  std::uint64_t stop_chunks_ = 0;
  std::uint64_t stop_files_ = 0;
};

}  // namespace twinset
