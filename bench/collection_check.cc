// First reading of the removals: a bit a document, and the removals with the
// least seeded hashes as samples. Second: that every survivor is kept. Then both
// texts of each sampled removal and of each sampled pair are made anew and their
// exact ratios taken.
//
// Pairs are drawn three ways in turn, so that neither the largest clusters nor
// the smallest are all one sees: a copy of any cluster with its original; a copy
// of a cluster drawn evenly with its original; two copies of one cluster.
#include "collection_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "evaluate/random.h"
#include "evaluate/tally.h"
#include "evaluate/trial_set.h"
#include "io/bytes.h"
#include "io/json.h"
#include "io/json_read.h"
#include "support/json_object.h"
#include "support_runs/exact_shingles.h"
#include "system/threads.h"
#include "text/shingler.h"
#include "twinset/ratio.h"

namespace twinset {
namespace {

struct StoredRemoval {
  std::uint64_t document = 0;
  std::uint64_t survivor = 0;
  double resemblance = -1;
  bool folded = false;  // identical or lexical
};

Result<std::uint64_t> document_of(const JsonNode& id, std::uint64_t documents,
                                  const std::string& where) {
  const std::string name = id.text();
  std::uint64_t number = 0;
  const char* const end = name.data() + name.size();
  if (name.size() < 2 || name[0] != 'd' ||
      std::from_chars(name.data() + 1, end, number).ptr != end || number >= documents) {
    return io_error(where + ": '" + name +
                    "' is not a document of this collection; are --documents " +
                    "and --seed those it was written with?");
  }
  return number;
}

Result<StoredRemoval> read_removal(std::string_view line, std::uint64_t documents,
                                   const std::string& where) {
  const Result<JsonNode> node = read_json(line, where);
  if (!node.ok()) return node.error();
  const auto document = document_of(node.value()["id"], documents, where);
  if (!document.ok()) return document.error();
  const auto survivor = document_of(node.value()["survivor_id"], documents, where);
  if (!survivor.ok()) return survivor.error();
  const std::string kind = node.value()["kind"].text();
  StoredRemoval removal{document.value(), survivor.value(), -1,
                        kind == "identical" || kind == "lexical"};
  removal.resemblance = node.value()["resemblance"].real().value_or(-1);
  return removal;
}

/// Calls `visit` for each line of `folder`/removed.jsonl.zst.
Status for_each_removal(const std::string& folder, std::uint64_t documents,
                        const std::function<Status(const StoredRemoval&)>& visit) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  const std::string path = folder + "/removed.jsonl.zst";
  auto source = open_bytes(disk(), path, Compression::zstd, {});
  if (!source.ok()) return source.error();
  std::string buffer;
  std::uint64_t line_number = 0;
  for (bool more = true; more;) {
    const std::size_t held = buffer.size();
    buffer.resize(held + piece);
    const auto size = source.value()->read(buffer.data() + held, piece);
    if (!size.ok()) return size.error();
    buffer.resize(held + size.value());
    more = size.value() > 0;
    std::size_t begin = 0;
    for (std::size_t end; (end = buffer.find('\n', begin)) != std::string::npos; begin = end + 1) {
      const auto removal = read_removal(std::string_view(buffer).substr(begin, end - begin),
                                        documents, path + ":" + std::to_string(++line_number));
      if (!removal.ok()) return removal.error();
      TWINSET_TRY(visit(removal.value()));
    }
    buffer.erase(0, begin);
  }
  if (source.value()->fault().reason != BadReason::none || !buffer.empty()) {
    return io_error(path + " is cut short or corrupt");
  }
  return {};
}

/// The values with the least seeded hashes of all that were offered.
class Sample {
 public:
  explicit Sample(std::size_t wanted) : wanted_(wanted) {}
  void offer(const StoredRemoval& removal) {
    const std::uint64_t rank = derive_seed(17, removal.document);
    if (kept_.size() >= wanted_ && (wanted_ == 0 || rank >= kept_.rbegin()->first)) return;
    kept_.emplace(rank, removal);
    if (kept_.size() > wanted_) kept_.erase(std::prev(kept_.end()));
  }
  void append_to(std::vector<StoredRemoval>& out) const {
    for (const auto& [rank, removal] : kept_) out.push_back(removal);
  }

 private:
  std::size_t wanted_;
  std::map<std::uint64_t, StoredRemoval> kept_;
};

struct Band {
  std::string_view label;
  Ratio at_least;
};
constexpr std::array<Band, 6> bands = {{{"= 1", {1, 1}},
                                        {"0.95-1", {19, 20}},
                                        {"0.90-0.95", {9, 10}},
                                        {"0.85-0.90", {17, 20}},
                                        {"0.80-0.85", {4, 5}},
                                        {"< 0.80", {0, 1}}}};

struct PairTally {
  std::array<std::array<Tally, length_classes>, bands.size()> found;  // by band, shorter text
  Tally precision;     // sampled removals at or above the threshold
  Tally as_reported;   // whose reported resemblance is the exact one
  Tally above_target;  // pairs at or above the run's threshold

