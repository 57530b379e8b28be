// Postings are in buckets, by the uppermost bits of their keys: about 32 postings in each, so that
// a bucket is found by its number and searched in a few cache lines. A posting holds the rest of
// its key and its document, all postings in the same number of bits, so that any is found by its
// number. A key of many documents makes a long bucket, which is searched by halves.
//
// The part: the postings, bit by bit; 16 bytes of zeros, so that a posting is read as two words;
// where each bucket begins, and the end; what is needed to read all that.
//
// This file's interface is rows/postings.h; the rest is private.
#include "rows/postings.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/plain_bytes.h"

namespace twinset {
namespace {

constexpr std::uint64_t postings_of_bucket = 32;
constexpr unsigned most_bucket_bits = 27;  // 32 postings in a bucket at most_postings
constexpr std::size_t slack_bytes = 16;
constexpr std::size_t written_at_once = std::size_t{64} << 10;

/// The end of the part, little-endian.
struct Trailer {
  std::uint64_t count = 0;
  std::uint64_t documents = 0;
  std::uint32_t bucket_bits = 0;
  std::uint32_t document_bits = 0;
};
static_assert(sizeof(Trailer) == 24);

unsigned bucket_bits_of(std::uint64_t count) {
  return std::min(static_cast<unsigned>(std::bit_width(count / postings_of_bucket)),
                  most_bucket_bits);
}
unsigned document_bits_of(std::uint64_t documents) {
  return documents <= 1 ? 0 : static_cast<unsigned>(std::bit_width(documents - 1));
}
std::uint64_t bytes_of_bits(unsigned __int128 bits) {
  return static_cast<std::uint64_t>((bits + 7) / 8);
}
constexpr std::uint64_t ones(unsigned bits) {
  return bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits);
}

/// Appends numbers of a few bits each to the part.
class BitWriter {
 public:
  explicit BitWriter(FrozenWriter& writer) : writer_(writer) {}

  Status append(unsigned __int128 value, unsigned bits) {
    pending_ |= value << pending_bits_;
    pending_bits_ += bits;  // At most 7 + 72.
    for (; pending_bits_ >= 8; pending_bits_ -= 8) {
      bytes_ += static_cast<char>(pending_);
      pending_ >>= 8;
    }
    return bytes_.size() < written_at_once ? Status() : write();
  }
  Status finish() {
    if (pending_bits_ > 0) bytes_ += static_cast<char>(pending_);
    return write();
  }

 private:
  Status write() {
    const Status written = writer_.append(bytes_);
    bytes_.clear();
    return written;
  }

  FrozenWriter& writer_;
  std::string bytes_;
  unsigned __int128 pending_ = 0;
  unsigned pending_bits_ = 0;
};

}  // namespace

Status write_postings(FrozenWriter& writer, std::string_view name, RowCursor<Posting>& rows,
                      std::uint64_t count, std::uint64_t documents) {
  if (count > most_postings || documents > most_postings) {
    return io_error("part " + std::string(name) + " cannot have " + std::to_string(count) +
                    " postings of " + std::to_string(documents) + " documents: at most 2^32 - 1");
  }
  const Trailer trailer{count, documents, bucket_bits_of(count), document_bits_of(documents)};
  const unsigned key_bits = Posting::kept_bits - trailer.bucket_bits;
  std::vector<std::uint32_t> begins;
  begins.reserve((std::size_t{1} << trailer.bucket_bits) + 1);
  const auto begin_up_to = [&](std::uint64_t bucket, std::uint64_t posting) {
    while (begins.size() <= bucket) begins.push_back(static_cast<std::uint32_t>(posting));
  };

  TWINSET_TRY(writer.begin(name));
  BitWriter bits(writer);
  std::uint64_t written = 0;
  Posting last;
  TWINSET_TRY(for_each_row(rows, [&](const Posting& row) -> Status {
    if (written == count || row.document >= documents || row.key > ones(Posting::kept_bits) ||
        (written > 0 && !(last < row))) {
      return io_error("the postings of part " + std::string(name) +
                      " are not as many as said, or not in order");
    }
    begin_up_to(row.key >> key_bits, written++);
    last = row;
    const unsigned __int128 packed =
        (static_cast<unsigned __int128>(row.key & ones(key_bits)) << trailer.document_bits) |
        row.document;
    return bits.append(packed, key_bits + trailer.document_bits);
  }));
  if (written != count) {
    return io_error("part " + std::string(name) + " has " + std::to_string(written) +
                    " postings, not " + std::to_string(count));
  }
  TWINSET_TRY(bits.finish());
  begin_up_to(std::uint64_t{1} << trailer.bucket_bits, written);
  std::string end(slack_bytes, '\0');
  end.append((8 - (writer.part_bytes() + end.size()) % 8) % 8, '\0');
  end += bytes_of(std::span<const std::uint32_t>(begins));
  end += bytes_of(trailer);
  return writer.append(end);
}

