// A finished run compared with the exact answers: every removal proved again from token tuples,
// every record accounted for, and missed pairs counted.
//
// Threads: one thread at a time.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "evaluate/oracle.h"
#include "evaluate/tally.h"
#include "support_runs/exact_shingles.h"
#include "support_runs/job_testing.h"
#include "text/analyzer.h"

namespace twinset::testing {

/// The expected results of a run, as far as they do not depend on sketches.
class OracleCheck {
 public:
  OracleCheck(const MadeCollection& collection, const DedupOptions& options)
      : collection_(collection), options_(options) {
    const Analyzer* words = find_analyzer("words");
    Analysis analysis;
    // References are numbered before inputs.
    for (const bool reference : {true, false}) {
      for (const MadeFile& file : collection.files) {
        if (file.reference != reference) continue;
        const std::string folder = options.output.substr(0, options.output.size() - 3);
        const std::string shown = folder + (reference ? "ref/" : "in/") + file.name;
        for (std::size_t i = 0; i < file.records.size(); ++i) {
          Document document{&file.records[i], shown, i + 1, reference, {}};
          words->analyze(document.made->text, Offsets::drop, analysis);
          document.tokens = analysis.tokens;
          by_place_[{shown, i + 1}] = documents_.size();
          documents_.push_back(std::move(document));
        }
      }
    }
  }

  /// Checks everything that must hold for `output` without exception.
  void check(const DedupSummary& summary, const RunOutput& output) {
    removed_.clear();
    for (const RemovedLine& line : output.removed) check_removed(line);
    check_survivors();
    check_filtered();
    check_kept(output);
    check_counts(summary);
    check_clusters(summary, output);
    check_copies();
  }

  /// Adds to `at_90` and `at_80` the pairs of at least that resemblance of which not both are kept.
  /// Pairs of two references do not count.
  void add_recall(Tally& at_90, Tally& at_80) const {
    std::vector<std::span<const std::uint64_t>> tokens;
    for (const Document& document : documents_) {
      tokens.emplace_back(filtered(document) ? std::span<const std::uint64_t>{} : document.tokens);
    }
    auto collection = ShingleCollection::make(tokens, 5, std::uint64_t{1} << 30);
    ASSERT_TRUE(collection.ok());
    for (const ExactPair& pair : all_exact_pairs(collection.value(), {{4, 5}, {}})) {
      if (documents_[pair.a].reference && documents_[pair.b].reference) continue;
      const bool found = removed_.contains(pair.a) || removed_.contains(pair.b);
      at_80.add(found);
      if (pair.resemblance().at_least({9, 10})) at_90.add(found);
    }
  }

  /// Counts the pairs of which one is contained in the other by at least the threshold, by distinct
  /// shingles of the smaller one, and of which not both are kept.
  void add_containment(std::uint64_t least_shingles, Tally& found) const {
    std::vector<std::span<const std::uint64_t>> tokens;
    for (const Document& document : documents_) {
      tokens.emplace_back(filtered(document) ? std::span<const std::uint64_t>{} : document.tokens);
    }
    auto collection = ShingleCollection::make(tokens, 5, std::uint64_t{1} << 30);
    ASSERT_TRUE(collection.ok());
    const Ratio& bound = *options_.containment;
    for (const ExactPair& pair : all_exact_pairs(collection.value(), {{1, 1}, bound})) {
      if (documents_[pair.a].reference && documents_[pair.b].reference) continue;
      if (std::min(pair.a_size, pair.b_size) < least_shingles) continue;
      // Only the later document in keep order may go, and only if it is contained in the other.
      const bool a_first = ahead(pair.a, pair.b);
      const Fraction of_later = a_first ? pair.containment_b_in_a() : pair.containment_a_in_b();
      if (!of_later.at_least(bound)) continue;
      found.add(removed_.contains(pair.a) || removed_.contains(pair.b));
    }
  }

  std::size_t removals() const { return removed_.size(); }

 private:
  struct Document {
    const MadeRecord* made;
    std::string file;
    std::uint64_t record;
    bool reference;
    std::vector<std::uint64_t> tokens;
  };
  struct Removal {
    std::size_t survivor;
    std::string kind;
  };

  bool filtered(const Document& document) const {
    return document.tokens.size() < options_.min_tokens;
  }

