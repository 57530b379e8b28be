// Moves between URLs: the last version of a page that is gone, and the first version of a page that
// was not there before, found by the shingles that both samples have.
//
//   PageMoves moves(context, spill, memory, sampler, Ratio(1, 2));
//   moves.add_gone(number, last);       // pages by number, rising
//   moves.add_new(number, first);
//   TWINSET_TRY(moves.find());
//   TWINSET_ASSIGN(auto cursor, moves.read());   // of the pages that moved or were moved to,
//   rising
//
// A page moves to the new page that resembles it most, the earliest of equal ones; of pages that
// would move to one, the one that it resembles most does.
//
// Memory: what it is given.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rows/blob_file.h"
#include "rows/sorted_records.h"
#include "rows/sorted_rows.h"
#include "scheme/scheme.h"
#include "track/page_version.h"
#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

/// One end of a move.
struct PageMove {
  std::uint64_t page = 0;
  bool is_to = false;    ///< `url` is where the page went; else whence it came
  bool between = false;  ///< hosts
  std::string url;

  void append_to(std::string& out) const;
  static bool take(EncodedBytes& rest, PageMove& out);
  std::uint64_t memory_bytes() const { return sizeof *this + url.capacity() + 16; }
};

struct ByPage {
  bool operator()(const PageMove& a, const PageMove& b) const { return a.page < b.page; }
};

class PageMoves {
 public:
  using Moves = SortedRecords<PageMove, ByPage>;

  /// `spill` is a prefix of paths. All outlive it.
  PageMoves(const RunContext& context, const std::string& spill, std::uint64_t memory_bytes,
            const Scheme& sampler, Ratio resemblance);

  Status add_gone(std::uint64_t page, const PageVersion& last) { return add(page, last, false); }
  Status add_new(std::uint64_t page, const PageVersion& first) { return add(page, first, true); }
  Status find();
  /// A page has at most one move to another, and one from another.
  Result<Moves::Cursor> read() const { return moves_.read(); }

 private:
  /// A key of an end: its number in ends_, and one more if it is that of a new page.
  struct EndKey {
    std::uint64_t key = 0;
    std::uint64_t end = 0;
  };
  struct ByKey {
    bool operator()(const EndKey& a, const EndKey& b) const {
      return a.key != b.key ? a.key < b.key : a.end < b.end;
    }
  };
  struct EndPair {
    std::uint64_t first = 0;  ///< by which pairs are sorted
    std::uint64_t second = 0;
    std::uint64_t units = 0;  ///< of resemblance
  };
  struct ByFirst {
    bool operator()(const EndPair& a, const EndPair& b) const {
      return a.first != b.first ? a.first < b.first : a.second < b.second;
    }
  };
  using Pairs = SortedRows<EndPair, ByFirst>;

  Status add(std::uint64_t page, const PageVersion& version, bool is_new);
  Status pair_ends(Pairs& pairs) const;
  Status choose_new(const Pairs& pairs, Pairs& chosen) const;
  Status choose_gone(const Pairs& chosen);
  Status put(const EndPair& best);
  Status read_end(std::uint64_t end, std::uint64_t& page, PageVersion& version) const;
  RowsOptions options(const char* name, std::uint64_t sixteenths) const;

  const RunContext& context_;
  const std::string spill_;
  const std::uint64_t memory_bytes_;
  const Scheme& sampler_;
  const Ratio resemblance_;
  BlobFile ends_;
  SortedRows<EndKey, ByKey> keys_;
  Moves moves_;
  // Scratch:
  Sketch sketch_;
  std::vector<std::uint64_t> of_version_;
  std::string blob_;
};

}  // namespace twinset
