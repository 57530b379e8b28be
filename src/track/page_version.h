// A version of a page as a run keeps it: a document with its URL, its date, its hashes and its
// sketches. Versions are sorted by host, URL and date, out of core.
//
//   SortedRecords<PageVersion, ByPageAndDate> versions(options);
//
// Threads: values.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "base/hash.h"
#include "rows/sorted_records.h"
#include "text/dates.h"

namespace twinset {

struct PageVersion {
  std::string host;
  std::string url;
  Date date;
  std::string written;       ///< the date as its record has it
  std::string id;            ///< a JSON value
  std::uint64_t source = 0;  ///< with `record` its place in the inputs
  std::uint64_t record = 0;
  std::uint64_t bytes_hash = 0;
  Fingerprint tokens_hash;
  std::string signature;  ///< stored form; empty: none
  std::string sample;     ///< likewise

  void append_to(std::string& out) const;
  static bool take(EncodedBytes& rest, PageVersion& out);
  std::uint64_t memory_bytes() const;
};

struct ByPageAndDate {
  bool operator()(const PageVersion& a, const PageVersion& b) const {
    return std::tie(a.host, a.url, a.date, a.source, a.record) <
           std::tie(b.host, b.url, b.date, b.source, b.record);
  }
};

}  // namespace twinset
