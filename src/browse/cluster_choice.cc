// Numbers are filtered first, so that names are read only of the clusters that are left.
#include "browse/cluster_choice.h"

#include <algorithm>
#include <vector>

#include "base/message.h"
#include "system/context.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// The lists have six decimals.
constexpr double half_millionth = 0.0000005;

class ChosenClusters {
 public:
  ChosenClusters(const ClusterTable& table, const ClustersOptions& options,
                 const std::atomic<bool>* cancel)
      : table_(table), options_(options), cancel_(cancel) {}

  Result<RowOrder> run() {
    TWINSET_TRY(check());
    RowOrder out;
    const std::uint64_t clusters = table_.clusters();
    out.rows.reserve(clusters);
    for (std::uint64_t i = 0; i < clusters; ++i) {
      if (has_numbers(i)) out.rows.push_back(static_cast<std::uint32_t>(i));
    }
    if (!options_.source.empty()) keep_source(out.rows);
    if (!options_.search.empty()) TWINSET_TRY(keep_found(out.rows));
    for (const std::uint32_t i : out.rows) out.documents += table_.documents(i);
    sort(out.rows);
    return out;
  }

 private:
  Status check() {
    const RatioRange& band = options_.resemblance;
    if (band.least && band.most && band.most->value() < band.least->value()) {
      return usage_error(option("resemblance") + " is LOW:HIGH, the smaller number first");
    }
    if (options_.max_documents.has_value() && *options_.max_documents < options_.min_documents) {
      return usage_error(option("max_documents") + " is less than " + option("min_documents"));
    }
    if (options_.source.empty()) return {};
    const auto found = std::ranges::find(table_.sources(), options_.source);
    if (found == table_.sources().end()) {
      return usage_error("'" + visible_name(options_.source) + "' is none of the run's inputs");
    }
    source_ = static_cast<std::uint64_t>(found - table_.sources().begin());
    return {};
  }

  bool has_numbers(std::uint64_t cluster) const {
    const std::uint64_t documents = table_.documents(cluster);
    if (documents < options_.min_documents) return false;
    if (options_.max_documents.has_value() && documents > *options_.max_documents) return false;
    if (options_.kind.has_value() &&
        (table_.kinds(cluster) >> static_cast<unsigned>(*options_.kind) & 1U) == 0) {
      return false;
    }
    const RatioRange& band = options_.resemblance;
    if (!band.least.has_value() && !band.most.has_value()) return true;
    const std::optional<double> least = table_.least(cluster);
    if (!least.has_value()) return false;
    return (!band.least || *least >= band.least->value() - half_millionth) &&
           (!band.most || *least <= band.most->value() + half_millionth);
  }

  void keep_source(std::vector<std::uint32_t>& clusters) const {
    std::erase_if(clusters, [&](std::uint32_t cluster) {
      for (std::uint64_t i = table_.begin(cluster); i < table_.end(cluster); ++i) {
        if (table_.document(i).source() == source_) return false;
      }
      return true;
    });
  }

  Status keep_found(std::vector<std::uint32_t>& clusters) const {
    const std::string wanted = lowered(options_.search);
    std::string room;
    std::vector<bool> sources;
    for (const std::string& source : table_.sources()) {
      sources.push_back(has_text(source, wanted, room));
    }
    std::vector<bool> found(table_.clusters());
    std::uint64_t cluster = 0;
    TWINSET_TRY(table_.for_each_id(
        0, table_.members(), [&](std::uint64_t member, std::string_view id) -> Result<bool> {
          if (member % 65536 == 0) TWINSET_TRY(check_stop(cancel_));
          while (member >= table_.end(cluster)) ++cluster;
          if (!found[cluster]) {
            found[cluster] =
                sources[table_.document(member).source()] || has_text(id, wanted, room);
          }
          return true;
        }));
    std::erase_if(clusters, [&](std::uint32_t i) { return !found[i]; });
    return {};
  }

  void sort(std::vector<std::uint32_t>& clusters) const {
    const auto by = [&](auto before) {
      std::stable_sort(clusters.begin(), clusters.end(), before);
    };
    switch (options_.sort) {
      case ClusterSort::documents:
        by([&](std::uint32_t a, std::uint32_t b) {
          return table_.documents(a) > table_.documents(b);
        });
        break;
      case ClusterSort::resemblance:
        by([&](std::uint32_t a, std::uint32_t b) {
          return table_.least(a).value_or(2) < table_.least(b).value_or(2);
        });
        break;
      case ClusterSort::sources:
        by([&](std::uint32_t a, std::uint32_t b) { return table_.sources(a) > table_.sources(b); });
        break;
      case ClusterSort::first:
        break;
    }
    if (options_.reverse) std::reverse(clusters.begin(), clusters.end());
  }

  const ClusterTable& table_;
  const ClustersOptions& options_;
  const std::atomic<bool>* cancel_;
  std::uint64_t source_ = 0;
};

/// Without a branch, so that many are done at once.
char small_letter(char c) {
  const bool large = static_cast<unsigned char>(c - 'A') < 26;
  return static_cast<char>(c + (large ? 'a' - 'A' : 0));
}

}  // namespace

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = small_letter(c);
  return out;
}

bool has_text(std::string_view text, std::string_view lowered, std::string& room) {
  if (text.size() < lowered.size()) return false;
  room.assign(text);
  for (char& c : room) c = small_letter(c);
  return room.find(lowered) != std::string::npos;
}

Result<RowOrder> choose_clusters(const ClusterTable& table, const ClustersOptions& options,
                                 const std::atomic<bool>* cancel) {
  return ChosenClusters(table, options, cancel).run();
}

std::string choice_key(const ClustersOptions& options) {
  ClustersOptions asked = options;
  asked.offset = 0;
  asked.limit = 0;
  asked.words = false;
  std::string key;
  for (const Option& option : options_of(asked)) key += option.name() + '=' + option.text() + '\0';
  return key;
}

}  // namespace twinset
