// A sample of a collection's documents that includes their near copies, so that it has natural
// pairs to judge even if it is small compared with the collection.
//
//   DocumentSample sample({.documents = 2000}, 1);
//   for (each document) sample.add(text, shingles, place);
//   std::vector<SampledDocument> documents = std::move(sample).take();
//
// Those of the lowest ranks are taken (sample_rank.h). Of documents with one least shingle at most
// ten are, the shortest, so that one large cluster does not fill the sample.
//
// Threads: belongs to one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/evaluate.h"

namespace twinset {

/// The place of a document, and facts from its record.
struct DocumentPlace {
  std::uint64_t source = 0;
  std::uint64_t record = 0;
  std::string id;     ///< a JSON value
  std::string label;  ///< as the user gave it
  bool labeled = false;
};

/// The templates of a page, which are not compared.
struct PageTemplates {
  std::string text;
  std::uint64_t words = 0;  ///< of the whole page
  std::uint64_t words_left_out = 0;
};

struct SampledDocument {
  std::string text;  ///< what is compared
  DocumentPlace place;
  PageTemplates templates = {};
};

class DocumentSample {
 public:
  DocumentSample(const SampleLimits& limits, std::uint64_t seed)
      : limits_(limits), seed_(seed), scan_(limits) {}

  /// Ignores documents without shingles.
  void add(std::string_view text, std::span<const std::uint64_t> shingles, DocumentPlace place,
           PageTemplates templates = {});

  std::uint64_t seen() const { return seen_; }             ///< with at least one shingle
  std::uint64_t passed_over() const { return too_long_; }  ///< of those, too long
  std::uint64_t too_alike() const { return scan_.too_alike(); }
  bool too_much_text() const { return scan_.too_much_text(); }
  std::size_t size() const { return held_.size(); }
  std::uint64_t bytes() const { return scan_.bytes(); }

  /// In order of source and record.
  std::vector<SampledDocument> take() &&;

 private:
  SampleLimits limits_;
  std::uint64_t seed_;
  SampleScan scan_;
  std::map<SampleRank, SampledDocument> held_;
  std::vector<std::uint64_t> hashes_;  ///< scratch
  std::uint64_t seen_ = 0;
  std::uint64_t too_long_ = 0;
};

}  // namespace twinset
