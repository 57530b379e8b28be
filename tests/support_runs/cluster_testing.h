// Options for clustering a made-up collection, and its clusters by brute force over
// all pairs.
//
// Threads: one thread at a time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/document.h"
#include "io/json_read.h"
#include "support_runs/job_testing.h"
#include "text/analyzer.h"
#include "text/shingler.h"
#include "twinset/cluster.h"

namespace twinset::testing {

/// Reads and writes as `from` says; every shingle is a key, so that counts are exact.
inline ClusterOptions cluster_options(const DedupOptions& from) {
  ClusterOptions options;
  options.inputs = from.inputs;
  options.output = from.output;
  options.input = from.input;
  options.resources = from.resources;
  options.scheme = "mod(modulus=1)";
  return options;
}

using Clusters = std::map<std::string, std::vector<std::string>>;

inline Clusters read_clusters(const std::string& folder) {
  Clusters clusters;
  for (const std::string& text : lines_of(get_file(folder + "/clusters.jsonl.zst"))) {
    const Result<JsonNode> line = read_json(text, "clusters");
    EXPECT_TRUE(line.ok());
    std::vector<std::string> members;
    for (const JsonNode& member : line.value()["members"].elements()) {
      members.emplace_back(member["id"].raw());
    }
    clusters[std::string(line.value()["representative"]["id"].raw())] = members;
  }
  return clusters;
}

/// The properties of each document, by definition.
struct PlainDocument {
  std::string id;
  std::string text;
  std::vector<std::uint64_t> tokens;
  std::set<std::uint64_t> shingles;
};

inline std::vector<PlainDocument> plain_documents(const MadeCollection& collection,
                                                  const std::string& root) {
  std::vector<PlainDocument> documents;
  Analysis analysis;
  std::vector<std::uint64_t> shingles;
  for (const MadeFile& file : collection.files) {
    for (std::size_t i = 0; i < file.records.size(); ++i) {
      const MadeRecord& made = file.records[i];
      PlainDocument document;
      document.id =
          "\"" +
          (made.id.empty() ? root + "in/" + file.name + ":" + std::to_string(i + 1) : made.id) +
          "\"";
      document.text = made.text;
      find_analyzer("words")->analyze(made.text, Offsets::drop, analysis);
      document.tokens = analysis.tokens;
      shingle(analysis.tokens, 5, shingles);
      document.shingles.insert(shingles.begin(), shingles.end());
      documents.push_back(std::move(document));
    }
  }
  return documents;
}

/// Components by brute force: copies of equal tokens, and pairs whose shingles, common ones apart,
/// reach the thresholds.
inline Clusters expected_clusters(std::vector<PlainDocument> documents, double resemblance,
                                  double containment, std::uint64_t max_group) {
  std::vector<std::size_t> copy_of(documents.size());
  std::map<std::vector<std::uint64_t>, std::size_t> first_of_tokens;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    // Texts without tokens are no copies of one another.
    copy_of[i] = documents[i].tokens.empty()
                     ? i
                     : first_of_tokens.try_emplace(documents[i].tokens, i).first->second;
  }
  std::map<std::uint64_t, std::uint64_t> holders;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (copy_of[i] != i) continue;
    for (const std::uint64_t shingle : documents[i].shingles) ++holders[shingle];
  }
  for (PlainDocument& document : documents) {
    std::erase_if(document.shingles, [&](std::uint64_t shingle) {
      return max_group != 0 && holders[shingle] > max_group;
    });
  }
  std::vector<std::size_t> component(documents.size());
  std::iota(component.begin(), component.end(), 0);
  const auto join = [&](std::size_t a, std::size_t b) {
    const std::size_t from = std::max(component[a], component[b]);
    const std::size_t to = std::min(component[a], component[b]);
    if (from != to) std::replace(component.begin(), component.end(), from, to);
  };
  for (std::size_t a = 0; a < documents.size(); ++a) {
    join(a, copy_of[a]);
    for (std::size_t b = 0; b < a && copy_of[a] == a; ++b) {
      if (copy_of[b] != b) continue;
      const auto& left = documents[a].shingles;
      const auto& right = documents[b].shingles;
      const auto shared =
          static_cast<double>(std::count_if(left.begin(), left.end(), [&](std::uint64_t shingle) {
            return right.contains(shingle);
          }));
      const auto size = [](const std::set<std::uint64_t>& set) {
        return static_cast<double>(set.size());
      };
      if (shared == 0) continue;
      if (shared / (size(left) + size(right) - shared) >= resemblance ||
          shared / std::min(size(left), size(right)) >= containment) {
        join(a, b);
      }
    }
  }
  Clusters clusters;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (component[i] != i) clusters[documents[component[i]].id].push_back(documents[i].id);
  }
  return clusters;
}

/// The pairs of pairs.jsonl.zst: ids, the later first, and the three numbers.
using ReadPairs = std::map<std::pair<std::string, std::string>, std::vector<std::uint64_t>>;

inline ReadPairs read_pairs(const std::string& folder) {
  ReadPairs pairs;
  std::map<DocumentId, std::string> ids;
  const auto document = [](const JsonNode& input, const JsonNode& record) {
    return DocumentId(*input.integer(), *record.integer());
  };
  for (const std::string& text : lines_of(get_file(folder + "/pairs.jsonl.zst"))) {
    const Result<JsonNode> line = read_json(text, "pairs");
    EXPECT_TRUE(line.ok());
    const std::string id(line.value()["id"].raw());
    ids[document(line.value()["input"], line.value()["record"])] = id;
    for (const JsonNode& pair : line.value()["pairs"].elements()) {
      const auto numbers = pair.elements();
      pairs[{id, ids[document(numbers[0], numbers[1])]}] = {
          *numbers[2].integer(), *numbers[3].integer(), *numbers[4].integer()};
    }
  }
  return pairs;
}

inline std::uint64_t shared_shingles(const PlainDocument& a, const PlainDocument& b) {
  std::uint64_t shared = 0;
  for (const std::uint64_t shingle : a.shingles) shared += b.shingles.contains(shingle) ? 1 : 0;
  return shared;
}

inline constexpr double no_containment = 2;

}  // namespace twinset::testing
