// One record of one input, by its number, for compare, spans and explain.
//
// Threads: any; the functions only read.
#pragma once

#include <cstdint>
#include <string>

#include "io/reader.h"
#include "scheme/record_view.h"
#include "system/files.h"
#include "twinset/collection.h"
#include "twinset/result.h"

namespace twinset {

struct OneRecord {
  std::string text;
  Markup markup = Markup::none;
  std::string path;     ///< of its file, as the user wrote it
  std::string field{};  ///< the value of the first named field, as written
  std::string url{};    ///< of a page in an archive: its own address
};

/// Reads `input` up to record `number`. Errors: io; usage if the record does not exist or is
/// not a document.
Result<OneRecord> read_one_record(FileSystem& files, const Input& input, const FieldNames& fields,
                                  const ReaderLimits& limits, std::uint64_t number);

/// Reads "FILE" or "FILE:RECORD"; a file whose name is the whole is that file. `features`: texts
/// are lists of ids. `field` is the name of a field to read, or empty. `spool` is a path for the
/// bytes of standard input or of a pipe; its file is made. Errors: as read_one_record(); usage if a
/// file of records comes without a number.
Result<OneRecord> read_document(FileSystem& files, const std::string& argument,
                                const InputSettings& settings, bool features,
                                const std::string& field = {}, const std::string& spool = {});

/// A visible text for people: the text of a page has at most one blank line in a row, because pages
/// are full of empty elements.
std::string shown_text(const RecordView& view);

}  // namespace twinset
