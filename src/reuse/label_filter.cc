#include "reuse/label_filter.h"

#include <algorithm>

namespace twinset {

Result<LabelFilter> LabelFilter::make(const LabelFile& labels, std::uint64_t memory_bytes) {
  // Some ten bits a row: a label has a row or a few.
  constexpr std::uint64_t row_bytes_of_bit = 6;
  LabelFilter filter;
  filter.lines_ = std::clamp<std::uint64_t>(labels.row_bytes() / row_bytes_of_bit / line_bits, 1,
                                            std::max<std::uint64_t>(memory_bytes / line_bytes, 1));
  TWINSET_ASSIGN(filter.lines_at_,
                 Region::make(static_cast<std::size_t>(filter.lines_ * line_bytes)));
  filter.lines_at_.use_large_pages();
  TWINSET_TRY(labels.for_each_key([&](const Fingerprint& key, LabelKind kind) {
    ++(kind == LabelKind::file ? filter.files_ : filter.chunks_);
    std::uint64_t* const line = filter.line_of(key);
    for (unsigned i = 0; i < probes; ++i) {
      const std::uint64_t bit = key.low >> (i * bits_of_probe) & (line_bits - 1);
      line[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
  }));
  return filter;
}

}  // namespace twinset
