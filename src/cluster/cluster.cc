// The verb cluster from end to end: read, fold copies, find pairs, check them, cut at the
// threshold, write. Pairs are found by counting shared keys, or, if the scheme's keys are not
// counted, by one shared key (B 5.3). Each step is a file of its own; this file has their order and
// divides the memory among them.
#include "twinset/cluster.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>

#include "base/message.h"
#include "cluster/cluster_collection.h"
#include "cluster/cluster_facts.h"
#include "cluster/cluster_fields.h"
#include "cluster/clustering.h"
#include "cluster/common_shingles.h"
#include "cluster/distance_table.h"
#include "cluster/edge_sample.h"
#include "cluster/index_cluster.h"
#include "cluster/lead_order.h"
#include "cluster/neighbors.h"
#include "cluster/pair_check.h"
#include "cluster/pair_families.h"
#include "cluster/pair_lines.h"
#include "collection/output_files.h"
#include "join/shared_keys.h"
#include "join/sketch_check.h"
#include "run/keep_order.h"
#include "run/lost_keys.h"
#include "run/matcher.h"
#include "run/meetings.h"
#include "run/names.h"
#include "run/options_json.h"
#include "run/prepare.h"
#include "run/profile.h"
#include "run/read_fates.h"
#include "run/run_verb.h"
#include "run/shares.h"
#include "run/short_documents.h"
#include "scheme/little_endian.h"
#include "sites/run_templates.h"
#include "sites/site_templates.h"
#include "system/ordered.h"
#include "text/analyzer.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::string_view containment_scheme = "mod(modulus=16)";
constexpr std::size_t task_documents = 512;
constexpr std::size_t task_pairs = std::size_t{1} << 14;
/// Warns if more than this share of the documents lost most of their keys.
constexpr double warned_common_share = 0.01;
/// With a larger share of its rows cut, a pair's chance to share a key is not known.
constexpr double most_cut_share = 0.02;

/// The cluster options with every default filled.
ClusterOptions filled(ClusterOptions options) {
  if (options.scheme.empty()) {
    options.scheme = options.containment.has_value() ? containment_scheme : default_cluster_scheme;
  }
  if (options.lead == "first" || options.lead == "source") options.lead.clear();
  return options;
}

VerbOptions cluster_verb(const ClusterOptions& options) {
  VerbOptions verb;
  verb.name = "cluster";
  verb.identity = options_identity(verb.name, options);
  verb.output = options.output;
  verb.shard = options.shard;
  verb.shards = options.shards;
  // That of a shard's command is for the merge.
  if (options.shard.empty()) verb.report = options.report;
  verb.thresholds.resemblance = options.resemblance;
  // A scheme that counts gives containment itself, or cannot: see check_scheme().
  const SchemeDeclaration* const scheme = declared_scheme(options.scheme);
  if (scheme != nullptr && scheme->shared_key == SharedKey::candidate) {
    verb.thresholds.containment = options.containment;
  }
  verb.reads_again = true;
  // Such texts say nothing that could make a group of them.
  verb.folds_empty = false;
  if (!options.lead.empty()) verb.keep = options.lead;
  return verb;
}

/// What the run reads, and learns of it.
CollectionOptions read_by(const ClusterOptions& options) {
  CollectionOptions reading = options;
  if (options.mark_templates) reading.templates = Templates::drop;
  return reading;
}

class ClusterRun final : public VerbSteps {
 public:
  ClusterRun(const ClusterOptions& options, const RunControl& control,
             const ClusterResults& results, DrawReport<ClusterFindings> draw)
      : options_(filled(options)),
        results_(results),
        draw_(draw),
        control_(control),
        run_(read_by(options_), cluster_verb(options_), control) {}

  void read_from(std::shared_ptr<Collection> collection) { run_.read_from(std::move(collection)); }

  Result<ClusterSummary> run() {
    TWINSET_TRY(check_options());
    return run_verb(run_, options_, summary_, *this);
  }

 private:
  Status check() override {
    TWINSET_TRY(check_scheme());
    TWINSET_TRY(check_neighbors());
    summary_.resemblance = options_.resemblance;
    summary_.check = check_of_pairs();
    if (options_.fold == Folding::shingles) {
      const bool samples_decide = check_of_pairs() == Check::sketch && counts_keys();
      run_.job.verb.folds_sets = samples_decide ? FoldsSets::of_samples : FoldsSets::of_texts;
    }
    summary_.shard = options_.shard;
    summary_.counts_keys = counts_keys();
    summary_.tells = job().signer.scheme->declaration().tells;
    return {};
  }

  Status found() override {
    summary_.counts_keys = counts_keys();
    return {};
  }

  Status work() override {
    TWINSET_TRY(use_site_templates(run_, read_by(options_), control_));
    rest_view_ = job().signer.view;
    if (options_.mark_templates) {
      // What the run signs and compares is whole.
      run_.job.signer.view.templates = nullptr;
      run_.job.signer.renew_fingerprint();
    }
    std::vector<Collector*> of_templates;
    if (!options_.mark_templates) of_templates = templates_.collectors(job());
    TWINSET_TRY(run_.read(DocumentKeys::Stored::sample, std::move(of_templates)));
    if (run_.is_shard()) return run_.keep_shard(summary_);
    TWINSET_TRY(run_.check_promise());
    TWINSET_TRY(fold());
    TWINSET_TRY(find_pairs());
    TWINSET_TRY(judge_rests());
    TWINSET_TRY(cut());
    TWINSET_TRY(check_some_edges());
    TWINSET_TRY(write());
    TWINSET_TRY(tell_results());
    run_.clock.end("write");
    return {};
  }

