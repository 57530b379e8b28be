// The header of every file, the table as JSON with its own checksum, then blocks of terms, and an
// end mark that vouches for their number. A term is written as the bytes that it adds to the term
// before it.
//
// Every checksum is seeded with the place of its bytes and the fingerprint of the analyzer, so that
// a damaged or moved block is an error.
//
// This file's interface is stats/term_file.h; the rest is private.
#include "stats/term_file.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <span>

#include "base/file_header.h"
#include "base/hash.h"
#include "base/message.h"
#include "base/varint.h"
#include "io/field_json.h"
#include "rows/block_file.h"
#include "stats/tables.h"
#include "stats/term_fields.h"
#include "system/clean_up.h"

namespace twinset {
namespace {

constexpr std::uint32_t format_version = 1;
constexpr std::string_view df_format = "df";
constexpr std::string_view lexicon_format = "lexicon";
constexpr std::size_t usual_block_bytes = std::size_t{16} << 10;
constexpr std::size_t most_block_bytes = usual_block_bytes + max_term_bytes + 3 * max_varint_bytes;
constexpr std::uint64_t most_table_bytes = std::uint64_t{16} << 20;

/// Before the table, before each block, and at the end, where both numbers are 0.
struct PieceHeader {
  std::uint32_t bytes = 0;
  std::uint32_t terms = 0;  ///< 0 of the table
  std::uint64_t checksum = 0;
};
static_assert(sizeof(PieceHeader) == 16);

std::string_view view(const void* bytes, std::size_t size) {
  return {static_cast<const char*>(bytes), size};
}

std::uint64_t piece_checksum(const PieceHeader& header, std::string_view bytes,
                             std::uint64_t offset, std::uint64_t terms_before,
                             std::uint64_t fingerprint) {
  const std::uint64_t numbers[] = {offset, terms_before, header.bytes, header.terms};
  return checksum(bytes, checksum(view(numbers, sizeof numbers), fingerprint));
}

std::string_view format_of(const TermTable& table) {
  return table.is_lexicon() ? lexicon_format : df_format;
}

Error damaged_file(const std::string& path, std::uint64_t offset, std::string_view how) {
  return io_error(path + " is damaged at byte " + std::to_string(offset) + ": " + std::string(how) +
                  "; count or build it again");
}

/// Exactly `size` bytes at `offset`.
Status read_exactly(File& file, const std::string& path, std::uint64_t offset, std::size_t size,
                    std::string& out) {
  out.resize(size);
  std::size_t filled = 0;
  while (filled < size) {
    TWINSET_ASSIGN(const std::size_t got,
                   file.read_at(offset + filled, out.data() + filled, size - filled));
    if (got == 0) return damaged_file(path, offset + filled, "it is cut off");
    filled += got;
  }
  return {};
}

/// Reads the piece at `offset` and moves `offset` after it.
Result<PieceHeader> read_piece(File& file, const std::string& path, std::uint64_t fingerprint,
                               std::uint64_t most_bytes, std::uint64_t terms_before,
                               std::uint64_t& offset, std::string& out) {
  TWINSET_TRY(read_exactly(file, path, offset, sizeof(PieceHeader), out));
  PieceHeader header;
  std::memcpy(&header, out.data(), sizeof header);
  if (header.bytes > most_bytes) {
    return damaged_file(path, offset,
                        "a block of " + std::to_string(header.bytes) + " bytes; it can have " +
                            std::to_string(most_bytes));
  }
  TWINSET_TRY(read_exactly(file, path, offset + sizeof header, header.bytes, out));
  if (piece_checksum(header, out, offset, terms_before, fingerprint) != header.checksum) {
    return damaged_file(path, offset, "a block fails its checksum");
  }
  offset += sizeof header + header.bytes;
  return header;
}

}  // namespace

std::uint64_t terms_fingerprint(std::string_view analyzer, std::uint32_t version) {
  return checksum("terms of analyzer " + std::string(analyzer) + " " + std::to_string(version) +
                  "; hash " + std::to_string(hash_version));
}

// Writing.

TermWriter::TermWriter(const RunContext& context, std::string path, const TermTable& table)
    : context_(context),
      table_(table),
      partial_(path + ".partial"),
      fingerprint_(terms_fingerprint(table.analyzer, table.analyzer_version)) {
  table_.path = std::move(path);
  table_.terms = 0;
}

TermWriter::~TermWriter() {
  if (file_ == nullptr) return;
  file_.reset();
  // The next attempt would remove it anyway.
  clean_up([&] { return context_.files->remove_file(partial_); });
}

Status TermWriter::start() {
  TWINSET_TRY(remove_if_there(*context_.files, partial_));
  TWINSET_ASSIGN(file_, context_.files->open(partial_, OpenMode::create));
  const std::string json = fields_json(stored_fields(table_));
  if (json.size() > most_table_bytes) {
    return usage_error("the names of the inputs are too long to be kept in " + table_.path +
                       "; name their folder");
  }
  PieceHeader header{.bytes = static_cast<std::uint32_t>(json.size())};
  header.checksum = piece_checksum(header, json, file_header_bytes, 0, fingerprint_);
  std::string front(file_header_bytes, '\0');  // Written last.
  front += view(&header, sizeof header);
  front += json;
  end_ = front.size();
  return file_->append(front);
}

Status TermWriter::append(const CountedTerm& term) {
  assert(term.text.size() <= max_term_bytes && term.documents <= table_.documents);
  assert(table_.terms == 0 || last_ < term.text);
  if (file_ == nullptr) TWINSET_TRY(start());
  std::size_t shared = 0;
  if (block_terms_ > 0) {
    const std::size_t most = std::min(last_.size(), term.text.size());
    while (shared < most && last_[shared] == term.text[shared]) ++shared;
  }
  append_varint(shared, block_);
  append_varint(term.text.size() - shared, block_);
  block_ += term.text.substr(shared);
  append_varint(term.documents << 2 | static_cast<std::uint64_t>(term.part), block_);
  last_ = term.text;
  ++block_terms_;
  ++table_.terms;
  return block_.size() < usual_block_bytes ? Status() : flush();
}

Status TermWriter::flush() {
  TWINSET_TRY(context_.check_cancelled());
  PieceHeader header{.bytes = static_cast<std::uint32_t>(block_.size()),
                     .terms = static_cast<std::uint32_t>(block_terms_)};
  header.checksum = piece_checksum(header, block_, end_, table_.terms - block_terms_, fingerprint_);
  block_.insert(0, view(&header, sizeof header));
  TWINSET_TRY(file_->append(block_));
  end_ += block_.size();
  block_.clear();
  block_terms_ = 0;
  return {};
}

Result<TermTable> TermWriter::finish() {
  if (file_ == nullptr) TWINSET_TRY(start());
  if (block_terms_ > 0) TWINSET_TRY(flush());
  TWINSET_TRY(flush());  // An empty block is the end.
  TWINSET_TRY(file_->write_at(0, encode_file_header({.format = std::string(format_of(table_)),
                                                     .version = format_version,
                                                     .fingerprint = fingerprint_,
                                                     .rows = table_.terms})));
  TWINSET_TRY(file_->sync());
  TWINSET_ASSIGN(const Fingerprint hash, fingerprint_file(*context_.files, partial_));
  TWINSET_TRY(context_.files->rename(partial_, table_.path));
  file_.reset();
  table_.hash = fingerprint_text(hash);
  return table_;
}

// Reading.

Result<bool> TermFile::is_one(FileSystem& files, const std::string& path) {
  TWINSET_ASSIGN(const FileStatus status, files.status(path));
  if (status.kind != FileStatus::Kind::regular) return false;
  TWINSET_ASSIGN(const std::unique_ptr<File> file, files.open(path, OpenMode::read));
  char bytes[file_header_bytes];
  TWINSET_ASSIGN(const std::size_t got, file->read_at(0, bytes, sizeof bytes));
  const std::string_view front(bytes, got);
  const auto begins_as = [&](std::string_view format) {
    std::string name = "twinset\n" + std::string(format);
    name.resize(16, '\0');
    return front.starts_with(name);
  };
  return begins_as(df_format) || begins_as(lexicon_format);
}

Result<TermFile> TermFile::open(FileSystem& files, const std::string& path) {
  TWINSET_ASSIGN(std::unique_ptr<File> file, files.open(path, OpenMode::read));
  TWINSET_ASSIGN(TermFile opened, read(std::move(file), path));
  TWINSET_ASSIGN(const Fingerprint hash, fingerprint_file(files, path));
  opened.table_.hash = fingerprint_text(hash);
  return opened;
}

Result<TermFile> TermFile::open_named(FileSystem& files, const std::string& name) {
  if (!is_built_in_table(name)) return open(files, name);
  TWINSET_ASSIGN(TermFile opened, read(open_built_in_table(name), name));
  TWINSET_ASSIGN(const Fingerprint hash, fingerprint_table(files, name));
  opened.table_.hash = fingerprint_text(hash);
  return opened;
}

Result<TermFile> TermFile::read(std::unique_ptr<File> file, const std::string& path) {
  TermFile opened;
  opened.table_.path = path;
  opened.file_ = std::move(file);
  std::string bytes(file_header_bytes, '\0');
  TWINSET_ASSIGN(const std::size_t got, opened.file_->read_at(0, bytes.data(), bytes.size()));
  bytes.resize(got);
  TWINSET_ASSIGN(const FileHeader header, decode_any_file_header(path, bytes));
  if (header.format != df_format && header.format != lexicon_format) {
    return io_error(path + " holds \"" + header.format +
                    "\" where a df file or a lexicon should be; " + verb("lexicon") +
                    " makes them");
  }
  if (header.version != format_version) {
    return io_error(path + " is of \"" + header.format + "\" version " +
                    std::to_string(header.version) + "; this twinset reads version " +
                    std::to_string(format_version) + ": make it again with this one");
  }
  opened.fingerprint_ = header.fingerprint;
  opened.begin_ = file_header_bytes;
  TWINSET_TRY(read_piece(*opened.file_, path, header.fingerprint, most_table_bytes, 0,
                         opened.begin_, bytes));
  TWINSET_ASSIGN(const JsonNode json, read_json(bytes, path));
  TermTable& table = opened.table_;
  table.terms = header.rows;
  if (!read_fields(bytes, path, json, stored_fields(table)).ok() ||
      table.is_lexicon() != (header.format == lexicon_format)) {
    return opened.damaged(file_header_bytes, "its description is not one");
  }
  if (header.fingerprint != terms_fingerprint(table.analyzer, table.analyzer_version)) {
    return io_error(path + " has terms of another version of the analyzer " + table.analyzer +
                    " or of its hash than its name tells; count it again");
  }
  return opened;
}

Error TermFile::damaged(std::uint64_t offset, std::string_view how) const {
  return damaged_file(table_.path, offset, how);
}

Status TermFile::for_each(const std::function<Status(const CountedTerm&)>& use) const {
  std::uint64_t offset = begin_;
  std::uint64_t terms = 0;
  std::uint64_t primary = 0;
  std::uint64_t secondary = 0;
  std::string block;
  std::string text;
  std::string before;
  while (true) {
    const std::uint64_t at = offset;
    TWINSET_ASSIGN(const PieceHeader header, read_piece(*file_, table_.path, fingerprint_,
                                                        most_block_bytes, terms, offset, block));
    if (header.bytes == 0 && header.terms == 0) break;
    std::span<const std::uint8_t> rest(reinterpret_cast<const std::uint8_t*>(block.data()),
                                       block.size());
    text.clear();
    for (std::uint32_t i = 0; i < header.terms; ++i) {
      std::uint64_t shared = 0;
      std::uint64_t added = 0;
      std::uint64_t count = 0;
      if (!take_varint(rest, shared) || !take_varint(rest, added) || shared > text.size() ||
          added > rest.size() || shared + added > max_term_bytes) {
        return damaged(at, "a term of its block is cut off");
      }
      text.resize(static_cast<std::size_t>(shared));
      text.append(reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(added));
      rest = rest.subspan(static_cast<std::size_t>(added));
      if (!take_varint(rest, count)) return damaged(at, "a count of its block is cut off");
      const CountedTerm term{text, count >> 2, static_cast<TermPart>(count & 3)};
      const bool ranked = term.part == TermPart::primary || term.part == TermPart::secondary;
      if (term.documents == 0 || term.documents > table_.documents || (count & 3) == 3 ||
          ranked != table_.is_lexicon() ||
          (term.part == TermPart::secondary && !table_.secondary.has_value())) {
        return damaged(at, "a term of its block has an impossible count");
      }
      if (terms > 0 && text <= before) return damaged(at, "its terms are not in order");
      primary += term.part == TermPart::primary ? 1 : 0;
      secondary += term.part == TermPart::secondary ? 1 : 0;
      ++terms;
      TWINSET_TRY(use(term));
      before = text;
    }
    if (!rest.empty()) return damaged(at, "a block goes on after its last term");
  }
  if (terms != table_.terms || (table_.primary.has_value() && table_.primary->terms != primary) ||
      (table_.secondary.has_value() && table_.secondary->terms != secondary)) {
    return damaged(offset, "it has " + std::to_string(terms) + " terms where others are said");
  }
  TWINSET_ASSIGN(const std::uint64_t size, file_->size());
  if (size != offset) return damaged(offset, "it goes on after its end");
  return {};
}

}  // namespace twinset
