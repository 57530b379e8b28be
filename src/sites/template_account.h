// What a run leaves out of its pages, by site: how many words, and which blocks most often.
//
//   TemplateAccount account;
//   TWINSET_TRY(run.read(Stored::count, account.collectors(job)));   // after use_site_templates()
//   summary.templates = account.facts(*job.signer.view.templates);
//
// The sites told apart are those that the table lists, the largest; the sums are of all. A block's
// number of pages is that of the table, and of equal ones the first page's words are shown, so
// threads change nothing.
//
// Threads: as a Collector.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "run/collector.h"
#include "run/job.h"
#include "twinset/collection.h"

namespace twinset {

/// Sums over pages that were compared without their templates.
struct LeftOutSums : TemplateSums {
  std::uint64_t pages = 0;

  LeftOutSums& operator+=(const LeftOutSums& other);
};

struct LeftOutBlock : TemplateBlock {
  std::uint64_t hash = 0;
};

struct AccountRows final : Collector::Rows {
  void begin(const BatchPlace&) override;
  void release_large() override {}

  LeftOutSums all;
  std::vector<LeftOutSums> sites;
  std::vector<std::pair<std::size_t, LeftOutBlock>> blocks;  ///< with their site
  std::unordered_set<std::uint64_t> seen;                    ///< hashes of `blocks`
};

class TemplateAccount final : public CollectorOf<AccountRows> {
 public:
  static constexpr std::size_t listed_blocks = 20;

  /// Itself if the run drops templates, else none.
  std::vector<Collector*> collectors(const Job& job);

  /// What the table learned, with what was left out.
  TemplateFacts facts(const TemplateTable& table) const;

  Status open(const StateFile* checkpoint) override;
  Status checkpoint(StateFile& file) override;

 private:
  struct Site {
    LeftOutSums sums;
    std::vector<LeftOutBlock> blocks;  ///< most pages first
  };
  Status take(const ReadRecord& record, AccountRows& rows) const override;
  Status put(AccountRows& rows) override;
  void note_block(const RecordView& view, std::size_t block, std::size_t site,
                  AccountRows& rows) const;
  void list(std::size_t site, LeftOutBlock block);
  bool is_known(std::uint64_t block) const;

  unsigned shingle_tokens_ = 0;
  std::unordered_map<std::string, std::size_t> numbers_;  ///< of listed sites, by host
  LeftOutSums all_;
  std::vector<Site> sites_;
  /// By site: the pages of its last listed block, once the list is full. Only ever rises.
  std::vector<std::atomic<std::uint64_t>> least_;
  /// Blocks that were listed once: their words need not be read again.
  std::unordered_set<std::uint64_t> known_;
  mutable std::shared_mutex known_mutex_;
};

}  // namespace twinset