  Status conclude() override {
    if (run_.is_shard()) return {};
    if (!options_.mark_templates) {
      templates_.describe(job(), run_.state, summary_.templates, summary_.warnings);
      return {};
    }
    summary_.templates = rest_view_.templates->learned();
    for (std::string& said : template_warnings(*summary_.templates, options_.url)) {
      summary_.warnings.push_back(std::move(said));
    }
    return {};
  }

  Result<ReportFiles> report() override {
    return draw_({job(), options_, *run_.stores.records, *table_, facts_, summary_});
  }

  const Job& job() const { return run_.job; }

  Status check_options() const {
    TWINSET_TRY(check_shares(options_.resemblance, options_.containment, options_.floor));
    if (!options_.earlier.empty()) {
      return usage_error(option("earlier") +
                         " takes pairs over of an index: give one as the input");
    }
    if (options_.mark_templates && (!options_.shard.empty() || !options_.shards.empty())) {
      return usage_error(option("shard") + " reads a share of the inputs, and templates are " +
                         "learned from all of them; leave out " + option("mark_templates"));
    }
    if (options_.mark_templates && options_.templates != Templates::keep) {
      return usage_error(switch_on("mark_templates") + " finds pairs of whole texts, and " +
                         option("templates", "drop") + " none; leave one of the two out");
    }
    TWINSET_ASSIGN(const Analyzer* const analyzer, require_analyzer(options_.analyzer));
    if (options_.mark_templates && (analyzer->reads_markup() || analyzer->takes_features())) {
      return usage_error(switch_on("mark_templates") + " leaves out words, and " +
                         option("analyzer", options_.analyzer) + " reads none");
    }
    if (!options_.lead.empty()) {
      TWINSET_TRY(KeepRule::parse(options_.lead, "lead"));
      if (options_.shape != ClusterShape::stars) {
        return usage_error(option("lead") + " chooses the document that leads a star: add " +
                           option("shape", "stars"));
      }
    }
    if (options_.floor.has_value() && options_.floor->numerator() == 0 &&
        !options_.verify.has_value()) {
      return usage_error(option("floor", "0") + " keeps every pair that shares a key: say " +
                         option("verify", "sketch") + " to keep their estimates, or " +
                         option("verify", "exact") + " to compare the texts of all of them");
    }
    return {};
  }

  Status check_scheme() const {
    const Scheme& scheme = *job().signer.scheme;
    const std::string name(scheme.declaration().name);
    if (options_.containment.has_value() && !(job().signer.counted_scheme() != nullptr &&
                                              job().signer.counted_scheme()->tells_containment())) {
      return usage_error(option("containment") +
                         " needs a sample that all documents take by one modulus, such as " +
                         option("scheme", "mod(modulus=16)") +
                         ", or beside a scheme that joins by one key, such as fss");
    }
    if (two_key_sets() && check_of_pairs() != Check::exact) {
      return usage_error(
          option("scheme", name) +
          " finds pairs by resemblance and another scheme by containment, and only the texts "
          "decide both: use " +
          option("verify", "exact") + ", or " + option("scheme", "mod(modulus=16)"));
    }
    if (check_of_pairs() == Check::none && counts_keys()) {
      return usage_error(option("verify", "none") +
                         " joins documents that share one key, and a key of " + name +
                         " is a single shingle; use it with " + option("scheme", "super_shingle") +
                         " or fss, or " + option("verify", "sketch") + " " + option("floor", "0") +
                         " to keep every pair that is counted");
    }
    if (check_of_pairs() == Check::none && options_.floor.has_value()) {
      return usage_error(option("floor") + " keeps pairs by their resemblance, which " +
                         option("verify", "none") + " does not compute; leave one of the two out");
    }
    if (check_of_pairs() != Check::exact && judges_itself()) {
      const Ratio usual = ClusterOptions().resemblance;
      // The rests of pairs are held against it.
      const bool other = options_.resemblance.text() != usual.text() && !options_.mark_templates;
      if (other || options_.floor.has_value()) {
        return usage_error(option("scheme", name) +
                           " joins documents by their signatures, which tell no resemblance "
                           "for " +
                           option(other ? "resemblance" : "floor") + "; add " +
                           option("verify", "exact") + ", or leave it out");
      }
    }
    if (options_.fold == Folding::shingles && scheme.shingle_tokens() == 0) {
      return usage_error(option("fold", "shingles") + " takes documents of one set of shingles " +
                         "for copies, and scheme " + name + " uses none; leave it out");
    }
    if (check_of_pairs() == Check::sketch && scheme.declaration().tells == Tells::nothing) {
      return usage_error("the sketches of scheme " + name + " do not estimate resemblance; use " +
                         option("verify", "exact") + ", or a scheme such as fss");
    }
    return {};
  }

