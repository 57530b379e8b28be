#include "cluster/common_shingles.h"

#include <algorithm>
#include <map>
#include <string>

#include "run/names.h"
#include "run/texts.h"
#include "text/shingler.h"

namespace twinset {
namespace {

/// Makes the samples' texts readable, also from compressed inputs.
Status extract_samples(const Job& job, const DocumentTable& documents,
                       std::span<const CommonKey> keys, Texts& texts) {
  RowFile<Edge> edges({&job.context, job.spill + "samples", 0, job.signer.fingerprint});
  for (const CommonKey& key : keys) {
    const Place place = documents.place(key.sample);
    TWINSET_TRY(edges.append(Edge{.pair = {place, place}}));
  }
  TWINSET_TRY(edges.seal());
  TWINSET_ASSIGN(const auto cursor, edges.read());
  TWINSET_TRY(texts.extract(*cursor));
  return edges.discard();
}

/// Finds the words of each wanted key in a document.
class ShingleFinder {
 public:
  ShingleFinder(const Job& job, const Scheme& scheme) : job_(job), scheme_(scheme) {}

  void find(const std::string& text, std::map<std::uint64_t, std::string>& wanted) {
    job_.signer.view.analyzer->analyze(text, Offsets::keep, analysis_);
    shingle(analysis_.tokens, job_.signer.view.shingle_tokens, shingles_);
    for (std::size_t i = 0; i < shingles_.size(); ++i) {
      const std::size_t width =
          std::min<std::size_t>(job_.signer.view.shingle_tokens, analysis_.tokens.size());
      const auto first = analysis_.tokens.begin() + static_cast<std::ptrdiff_t>(i);
      window_.tokens.assign(first, first + static_cast<std::ptrdiff_t>(width));
      // A sketch of one shingle has that shingle's key, if any.
      scheme_.sketch(GivenView(text, window_, {&shingles_[i], 1}), sketch_);
      keys_.clear();
      scheme_.keys(sketch_, keys_);
      if (keys_.empty()) continue;
      const auto found = wanted.find(keys_.front());
      if (found == wanted.end() || !found->second.empty()) continue;
      const std::uint32_t begin = analysis_.offsets[i].begin;
      found->second = text.substr(begin, analysis_.offsets[i + width - 1].end - begin);
    }
  }

 private:
  const Job& job_;
  const Scheme& scheme_;
  Analysis analysis_;
  Analysis window_;  ///< the tokens of one shingle
  std::vector<std::uint64_t> shingles_;
  std::vector<std::uint64_t> keys_;
  Sketch sketch_;
};

}  // namespace

Result<std::vector<CommonShingle>> common_shingles(const Job& job, const RecordFiles& records,
                                                   const DocumentTable& documents,
                                                   std::span<const CommonKey> keys) {
  std::vector<CommonShingle> shingles;
  if (keys.empty()) return shingles;
  Texts texts(job, records, documents);
  TWINSET_TRY(extract_samples(job, documents, keys, texts));
  std::map<DocumentId, std::map<std::uint64_t, std::string>> wanted;
  for (const CommonKey& key : keys) wanted[key.sample][key.key];
  ShingleFinder finder(job, *job.signer.counted_scheme());
  std::string text;
  for (auto& [document, words] : wanted) {
    TokenRanges left_out;
    TWINSET_TRY(texts.see(document, text, left_out));
    finder.find(text, words);
    text.clear();
  }
  Names names(job, records, documents);
  DocumentName name;
  for (const CommonKey& key : keys) {
    TWINSET_TRY(names.find(documents.index(key.sample), name));
    shingles.push_back({key.documents, name.id, wanted[key.sample][key.key]});
  }
  return shingles;
}

}  // namespace twinset
