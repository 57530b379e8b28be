#include "faces/run_report.h"

#include <algorithm>

#include "faces/page.h"
#include "faces/pair_rows.h"
#include "io/json.h"
#include "run/known_documents.h"
#include "text/shingler.h"
#include "twinset/result.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// Texts longer than this are cut for the side-by-side view.
constexpr std::size_t shown_text_bytes = std::size_t{256} << 10;
/// The most bytes shown of a command or a warning.
constexpr std::size_t most_line_bytes = 4000;

/// The folder, with "/" at its end, that holds all inputs; empty if there is none.
std::string common_folder(const Job& job) {
  if (job.sources() == 0) return "";
  std::string folder = job.source(0).shown;
  for (std::uint64_t i = 1; i < job.sources(); ++i) {
    const std::string& other = job.source(i).shown;
    const auto [end, unused] =
        std::mismatch(folder.begin(), folder.end(), other.begin(), other.end());
    folder.erase(end, folder.end());
  }
  return folder.substr(0, folder.rfind('/') + 1);
}

/// The reason why a text cannot be shown, or empty. Only an interruption is an Error.
Result<std::string> excuse(const Status& read) {
  if (read.ok()) return std::string();
  if (read.error().code == ErrorCode::interrupted) return read.error();
  return read.error().text();
}

}  // namespace

RunReport::RunReport(const Job& job, const RecordFiles& records, const DocumentTable& documents,
                     PairTerms terms)
    : job_(job),
      documents_(documents),
      terms_(std::move(terms)),
      names_(job, records, documents),
      texts_(job, records, documents) {
  const std::string folder = common_folder(job);
  folder_bytes_ = folder.size();
  facts.folder = visible_name(folder);
}

/// The number that decided in this run, unless that is exact. The exact numbers are shown before
/// it, and may contradict it.
std::optional<Fact> RunReport::fact_of(const Link& link) const {
  const Overlap& numbers = link.numbers;
  switch (link.kind) {
    case LinkKind::shingles:
    case LinkKind::nothing:
      return std::nullopt;
    case LinkKind::keys:
      return Fact{
          "counted", share(link.resemblance()),
          format_count(numbers.shared) + " of " + format_count(numbers.all(), "key", "keys")};
    case LinkKind::estimate:
      return Fact{"estimated", share(link.resemblance())};
    case LinkKind::distance:
      return Fact{"distance", Value::count(numbers.shared),
                  "of " + format_count(numbers.later, "bit", "bits")};
    case LinkKind::signature:
      return Fact{"signature", Value::count(numbers.shared), "the coordinate that is equal"};
  }
  return std::nullopt;
}

Anchor RunReport::show(const SeenPair& pair, std::string tag) {
  const auto [at, is_new] = numbers_.try_emplace({pair.earlier, pair.later}, shown_.size() + 1);
  if (is_new) {
    seen_.push_back(pair);
    ShownPair& shown = shown_.emplace_back();
    shown.tag = std::move(tag);
    shown.color = pair.fate;
    shown.a.index = pair.earlier;
    shown.b.index = pair.later;
    if (std::optional<Fact> fact = fact_of(pair.link)) shown.facts.push_back(std::move(*fact));
  }
  return {"side by side", "pairs", at->second};
}

Status RunReport::add_tile(std::vector<Tile>& tiles, std::uint64_t first, std::uint64_t documents) {
  ReportDocument document{.index = first};
  TWINSET_TRY(name(document));
  std::string shown = document.id.empty() ? document.file + ":" + std::to_string(document.record)
                                          : std::move(document.id);
  tiles.push_back({.name = std::move(shown), .count = documents});
  return {};
}

void RunReport::add_suspicious(const PairCollector& pairs, std::string lead) {
  const std::vector<SeenPair> oddest = pairs.oddest();
  if (oddest.empty()) return;
  Section section{.name = "suspicious", .title = "Most suspicious", .lead = std::move(lead)};
  for (const SeenPair& pair : oddest) {
    ListItem item{.documents = {{.index = pair.later}, {.index = pair.earlier}},
                  .facts = {{"resemblance", share(pair.link.resemblance())}},
                  .links = {show(pair, "suspicious")}};
    if (pair.link.counts()) {
      const Overlap& sizes = pair.link.numbers;
      item.facts.push_back(
          {terms_.later + " in " + terms_.earlier, containment(sizes.containment())});
      item.facts.push_back(
          {terms_.earlier + " in " + terms_.later, containment(sizes.earlier_containment())});
      item.facts.push_back({link_kind_name(pair.link.kind), Value::count(sizes.later),
                            "and " + format_count(sizes.earlier)});
    }
    section.list.push_back(std::move(item));
  }
  facts.sections.push_back(std::move(section));
}