  /// The lists need every pair within one distance.
  Status check_neighbors() const {
    if (!options_.neighbors) return {};
    const std::string lists = switch_on("neighbors") + " lists all documents within one distance";
    if (!run_.makes_folder()) return usage_error(lists + " in a file of the output folder");
    if (!judges_by_distance()) {
      return usage_error(lists + ", which scheme " +
                         std::string(job().signer.scheme->declaration().name) +
                         (job().signer.joins_signatures()
                              ? " does not decide by here; leave out " + option("verify")
                              : " does not tell; use " + option("scheme", "simhash")));
    }
    if (job().thresholds.distance->depends_on_length()) {
      return usage_error(lists + ": give " + option("distance") + " as one number");
    }
    return {};
  }
  /// Does the distance of signatures decide?
  bool judges_by_distance() const {
    return job().signer.joins_signatures() && check_of_pairs() == Check::sketch;
  }

  /// Are the scheme's shared keys counted? Otherwise one shared key makes a candidate.
  bool counts_keys() const { return job().signer.scheme->counts_keys(); }
  /// Does another scheme's count find the contained documents?
  bool two_key_sets() const { return job().signer.containment_scheme != nullptr; }
  /// Do the scheme's sketches tell whether two documents belong together, by a rule of its own?
  bool judges_itself() const { return job().signer.scheme->makes_signatures(); }
  Check check_of_pairs() const {
    return options_.verify.value_or(judges_itself() ? Check::sketch : Check::exact);
  }

  /// Are stars led by chosen documents?
  bool led() const { return job().keep.by != KeepRule::By::input; }

  RowsOptions rows(const std::string& name, std::uint64_t memory) const {
    return {&job().context, job().spill + name, memory, job().signer.fingerprint};
  }

  /// The threshold of pairs that make clusters; floor() is that of pairs to keep.
  PairFloor threshold() const {
    PairFloor threshold = floor();
    threshold.resemblance = options_.resemblance;
    threshold.least_keys = least_keys(*job().signer.scheme, check_of_pairs());
    return threshold;
  }
  /// The threshold of what is left of two texts without templates.
  PairFloor rest_threshold() const { return {options_.resemblance, options_.containment}; }
  PairFloor floor() const {
    PairFloor floor{options_.floor.value_or(options_.resemblance), options_.containment};
    floor.kind = link_kind_of(summary_);
    if (const auto& limit = job().thresholds.distance) floor.distance = limit->most();
    return floor;
  }
  /// The floor of counted pairs. It is lower if the texts will judge them.
  PairFloor counted_floor() const {
    PairFloor floor = this->floor();
    if (check_of_pairs() == Check::exact) floor.granted_errors = granted_standard_errors;
    return floor;
  }

  /// Makes the table with the fates of pass 1, and folds copies.
  Status fold() {
    const std::uint64_t documents = lines_of(run_.state);
    TWINSET_TRY(set_memory(documents));
    table_ = std::make_unique<DocumentTable>(run_.state.lines, 0);
    TWINSET_TRY(set_read_fates(*run_.stores.records, *table_, summary_));
    Matcher matcher(job(), run_.stores, *table_, memory_ / 4);
    TWINSET_TRY(matcher.fold(*table_));
    run_.spilled_bytes += matcher.spilled_bytes();
    for (std::uint64_t index = 0; index < documents; ++index) {
      const Fate fate = table_->standing(index).fate;
      summary_.identical += fate == Fate::identical ? 1 : 0;
      summary_.lexical += fate == Fate::lexical ? 1 : 0;
      summary_.shingles += fate == Fate::shingles ? 1 : 0;
    }
    if (job().signer.counted_scheme() != nullptr) TWINSET_TRY(load_sample_sizes());
    run_.clock.end("fold");
    return {};
  }

  /// Loads the sample sizes of the documents that are not copies.
  Status load_sample_sizes() {
    sizes_.resize(table_->size());
    return run_.stores.counted->stored().for_each(
        [&](std::uint64_t index, std::span<const std::uint8_t> sketch) -> Status {
          if (table_->standing(index).folded()) return {};
          std::memcpy(&sizes_[index], sketch.data(), sizeof sizes_[index]);
          summary_.keys += sizes_[index].keys[0];
          return {};
        });
  }

  Status set_memory(std::uint64_t documents) {
    const std::uint64_t resident =
        DocumentTable::bytes_needed(documents, led()) + templates_bytes(rest_view_) +
        std::max({Clustering::bytes_needed(documents, led()) + (led() ? 4 * documents : 0) +
                      (threshold().kind == LinkKind::distance
                           ? DistanceTable::bytes_needed(documents, threshold().distance, led())
                           : 0),
                  job().signer.counted_scheme() != nullptr
                      ? KeyGroups::bytes_needed(documents, job().context.threads)
                      : 0,
                  check_of_pairs() == Check::exact ? PairFamilies::bytes_needed(documents) : 0,
                  options_.neighbors ? Neighbors::bytes_needed(documents) : 0});
    TWINSET_TRY(run_.check_memory(resident));
    const std::uint64_t budget = job().context.memory_bytes;
    memory_ = budget - std::min(budget, resident);
    return {};
  }

