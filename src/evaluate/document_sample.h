// A sample of a collection's documents that includes their near copies, so that it has natural
// pairs to judge even if it is small compared with the collection.
//
//   DocumentSample sample({.documents = 2000, .seed = 1});
//   for (each document) sample.add(text, shingles, place);
//   std::vector<SampledDocument> documents = std::move(sample).take();
//
// Documents are ranked by the least seeded hash of their shingles (a coordinated sample). If n
// shingles have m as the least of their hashes in [0, 1), -n ln(1 - m) has the same distribution
// for every n, the exponential one: so each document, short or long, is as likely as any other. If
// one is taken, the chance that another is taken too is about the share of its shingles that both
// have, if they are about as long. No scheme uses this hash, so none is favored. Of documents with
// one least shingle at most ten are taken, the shortest, so that one large cluster does not fill
// the sample.
//
// Threads: belongs to one.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

struct DocumentSampleOptions {
  std::uint64_t documents = 2000;
  std::uint64_t seed = 1;
  /// Longer documents are left out.
  std::uint64_t max_document_bytes = std::uint64_t{256} << 10;
  /// Text held in all; beyond it, fewer documents are sampled.
  std::uint64_t max_bytes = std::uint64_t{24} << 20;
};

class DocumentSample {
 public:
  explicit DocumentSample(const DocumentSampleOptions& options) : options_(options) {}

  /// Ignores documents without shingles.
  void add(std::string_view text, std::span<const std::uint64_t> shingles, DocumentPlace place,
           PageTemplates templates = {});

  std::uint64_t seen() const { return seen_; }             ///< with at least one shingle
  std::uint64_t passed_over() const { return too_long_; }  ///< of those, too long
  std::uint64_t too_alike() const { return too_alike_; }   ///< dropped: ten like it are taken
  bool too_much_text() const { return too_much_text_; }    ///< fewer are held than asked for
  std::size_t size() const { return held_.size(); }
  std::uint64_t bytes() const { return bytes_; }

  /// In order of source and record.
  std::vector<SampledDocument> take() &&;

 private:
  static constexpr std::size_t most_of_one_shingle = 10;
  struct Rank {
    double score = 0;
    std::uint64_t place = 0;
    auto operator<=>(const Rank&) const = default;
  };
  struct Held {
    SampledDocument document;
    std::uint64_t shingle = 0;  ///< the least hash
  };
  void drop(Rank rank);

  DocumentSampleOptions options_;
  std::map<Rank, Held> held_;
  std::map<std::uint64_t, std::set<Rank>> of_shingle_;  ///< held documents by their least hash
  Rank least_dropped_{std::numeric_limits<double>::infinity(), 0};
  std::vector<std::uint64_t> hashes_;  ///< scratch
  std::uint64_t bytes_ = 0;
  std::uint64_t seen_ = 0;
  std::uint64_t too_long_ = 0;
  std::uint64_t too_alike_ = 0;
  bool too_much_text_ = false;
};

}  // namespace twinset