  std::string name_of(const Document& document) const {
    std::string name;
    append_json_string(name, document.made->id.empty()
                                 ? document.file + ":" + std::to_string(document.record)
                                 : document.made->id);
    return name;
  }

  std::size_t size_of(const Document& document) const {
    if (!options_.containment.has_value()) return document.tokens.size();
    return ExactShingles(document.tokens, 5).size();
  }

  /// Is document `a` ahead of `b` in keep order?
  bool ahead(std::size_t a, std::size_t b) const {
    const Document& x = documents_[a];
    const Document& y = documents_[b];
    if (x.reference != y.reference) return x.reference;
    if (x.reference) return a < b;
    std::string keep = options_.keep;
    if (keep.empty()) keep = options_.containment.has_value() ? "longest" : "first";
    if (keep == "longest" && size_of(x) != size_of(y)) return size_of(x) > size_of(y);
    if (keep == "shortest" && size_of(x) != size_of(y)) return size_of(x) < size_of(y);
    if (keep.ends_with(":order")) {
      const bool highest = keep.starts_with("newest") || keep.starts_with("highest");
      if (x.made->order.empty() != y.made->order.empty()) return y.made->order.empty();
      if (!x.made->order.empty()) {
        const double of_x = std::stod(x.made->order);
        const double of_y = std::stod(y.made->order);
        if (of_x != of_y) return highest ? of_x > of_y : of_x < of_y;
      }
    }
    return a < b;
  }

  void check_removed(const RemovedLine& line) {
    const auto at = by_place_.find({line.file, line.record});
    const auto survivor_at = by_place_.find({line.survivor_file, line.survivor_record});
    ASSERT_TRUE(at != by_place_.end()) << line.file << ":" << line.record;
    ASSERT_TRUE(survivor_at != by_place_.end());
    const Document& gone = documents_[at->second];
    const Document& stays = documents_[survivor_at->second];
    EXPECT_EQ(line.id, name_of(gone));
    EXPECT_EQ(line.survivor_id, name_of(stays));
    EXPECT_FALSE(gone.reference) << "a protected record is removed";
    EXPECT_TRUE(removed_.emplace(at->second, Removal{survivor_at->second, line.kind}).second)
        << "removed twice";
    EXPECT_TRUE(ahead(survivor_at->second, at->second))
        << line.id << " went for " << line.survivor_id << " behind it";
    const ExactShingles a(gone.tokens, 5);
    const ExactShingles b(stays.tokens, 5);
    const bool copies = line.kind == "identical" || line.kind == "lexical";
    if (line.kind == "identical") {
      EXPECT_EQ(gone.made->text, stays.made->text);
    } else if (line.kind == "lexical") {
      EXPECT_EQ(gone.tokens, stays.tokens);
      EXPECT_FALSE(gone.tokens.empty());
      EXPECT_NE(gone.made->text, stays.made->text);
    } else if (line.kind == "near") {
      EXPECT_TRUE(exact_resemblance(a, b).at_least(options_.resemblance))
          << line.id << " resembles " << line.survivor_id << " by "
          << exact_resemblance(a, b).value();
    } else {
      ASSERT_EQ(line.kind, "contained");
      ASSERT_TRUE(options_.containment.has_value());
      EXPECT_FALSE(exact_resemblance(a, b).at_least(options_.resemblance));
      EXPECT_TRUE(exact_containment(a, b).at_least(*options_.containment));
    }
    EXPECT_NEAR(line.resemblance, copies ? 1 : exact_resemblance(a, b).value(), 1e-6);
    EXPECT_NEAR(line.containment, copies ? 1 : exact_containment(a, b).value(), 1e-6);
    EXPECT_NEAR(line.survivor_containment, copies ? 1 : exact_containment(b, a).value(), 1e-6);
  }

  /// Stars: a document that represents another stays.
  void check_survivors() const {
    for (const auto& [document, removal] : removed_) {
      EXPECT_FALSE(removed_.contains(removal.survivor)) << "a chain";
      EXPECT_FALSE(filtered(documents_[removal.survivor]));
    }
  }

  void check_filtered() const {
    for (const auto& [document, removal] : removed_) {
      EXPECT_FALSE(filtered(documents_[document]));
    }
  }