  /// Compares what is left of the texts of each pair, to tell template pairs.
  Status judge_rests() {
    if (!options_.mark_templates) return {};
    TWINSET_TRY(report_progress("rests"));
    PairChecks checks = pair_checks("rests", {});
    TWINSET_ASSIGN(rests_, checks.numbers(*pairs_, rest_view_));
    run_.spilled_bytes += checks.report().spilled_bytes;
    summary_.template_pairs = 0;
    TWINSET_ASSIGN(const auto rest, rests_->read());
    TWINSET_TRY(for_each_row(*pairs_, [&](const SharedPair& pair) -> Status {
      TWINSET_ASSIGN(const SharedPair* const left, rest->next());
      const bool alike =
          threshold().reached_by(pair.keys) && !rest_threshold().reached_by(left->keys);
      *summary_.template_pairs += alike ? 1 : 0;
      return {};
    }));
    run_.clock.end("rests");
    return {};
  }

  /// Finds the pairs that reach the floor.
  Status find_pairs() {
    if (job().signer.counted_scheme() != nullptr) TWINSET_TRY(count_pairs());
    if (job().signer.uses_bands() || !counts_keys()) {
      const std::unique_ptr<SharedPairStore> counted = std::move(pairs_);
      TWINSET_TRY(find_candidates());
      if (counted != nullptr) TWINSET_TRY(add_pairs(*counted));
    } else if (documents_of_templates_ > 0) {
      TWINSET_TRY(add_pairs_of_templates());
    }
    summary_.kept_pairs = pairs_->rows_added();
    return {};
  }

  /// Groups the keys, then counts those that documents share.
  Status count_pairs() {
    TWINSET_TRY(report_progress("match"));
    const bool final = !job().signer.counted_scheme()->facts().counts_unions;
    std::vector<std::uint64_t> common_keys;
    const auto take_groups = [&](const GroupReport& found) -> Status {
      if (!final) common_keys = found.common_keys;
      return this->take_groups(found);
    };
    pairs_ = std::make_unique<SharedPairStore>(rows("pairs", memory_ / 4));
    Matcher matcher(job(), run_.stores, *table_, memory_ / 2);
    TWINSET_ASSIGN(summary_.counted_pairs,
                   matcher.count(sizes_,
                                 {.max_group = options_.max_group,
                                  .floor = final ? counted_floor() : PairFloor(),
                                  .gathered = take_groups},
                                 *pairs_));
    run_.spilled_bytes += matcher.spilled_bytes();
    sizes_ = std::vector<SampleSizes>();
    if (!final) TWINSET_TRY(count_sketches(common_keys));
    run_.clock.end("count");
    if (check_of_pairs() == Check::exact) {
      PairChecks checks = pair_checks("counted");
      TWINSET_ASSIGN(auto verified, checks.by_texts(*pairs_));
      take_checked(checks.report(), std::move(verified));
    }
    return {};
  }

  /// Records the cost of counting, and refuses if it is too high.
  Status take_groups(const GroupReport& found) {
    summary_.groups = found.groups;
    summary_.common_keys = found.common.keys_cut;
    summary_.meetings = found.meetings;
    common_ = found.common.largest;
    many_rows_cut_ = static_cast<double>(found.common.rows_cut) >
                     most_cut_share * static_cast<double>(found.rows);
    run_.clock.end("group");
    const Status few_enough = check_meetings(found, options_.max_group, options_.max_meetings);
    if (!few_enough.ok()) return run_.refuse(few_enough.error());
    if (!two_key_sets()) TWINSET_TRY(count_incomparable());
    warn_of_common_keys();
    if (documents_of_templates_ == 0) warn_of_common_texts("", false);
    return report_progress("count");
  }

  /// If --max-group cut nearly all keys of a document, there is too little left to compare it by.
  /// Reads these documents again for the bands of fss, which allow groups of any size, and adds
  /// their pairs.
  Status add_pairs_of_templates() {
    if (check_of_pairs() != Check::exact) {
      warn_of_common_texts(
          " and were not compared, because that reads them again: use " + option("verify", "exact"),
          false);
      return {};
    }
    const Ratio least =
        floor().resemblance.numerator() > 0 ? floor().resemblance : options_.resemblance;
    const Result<std::unique_ptr<Scheme>> made =
        scheme_of_lost(job().signer.view.shingle_tokens, options_.seed, least);
    if (!made.ok()) {
      warn_of_common_texts(" and were not compared: no bands find pairs at " + least.text() +
                               ". Raise " + option("max_group") + ", or the lowest resemblance (" +
                               option("floor") + " or " + option("resemblance") + ")",
                           true);
      return {};
    }
    const Scheme& scheme = *made.value();
    warn_of_common_texts(
        fmt::format(": they were read again and compared by bands of fss, which find {:.1f} % of "
                    "pairs at {}, and more above",
                    100 * scheme.match_probability(least.value()).value_or(0), least.text()),
        false);
    DocumentKeys keys(rows("common.keys", memory_ / 4), scheme, DocumentKeys::Stored::sketch);
    keys.take_only([&](DocumentId document) { return of_templates_[table_->index(document)]; });
    TWINSET_TRY(run_.read_again("reread", {&keys}));
    PairChecks checks = pair_checks("common");
    TWINSET_ASSIGN(const auto found, checks.candidates(&keys, pairing(scheme)));
    summary_.verified_pairs += checks.report().verified_pairs;
    summary_.verified_texts += checks.report().verified_texts;
    run_.spilled_bytes += checks.report().spilled_bytes;
    TWINSET_TRY(add_pairs(*found));
    run_.clock.end("verify");
    return {};
  }

