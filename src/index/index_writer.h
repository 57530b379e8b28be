// Changes of an index: documents added, deleted, and segments merged. Each change is there, and
// durable, from one sync of the log on, if it is small, else from one rename of the manifest; until
// then the index is as it was.
//
//   TWINSET_TRY(IndexWriter::create(files, "crawl.index", settings));
//   TWINSET_ASSIGN(auto writer, IndexWriter::open(context, "crawl.index", "index add"));
//   TWINSET_TRY(writer->begin_adding(memory_bytes));
//   TWINSET_TRY(writer->add(document, marks, text));              // in order, any number
//   TWINSET_ASSIGN(const IndexChange change, writer->commit());
//
// A process that stays adds, commits, and asks snapshot(), as often as it likes: a small commit
// costs one sync, and a thousand of them one segment.
//
// A process that is killed leaves files that no manifest names; the next writer removes them.
//
// Threads: one at a time. A lock keeps others from writing the same index, and names its holder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/background_merge.h"
#include "index/index_log.h"
#include "index/snapshot.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

/// A change of more documents, of more bytes of them, or of more deleted ones is not small: it is a
/// segment.
inline constexpr std::size_t most_logged_at_once = 256;
inline constexpr std::uint64_t most_logged_bytes_at_once = std::uint64_t{1} << 20;

/// What a change did to the documents of an index.
struct IndexChange {
  std::uint64_t added = 0;      ///< replacing ones, too
  std::uint64_t replaced = 0;   ///< of them, those whose id the index had
  std::uint64_t unchanged = 0;  ///< that the index had already, equal in everything
  std::uint64_t repeated = 0;   ///< whose id came again later, in the same change
  std::uint64_t deleted = 0;
  std::uint64_t merged = 0;  ///< segments
  std::string not_merged;    ///< why many small ones could not be; the change was made
};

class IndexWriter {
 public:
  /// Errors: usage (`settings`; the folder exists and is not empty), io.
  static Status create(FileSystem& files, const std::string& index, const IndexSettings& settings);

  /// `verb` is what the lock says of its holder. Errors (io): as IndexSnapshot::open(); another
  /// process writes the index. The context outlives the writer.
  static Result<std::unique_ptr<IndexWriter>> open(const RunContext& context,
                                                   const std::string& index, std::string_view verb);
  /// Removes the files of a change that was not made.
  ~IndexWriter();
  IndexWriter(const IndexWriter&) = delete;
  IndexWriter& operator=(const IndexWriter&) = delete;

  /// The index as it is; after a commit() another one.
  const IndexSnapshot& snapshot() const { return snapshot_; }

  /// What was done since the last commit(); what is repeated is known then.
  const IndexChange& change() const { return change_; }

  /// Documents that it was given so far, by this change too.
  std::uint64_t serials() const { return serials_; }

  /// Documents are added next, and take about so much memory.
  Status begin_adding(std::uint64_t memory_bytes);
  /// Adds a document under an id that no other has: an older one goes, unless it is equal. `text`
  /// counts if the index keeps texts. Errors: as SegmentWriter::append().
  Status add(const IndexedDocument& document, std::span<const Marks> marks, std::string_view text);
  /// Adds a document whatever its id, as one more of that id, and tells its serial. The documents
  /// of a change are added in the order in which they stay: of documents with a common key the
  /// first stand for all.
  Result<std::uint64_t> append(const IndexedDocument& document, std::span<const Marks> marks,
                               std::string_view text);
  /// Deletes the documents of an id, a JSON value; false if there is none.
  Result<bool> remove(std::string_view id);
  /// Makes the change. Then writes what the log has as a segment, if that is much, and merges
  /// segments of like sizes, if there are many; what fails there or is interrupted is left to a
  /// later change. After an Error the writer is of no use, and the index is as it was, or as it is
  /// after the change.
  Result<IndexChange> commit();
  /// Makes what was appended durable. It counts from the commit() of this writer on, or from the
  /// next open() if `output` then holds the summary of a run of this identity; else it is dropped.
  Status prepare(const std::string& output, const std::string& identity);
  /// From now on threads of their own merge, and no commit() but the one that finds them done takes
  /// part in that: what is merged is the index's from then on. Few new segments need not wait until
  /// many old ones are one. For a process that stays.
  void merge_in_background() { merges_in_background_ = true; }
  /// Writes what the log has as a segment.
  Status seal() { return commit_to_segment(); }
  /// Merges all segments, so that no byte of a deleted document is left, and commits.
  Result<IndexChange> compact();

 private:
  IndexWriter(const RunContext& context, std::string index)
      : context_(context), index_(std::move(index)) {}

  Status remove_left_over() const;
  Status settle_pending();
  Result<std::string> new_segment();
  Status begin_segment();
  Status remove_older(std::string_view id, const IndexedDocument* replacement, bool& is_there,
                      bool& is_equal);
  Status mark_repeated(const Segment& segment, DocumentSet& deleted);
  bool is_small() const;
  Status commit_to_log();
  Status commit_to_segment();
  Status open_log();
  Status merge_logged();
  Status seal_log(Manifest& manifest);
  bool log_is_full() const;
  Status tidy();
  Status write_deletions(Manifest& manifest);
  Status write_deleted(const DocumentSet& deleted, ListedSegment& listed);
  Status list_segment(bool may_repeat, std::vector<ListedSegment>& segments);
  Status write(Manifest& manifest);
  Status publish(Manifest manifest);
  Status reopen();
  Status merge(std::size_t first);
  Status begin_merge(std::size_t first);
  Status end_merge(std::size_t which);
  std::optional<std::size_t> first_to_merge() const;
  bool fit_one(std::size_t first) const;
  std::size_t parts_on_disk() const { return snapshot_.manifest().segments.size(); }

  const RunContext& context_;
  std::string index_;
  std::unique_ptr<FileLock> lock_;
  IndexSnapshot snapshot_;
  std::uint64_t next_ = 0;              ///< Manifest::next, with what this change has taken
  std::uint64_t serials_ = 0;           ///< Manifest::serials, likewise
  std::uint64_t segment_ = 0;           ///< the number of the segment that is being written
  std::uint64_t memory_bytes_ = 0;      ///< of begin_adding()
  std::vector<WholeDocument> waiting_;  ///< the documents of a change that is small so far
  std::uint64_t waiting_bytes_ = 0;
  std::unique_ptr<SegmentWriter> adding_;  ///< of one that is not
  std::unique_ptr<LogFile> log_;           ///< once this writer has changed it
  bool merges_in_background_ = false;
  /// Those that were begun, each of segments after those of the one before.
  std::vector<std::unique_ptr<BackgroundMerge>> merges_;
  std::vector<DocumentSet> deleted_;  ///< by part of the snapshot, with those of this change
  std::vector<IndexPlace> gone_;      ///< those of this change
  bool may_repeat_ = false;  ///< ids may be there several times in the new segment, by add()
  IndexChange change_;
};

}  // namespace twinset