Value RunReport::containment(double share) const {
  return Value::share(share, terms_.thresholds.containment.value_or(Ratio()).value());
}

std::string RunReport::threshold_text() const {
  const Threshold& least = terms_.thresholds;
  std::string text = "resemblance " + format_share(least.resemblance.value()) + " or more";
  if (least.containment.has_value()) {
    text += ", or containment " + format_share(least.containment->value()) + " or more";
  }
  return text;
}

std::string RunReport::file_name(std::string_view shown) const {
  return visible_name(shown.substr(folder_bytes_));
}

void RunReport::describe_run(const RunFacts& run, std::vector<Fact> rules) {
  fill_head(facts, job_.kept != nullptr ? "standard output" : job_.verb.output,
            job_.options.command, run);
  Section section{.name = "run", .title = "The run", .numbers = std::move(rules)};
  if (job_.signer.scheme != nullptr) {
    section.numbers.push_back({"scheme", Value::code(job_.signer.scheme->spec())});
  }
  section.numbers.push_back(
      {"analyzer", Value::text(std::string(job_.signer.view.analyzer->name()))});
  Fact time = time_of(run);
  time.note = "on " + format_count(job_.context.threads, "thread", "threads");
  if (run.text_bytes > 0 && run.seconds > 0) {
    const double rate = static_cast<double>(run.text_bytes) / run.seconds;
    time.note += ", " + format_bytes(static_cast<std::uint64_t>(rate)) + " of text a second";
  }
  section.numbers.push_back(std::move(time));
  section.numbers.push_back(memory_of(run));
  Table stages{{"stage", "time", "of processors"}, {}};
  for (const StageTime& stage : run.stages) {
    stages.rows.push_back({Value::text(stage.stage), Value::seconds(stage.seconds),
                           Value::seconds(stage.cpu_seconds)});
  }
  section.tables.push_back(std::move(stages));
  facts.sections.push_back(std::move(section));
}

Status RunReport::name(ReportDocument& document) {
  TWINSET_TRY(names_.find(document.index, name_));
  if (documents_.is_earlier(document.index)) {
    document.id = visible_name(plain_id(name_.id));
    document.file = name_.file;
    document.record = name_.record;
    return {};
  }
  std::string none;  // names_ gives this id to a document without one.
  append_json_string(
      none, made_id(job_.source(documents_.document(document.index).source()), name_.record));
  if (name_.id != none) document.id = visible_name(plain_id(name_.id));
  document.file = file_name(name_.file);
  document.record = name_.record;
  return {};
}

/// Extracts the texts of compressed inputs; returns the reason if it cannot, else empty.
Result<std::string> RunReport::extract() {
  std::vector<bool> wanted(documents_.size());
  for_each_document(facts, [&](ReportDocument& document, bool) {
    if (!documents_.is_earlier(document.index)) wanted[document.index] = true;
  });
  return excuse(texts_.extract(wanted));
}

Status RunReport::read_text(std::uint64_t index, std::string& out, TokenRanges& left_out) {
  const DocumentId document = documents_.document(index);
  if (documents_.is_earlier(index)) {
    if (job_.known->has_texts()) return texts_.see(document, out, left_out);
    return io_error(job_.known->shown() + " keeps no texts");
  }
  if (job_.collection->has_changed(document.source())) {
    return io_error(job_.source(document.source()).shown + " has changed since it was read");
  }
  if (!unread_.empty() && job_.collection->rereading(document.source()) != Rereading::at_random) {
    return io_error(unread_);
  }
  return texts_.see(document, out, left_out);
}

Status RunReport::read_words(ReportDocument& document) {
  std::string text;
  TokenRanges left_out;
  TWINSET_ASSIGN(const std::string unread, excuse(read_text(document.index, text, left_out)));
  if (!unread.empty()) return {};
  document.words = first_words(text);
  if (document.words.empty()) document.words = "(no text)";
  return {};
}