  /// Adds pairs; the existing pairs keep their numbers.
  Status add_pairs(const SharedPairStore& more) {
    auto all = std::make_unique<SharedPairStore>(rows("all_pairs", memory_ / 4));
    TWINSET_ASSIGN(const auto there, pairs_->read());
    TWINSET_TRY(for_each_row(more, [&](const SharedPair& pair) -> Status {
      while (const SharedPair* next = there->peek()) {
        if (SharedPairLess{}(pair, *next)) break;
        const bool same = !SharedPairLess{}(*next, pair);
        TWINSET_TRY(all->append(*next));
        there->advance();
        if (same) return {};
      }
      TWINSET_TRY(there->status());
      return all->append(pair);
    }));
    TWINSET_TRY(for_each_row(*there, [&](const SharedPair& pair) { return all->append(pair); }));
    TWINSET_TRY(all->seal());
    pairs_ = std::move(all);
    return {};
  }

  /// Finds documents that share a key, and checks them by --verify (B 5.3).
  Status find_candidates() {
    TWINSET_TRY(report_progress("match"));
    PairChecks checks = pair_checks("bands");
    auto candidates = checks.candidates(run_.stores.bands.get(), pairing(*job().signer.scheme));
    if (!candidates.ok() && candidates.error().code == ErrorCode::usage) {
      return run_.refuse(candidates.error());
    }
    TWINSET_TRY(candidates);
    take_checked(checks.report(), std::move(candidates).value());
    summary_.candidate_pairs = checks.report().candidates;
    TWINSET_ASSIGN(std::string too_short, short_documents_warning(job(), *run_.stores.records));
    if (!too_short.empty()) summary_.warnings.push_back(std::move(too_short));
    const bool tells_equal = job().signer.scheme->equal_keys();
    if (job().signer.joins_signatures()) {
      summary_.plan = fmt::format("finds all pairs within {}, by {}",
                                  format_count(floor().distance, "bit", "bits"),
                                  format_count(checks.report().tables, "table", "tables"));
      return {};
    }
    if (const auto found = job().signer.scheme->match_probability(options_.resemblance.value());
        found.has_value() && !tells_equal) {
      summary_.plan = fmt::format("finds {:.1f} % of pairs at exactly {}, and more above",
                                  *found * 100, options_.resemblance.text());
    }
    return {};
  }

  Pairing pairing(const Scheme& scheme) const {
    Threshold threshold = job().thresholds;
    threshold.resemblance = floor().resemblance;
    threshold.containment.reset();
    return {scheme, threshold, check_of_pairs(), options_.max_meetings};
  }
  PairChecks pair_checks(const std::string& name) { return pair_checks(name, floor()); }
  PairChecks pair_checks(const std::string& name, const PairFloor& floor) {
    return {job(), run_.stores, *table_, floor, memory_, name};
  }

  void take_checked(const PairCheckReport& report, std::unique_ptr<SharedPairStore> pairs) {
    summary_.verified_pairs += report.verified_pairs;
    summary_.verified_texts += report.verified_texts;
    run_.spilled_bytes += report.spilled_bytes;
    pairs_ = std::move(pairs);
    run_.clock.end("verify");
  }

  /// Counts the pairs again, over both stored sketches.
  Status count_sketches(const std::vector<std::uint64_t>& common) {
    TWINSET_TRY(run_.stores.counted->stored().hold(memory_ / 2));
    auto recounted = std::make_unique<SharedPairStore>(rows("recounted", memory_ / 4));
    const PairFloor kept = counted_floor();
    std::vector<std::uint8_t> a;
    std::vector<std::uint8_t> b;
    std::uint32_t held = UINT32_MAX;
    TWINSET_TRY(for_each_row(*pairs_, [&](SharedPair pair) -> Status {
      if (pair.a != held) TWINSET_TRY(run_.stores.counted->counted_sketch(pair.a, a));
      held = pair.a;
      TWINSET_TRY(run_.stores.counted->counted_sketch(pair.b, b));
      const std::optional<SampleCounts> counts = job().signer.scheme->compare(a, b, common).counts;
      if (!counts.has_value()) return {};
      pair.keys = overlap_of(*counts);
      if (pair.keys.shared == 0 || !kept.reached_by(pair.keys)) return {};
      return recounted->append(pair);
    }));
    run_.stores.counted->stored().drop_held();
    TWINSET_TRY(recounted->seal());
    pairs_ = std::move(recounted);
    return {};
  }

  /// Counts the documents without keys, and those that lost most of their keys to --max-group.
  Status count_incomparable() {
    return run_.stores.counted->stored().for_each(
        [&](std::uint64_t index, std::span<const std::uint8_t> stored) -> Status {
          if (table_->standing(index).fate != Fate::kept) return {};
          SampleSizes all;
          std::memcpy(&all, stored.data(), sizeof all);
          summary_.without_keys += all.keys[0] == 0 ? 1 : 0;
          const std::uint64_t left = sizes_[index].keys[0];
          if (!lost_most(all.keys[0], left)) return {};
          ++summary_.mostly_common;
          if (!lost_nearly_all(all.keys[0], left)) return {};
          if (of_templates_.empty()) of_templates_.resize(table_->size());
          of_templates_[index] = true;
          ++documents_of_templates_;
          return {};
        });
  }

