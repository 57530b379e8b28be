// The example of each public header, in a function of its own. headers_test.py compiles this file
// against the shelf alone, and compares the lines below "// x.h" with those that x.h shows.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/browse.h"
#include "twinset/calibrate.h"
#include "twinset/cluster.h"
#include "twinset/collection.h"
#include "twinset/columns.h"
#include "twinset/dedup.h"
#include "twinset/evaluate.h"
#include "twinset/field.h"
#include "twinset/files.h"
#include "twinset/filter.h"
#include "twinset/group.h"
#include "twinset/hits.h"
#include "twinset/index.h"
#include "twinset/json.h"
#include "twinset/judge.h"
#include "twinset/keep.h"
#include "twinset/labels.h"
#include "twinset/lexicon.h"
#include "twinset/live_index.h"
#include "twinset/look.h"
#include "twinset/merge.h"
#include "twinset/option.h"
#include "twinset/page.h"
#include "twinset/pair.h"
#include "twinset/phish.h"
#include "twinset/plan.h"
#include "twinset/ratio.h"
#include "twinset/result.h"
#include "twinset/reuse.h"
#include "twinset/run.h"
#include "twinset/scheme.h"
#include "twinset/sketch.h"
#include "twinset/spans.h"
#include "twinset/visible.h"

using namespace twinset;

namespace {

/// What a reader of the examples does with what they found.
template <class... Anything>
void use(const Anything&...) {}

}  // namespace

void browse_example() {
  // browse.h
  BrowseOptions options;
  options.folder = "clean";
  const RunBrowser run = RunBrowser::open(options, RunControl{}).value();
  ClustersOptions asked;
  asked.sort = ClusterSort::resemblance;
  const ClusterPage page = run.clusters(asked).value();
  page.clusters.front().first.id;             // the survivor of the least alike one
  std::fputs(to_json(page).c_str(), stdout);  // an object on a line
}

void calibrate_example() {
  // calibrate.h
  CalibrateOptions options;
  options.inputs = {"crawl.jsonl.zst"};
  options.scheme = "simhash";
  options.labels = "topic";
  options.output = "crawl.profile";
  const Calibration made = calibrate(options, RunControl{}).value();
  made.chosen;
}

void cluster_example() {
  // cluster.h
  ClusterOptions options;
  options.inputs = {"crawl.jsonl.zst"};
  options.output = "clusters";
  Result<ClusterSummary> done = cluster(options, RunControl{});
}

void collection_example() {
  // collection.h
  ClusterOptions options;
  options.inputs = {"crawl.jsonl.zst", "notes/"};
  options.input.text = "body.text";
  options.resources.threads = 4;
}

Status columns_example(DedupOptions& options, const std::vector<std::string>& ids,
                       const std::vector<std::string>& dates, std::string_view bytes,
                       const std::vector<std::int32_t>& offsets, Validity validity) {
  // columns.h
  std::vector<std::string> texts{"one text", "another"};
  options.columns = {TextColumn(texts)};
  TWINSET_ASSIGN(const StringColumn body, StringColumn::from_offsets(bytes, offsets, validity));
  TextColumn column(body);
  TWINSET_TRY(column.set_ids(ids));
  TWINSET_TRY(column.add_field("date", dates));
  return {};
}

void dedup_example(const std::vector<std::string>& texts) {
  {
    // dedup.h
    DedupOptions options;
    options.inputs = {"crawl.jsonl.zst"};
    options.output = "clean";
    Result<DedupSummary> done = dedup(options, RunControl{});
  }
  DedupOptions options;
  options.columns = {TextColumn(texts)};
  Result<DedupSummary> done = dedup(options, {}, {.kept = [](const NamedDocument& document) {
                                      use(document.id);
                                      return Status();
                                    }});
}

void evaluate_example() {
  // evaluate.h
  EvaluateOptions options;
  options.inputs = {"crawl.jsonl.zst"};
  const Evaluation seen = evaluate(options, RunControl{}).value();
  const Share recall = seen.methods[0].at[seen.chosen].recall;
  recall.value();
  std::fputs(to_text(seen).c_str(), stdout);
}

void field_example() {
  // field.h
  DedupSummary summary;
  for (const Field& field : fields_of(summary)) {
    if (auto* number = std::get_if<std::uint64_t*>(&field.member)) use(field.name, **number);
  }
}

void files_example() {
  // files.h
  class ReadOnly final : public ForwardingFiles {
   public:
    ReadOnly() : ForwardingFiles(disk()) {}
    Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
      if (mode != OpenMode::read) return io_error("cannot write " + path + ": read-only");
      return below().open(path, mode);
    }
  };
  ReadOnly files;
  const Shown seen = show({.folder = "clean"}, {nullptr, nullptr, &files}).value();
}

