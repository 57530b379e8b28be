// Records of any length in an order of their own, in bounded memory: sorted runs, merged as they
// are read. rows/sorted_rows.h does this for rows of fixed width, and is faster.
//
//   SortedRecords<LabeledPage, RanksBefore> pages(options);
//   pages.append(page);                    // any order
//   pages.seal();
//   auto cursor = pages.read();            // as often as wanted
//   while (...) TWINSET_ASSIGN(const LabeledPage* page, cursor.next());   // nullptr at the end
//
// A Record has append_to(std::string&), static bool take(EncodedBytes& rest, Record&), and
// memory_bytes(). A Less whose order makes equal records one has add(Record& sum, const Record&),
// which is commutative and associative.
//
// Memory: options.memory_bytes; while merging half of it, and a record for each run.
//
// Threads: one at a time; several cursors of a sealed store any.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/plain_bytes.h"
#include "rows/blob_file.h"
#include "rows/options.h"
#include "system/clean_up.h"
#include "twinset/result.h"

namespace twinset {

/// What is left of an encoded record.
using EncodedBytes = std::span<const std::uint8_t>;

template <class Less, class Record>
concept AddsEqual = requires(Record& sum, const Record& other) {
  Less::add(sum, other);
};

template <class Record, class Less>
class SortedRecords {
 public:
  explicit SortedRecords(const RowsOptions& options, Less less = {})
      : options_(options), less_(less), blobs_(std::make_unique<BlobFile>(options)) {}
  ~SortedRecords() {
    clean_up([&] { return discard(); });
  }
  SortedRecords(const SortedRecords&) = delete;
  SortedRecords& operator=(const SortedRecords&) = delete;

  Status append(Record record) {
    held_bytes_ += record.memory_bytes();
    held_.push_back(std::move(record));
    if (held_bytes_ < options_.memory_bytes / 2) return {};
    sort_held();
    // Adding up may have made room.
    return held_bytes_ < options_.memory_bytes / 4 ? Status() : spill();
  }

  Status seal() {
    sort_held();
    if (runs_.empty()) return {};
    TWINSET_TRY(spill());
    TWINSET_TRY(blobs_->seal());
    return blobs_->hold(options_.memory_bytes / 2);
  }

  class Cursor {
   public:
    /// The next record, valid until the next call; nullptr at the end.
    Result<const Record*> next() {
      TWINSET_ASSIGN(const bool more, take(record_));
      if (!more) return nullptr;
      if constexpr (AddsEqual<Less, Record>) {
        while (const Record* const same = peek()) {
          if (store_->less_(record_, *same)) break;
          Record other;
          TWINSET_TRY(take(other));
          Less::add(record_, other);
        }
      }
      return &record_;
    }

   private:
    friend SortedRecords;
    struct Head {
      Record record;
      std::uint64_t next = 0;
      std::uint64_t end = 0;
    };
    /// The last of a heap comes first.
    auto after() const {
      return [this](const Head& a, const Head& b) { return store_->less_(b.record, a.record); };
    }

    explicit Cursor(const SortedRecords& store) : store_(&store) {}

    const Record* peek() const {
      if (!store_->runs_.empty()) return heads_.empty() ? nullptr : &heads_.front().record;
      return at_ == store_->held_.size() ? nullptr : &store_->held_[at_];
    }
    Result<bool> take(Record& out) {
      if (store_->runs_.empty()) {
        if (at_ == store_->held_.size()) return false;
        out = store_->held_[at_++];
        return true;
      }
      if (heads_.empty()) return false;
      std::pop_heap(heads_.begin(), heads_.end(), after());
      std::swap(out, heads_.back().record);
      return advance();
    }
    /// Refills the last head, which is out of the heap.
    Result<bool> advance() {
      Head& head = heads_.back();
      if (head.next == head.end) {
        heads_.pop_back();
        return true;
      }
      TWINSET_TRY(store_->read(head.next++, bytes_, head.record));
      std::push_heap(heads_.begin(), heads_.end(), after());
      return true;
    }
    Status open() {
      std::uint64_t begin = 0;
      for (const std::uint64_t end : store_->runs_) {
        heads_.push_back({Record(), begin, end});
        TWINSET_TRY(advance());
        begin = end;
      }
      return {};
    }

    const SortedRecords* store_;
    std::size_t at_ = 0;
    std::vector<Head> heads_;
    std::string bytes_;
    Record record_;
  };

  /// The store must outlive the cursor.
  Result<Cursor> read() const {
    Cursor cursor(*this);
    TWINSET_TRY(cursor.open());
    return cursor;
  }

  std::uint64_t spilled_bytes() const { return runs_.empty() ? 0 : blobs_->stored_bytes(); }

  /// Drops all records and removes the files.
  Status discard() {
    held_.clear();
    held_bytes_ = 0;
    if (runs_.empty()) return {};
    runs_.clear();
    return blobs_->discard();
  }

 private:
  void sort_held() {
    std::sort(held_.begin(), held_.end(), less_);
    if constexpr (AddsEqual<Less, Record>) {
      std::size_t kept = 0;
      for (std::size_t i = 1; i < held_.size(); ++i) {
        if (less_(held_[kept], held_[i])) {
          if (++kept != i) held_[kept] = std::move(held_[i]);
        } else {
          Less::add(held_[kept], held_[i]);
        }
      }
      if (!held_.empty()) held_.resize(kept + 1);
      held_bytes_ = 0;
      for (const Record& record : held_) held_bytes_ += record.memory_bytes();
    }
  }

  /// Writes the sorted records as a run.
  Status spill() {
    if (held_.empty()) return {};
    std::string bytes;
    for (const Record& record : held_) {
      bytes.clear();
      record.append_to(bytes);
      TWINSET_TRY(blobs_->append(bytes));
    }
    runs_.push_back(blobs_->blobs());
    held_.clear();
    held_.shrink_to_fit();
    held_bytes_ = 0;
    return options_.context->check_cancelled();
  }

  Status read(std::uint64_t number, std::string& bytes, Record& out) const {
    TWINSET_TRY(blobs_->read(number, bytes));
    EncodedBytes rest = byte_span(bytes);
    if (Record::take(rest, out) && rest.empty()) return {};
    return io_error(options_.path + ".blobs has a record that cannot be; start anew");
  }

  RowsOptions options_;
  Less less_;
  std::unique_ptr<BlobFile> blobs_;
  std::vector<std::uint64_t> runs_;  ///< the end of each among the blobs
  std::vector<Record> held_;
  std::uint64_t held_bytes_ = 0;
};

}  // namespace twinset