  void warn_of_common_keys() {
    if (summary_.common_keys == 0) return;
    summary_.warnings.push_back(
        format_count(summary_.common_keys, "common shingle", "common shingles") +
        ", in more than " + format_count(options_.max_group) + " documents each, not counted (" +
        option("max_group") + ")");
  }

  /// If many documents lost most of their keys, warns of them all in one sentence and says how they
  /// were compared: those that lost nearly all as `how` says, the others by the rest.
  void warn_of_common_texts(const std::string& how, bool advises) {
    const std::uint64_t documents = summary_.mostly_common;
    if (static_cast<double>(documents) <=
        warned_common_share * static_cast<double>(summary_.documents)) {
      return;
    }
    const bool are_all = documents == documents_of_templates_;
    std::string text = format_count(documents, "document shares", "documents share") +
                       (are_all ? " nearly all" : " most") + " of their text with over " +
                       format_count(options_.max_group) + " others";
    if (are_all) {
      text += how;
    } else {
      text += documents_of_templates_ == 0
                  ? " and were compared by the rest alone"
                  : "; " + format_count(documents_of_templates_) + " of them share nearly all" +
                        how + "; the others were compared by the rest alone";
      if (!advises) {
        text += ". Raise " + option("max_group") + ", or use dedup, which has no such limit";
      }
    }
    summary_.warnings.push_back(std::move(text));
  }

  Status report_progress(std::string_view stage) const {
    if (job().context.progress != nullptr) job().context.progress->report({stage, 0, 0, 0});
    return job().context.check_cancelled();
  }

  /// Makes clusters of the pairs.
  Status cut() {
    const auto documents = static_cast<std::uint32_t>(table_->size());
    Clustering clustering(documents, threshold(), options_.shape);
    std::optional<DistanceTable> distances;
    if (threshold().kind == LinkKind::distance) {
      distances.emplace(documents, threshold().distance, options_.shape);
    }
    in_pairs_.resize(documents);
    for (std::uint32_t index = 0; index < documents; ++index) {
      const Standing standing = table_->standing(index);
      if (!standing.folded()) continue;
      const auto original = static_cast<std::uint32_t>(standing.other);
      clustering.fold(index, original, standing.fate == Fate::identical);
      if (distances.has_value()) distances->fold(index, original);
      in_pairs_[index] = in_pairs_[original] = true;
    }
    TWINSET_TRY(for_each_row(*pairs_, [&](const SharedPair& pair) {
      in_pairs_[pair.a] = in_pairs_[pair.b] = true;
      if (led()) return;
      clustering.add(pair);
      if (distances.has_value()) distances->add(pair);
    }));
    if (led()) TWINSET_TRY(add_led(clustering, distances.has_value() ? &*distances : nullptr));
    summary_.edges = clustering.edges();
    summary_.too_few_keys = clustering.too_few_keys();
    summary_.least_keys = threshold().least_keys;
    if (distances.has_value()) {
      distances->end_adding();
      TWINSET_TRY(for_each_row(*pairs_, [&](const SharedPair& pair) { distances->count(pair); }));
      summary_.distances = distances->rows();
    }
    if (check_of_pairs() == Check::exact) TWINSET_TRY(estimate_unseen(*pairs_));
    TWINSET_ASSIGN(links_, ClusterLinks::make(rows("links", memory_ / 4), clustering, summary_));
    if (!options_.report.empty()) {
      TWINSET_TRY(facts_.gather(*links_, clustering, *table_, *pairs_, threshold(),
                                link_kind_of(summary_)));
    }
    run_.clock.end("cluster");
    return {};
  }

  /// Adds the pairs to stars led by the rule's documents.
  Status add_led(Clustering& clustering, DistanceTable* distances) {
    const RecordFiles& records = *run_.stores.records;
    TWINSET_ASSIGN(const KeepValues values, keep_values(job(), records, *table_));
    if (std::string said = values.warning(job().keep); !said.empty()) {
      summary_.warnings.push_back(std::move(said));
    }
    TWINSET_TRY(set_keep_order(job(), records, values.compared_as, *table_, memory_ / 4));
    ranks_ = ranks_of(*table_);
    return add_by_lead(
        rows("led", memory_ / 4), [&](const UsePair& use) { return for_each_row(*pairs_, use); },
        ranks_, clustering, distances);
  }

