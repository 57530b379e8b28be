// What a record of a web archive holds, and its decoding to the document that a run compares.
//
//   ArchivedPage page;
//   page.type = "response"; page.url = ...; page.content = block;   // by the format
//   look_into(page, false);                                         // finds the HTTP message
//
// Documents are the bodies with text: HTML pages, and other texts but for style sheets and scripts,
// unless these are asked for. Everything else is carried.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/http.h"
#include "io/reader.h"
#include "io/record.h"

namespace twinset {

/// A record, as views of its bytes.
struct ArchivedPage {
  // Set by the format:
  bool whole = false;          ///< of a kind that may hold a document, and not a part of one
  bool has_http = false;       ///< the content may be an HTTP response
  std::string_view content;    ///< after the record's head
  HeaderLines record_headers;  ///< of WARC; fields named "warc.NAME"
  std::string_view type;       ///< "response"
  std::string_view url;
  std::string date;  ///< as in WARC: "2024-05-01T12:00:00Z"
  std::string_view record_id;
  std::string_view truncated;
  std::string_view content_type;  ///< of the content, if it is no HTTP response
  // Set by look_into():
  HttpMessage http;  ///< of other content, only its body is set
  std::string mime;
  bool document = false;
  bool undecided = false;                 ///< a document if its body, once decoded, is one
  PageContent kind = PageContent::other;  ///< of one that is no document
  Markup markup = Markup::none;
};

/// Finds out whether the record is a document, and of what kind. `scripts`: FieldNames::scripts.
void look_into(ArchivedPage& page, bool scripts);

/// Record::text_bytes of such a record.
std::uint64_t archived_text_bytes(const ArchivedPage& page, std::uint64_t most);

/// Reader::decode() of an archive format. `read` fills the first part of a page from a record's
/// bytes; false if they are no record.
void decode_archived_pages(bool (*read)(std::string_view raw, ArchivedPage& page),
                           const FieldNames& fields, RecordBatch& batch);

}  // namespace twinset