struct Row {
  int place = 0;
  std::uint64_t bytes = 0;
};
using Place = int;

void group_example(std::span<const Row> rows, std::span<const Place> places,
                   std::span<const Place> edges) {
  const auto byte_hash = [](const Row& row) { return row.bytes; };
  const auto is_protected = [](Place place) { return place < 0; };
  const auto state_of = [](Place) { return LinkState::reached; };
  const auto fate_of = [](Place) { return EarlierFate::stays; };
  const Place later = 3;
  const Place earlier = 1;
  const LinkState state = LinkState::reached;
  const std::optional<Place> survivor_of_later;
  const std::optional<Place> survivor_of_earlier;
  // group.h
  fold(rows, byte_hash,
       [](const Row& copy, const Row& first, CopyKind kind) { use(copy, first, kind); });
  pair(places, is_protected, [](Place later, Place earlier) { use(later, earlier); });
  const Decision next = decide(edges, state_of, fate_of);
  const auto asked = repair(later, earlier, state, survivor_of_later, survivor_of_earlier);
  use(next, asked);
}

void judge_example(JudgeDesk& desk) {
  // judge.h
  JudgeOptions options;
  options.sources = {"groups"};
  options.output = "groups.judged";
  options.judge = "ann";
  Result<JudgedTables> done = judge(options, desk, RunControl{});
  done.value().judges.front().classes.front().precision;
}

void keep_example(std::span<const std::string_view> dates) {
  // keep.h
  const KeepKeys keys = KeepKeys::make("newest:date", "words", false).value();
  KeepCounts all;
  for (const std::string_view date : dates) keys.count(date, all);
  const std::optional<std::string> key = keys.key(dates[0], all);
}

void hits_example() {
  // hits.h
  const std::vector<std::string> found{"7", "12"};
  const Index index = Index::open("crawl.index").value();
  HitList list;
  for (const std::string& id : found) list.hits.push_back({.id = id});
  list.access = {"staff", "everybody"};
  const GroupedHits grouped = index.group(list, {.access = "readers"}).value();
  for (const ShownHit& shown : grouped.order) use(list.hits[shown.hit]);
}

void filter_example() {
  // filter.h
  FilterOptions options;
  options.set = "spam.index";
  options.prototypes = {"known-spam.jsonl"};
  const Filter filter = Filter::open(options).value();
  const FilterAnswer answer = filter.check("a message").value();
  if (answer.verdict == FilterVerdict::match) use(answer.prototype->document.id);
  if (!filter.add("reported-17", "the text of a message").ok()) return;
}

void index_example() {
  // index.h
  IndexOptions options;
  options.index = "crawl.index";
  if (!create_index(options, {}).ok()) return;
  options.inputs = {"january.jsonl.zst"};
  const IndexSummary added = add_to_index(options, {}).value();
  const Index index = Index::open("crawl.index").value();
  const IndexAnswer answer = index.query("a text that may be known").value();
  for (const IndexHit& hit : answer.hits) use(hit.document.id);
  use(added.added);
}

void labels_example() {
  // labels.h
  LabelsOptions options;
  options.inputs = {"january.labels", "february.labels"};
  options.output = "both.labels";
  Result<LabelsSummary> merged = merge_labels(options, RunControl{});
}

void json_example() {
  // json.h
  struct Greeting {
    std::string to = "all";
  } greeting;
  to_json({{"to", &greeting.to, Unit::text}});
}

void live_index_example() {
  // live_index.h
  const LiveIndex live = LiveIndex::open("crawl.index", LiveAccess::change).value();
  NewDocument page{.id = "\"p-17\"", .text = "the text of a page", .url = "https://a.org/17"};
  const AddedDocuments added = live.add({&page, 1}).value();
  const std::shared_ptr<const Index> now = live.current();
  const IndexAnswer answer = now->query("a text that may be known").value();
  use(added.added, answer.hits);
}

void lexicon_example() {
  // lexicon.h
  LexiconOptions options;
  options.inputs = {"web.jsonl.zst"};
  options.output = "web.df";
  Result<LexiconSummary> counted = count_terms(options, RunControl{});
  options.inputs = {"web.df"};
  options.output = "web.lexicon";
  Result<LexiconSummary> built = build_lexicon(options, RunControl{});
  built.value().table.primary->terms;
}

void look_example() {
  // look.h
  const Explanation why = explain({.folder = "clean", .id = "n4"}, RunControl{}).value();
  why.survivor.id;
  std::fputs(to_text(why).c_str(), stdout);
  const Shown seen = show({.folder = "clean"}, RunControl{}).value();
  seen.clusters.front().documents;
  RestoreOptions options;
  options.folder = "clean";
  options.records = {"n4"};
  options.output = "again";
  const RestoreSummary back = restore(options, RunControl{}).value();
}