  /// Estimates the pairs at the resemblance that share no key from verified ones that do: a pair
  /// that shares so many shingles is found with a known probability, and represents the inverse of
  /// it. Connected documents are a family. If too many rows were cut, the probability is not known.
  Status estimate_unseen(const SharedPairStore& pairs) {
    const double chance = job().signer.scheme->facts().key_chance;
    if (!options_.containment.has_value() || chance == 0) return {};
    const PairFloor alike{options_.resemblance, {}};
    Clustering families(static_cast<std::uint32_t>(table_->size()), alike,
                        ClusterShape::components);
    UnseenPairs unseen(chance);
    TWINSET_TRY(for_each_row(*pairs_, [&](const SharedPair& pair) { families.add(pair); }));
    TWINSET_TRY(for_each_row(pairs, [&](const SharedPair& pair) {
      if (alike.reached_by(pair.keys)) unseen.add(pair, families.representative(pair.a));
    }));
    if (!many_rows_cut_) summary_.unseen_pairs = unseen.share();
    if (!summary_.unseen_pairs.has_value() && families.edges() > 0) {
      summary_.warnings.push_back("the share of the pairs at " + options_.resemblance.text() +
                                  " that share no key, and are not seen, is not predictable here");
    }
    return {};
  }

  /// If estimates decide: compares some random edges with their texts.
  Status check_some_edges() {
    if (check_of_pairs() != Check::sketch || summary_.edges == 0) return {};
    SharedPairStore some(rows("checked", memory_ / 4));
    {
      EdgeSample sample(threshold(), options_.seed);
      TWINSET_TRY(for_each_row(*pairs_, [&](const SharedPair& pair) { sample.add(pair); }));
      for (const SharedPair& pair : sample.edges()) TWINSET_TRY(some.append(pair));
    }
    TWINSET_TRY(some.seal());
    PairChecks checks = pair_checks("edges", {options_.resemblance, options_.containment});
    TWINSET_ASSIGN(auto right, checks.by_texts(some));
    run_.spilled_bytes += checks.report().spilled_bytes;
    summary_.checked_edges = checked_edges(summary_.edges, some.rows_added(), right->rows_added());
    TWINSET_TRY(estimate_unseen(*right));
    run_.clock.end("check");
    return {};
  }

  Status write() {
    TWINSET_TRY(report_progress("write"));
    summary_.scheme = job().signer.scheme->spec();
    const Scheme* const counted = job().signer.counted_scheme();
    summary_.tells_containment = counted != nullptr && counted->tells_containment();
    summary_.lines = table_->size();
    const bool folder = run_.makes_folder();
    if (summary_.quarantined > 0) {
      summary_.warnings.push_back(format_count(summary_.quarantined, "record", "records") +
                                  " could not be read" +
                                  (folder ? "; see quarantine.jsonl for why" : ""));
    }
    if (folder) {
      TWINSET_TRY(write_pairs());
      TWINSET_TRY(write_clusters());
      if (options_.neighbors) TWINSET_TRY(write_neighbors());
    }
    TWINSET_ASSIGN(summary_.common, common_shingles(job(), *run_.stores.records, *table_, common_));
    return {};
  }

  Result<LineFile> create_lines(const std::string& name) const {
    TWINSET_ASSIGN(auto sink, create_output(*job().context.files, job().work + "/out", name,
                                            Compression::zstd, job().context.threads));
    return LineFile(std::move(sink));
  }

  /// Writes a line for each document in a pair, and for each copy.
  Status write_pairs() {
    struct Task {
      std::vector<std::uint32_t> documents;
      std::vector<SharedPair> pairs;
      std::vector<Overlap> rests;  ///< of these, if they are known
      std::string text;
    };
    TWINSET_ASSIGN(LineFile file, create_lines("pairs.jsonl.zst"));
    TWINSET_ASSIGN(const auto cursor, pairs_->read());
    std::unique_ptr<RowCursor<SharedPair>> rests;
    if (rests_ != nullptr) {
      TWINSET_ASSIGN(rests, rests_->read());
    }
    std::vector<Names> names(std::max(1U, job().context.threads),
                             Names(job(), *run_.stores.records, *table_));
    std::uint32_t next = 0;
    OrderedSteps<Task> steps;
    steps.take = [&](Task& task, TaskPlace) -> Result<bool> {
      TWINSET_TRY(job().context.check_cancelled());
      if (task.pairs.capacity() > 4 * task_pairs) task = Task();
      task.documents.clear();
      task.pairs.clear();
      task.rests.clear();
      for (; next < table_->size() && task.documents.size() < task_documents &&
             task.pairs.size() < task_pairs;
           ++next) {
        if (!in_pairs_[next]) continue;
        task.documents.push_back(next);
        // Pairs come by their later document.
        for (const SharedPair* pair = cursor->peek(); pair != nullptr && pair->a == next;
             pair = cursor->peek()) {
          task.pairs.push_back(*pair);
          cursor->advance();
          if (rests == nullptr) continue;
          TWINSET_ASSIGN(const SharedPair* const rest, rests->next());
          task.rests.push_back(rest->keys);
        }
        TWINSET_TRY(cursor->status());
      }
      return !task.documents.empty();
    };
    steps.work = [&](unsigned worker, Task& task) -> Status {
      DocumentName name;
      FieldLine<PairLine> line;
      task.text.clear();
      auto pair = task.pairs.cbegin();
      for (const std::uint32_t index : task.documents) {
        TWINSET_TRY(names[worker].find(index, name));
        line->id = name.id;
        line->fingerprint = name.fingerprint;
        const DocumentId document = table_->document(index);
        line->input = document.source();
        line->record = document.record();
        if (led()) line->rank = ranks_[index];
        const Standing standing = table_->standing(index);
        line->identical.clear();
        line->lexical.clear();
        line->shingles.clear();
        if (standing.folded()) {
          const DocumentId original = table_->document(standing.other);
          line->original_as(standing.fate).assign({original.source(), original.record()});
        }
        line->pairs.clear();
        line->rests.clear();
        for (; pair != task.pairs.cend() && pair->a == index; ++pair) {
          line->pairs.push_back({table_->document(pair->b), pair->keys});
          if (!task.rests.empty()) line->rests.push_back(task.rests[pair - task.pairs.cbegin()]);
        }
        line.append(task.text);
      }
      return {};
    };
    steps.put = [&](Task& task) -> Status {
      file.buffer() += task.text;
      return file.added();
    };
    TWINSET_TRY(run_in_order(job().context.threads, steps));
    return file.finish();
  }

