// The pages of a collection as its first reading saw them: tokens, blocks and sites, in files of
// the run. Later readings take them from there, because to read a page's HTML costs several times
// more.
//
//   PageFile pages({&context, "<tmp>/pages", 0, fingerprint}, PageFile::Keeps::tokens, "url");
//   ...                                        // a collector of a pass whose views read blocks
//   TWINSET_TRY(pages.seal(memory));
//   TWINSET_ASSIGN(const bool found, pages.read(document, bytes, page));
//
// A token takes 8 bytes, a block 5, a record 16 more. Nothing here outlives a run that is
// interrupted: the run that continues it reads the pages themselves.
//
// Threads: as a Collector; the readers from any, when all is sealed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rows/blob_file.h"
#include "run/collector.h"
#include "template/page_blocks.h"
#include "twinset/result.h"

namespace twinset {

/// What is known of a page without its tokens.
struct PageNote {
  std::uint64_t number = 0;  ///< of the note
  DocumentId id;
  std::uint32_t rank = 0;  ///< of its tokens' hash
  bool has_tokens = false;
  std::string_view host;
};

/// As good as random, and of the page's content alone.
std::uint32_t page_rank(const RecordView& view);

/// Appends the page.
void encode_page(std::uint64_t site, std::uint32_t rank, const Analysis& analysis,
                 std::span<const PageBlock> blocks, std::string& out);
/// Replaces `page`. False if `bytes` are not those of a page.
bool decode_page(std::string_view bytes, PageTokens& page);

struct PageRows final : Collector::Rows {
  void begin(const BatchPlace& batch) override;
  void release_large() override;

  struct Line {
    std::uint64_t number = 0;
    std::size_t end = 0;  ///< of its page in `pages`
  };
  struct Note {
    DocumentId id;
    std::uint32_t rank = 0;
    bool has_tokens = false;
    std::size_t end = 0;  ///< of its host in `hosts`
  };
  BatchPlace place;
  std::vector<Line> lines;
  std::string pages;
  std::vector<Note> notes;
  std::string hosts;
};

class PageFile final : public CollectorOf<PageRows> {
 public:
  /// Notes alone are some 50 bytes a page.
  enum class Keeps : std::uint8_t { tokens, notes };

  /// `url_field`: of ViewRule. `texts`: takes texts without markup for pages, too.
  PageFile(const RowsOptions& options, Keeps keeps, std::string url_field, bool texts = false);

  /// Starts empty. There are no checkpoints.
  Status open(const StateFile* checkpoint) override;
  Status checkpoint(StateFile&) override { return {}; }
  std::uint64_t stored_bytes() const override;
  /// After the pass. `memory_bytes` hold places of pages.
  Status seal(std::uint64_t memory_bytes);
  bool keeps_tokens() const { return keeps_ == Keeps::tokens; }
  const std::string& url_field() const { return url_field_; }
  bool takes(const RecordView& view) const { return texts_ || is_page(view.markup()); }

  /// False if the document is no page. `bytes` is scratch.
  Result<bool> read(DocumentId document, std::string& bytes, PageTokens& page) const;
  /// The lines of a batch of the collection; null for what is no page. Lines that the first reading
  /// did not see are left out.
  Status for_each(const BatchPlace& place, PageTokens& page,
                  const std::function<Status(std::uint64_t line, PageTokens* page)>& use) const;
  /// The notes of all pages, in input order.
  Status for_each_note(const std::function<Status(const PageNote& note)>& use) const;
  Result<std::string> host_of_note(std::uint64_t number) const;
  /// All pages that have tokens, in input order.
  Status for_each_page(
      const std::function<Status(DocumentId document, const PageTokens& page)>& use) const;

 private:
  Status take(const ReadRecord& record, PageRows& rows) const override;
  Status put(PageRows& rows) override;
  Status begin_source(std::uint64_t source);
  Error damaged(std::uint64_t number) const;

  Keeps keeps_;
  std::string url_field_;
  bool texts_;
  std::string prefix_;
  BlobFile pages_;
  BlobFile notes_;
  std::vector<std::uint64_t> first_;  ///< number of the first line of each source, and of none
};

}  // namespace twinset
