// The one way in: turns an input's bytes into batches of records.
//
//   auto reader = open_reader(*context.files, input, limits);
//   RecordBatch batch;
//   while (reader.value()->read(batch).value()) reader.value()->decode(fields, batch);
//
// A format is one file in src/io/formats that declares its name, extensions and
// maker; CMake lists the folder. Compression is independent of the format.
//
// A bad record, or a truncated or corrupt stream, is never an Error: it is a Record with `bad` set,
// and everything still readable is read. Error is for the file system.
//
// Threads: read() one thread at a time; decode() any thread, one per batch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/record.h"
#include "system/context.h"
#include "system/files.h"
#include "text/analyzer.h"
#include "twinset/result.h"

namespace twinset {

struct StoredFrame;

enum class Compression : std::uint8_t { none, gzip, zstd };

/// Bytes that come only once, and perhaps slowly: the first ones, which were looked at, and those
/// after them.
struct InputStream {
  std::string head;
  std::unique_ptr<File> rest;  ///< null: taken
};

/// One file to read, as found by expand_inputs().
struct Input {
  std::string path;              ///< to open; the spool's path for standard input
  std::string shown;             ///< as the user wrote or would write it
  std::string name;              ///< relative path below the inputs' common parent: output's name
  std::string_view format;       ///< a format's name
  Markup markup = Markup::none;  ///< of its records' texts
  Compression compression = Compression::none;
  std::uint64_t window_bytes = 0;  ///< that its first zstd frame asks for
  std::uint32_t argument = 0;      ///< the argument it came from, from 0
  bool reference = false;          ///< given by --against: protected
  bool walked = false;             ///< found in a folder, not named
  bool guessed = false;            ///< its content told the format, and its name did not
  std::string header{};            ///< its first line, if its records need it (HeaderFormat)
  FileStatus status;               ///< at the time it was found
  /// Read in place of `path`, by one reader; null: `path` is.
  std::shared_ptr<InputStream> stream{};
};

inline constexpr std::size_t max_named_fields = 30;

/// The fields of a record to read; names nested by dots ("meta.text").
struct FieldNames {
  /// Also several, and those of each element of a list: "title,messages[].content"
  /// (io/json_texts.h).
  std::string text = "text";
  std::string id = "id";
  std::vector<std::string> named;  ///< the fields of Record::fields, at most max_named_fields
  /// The text is a list of features (io/feature_list.h), kept as written.
  bool features = false;
  /// Scripts, style sheets and empty pages of archives are documents, too.
  bool scripts = false;
  /// Quoted replies and signatures are no part of a mail's text (io/mail_quotes.h).
  bool drop_mail_quotes = false;
};

struct ReaderLimits {
  std::uint64_t max_record_bytes = std::uint64_t{64} << 20;
  /// Longer records, up to max_record_bytes, are not held: they have number and length only, and
  /// are `over_memory`.
  std::uint64_t max_held_bytes = UINT64_MAX;
  /// Streams are never held whole, so a decompression bomb costs time, not memory. A bomb is a
  /// stream that decodes to more than `ratio_floor_bytes` and to more than `max_ratio` times its
  /// stored size (0: no such cap)...
  std::uint64_t ratio_floor_bytes = std::uint64_t{64} << 30;
  std::uint64_t max_ratio = 1000;
  /// ...or to more than this, whatever its ratio (0: no cap).
  std::uint64_t max_decoded_bytes = std::uint64_t{1} << 44;
  /// The memory that a zstd frame may ask for (zstd --long=31: 2 GiB). For one that asks for more,
  /// read() returns an Error that ends with `window_remedy` of those bytes.
  std::uint64_t max_window_bytes = std::uint64_t{1} << 31;
  std::function<std::string(std::uint64_t window_bytes)> window_remedy = {};
  bool scripts = false;  ///< FieldNames::scripts
  /// A batch ends with the records that are there, before more bytes are waited for (formats that
  /// FormatDeclaration::streams).
  bool as_it_comes = false;
  /// The fields that decode() will be asked for, which outlive the reader; null: FieldNames(). A
  /// format of columns reads no others.
  const FieldNames* fields = nullptr;
  /// Receives the frames of a packed input: those that end before a byte is read precede it.
  std::vector<StoredFrame>* frames = nullptr;
  /// Bytes of records in a batch; a batch and its buffers fit the cache of a core.
  std::uint64_t batch_bytes = std::uint64_t{512} << 10;

