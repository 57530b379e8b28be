// How much of a collection's pages is common to many of them: says in a run over whole pages when
// leaving out templates would help.
//
// A collector keeps the 256 pages of least hash, copies once, with one in 16 of their shingles. A
// shingle is common if more than a fiftieth of these pages have it. The sample is one of the pages,
// not of the sites: templates of many small sites are not seen, and a collection that is mostly one
// site's is. Without any page the beginnings of 64 texts are sampled, and a shingle of a fifth of
// them is common.
//
//   CommonShare pages;
//   TWINSET_TRY(run.read(DocumentKeys::Stored::count, {&pages}));
//   summary.warnings.push_back(pages.warning());   // unless empty
//
// Threads: as a Collector.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "run/collector.h"
#include "run/job.h"

namespace twinset {

struct SampledPages final : Collector::Rows {
  struct Page {
    std::uint64_t rank = 0;  ///< of its tokens' hash
    std::vector<std::uint32_t> keys;
  };
  void begin(const BatchPlace&) override { pages.clear(); }
  void release_large() override {}
  std::vector<Page> pages;
};

class CommonShare final : public CollectorOf<SampledPages> {
 public:
  static constexpr std::size_t most_pages = 256;
  /// Of fewer pages nothing is said.
  static constexpr std::size_t least_pages = 50;
  static constexpr std::size_t least_texts = 20;
  /// Fewer texts, and of each its beginning: a form shows there, and texts may be long.
  static constexpr std::size_t most_texts = 64;
  static constexpr std::size_t most_shingles_of_text = 2048;

  Status open(const StateFile* checkpoint) override;
  Status checkpoint(StateFile& file) override;
  Status take_over(const ShardFolder& shard) override;

  /// Itself for a run over whole pages or, if there is no page, over texts; none for a run without
  /// templates.
  std::vector<Collector*> collectors(const Job& job);
  /// The mean share of a page's shingles that are common; 0 if there are few pages.
  double share() const;
  /// Is it of texts, as there is no page?
  bool of_texts() const { return texts_; }
  /// A sentence if the share is high; else empty.
  std::string warning() const;

 private:
  Status take(const ReadRecord& record, SampledPages& rows) const override;
  Status put(SampledPages& rows) override;
  Status add_pages_of(const StateFile& checkpoint);
  std::size_t most() const { return texts_ ? most_texts : most_pages; }

  bool texts_ = false;                                         ///< there are no pages
  std::map<std::uint64_t, std::vector<std::uint32_t>> pages_;  ///< by rank
  std::atomic<std::uint64_t> highest_ = UINT64_MAX;            ///< rank that may still be taken
};

}  // namespace twinset
