// A collection: the source of a run's records, for the first reading and for later ones, and their
// destination. Files are one kind (collection/file_collection.h), columns in memory another
// (collection/memory_collection.h).
//
//   for (std::uint64_t i = 0; i < collection.sources().size(); ++i) {
//     Result<std::unique_ptr<Reader>> reader = collection.open(i, limits);
//     ...
//   }
//
// A collection is made of sources; each is a sequence of records, and tells how its records can be
// read again. A run that compares texts makes those it needs accessible.
//
// Threads: sources() and read_at() from any; all others one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes.h"
#include "io/inputs.h"
#include "io/reader.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

/// The role of a source's documents in a run.
enum class Role : std::uint8_t {
  input,     ///< compared with all, kept or removed
  reference  ///< protected: others are compared with it, and it is never written
};

/// How the records of a source are read again after the first time.
enum class Rereading : std::uint8_t {
  never,     ///< the run keeps what it will need
  in_order,  ///< from the first one on
  at_random  ///< any of them, by its place
};

struct Source {
  std::string shown;  ///< as messages and outputs name it
  std::string name;   ///< of its output, below the output folder
  std::string path;   ///< of the file that holds it; empty: not a file
  Role role = Role::input;
  std::string_view format;  ///< a format's name; empty if it is not a file
  Compression compression = Compression::none;
  bool walked = false;             ///< found in a folder, not named
  bool guessed = false;            ///< its content told the format, and its name did not
  bool pages = false;              ///< its texts are HTML
  bool pages_by_text = false;      ///< ... those that begin like it
  bool one_document = false;       ///< it holds one document, kept or removed as a whole
  bool made_texts = false;         ///< its texts stand nowhere in it as they are: mails, news
  bool own_members = false;        ///< its output is packed record by record
  bool framed = false;             ///< is_framed()
  bool rows = false;               ///< a table: its outputs take numbers of rows (RowFormat::copy)
  std::uint64_t stored_bytes = 0;  ///< of all its records, as stored
  std::uint64_t window_bytes = 0;  ///< that its first zstd frame asks for

  bool is_protected() const { return role != Role::input; }
};

class Collection {
 public:
  virtual ~Collection() = default;

  /// Protected ones first, each part in the user's order. Never changes.
  virtual std::span<const Source> sources() const = 0;
  /// Equal only for collections of the same content, so that a run over one can continue a
  /// checkpoint of the other. Empty: a run over this one is never continued.
  virtual std::string identity() const = 0;
  /// Places that were not read, one line each: path and why.
  virtual std::span<const std::string> skipped() const { return {}; }
  /// Sources that were left out because they would be lost.
  virtual std::span<const LeftOut> left_out() const { return {}; }

  /// A reader from the first record on; a source has one open reader at a time.
  virtual Result<std::unique_ptr<Reader>> open(std::uint64_t source,
                                               const ReaderLimits& limits) = 0;
  /// After open() failed: is the source missing or unreadable? Then the run continues without it.
  virtual Result<bool> is_lost(std::uint64_t source) = 0;
  virtual Rereading rereading(std::uint64_t source) const = 0;
  /// Fills `raw` with the record at Record::offset; returns its number of bytes, fewer than asked
  /// for if they are gone.
  virtual Result<std::size_t> read_at(std::uint64_t source, std::uint64_t offset,
                                      std::string& raw) = 0;
  /// Decodes the bytes of the record at Record::offset, which are copied, into batch.records[0];
  /// its number and offset are 0.
  virtual void decode(std::uint64_t source, std::uint64_t offset, std::string_view raw,
                      const FieldNames& fields, RecordBatch& batch) const = 0;
  /// Has the source changed since the collection was made? A quick check, as of size and time.
  virtual bool has_changed(std::uint64_t source) const = 0;

  /// Holds decoded sources in memory as they are read, up to so many bytes in all: these can then
  /// be read at random. A source that does not fit is not held; after 0, no more are.
  virtual void hold_decoded(std::uint64_t /*most_bytes*/) {}
  /// Bytes of sources held.
  virtual std::uint64_t held_bytes() const { return 0; }
  virtual void drop_held() {}

  /// Makes the output for records of a source, `folder` + Source::name below `root`. The context's
  /// threads are as for create_bytes(), and its memory is for what waits to be written. Error
  /// (usage) if the collection has no place for records.
  virtual Result<std::unique_ptr<ByteSink>> create_output(std::uint64_t source,
                                                          const RunContext& context,
                                                          const std::string& root,
                                                          const std::string& folder) const = 0;
};

/// The id of a record that has none: FILE:RECORD, or FILE if that is one document.
std::string made_id(std::string_view file, bool one_document, std::uint64_t record);
inline std::string made_id(const Source& source, std::uint64_t record) {
  return made_id(source.shown, source.one_document, record);
}

/// The number of protected sources, which come first.
std::uint64_t protected_sources(const Collection& collection);

}  // namespace twinset