  Status write_clusters() {
    TWINSET_ASSIGN(LineFile file, create_lines("clusters.jsonl.zst"));
    std::vector<JsonNames> names(std::max(1U, job().context.threads),
                                 JsonNames(job(), *run_.stores.records, *table_));
    return write_cluster_lines(
        job().context, file, [&](ClusterLink& link) { return links_->next(link); },
        [&](unsigned worker, std::uint64_t index, std::string& id) {
          return names[worker].find(index, id);
        });
  }

  Status write_neighbors() {
    TWINSET_ASSIGN(const auto neighbors,
                   Neighbors::make(rows("neighbors", memory_ / 4), *table_, *pairs_));
    if (neighbors->entries() > options_.max_meetings) {
      return run_.refuse(usage_error(
          "the lists of neighbors would name " + format_count(neighbors->entries()) +
          " documents: a smaller " + option("distance") + " makes shorter ones, and " +
          option("max_meetings", std::to_string(neighbors->entries())) + " allows these"));
    }
    TWINSET_ASSIGN(LineFile file, create_lines("neighbors.jsonl.zst"));
    std::vector<Names> names(std::max(1U, job().context.threads),
                             Names(job(), *run_.stores.records, *table_));
    std::vector<DocumentName> found(names.size());
    TWINSET_TRY(neighbors->write(
        job().context, file, *table_,
        [&](unsigned worker, std::uint64_t index, std::string_view& json) -> Status {
          TWINSET_TRY(names[worker].find(index, found[worker]));
          json = found[worker].id;
          return {};
        }));
    return file.finish();
  }

  /// Gives the members of the clusters to the caller.
  Status tell_results() {
    if (results_.member == nullptr) return {};
    Names names(job(), *run_.stores.records, *table_);
    DocumentName representative;
    DocumentName member;
    std::uint64_t cluster = 0;
    std::uint64_t told = UINT64_MAX;  // the document whose name is in `representative`
    return links_->for_each([&](const ClusterLink& link) -> Status {
      TWINSET_TRY(job().context.check_cancelled());
      if (link.representative != told) {
        cluster += told == UINT64_MAX ? 0 : 1;
        told = link.representative;
        TWINSET_TRY(names.find(told, representative));
      }
      TWINSET_TRY(names.find(link.member, member));
      return results_.member({cluster, named(representative), named(member)});
    });
  }

  ClusterOptions options_;
  const ClusterResults& results_;
  const DrawReport<ClusterFindings> draw_;
  const RunControl& control_;
  RunTemplates templates_;
  CollectionRun run_;
  ViewRule rest_view_;  ///< of the texts without the templates that were learned
  std::unique_ptr<DocumentTable> table_;
  std::vector<SampleSizes> sizes_;
  std::vector<bool> of_templates_;  ///< documents that lost nearly all keys to --max-group
  std::uint64_t documents_of_templates_ = 0;
  std::uint64_t memory_ = 0;  ///< without the tables that grow with the collection
  std::vector<CommonKey> common_;
  bool many_rows_cut_ = false;
  std::unique_ptr<SharedPairStore> pairs_;
  std::unique_ptr<SharedPairStore> rests_;  ///< of the same pairs, the numbers without templates
  std::vector<bool> in_pairs_;              ///< documents with a line in pairs.jsonl.zst
  std::vector<std::uint32_t> ranks_;  ///< with chosen leads: each document's place in lead order
  std::unique_ptr<ClusterLinks> links_;
  ClusterFacts facts_{options_.resemblance.value()};  ///< for the report; empty without one
  ClusterSummary summary_;
};

}  // namespace

Result<ClusterSummary> cluster_collection(std::shared_ptr<Collection> collection,
                                          const ClusterOptions& options, const RunControl& control,
                                          const ClusterResults& results,
                                          DrawReport<ClusterFindings> draw) {
  if (collection == nullptr) {
    TWINSET_ASSIGN(const bool of_index, is_of_index(files_of(control), options));
    if (of_index) return cluster_index(options, control);
  }
  ClusterOptions with_profile = options;
  TWINSET_TRY(
      apply_profile(files_of(control), {&with_profile, &with_profile.resemblance,
                                        [&](Check check) { with_profile.verify = check; }}));
  ClusterRun run(with_profile, control, results, draw);
  run.read_from(std::move(collection));
  return run.run();
}

}  // namespace twinset