void merge_example() {
  // merge.h
  DedupOptions options;
  options.inputs = {"crawl/"};
  options.shard = "1/2";
  options.output = "parts/1";
  Result<DedupSummary> part = dedup(options, RunControl{});
  MergeOptions all;
  all.parts = {"parts/1", "parts/2"};
  all.output = "clean";
  Result<MergeSummary> done = merge(all, RunControl{});
}

void option_example() {
  // option.h
  DedupOptions options;
  for (const Option& option : options_of(options)) {
    if (option.name() != "resemblance") continue;
    const Status set = option.set("90%");
  }
}

void page_example(const std::function<void(const std::string&, const std::string&)>& answer) {
  // page.h
  const LivePage page = live_page();
  answer(page.html, page.policy);
}

void pair_example(const std::string& a, const std::string& b) {
  // pair.h
  const double r = resemblance(a, b).value().value;
  const double c = containment(a, b).value().value;
  const ComparedTexts both = compare_texts(a, b).value();
  for (const Passage& passage : both.passages.a) {
    if (!passage.shared) use(both.text_a.substr(passage.begin, passage.end - passage.begin));
  }
  std::fputs(to_text(both).c_str(), stdout);
  use(r, c);
}

void phish_example() {
  // phish.h
  PhishOptions options;
  options.labels = "bank.labels";
  options.inputs = {"from_mail.warc.gz"};
  Result<PhishSummary> done = phish(options, RunControl{});
  use(done);
}

void plan_example() {
  // plan.h
  PlanOptions options;
  options.inputs = {"crawl.jsonl.zst"};
  Result<Plan> seen = plan(options, RunControl{});
  seen.value().removed.value;
}

void ratio_example(std::uint64_t shared, std::uint64_t total) {
  // ratio.h
  Result<Ratio> threshold = Ratio::parse("0.8");
  threshold.value().reached_by(shared, total);
}

Status result_example() {
  // result.h
  Result<TextScheme> scheme = make_scheme("fss(bins=256)");
  if (!scheme.ok()) return scheme.error();
  if (!scheme.ok()) std::cerr << scheme.error().text() << "\n";
  return {};
}

void reuse_example() {
  // reuse.h
  DiscoverOptions known;
  known.from = {"wikipedia.warc.gz"};
  known.output = "wikipedia.labels";
  Result<DiscoverSummary> made = discover(known, RunControl{});
  DetectOptions detect_options;
  detect_options.inputs = {"crawl.warc.gz"};
  detect_options.labels = known.output;
  detect_options.output = "copies";
  Result<DetectSummary> found = detect(detect_options, RunControl{});
}

void run_example() {
  // run.h
  std::atomic<bool> stop = false;
  DedupOptions options;
  options.resources.memory = std::uint64_t{4} << 30;
  Result<DedupSummary> done = dedup(options, RunControl{&stop});
  done.value().warnings;
}

void scheme_example(const std::string& a, const std::string& b,
                    const std::vector<std::string_view>& texts) {
  // scheme.h
  const TextScheme fss = make_scheme("fss(shingle=5)").value();
  const TextSketch s = fss.sketch(a).value();
  const TextSketch t = fss.sketch(b).value();
  const Estimate e = *fss.compare(s, t).value().resemblance;
  const SignedTexts all = fss.sign(texts, 8).value();
  if (shares_a_key(all.keys_of(0), all.keys_of(1))) {
    const Comparison found = fss.compare(all.sketch_of(0), all.sketch_of(1));
    if (verdict(found, {.resemblance = Ratio(4, 5)}) == Verdict::reached) use(all);
  }
  use(e);
}

void sketch_example() {
  // sketch.h
  SketchOptions options;
  options.inputs = {"crawl.jsonl.zst"};
  options.scheme = {"simhash", "mod"};
  options.output = "signatures.jsonl.zst";
  Result<SketchSummary> done = sketch(options, RunControl{});
}

void spans_example(std::string_view a, std::string_view b) {
  {
    // spans.h
    const ComparedSpans found = compare_spans(a, b, {.least_tokens = 20}).value();
    for (const TextSpan& span : found.spans) {
      use(a.substr(span.begin_a, span.end_a - span.begin_a));
    }
  }
  SpansOptions options;
  options.inputs = {"crawl.jsonl.zst"};
  options.output = "spans";
  Result<SpansSummary> done = spans(options, RunControl{});
}

void visible_example() {
  // visible.h
  visible_text("red \x1b[31m");
}