  /// Each input's output has the bytes of its kept records, in their order.
  void check_kept(const RunOutput& output) const {
    if (options_.emit != Emit::records) return;
    for (const MadeFile& file : collection_.files) {
      const std::string folder = options_.output.substr(0, options_.output.size() - 3);
      if (file.reference) {
        EXPECT_FALSE(output.bytes.contains(file.name));
        continue;
      }
      std::string expected;
      for (std::size_t i = 0; i < file.records.size(); ++i) {
        const std::size_t at = by_place_.at({folder + "in/" + file.name, i + 1});
        if (!removed_.contains(at) && !filtered(documents_[at])) {
          expected += file.records[i].line();
        }
      }
      const auto found = std::find_if(output.bytes.begin(), output.bytes.end(),
                                      [&](const auto& entry) { return entry.first == file.name; });
      ASSERT_TRUE(found != output.bytes.end()) << file.name;
      EXPECT_EQ(get_file(options_.output + "/" + file.name), expected) << file.name;
    }
  }

  void check_counts(const DedupSummary& summary) const {
    std::map<std::string, Counts> expected;
    Counts total;
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      const Document& document = documents_[i];
      const auto removal = removed_.find(i);
      for (Counts* counts : {&expected[document.file], document.reference ? nullptr : &total}) {
        if (counts == nullptr) continue;
        ++counts->read;
        if (filtered(document)) {
          ++counts->filtered;
        } else if (removal == removed_.end()) {
          ++counts->kept;
        } else {
          counts->identical += removal->second.kind == "identical" ? 1 : 0;
          counts->lexical += removal->second.kind == "lexical" ? 1 : 0;
          counts->near += removal->second.kind == "near" ? 1 : 0;
          counts->contained += removal->second.kind == "contained" ? 1 : 0;
        }
      }
    }
    expect_equal(summary.total, total, "all");
    EXPECT_EQ(summary.files.size(), collection_.files.size());
    bool references_begun = false;
    for (const FileCounts& file : summary.files) {
      expect_equal(file.counts, expected[file.file], file.file);
      EXPECT_TRUE(file.reference || !references_begun) << "references come last";
      references_begun = file.reference;
    }
  }

  static void expect_equal(const Counts& found, const Counts& expected, const std::string& what) {
    EXPECT_EQ(found.read, expected.read) << what;
    EXPECT_EQ(found.kept, expected.kept) << what;
    EXPECT_EQ(found.identical, expected.identical) << what;
    EXPECT_EQ(found.lexical, expected.lexical) << what;
    EXPECT_EQ(found.near, expected.near) << what;
    EXPECT_EQ(found.contained, expected.contained) << what;
    EXPECT_EQ(found.quarantined, expected.quarantined) << what;
    EXPECT_EQ(found.filtered, expected.filtered) << what;
    EXPECT_EQ(found.read, found.kept + found.removed() + found.quarantined + found.filtered);
  }

  void check_clusters(const DedupSummary& summary, const RunOutput& output) const {
    std::map<std::string, std::vector<std::string>> expected;
    std::uint64_t largest = 0;
    for (const auto& [document, removal] : removed_) {  // in input order
      auto& members = expected[name_of(documents_[removal.survivor])];
      members.push_back(name_of(documents_[document]));
      largest = std::max<std::uint64_t>(largest, members.size() + 1);
    }
    EXPECT_EQ(output.clusters, expected);
    EXPECT_EQ(summary.clusters, expected.size());
    EXPECT_EQ(summary.largest_cluster, largest);
  }

  /// Of equal token sequences at most one is kept; of equal bytes without tokens, too.
  void check_copies() const {
    std::map<std::vector<std::uint64_t>, std::size_t> kept_by_tokens;
    std::map<std::string, std::size_t> kept_by_text;
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      const Document& document = documents_[i];
      if (removed_.contains(i) || filtered(document) || document.reference) continue;
      if (document.tokens.empty()) {
        EXPECT_TRUE(kept_by_text.emplace(document.made->text, i).second) << name_of(document);
      } else {
        EXPECT_TRUE(kept_by_tokens.emplace(document.tokens, i).second) << name_of(document);
      }
    }
  }

  const MadeCollection& collection_;
  const DedupOptions& options_;
  std::vector<Document> documents_;
  std::map<std::pair<std::string, std::uint64_t>, std::size_t> by_place_;
  std::map<std::size_t, Removal> removed_;
};

}  // namespace twinset::testing