Result<Postings> Postings::open(const FrozenPart& part, std::uint64_t documents) {
  Trailer trailer;
  if (part.size() < sizeof trailer) return part.damaged(0, "a part of postings is too short");
  TWINSET_ASSIGN(const std::string_view bytes,
                 part.read(part.size() - sizeof trailer, part.size()));
  std::memcpy(&trailer, bytes.data(), sizeof trailer);
  Postings postings;
  postings.part_ = part;
  postings.count_ = trailer.count;
  postings.documents_ = trailer.documents;
  postings.bucket_bits_ = trailer.bucket_bits;
  postings.document_bits_ = trailer.document_bits;
  const bool right = trailer.count <= most_postings && trailer.documents == documents &&
                     trailer.bucket_bits == bucket_bits_of(trailer.count) &&
                     trailer.document_bits == document_bits_of(trailer.documents);
  if (!right)
    return part.damaged(part.size() - sizeof trailer, "the postings are of other documents");
  const std::uint64_t rows_end =
      bytes_of_bits(static_cast<unsigned __int128>(trailer.count) * postings.row_bits()) +
      slack_bytes;
  postings.buckets_at_ = (rows_end + 7) / 8 * 8;
  const std::uint64_t begins = (postings.buckets() + 1) * sizeof(std::uint32_t);
  if (postings.buckets_at_ + begins + sizeof trailer != part.size()) {
    return part.damaged(part.size() - sizeof trailer, "the postings do not fit their part");
  }
  return postings;
}

Result<std::uint64_t> Postings::bucket_begin(std::uint64_t bucket) const {
  const std::uint64_t at = buckets_at_ + bucket * sizeof(std::uint32_t);
  TWINSET_ASSIGN(const std::string_view bytes, part_.read(at, at + sizeof(std::uint32_t)));
  std::uint32_t begin = 0;
  std::memcpy(&begin, bytes.data(), sizeof begin);
  if (begin > count_) return part_.damaged(at, "a bucket begins after the last posting");
  return begin;
}

/// `bytes` begin at `first_byte` of the part, and have the slack after their last posting.
Posting Postings::decode(std::string_view bytes, std::uint64_t first_byte,
                         std::uint64_t posting) const {
  const std::uint64_t bit = posting * row_bits();  // Below 2^32 * 72.
  std::uint64_t words[2];
  std::memcpy(words, bytes.data() + (bit / 8 - first_byte), sizeof words);
  const unsigned __int128 both = static_cast<unsigned __int128>(words[1]) << 64 | words[0];
  const unsigned __int128 row = both >> (bit % 8);
  return {static_cast<std::uint64_t>(row >> document_bits_) & ones(key_bits()),
          static_cast<std::uint64_t>(row) & ones(document_bits_)};
}

Result<PostingRange> Postings::find(std::uint64_t key) const {
  const std::uint64_t kept = Posting::kept(key);
  const std::uint64_t bucket = kept >> key_bits();
  TWINSET_ASSIGN(std::uint64_t low, bucket_begin(bucket));
  TWINSET_ASSIGN(const std::uint64_t bucket_end, bucket_begin(bucket + 1));
  if (low >= bucket_end) return PostingRange{};
  const std::uint64_t rest = kept & ones(key_bits());
  // The first posting of at least a key, in [low, high): by halves as long as many are left.
  const auto first_of = [&](std::uint64_t wanted, std::uint64_t from,
                            std::uint64_t to) -> Result<std::uint64_t> {
    while (to - from > 2 * postings_of_bucket) {
      const std::uint64_t middle = from + (to - from) / 2;
      TWINSET_ASSIGN(const Posting row, at(middle));
      if ((row.key & ones(key_bits())) < wanted) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    TWINSET_ASSIGN(const Bytes bytes, bytes_of(from, to));
    while (from < to && decode(bytes.bytes, bytes.begin, from).key < wanted) ++from;
    return from;
  };
  TWINSET_ASSIGN(low, first_of(rest, low, bucket_end));
  TWINSET_ASSIGN(const std::uint64_t end, first_of(rest + 1, low, bucket_end));
  return PostingRange{low, end};
}

Result<Postings::Bytes> Postings::bytes_of(std::uint64_t begin, std::uint64_t end) const {
  const std::uint64_t first = begin * row_bits() / 8;
  TWINSET_ASSIGN(const std::string_view bytes,
                 part_.read(first, end * row_bits() / 8 + slack_bytes));
  return Bytes{bytes, first};
}

Result<Posting> Postings::at(std::uint64_t posting) const {
  TWINSET_ASSIGN(const Bytes bytes, bytes_of(posting, posting));
  Posting row = decode(bytes.bytes, bytes.begin, posting);
  if (row.document >= documents_) return no_document(bytes.begin);
  return row;
}

/// A few thousand postings, of whole buckets.
Result<bool> Postings::Cursor::refill() {
  rows_.clear();
  while (rows_.size() < 4096 && bucket_ < postings_.buckets()) {
    TWINSET_ASSIGN(const std::uint64_t begin, postings_.bucket_begin(bucket_));
    TWINSET_ASSIGN(const std::uint64_t end, postings_.bucket_begin(bucket_ + 1));
    if (end < begin) return postings_.part_.damaged(0, "its buckets are out of order, those found");
    for (std::uint64_t posting = begin; posting < end; ++posting) {
      TWINSET_ASSIGN(Posting row, postings_.at(posting));
      row.key |= bucket_ << postings_.key_bits();
      rows_.push_back(row);
    }
    ++bucket_;
  }
  this->show(rows_.data(), rows_.data() + rows_.size());
  return !rows_.empty();
}

}  // namespace twinset
