// Ends of pages meet under their keys; those that meet are compared by their samples.
//
// This file's interface is track/page_moves.h.
#include "track/page_moves.h"

#include "base/plain_bytes.h"
#include "base/sized_text.h"
#include "base/varint.h"
#include "scheme/overlap.h"

namespace twinset {
namespace {

/// A key that would make more pairs is of a form that a site has, and makes none.
constexpr std::size_t most_pairs = 10'000;

}  // namespace

void PageMove::append_to(std::string& out) const {
  append_varint(page << 2 | (is_to ? 2U : 0U) | (between ? 1U : 0U), out);
  append_sized(url, out);
}

bool PageMove::take(EncodedBytes& rest, PageMove& out) {
  std::uint64_t page = 0;
  if (!take_varint(rest, page) || !take_sized(rest, out.url)) return false;
  out.page = page >> 2;
  out.is_to = (page & 2) != 0;
  out.between = (page & 1) != 0;
  return true;
}

PageMoves::PageMoves(const RunContext& context, const std::string& spill,
                     std::uint64_t memory_bytes, const Scheme& sampler, Ratio resemblance)
    : context_(context),
      spill_(spill),
      memory_bytes_(memory_bytes),
      sampler_(sampler),
      resemblance_(resemblance),
      ends_(options("ends", 0)),
      keys_(options("keys", 6)),
      moves_(options("moves", 2)) {}

RowsOptions PageMoves::options(const char* name, std::uint64_t sixteenths) const {
  return {&context_, spill_ + name, memory_bytes_ / 16 * sixteenths, 0};
}

Status PageMoves::add(std::uint64_t page, const PageVersion& version, bool is_new) {
  if (version.sample.empty()) return {};
  if (!sampler_.restore(byte_span(version.sample), sketch_)) return {};
  of_version_.clear();
  sampler_.keys(sketch_, of_version_);
  const std::uint64_t end = ends_.blobs() * 2 + (is_new ? 1 : 0);
  for (const std::uint64_t key : of_version_) TWINSET_TRY(keys_.append(EndKey{key, end}));
  blob_.clear();
  append_varint(page, blob_);
  version.append_to(blob_);
  return ends_.append(blob_);
}

Status PageMoves::find() {
  TWINSET_TRY(keys_.seal());
  TWINSET_TRY(ends_.seal());
  TWINSET_TRY(ends_.hold_for_any_order(memory_bytes_ / 16 * 4));
  Pairs pairs(options("pairs", 2));
  TWINSET_TRY(pair_ends(pairs));
  TWINSET_TRY(pairs.seal());
  Pairs chosen(options("chosen", 2));
  TWINSET_TRY(choose_new(pairs, chosen));
  TWINSET_TRY(chosen.seal());
  TWINSET_TRY(choose_gone(chosen));
  return moves_.seal();
}

/// Each pair of an end that is gone and a new one that share a key.
Status PageMoves::pair_ends(Pairs& pairs) const {
  TWINSET_ASSIGN(auto cursor, keys_.read());
  std::vector<std::uint64_t> gone;
  std::vector<std::uint64_t> fresh;
  for (const EndKey* row = cursor->peek(); row != nullptr;) {
    const std::uint64_t key = row->key;
    gone.clear();
    fresh.clear();
    for (; row != nullptr && row->key == key; cursor->advance(), row = cursor->peek()) {
      std::vector<std::uint64_t>& ends = row->end % 2 == 0 ? gone : fresh;
      if (ends.size() <= most_pairs) ends.push_back(row->end);
    }
    if (gone.size() * fresh.size() > most_pairs) continue;
    for (const std::uint64_t from : gone) {
      for (const std::uint64_t to : fresh) TWINSET_TRY(pairs.append(EndPair{from, to, 0}));
    }
  }
  return cursor->status();
}

/// Of each page that is gone the new page that resembles it most, by that.
Status PageMoves::choose_new(const Pairs& pairs, Pairs& chosen) const {
  TWINSET_ASSIGN(auto cursor, pairs.read());
  PageVersion from;
  PageVersion to;
  std::uint64_t page = 0;
  for (const EndPair* row = cursor->peek(); row != nullptr;) {
    const std::uint64_t end = row->first;
    TWINSET_TRY(read_end(end, page, from));
    EndPair best;
    Date best_date;
    for (; row != nullptr && row->first == end; cursor->advance(), row = cursor->peek()) {
      TWINSET_TRY(read_end(row->second, page, to));
      if (to.date <= from.date || to.url == from.url) continue;
      const Comparison compared = sampler_.compare(byte_span(from.sample), byte_span(to.sample));
      if (!compared.resemblance.has_value()) continue;
      const std::uint64_t units = estimate_units(compared.resemblance->value);
      if (!resemblance_.reached_by(units, estimate_scale)) continue;
      if (units > best.units || (units == best.units && to.date < best_date)) {
        best = {row->second, end, units};
        best_date = to.date;
      }
    }
    if (best.units > 0) TWINSET_TRY(chosen.append(best));
  }
  return cursor->status();
}

/// Of the pages that would move to a new page the one that resembles it most.
Status PageMoves::choose_gone(const Pairs& chosen) {
  TWINSET_ASSIGN(auto cursor, chosen.read());
  EndPair best;
  for (const EndPair* row = cursor->peek(); row != nullptr;
       cursor->advance(), row = cursor->peek()) {
    if (best.units > 0 && row->first != best.first) TWINSET_TRY(put(best));
    if (best.units == 0 || row->first != best.first || row->units > best.units) best = *row;
  }
  TWINSET_TRY(cursor->status());
  return best.units > 0 ? put(best) : Status();
}

Status PageMoves::put(const EndPair& best) {
  PageVersion from;
  PageVersion to;
  PageMove there{.page = 0, .is_to = true, .between = false, .url = {}};
  PageMove here;
  TWINSET_TRY(read_end(best.second, there.page, from));
  TWINSET_TRY(read_end(best.first, here.page, to));
  there.between = here.between = from.host != to.host;
  there.url = to.url;
  here.url = from.url;
  TWINSET_TRY(moves_.append(std::move(there)));
  return moves_.append(std::move(here));
}

Status PageMoves::read_end(std::uint64_t end, std::uint64_t& page, PageVersion& version) const {
  std::string blob;
  TWINSET_TRY(ends_.read(end / 2, blob));
  EncodedBytes rest = byte_span(blob);
  if (take_varint(rest, page) && PageVersion::take(rest, version)) return {};
  return io_error(spill_ + "ends is damaged; run it again");
}

}  // namespace twinset