  void add(const PairTally& other) {
    for (std::size_t b = 0; b < bands.size(); ++b) {
      for (std::size_t l = 0; l < length_classes; ++l) found[b][l].add(other.found[b][l]);
    }
    precision.add(other.precision);
    as_reported.add(other.as_reported);
    above_target.add(other.above_target);
  }
  Tally of_band(std::size_t band) const {
    Tally sum;
    for (const Tally& share : found[band]) sum.add(share);
    return sum;
  }
  /// All bands below "= 1" down to and with `last`, one length class or all: copies
  /// that are equal would only flatter it.
  Tally down_to(std::size_t last, std::optional<std::size_t> length) const {
    Tally sum;
    for (std::size_t b = 1; b <= last; ++b) {
      sum.add(length ? found[b][*length] : of_band(b));
    }
    return sum;
  }
};
constexpr std::size_t band_of_0_90 = 2;
constexpr std::size_t band_of_0_80 = 4;

struct DrawnPair {
  std::uint64_t a;
  std::uint64_t b;
};

bool equal_to_original(std::string_view edit) {
  return edit == "original" || edit == "exact" || edit == "case" || edit == "wrap";
}

/// Pair number `draw`, a pure function of it; nothing if all tries were in vain.
/// Only one in sixteen draws of pairs that are equal by construction is taken.
std::optional<DrawnPair> draw_pair(const SyntheticCollection& collection, std::uint64_t clustered,
                                   std::uint64_t draw) {
  constexpr int tries = 200;
  SeededRandom random(derive_seed(23, draw));
  for (int i = 0; i < tries; ++i) {
    std::uint64_t document = random.below(collection.size());
    if (draw % 3 == 1) {
      const std::uint64_t cluster = random.below(clustered);
      document =
          collection.document(cluster, 1 + random.below(collection.cluster_size(cluster) - 1));
    }
    const SyntheticTruth truth = collection.truth(document);
    if (truth.copy == 0) continue;
    std::uint64_t other = truth.original;
    if (draw % 3 == 2) other = collection.document(truth.cluster, random.below(truth.cluster_size));
    if (other == document) continue;
    const bool equal =
        equal_to_original(truth.edit) && equal_to_original(collection.truth(other).edit);
    if (equal && draw % 16 != 0) continue;
    return DrawnPair{document, other};
  }
  return std::nullopt;
}

/// Makes texts again and computes their exact ratios. One for each worker.
class ExactComparer {
 public:
  ExactComparer(const SyntheticCollection& collection, const Analyzer& analyzer)
      : collection_(collection), analyzer_(analyzer) {}

  struct Ratios {
    Fraction resemblance;
    Fraction containment;  // of a in b
    std::size_t shorter_tokens = 0;
  };
  Ratios compare(std::uint64_t a, std::uint64_t b) {
    const ExactShingles first = shingles(a);
    const std::size_t tokens = analysis_.tokens.size();
    const ExactShingles second = shingles(b);
    return {exact_resemblance(first, second), exact_containment(first, second),
            std::min(tokens, analysis_.tokens.size())};
  }