  /// Are so many bytes decoded from so many stored ones those of a bomb?
  bool is_bomb(std::uint64_t decoded, std::uint64_t stored) const {
    const bool over_ratio =
        max_ratio != 0 && decoded > ratio_floor_bytes && decoded / max_ratio > stored;
    return over_ratio || (max_decoded_bytes != 0 && decoded > max_decoded_bytes);
  }
};

class Reader {
 public:
  virtual ~Reader() = default;
  /// Replaces `batch` with the next records; false at the end (batch empty). A
  /// batch before the end may be empty too: only blank lines, or the middle of a
  /// record that is skipped.
  virtual Result<bool> read(RecordBatch& batch) = 0;
  /// Sets text, id, fields and bad of each record that is not bad yet.
  virtual void decode(const FieldNames& fields, RecordBatch& batch) const = 0;
};

struct FormatDeclaration {
  std::string_view name;                         ///< "jsonl"
  std::span<const std::string_view> extensions;  ///< ".jsonl", ".ndjson"; before .gz and .zst
  std::string_view summary;
  std::string_view begins = {};  ///< bytes by which it is known without a name; empty: none
  Markup markup = Markup::none;  ///< of its texts; decode() may take it off a record
  bool one_document = false;     ///< a file is one document, kept or removed as a whole
  /// Packed files have a gzip member or zstd frame a record, so that readers may begin at any.
  bool own_members = false;
  bool streams = false;  ///< its records can be read before the next ones are there
  /// Its texts are made of parts of a record, and stand nowhere in it as they are.
  bool made_texts = false;
};

class ByteSource;
class ByteSink;

/// What a format of tables does beside the others. A record is a row, whose bytes are made when it
/// is read: they go through make() and decode(), and to no output. An output is a copy of the input
/// with some of its rows.
struct RowFormat {
  /// The rows as a stream of bytes for make().
  Result<std::unique_ptr<ByteSource>> (*open)(FileSystem& files, const Input& input,
                                              const ReaderLimits& limits);
  /// Why the file cannot be read, in words after its name, before it is read; empty if it can, or
  /// if it is damaged, which its reader finds. `text`: FieldNames::text.
  std::string (*look)(FileSystem& files, const std::string& path, std::string_view text);
  /// A sink that takes rows of `from`, ascending, each as append_row_number() or append_row_text()
  /// writes it, whole ones at a time, and makes `path` of these. What waits to be written takes at
  /// most the context's memory, and the rest a file in its folder for spills.
  std::unique_ptr<ByteSink> (*copy)(const RunContext& context, const std::string& from,
                                    const std::string& path);
  /// The text in the bytes of a row that has one, as the file has it.
  std::string_view (*text)(std::string_view row);
};

/// What a format does whose records are not read without the file's first line, as the rows of a
/// table in text. That line is a record of the file, carried and a frame.
struct HeaderFormat {
  /// The line in the first bytes of a file, with its end; empty if it is not there. `whole`: these
  /// are all of the file.
  std::string_view (*find)(std::string_view head, bool whole);
  /// Why records cannot be read with it, in words after the file's name; empty if they can.
  /// `text`: FieldNames::text; empty: any will do.
  std::string (*look)(std::string_view header, std::string_view text);
};

struct FormatEntry {
  const FormatDeclaration* declaration;
  std::unique_ptr<Reader> (*make)(std::unique_ptr<ByteSource> bytes, const ReaderLimits& limits);
  /// Reader::decode() for records from elsewhere.
  void (*decode)(const FieldNames& fields, RecordBatch& batch);
  const RowFormat* rows = nullptr;       ///< of a format of tables
  const HeaderFormat* headed = nullptr;  ///< of a format with a first line
  /// Makes an output of some of a file's records whole, where these alone are none; else null.
  std::unique_ptr<ByteSink> (*wrap)(std::unique_ptr<ByteSink> sink) = nullptr;
  /// Why this build does not read the format, in words after a file's name; empty if it does. Null:
  /// every build does.
  std::string_view (*missing)() = nullptr;
};

/// All formats, by name. Generated from the folder at build time.
std::span<const FormatEntry* const> formats();

/// The format of that name, or nullptr.
const FormatEntry* find_format(std::string_view name);
/// The format whose files begin as `head` does, or nullptr.
const FormatEntry* format_by_head(std::string_view head);

/// Is the file one document, kept or removed as a whole?
bool is_one_document(const Input& input);
/// Does an output need more than its records: a first line, brackets?
bool is_framed(const Input& input);
/// Are its texts made of parts of records (FormatDeclaration::made_texts)?
bool has_made_texts(const Input& input);
/// Is it packed, and each record a member or frame of its own?
bool has_own_members(const Input& input);

/// The format of tables that the input is in, or nullptr.
const RowFormat* row_format(const Input& input);
/// The number of a row, from 1, for RowFormat::copy.
void append_row_number(std::string& out, std::uint64_t row);
/// The same of a row with another text. Before the first one, row 0 names the column of texts.
void append_row_text(std::string& out, std::uint64_t row, std::string_view text);
/// The bit of a number after which a text follows: 8 bytes of its length, and its bytes.
inline constexpr std::uint64_t row_text_mark = std::uint64_t{1} << 63;

/// Is a file read in `format`, found by its name or bytes, although --format says `forced`? A
/// format of single pages only says that the texts of records are pages.
bool keeps_format(const FormatDeclaration* forced, std::string_view format);

/// The decoded bytes of an input, for make_reader().
Result<std::unique_ptr<ByteSource>> open_input(FileSystem& files, const Input& input,
                                               const ReaderLimits& limits);

Result<std::unique_ptr<Reader>> open_reader(FileSystem& files, const Input& input,
                                            const ReaderLimits& limits);

/// The same for bytes of the input from any source.
Result<std::unique_ptr<Reader>> make_reader(const Input& input, std::unique_ptr<ByteSource> bytes,
                                            const ReaderLimits& limits);

/// Decodes one record read again (`raw` is copied), into batch.records[0]; its number and offset
/// are 0.
void decode_record(const Input& input, std::string_view raw, const FieldNames& fields,
                   RecordBatch& batch);

}  // namespace twinset