std::vector<Fact> RunReport::numbers_of(const Passages& found) const {
  const std::string later_in = terms_.later + " in " + terms_.earlier;
  const std::string earlier_in = terms_.earlier + " in " + terms_.later;
  if (terms_.run_tokens != 0) {
    return {{later_in, Value::percent(found.shared_tokens_b, found.tokens_b),
             "of " + format_count(found.tokens_b, "word", "words")},
            {earlier_in, Value::percent(found.shared_tokens_a, found.tokens_a),
             "of " + format_count(found.tokens_a, "word", "words")}};
  }
  std::vector<Fact> numbers;
  if (const auto known = found.resemblance()) {
    numbers.push_back({"resemblance", share(*known),
                       format_count(found.shared_shingles) + " of " +
                           format_count(found.all_shingles(), "shingle", "shingles")});
  }
  if (const auto known = found.containment_b_in_a()) {
    numbers.push_back({later_in, containment(*known)});
  }
  if (const auto known = found.containment_a_in_b()) {
    numbers.push_back({earlier_in, containment(*known)});
  }
  return numbers;
}

Status RunReport::read_pair(const SeenPair& seen, ShownPair& shown) {
  std::string a;
  std::string b;
  TokenRanges left_out_a;
  TokenRanges left_out_b;
  Status read = read_text(seen.earlier, a, left_out_a);
  if (read.ok()) read = read_text(seen.later, b, left_out_b);
  TWINSET_ASSIGN(const std::string unread, excuse(read));
  if (!unread.empty()) {
    shown.more = visible_name("The texts are not shown: " + unread, most_line_bytes);
    return {};
  }
  const bool cut = std::max(a.size(), b.size()) > shown_text_bytes;
  for (std::string* text : {&a, &b}) text->resize(std::min(text->size(), shown_text_bytes));
  Analysis earlier;
  Analysis later;
  job_.signer.view.analyzer->analyze(a, Offsets::keep, earlier);
  job_.signer.view.analyzer->analyze(b, Offsets::keep, later);
  const unsigned width = terms_.run_tokens == 0 ? job_.signer.view.shingle_tokens
                                                : std::min(terms_.run_tokens, max_shingle_tokens);
  const bool equal = a == b;
  const bool drops = !left_out_a.empty() || !left_out_b.empty();
  std::optional<double> whole;
  if (drops) whole = find_passages(earlier, later, width).resemblance();
  const std::vector<TextRange> notes_a = leave_out(left_out_a, a, earlier);
  const std::vector<TextRange> notes_b = leave_out(left_out_b, b, later);
  Passages found = find_passages(earlier, later, width);
  found.same_without_tokens = equal;
  std::vector<Fact> numbers;
  if (!cut) {
    numbers = numbers_of(found);
    if (whole) numbers.push_back({"whole pages", share(*whole), "with their templates"});
  } else if (terms_.run_tokens == 0) {
    numbers.push_back({"resemblance", share(seen.link.resemblance()),
                       "long documents: only their beginnings are compared here"});
  }
  shown.facts.insert(shown.facts.begin(), numbers.begin(), numbers.end());
  if (equal) {
    shown.more = cut ? "The beginnings are identical." : "The texts are identical.";
  } else {
    set_rows(shown, a, b, found, notes_a, notes_b);
  }
  return {};
}

Result<ReportFiles> RunReport::finish(const RunFacts& run, std::vector<Fact> rules) {
  const std::size_t place = facts.sections.size();
  if (!shown_.empty()) {
    facts.sections.push_back({.name = "pairs",
                              .title = "Side by side",
                              .side_a = terms_.earlier,
                              .side_b = terms_.later,
                              .pairs = std::move(shown_)});
  }
  describe_run(run, std::move(rules));
  TWINSET_ASSIGN(unread_, extract());
  Status read;
  for_each_document(facts, [&](ReportDocument& document, bool reads_words) {
    if (read.ok()) read = name(document);
    if (read.ok() && reads_words) read = read_words(document);
  });
  TWINSET_TRY(read);
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    TWINSET_TRY(read_pair(seen_[i], facts.sections[place].pairs[i]));
  }
  return drawn_report(std::move(facts));
}

void fill_head(ReportFacts& facts, std::string_view output, std::string_view command,
               const RunFacts& run) {
  facts.output = visible_name(output);
  facts.command = visible_name(command, most_line_bytes);
  facts.started = run.started;
  facts.version = version();
  for (const std::string& warning : run.warnings) {
    facts.warnings.push_back(visible_name(render_message(Door::plain, warning), most_line_bytes));
  }
}

Fact time_of(const RunFacts& run) { return {"took", Value::seconds(run.seconds)}; }

Fact memory_of(const RunFacts& run) {
  return {"memory at most", Value::bytes(run.peak_memory_bytes)};
}

Result<ReportFiles> drawn_report(ReportFacts facts) {
  ReportFiles files;
  files.json = report_json(std::move(facts));
  TWINSET_ASSIGN(const ReportFacts stored, read_report_facts(files.json, "report.json"));
  files.page = report_page(stored);
  return files;
}

}  // namespace twinset
