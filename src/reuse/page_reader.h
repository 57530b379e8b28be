// A page as discovery and detection see it: its URL, its neighborhoods, and its chunks without
// stop chunks.
//
//   PageReader reader(rule, collection.sources());
//   ReadPage page;
//   TWINSET_TRY(reader.read(record, page));
//   if (page.repeated.empty()) use(page.chunks);
//
// The URL is that of the record: a field, or what an archive says. Without one the page stands
// where its file does: a file of many records counts as a folder. A URL that is none, such as
// "http://[", has no neighborhoods. A page whose URL has a recursion
// error is not cut (paper 004, 4.4.1).
//
// Threads: a PageReader belongs to one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collection/collection.h"
#include "labels/label_file.h"
#include "run/collector.h"
#include "twinset/result.h"
#include "web/chunks.h"
#include "web/neighborhoods.h"
#include "web/url.h"

namespace twinset {

struct PageRule {
  ChunkRules chunks;
  std::string url_field;            ///< may be empty
  std::uint32_t repeats = 0;        ///< 0: no URL has a recursion error
  const LabelFile* stop = nullptr;  ///< stop chunks, or null; outlives the readers
};

/// Reuse one: its memory is kept.
struct ReadPage {
  std::string url;  ///< as its record has it; else "file", or "file:record"
  Neighborhoods neighborhoods;
  std::string repeated;  ///< the parts of its recursion error; empty: it has none
  std::uint32_t repeats = 0;
  std::vector<Chunk> chunks;  ///< in order; neither short nor stop chunks
  ChunkDigest file;           ///< of all bytes of its text
  bool file_stops = false;    ///< the whole file is in the set of stop chunks
  std::uint64_t short_chunks = 0;
  std::uint64_t stop_chunks = 0;

  bool stands_in_file = false;  ///< without a URL

  /// The host, or the first folder of a path; of a page without a URL the folder of its file. Empty
  /// if it has none.
  std::string_view site() const {
    if (neighborhoods.size() == 0) return {};
    return neighborhoods[stands_in_file ? neighborhoods.size() - 1 : 0];
  }
};

class PageReader {
 public:
  /// The sources are those of the collection that the records are of.
  PageReader(const PageRule& rule, std::span<const Source> sources);

  /// Replaces `page`. Error (io): the file of stop chunks is damaged.
  Status read(const ReadRecord& record, ReadPage& page);
  /// URL, neighborhoods and recursion error alone.
  void locate(const ReadRecord& record, ReadPage& page);

  /// The normalized content of a chunk of the last page. Valid until the next call.
  std::string_view content(const Chunk& chunk);

  /// The begin of a content of the last page, a chunk's or the whole page, for people: the words
  /// that a reader sees, a page's title first; where there are none, the content itself.
  std::string quote(std::string_view content, std::size_t most_bytes) const;

 private:
  const PageRule& rule_;
  std::span<const Source> sources_;
  Chunker pages_;
  Chunker texts_;
  bool is_page_ = false;   ///< the last one
  Markup markup_ = {};     ///< likewise
  std::string_view text_;  ///< likewise
  CanonicalUrl canonical_;
};

}  // namespace twinset