 private:
  ExactShingles shingles(std::uint64_t document) {
    collection_.text(document, text_);
    analyzer_.analyze(text_, Offsets::drop, analysis_);
    return {analysis_.tokens, default_shingle_tokens};
  }
  const SyntheticCollection& collection_;
  const Analyzer& analyzer_;
  std::string text_;
  Analysis analysis_;
};

/// Clusters of two or more; they are numbered first.
std::uint64_t clusters_of_copies(const SyntheticCollection& collection) {
  std::uint64_t low = 0;
  std::uint64_t high = collection.clusters();
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (collection.cluster_size(middle) >= 2) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

std::string share_text(const Tally& share) {
  if (!share.known()) return "      -";
  const Interval interval = share.interval();
  return fmt::format("{:.5f}  {:.4f}-{:.4f}  {}/{}", std::floor(share.value() * 1e5) / 1e5,
                     interval.low, interval.high, share.count, share.of);
}

std::string share_json(const Tally& share) {
  std::string out;
  testing::JsonObject object(out);
  object.number("count", share.count).number("of", share.of);
  if (share.known()) object.real("value", share.value());
  object.end();
  return out;
}

struct Totals {
  std::uint64_t documents = 0;
  std::uint64_t removed = 0;
  std::uint64_t folded = 0;
  std::uint64_t dangling = 0;  // removals whose survivor is not kept
};

std::string tables(const Totals& totals, const PairTally& counts) {
  std::string out = fmt::format(
      "removed {} of {}: {} by fold, {} near or contained; survivors not kept: {}\n"
      "right removals        {}\nreported = exact      {}\n\n"
      "recall by exact resemblance (sampled planted pairs of which not both are kept);\n"
      "'to 1' leaves equal pairs out\n",
      totals.removed, totals.documents, totals.folded, totals.removed - totals.folded,
      totals.dangling, share_text(counts.precision), share_text(counts.as_reported));
  for (std::size_t b = 0; b + 1 < bands.size(); ++b) {
    out += fmt::format("  {:<20}{}\n", bands[b].label, share_text(counts.of_band(b)));
  }
  for (const std::size_t last : {band_of_0_90, band_of_0_80}) {
    const char* const label = last == band_of_0_90 ? "0.9 to 1" : "0.8 to 1";
    out += fmt::format("  {:<20}{}\n", label, share_text(counts.down_to(last, std::nullopt)));
    for (std::size_t l = 0; l < length_classes; ++l) {
      out += fmt::format("  {:<20}{}\n",
                         fmt::format("{}, {}", label, length_class_name(LengthClass(l))),
                         share_text(counts.down_to(last, l)));
    }
  }
  return out;
}

std::string json(const Totals& totals, const PairTally& counts) {
  std::string out;
  testing::JsonObject object(out);
  object.number("documents", totals.documents)
      .number("removed", totals.removed)
      .number("folded", totals.folded)
      .number("survivors_not_kept", totals.dangling)
      .raw("precision", share_json(counts.precision))
      .raw("as_reported", share_json(counts.as_reported))
      .raw("recall_at_threshold", share_json(counts.above_target));
  for (std::size_t b = 0; b + 1 < bands.size(); ++b) {
    object.raw(fmt::format("recall {}", bands[b].label), share_json(counts.of_band(b)));
  }
  for (const std::size_t last : {band_of_0_90, band_of_0_80}) {
    const std::string label = last == band_of_0_90 ? "recall 0.9 to 1" : "recall 0.8 to 1";
    object.raw(label, share_json(counts.down_to(last, std::nullopt)));
    for (std::size_t l = 0; l < length_classes; ++l) {
      object.raw(fmt::format("{}, {}", label, length_class_name(LengthClass(l))),
                 share_json(counts.down_to(last, l)));
    }
  }
  object.end();
  return out + "\n";
}

}  // namespace

Result<CheckReport> check_run(const SyntheticCollection& collection, const std::string& folder,
                              const CheckOptions& options) {
  const auto threshold = Ratio::parse(options.resemblance);
  if (!threshold.ok()) return threshold.error();
  std::optional<Ratio> containment;
  if (!options.containment.empty()) {
    const auto parsed = Ratio::parse(options.containment);
    if (!parsed.ok()) return parsed.error();
    containment = parsed.value();
  }
  const Ratio resemblance = threshold.value();
  const Analyzer* analyzer = find_analyzer("words");
  if (analyzer == nullptr) return usage_error("this build has no analyzer 'words'");

  Totals totals;
  totals.documents = collection.size();
  std::vector<bool> removed(collection.size());
  Sample near(options.removals);
  Sample folded(options.removals / 4);
  TWINSET_TRY(
      for_each_removal(folder, collection.size(), [&](const StoredRemoval& removal) -> Status {
        if (removed[removal.document]) {
          return io_error(
              fmt::format("{}: document d{} is removed twice", folder, removal.document));
        }
        removed[removal.document] = true;
        ++totals.removed;
        totals.folded += removal.folded ? 1 : 0;
        (removal.folded ? folded : near).offer(removal);
        return {};
      }));
  TWINSET_TRY(
      for_each_removal(folder, collection.size(), [&](const StoredRemoval& removal) -> Status {
        totals.dangling += removed[removal.survivor] ? 1 : 0;
        return {};
      }));

  std::vector<StoredRemoval> removals;
  near.append_to(removals);
  folded.append_to(removals);
  const std::uint64_t clustered = clusters_of_copies(collection);
  const std::uint64_t draws = clustered == 0 ? 0 : options.pairs;
  const unsigned threads = std::max(1U, options.threads);
  std::vector<PairTally> parts(threads);
  const Status done = run_workers(threads, [&](unsigned worker) {
    ExactComparer comparer(collection, *analyzer);
    PairTally& counts = parts[worker];
    for (std::size_t i = worker; i < removals.size(); i += threads) {
      const StoredRemoval& removal = removals[i];
      const auto exact = comparer.compare(removal.document, removal.survivor);
      counts.precision.add(exact.resemblance.at_least(resemblance) ||
                           (containment && exact.containment.at_least(*containment)));
      counts.as_reported.add(std::abs(removal.resemblance - exact.resemblance.value()) < 2e-6);
    }
    for (std::uint64_t draw = worker; draw < draws; draw += threads) {
      const auto pair = draw_pair(collection, clustered, draw);
      if (!pair) continue;
      const auto exact = comparer.compare(pair->a, pair->b);
      const bool found = removed[pair->a] || removed[pair->b];
      if (exact.resemblance.at_least(resemblance)) counts.above_target.add(found);
      std::size_t band = 0;
      while (!exact.resemblance.at_least(bands[band].at_least)) ++band;
      const auto length = static_cast<std::size_t>(length_class(exact.shorter_tokens));
      counts.found[band][length].add(found);
    }
    return Status();
  });
  TWINSET_TRY(done);
  PairTally counts;
  for (const PairTally& part : parts) counts.add(part);
  CheckReport report;
  report.sound = totals.dangling == 0 && counts.precision.count == counts.precision.of;
  report.text = options.json ? json(totals, counts) : tables(totals, counts);
  return report;
}

}  // namespace twinset
