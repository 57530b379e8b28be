// Draws the sample, shows the pairs without a verdict one after the other, and writes each verdict
// before the next pair is shown. The texts are read a slice of the sample at a time, so memory does
// not grow with it.
//
// This file's interface is judge/judge_run.h; the rest is private.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/message.h"
#include "collection/output_files.h"
#include "io/inputs.h"
#include "judge/judge_run.h"
#include "judge/judge_table.h"
#include "judge/judged_file.h"
#include "judge/source.h"
#include "words/numbers.h"
#include "words/passages.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::uint64_t most_sample = 100'000;
constexpr std::size_t slice_pairs = 500;
constexpr std::size_t most_judge_bytes = 200;

Status check_options(const JudgeOptions& options) {
  if (options.sample == 0) return usage_error(option("sample", "0") + " leaves nothing to judge");
  if (options.sample > most_sample) {
    return usage_error(option("sample", std::to_string(options.sample)) + " is above " +
                       format_count(most_sample));
  }
  if (options.sources.size() != 1) {
    return usage_error("judge takes one folder or file; several are for " + switch_on("table"));
  }
  if (is_standard_input(options.sources.front())) {
    return usage_error("the answers come from standard input: give what to judge as a file");
  }
  if (options.output.empty()) {
    return usage_error("no file for the verdicts: " + option("output", "FILE.judged"));
  }
  if (options.judge.empty()) return usage_error("no name of the judge: " + option("judge", "NAME"));
  if (options.judge.size() > most_judge_bytes) {
    return usage_error(option("judge") + " is longer than " + std::to_string(most_judge_bytes) +
                       " bytes");
  }
  return {};
}

Result<std::unique_ptr<JudgeSource>> open_source(FileSystem& files, const JudgeOptions& options,
                                                 const std::atomic<bool>* cancel) {
  const std::string& source = options.sources.front();
  TWINSET_ASSIGN(const FileStatus status, files.status(source));
  switch (status.kind) {
    case FileStatus::Kind::missing:
      return usage_error("there is no " + visible_name(source));
    case FileStatus::Kind::directory: {
      TWINSET_ASSIGN(const bool is_found, is_detection(files, source));
      return is_found ? open_matches(files, source, cancel) : open_run_pairs(files, source, cancel);
    }
    default:
      break;
  }
  TWINSET_ASSIGN(const bool is_table, is_table_file(files, source));
  return is_table ? open_label_file(files, source, cancel)
                  : open_pair_file(files, source, options, cancel);
}

std::string shown_name(const RecordName& name) {
  return name.record == 0 ? name.id
                          : name.id + " (" + name.file + ":" + std::to_string(name.record) + ")";
}

/// Holds the texts of the slice of the sample that was asked for last.
class ShownTexts {
 public:
  ShownTexts(JudgeSource& source, const std::vector<SamplePair>& pairs)
      : source_(source), pairs_(pairs) {}

  Result<ComparedTexts> compare(std::size_t i) {
    if (texts_.empty() || i < begin_ || i - begin_ >= texts_.size()) {
      begin_ = i / slice_pairs * slice_pairs;
      const std::size_t size = std::min(slice_pairs, pairs_.size() - begin_);
      TWINSET_ASSIGN(texts_, source_.read(std::span(pairs_).subspan(begin_, size)));
    }
    const JudgedPair& texts = texts_[i - begin_];
    if (source_.kind() == Judged::labels) return label(pairs_[i], texts);
    Analysis a;
    Analysis b;
    source_.analyzer().analyze(texts.a.text, Offsets::keep, a);
    source_.analyzer().analyze(texts.b.text, Offsets::keep, b);
    ComparedTexts out{shown_name(pairs_[i].a.document), shown_name(pairs_[i].b.document),
                      texts.a.text, texts.b.text, find_passages(a, b, source_.shingle_tokens())};
    out.identical = texts.a.text == texts.b.text;
    for (const auto& [letter, text] : {std::pair("A", &texts.a), std::pair("B", &texts.b)}) {
      if (!text->cut) continue;
      out.notes.push_back(std::string("only the first ") + format_bytes(text->text.size()) +
                          " of " + letter + " are shown");
    }
    return out;
  }

 private:
  static ComparedTexts label(const SamplePair& pair, const JudgedPair& texts) {
    ComparedTexts out;
    out.name_a = pair.b.document.id + " " + pair.a.document.id;
    out.name_b = texts.name_b;
    out.text_a = texts.a.text;
    out.text_b = texts.b.text;
    if (texts.a.text.empty()) out.notes.emplace_back("nothing of its text is kept");
    if (texts.a.cut) {
      out.notes.push_back("only the first " + format_bytes(texts.a.text.size()) +
                          " of its text are kept");
    }
    return out;
  }

  JudgeSource& source_;
  const std::vector<SamplePair>& pairs_;
  std::size_t begin_ = 0;
  std::vector<JudgedPair> texts_;
};

class JudgeRun {
 public:
  JudgeRun(const JudgeOptions& options, JudgeDesk& desk, const RunControl& control,
           const JudgePage& page)
      : options_(options),
        desk_(desk),
        page_(page),
        files_(files_of(control)),
        cancel_(control.cancel) {}

  Result<JudgedTables> run() {
    TWINSET_TRY(check_options(options_));
    if (!options_.categories.empty()) TWINSET_TRY(Categories::parse(options_.categories));
    TWINSET_ASSIGN(source_, open_source(files_, options_, cancel_));
    header_.kind = source_->kind();
    const bool is_labels = header_.kind == Judged::labels;
    TWINSET_ASSIGN(header_.categories,
                   Categories::parse(!options_.categories.empty() ? options_.categories
                                     : is_labels                  ? label_categories
                                                                  : pair_categories));
    TWINSET_TRY(draw());
    if (!options_.page.empty()) return make_page();
    TWINSET_ASSIGN(file_, JudgedFile::open(files_, options_.output, header_));
    const std::uint64_t cut = file_->content().cut_bytes;
    const Status done = ask();
    if (!done.ok()) return done.error();
    JudgedTables tables = count_verdicts(header_, file_->content().verdicts);
    if (cut > 0) tables.notes.push_back(cut_note(options_.output, cut));
    return tables;
  }

  /// The tables of judged files of one sample.
  Result<JudgedTables> count() {
    JudgedContent all;
    std::vector<std::string> notes;
    for (const std::string& path : options_.sources) {
      TWINSET_ASSIGN(JudgedContent content, read_judged(files_, path));
      if (&path == &options_.sources.front()) {
        all.header = content.header;
      } else {
        TWINSET_TRY(content.header.check_same(all.header, path));
      }
      if (content.cut_bytes > 0) notes.push_back(cut_note(path, content.cut_bytes));
      std::ranges::move(content.verdicts, std::back_inserter(all.verdicts));
    }
    JudgedTables tables = count_verdicts(all.header, all.verdicts);
    tables.notes = std::move(notes);
    return tables;
  }

 private:
  static std::string cut_note(const std::string& path, std::uint64_t bytes) {
    return visible_name(path) + " ended in a half line of " + format_bytes(bytes) +
           ", which a killed call left; it does not count";
  }

  Status draw() {
    header_.source = options_.sources.front();
    header_.by = options_.by;
    header_.sample = options_.sample;
    header_.seed = options_.seed;
    Sampler sampler({options_.by, options_.sample, options_.seed});
    TWINSET_TRY(source_->draw(sampler));
    if (sampler.seen() == 0) {
      const bool copies = header_.kind == Judged::pairs && options_.by != JudgeBy::label;
      return usage_error(
          visible_name(header_.source) + " has no " + judged_name(header_.kind, true) +
          " to judge" +
          (copies ? "; copies, identical or lexical, are judged only with " + option("by", "label")
                  : ""));
    }
    TWINSET_ASSIGN(Sample sample, std::move(sampler).finish());
    header_.classes = sample.classes;
    header_.sampled = sample.pairs.size();
    header_.fingerprint = sample.fingerprint();
    pairs_ = std::move(sample.pairs);
    return source_->name(pairs_);
  }

  /// The pairs that this judge has judged.
  static std::map<std::string, std::size_t> judged_by(const std::string& judge,
                                                      const JudgedContent& content) {
    std::map<std::string, std::size_t> out;
    for (const GivenVerdict& verdict : content.verdicts) {
      if (verdict.judge == judge) out[verdict.identity] = verdict.category;
    }
    return out;
  }

  Status ask() {
    auto verdicts = judged_by(options_.judge, file_->content());
    ShownTexts texts(*source_, pairs_);
    const auto next_open = [&]() {
      return static_cast<std::size_t>(
          std::ranges::find_if(
              pairs_, [&](const SamplePair& pair) { return !verdicts.contains(pair.identity()); }) -
          pairs_.begin());
    };
    for (std::size_t at = next_open(); at < pairs_.size();) {
      TWINSET_TRY(check_stop(cancel_));
      PairToJudge pair;
      pair.kind = header_.kind;
      pair.number = at + 1;
      pair.of = pairs_.size();
      pair.left = pairs_.size() - verdicts.size();
      pair.categories = header_.categories.names();
      const std::string identity = pairs_[at].identity();
      if (const auto given = verdicts.find(identity); given != verdicts.end()) {
        pair.verdict = given->second;
      }
      TWINSET_ASSIGN(pair.texts, texts.compare(at));
      TWINSET_ASSIGN(const JudgeAnswer answer, desk_.ask(pair));
      if (answer.kind == JudgeAnswer::Kind::stop) return {};
      if (answer.kind == JudgeAnswer::Kind::back) {
        if (at > 0) --at;
        continue;
      }
      TWINSET_TRY(file_->add({&pairs_[at], answer.category, options_.judge}));
      verdicts[identity] = answer.category;
      at = next_open();
    }
    return {};
  }

  /// Makes the page of the pairs without a verdict of this judge; the judged file is only read.
  Result<JudgedTables> make_page() {
    TWINSET_TRY(check_new_file(files_, "page", options_.page));
    JudgedContent content;
    TWINSET_ASSIGN(const FileStatus status, files_.status(options_.output));
    if (status.kind != FileStatus::Kind::missing) {
      TWINSET_ASSIGN(content, read_judged(files_, options_.output));
      TWINSET_TRY(content.header.check_same(header_, options_.output));
    }
    const auto verdicts = judged_by(options_.judge, content);
    ShownTexts texts(*source_, pairs_);
    std::vector<PagePair> shown;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      TWINSET_TRY(check_stop(cancel_));
      if (verdicts.contains(pairs_[i].identity())) continue;
      TWINSET_ASSIGN(const ComparedTexts compared, texts.compare(i));
      shown.push_back(page_.draw_pair(pairs_[i], compared, shown.size() + 1, header_));
    }
    if (shown.empty()) {
      return usage_error(std::string("each ") + judged_name(header_.kind, false) +
                         " of the sample is judged by " + visible_name(options_.judge) +
                         ": there is nothing to put on a page");
    }
    const std::string name = options_.output.substr(options_.output.rfind('/') + 1);
    TWINSET_TRY(write_file_atomically(files_, options_.page,
                                      page_.draw(header_, shown, options_.judge, name)));
    JudgedTables tables = count_verdicts(header_, content.verdicts);
    tables.notes.push_back(
        format_count(shown.size()) + " " + judged_name(header_.kind, shown.size() != 1) +
        (shown.size() == 1 ? " is" : " are") + " on " + visible_name(options_.page) +
        ", which saves verdicts as " + visible_name(name) + "; count them with " + verb("judge") +
        " " + visible_name(name) + " " + switch_on("table"));
    return tables;
  }

  const JudgeOptions& options_;
  JudgeDesk& desk_;
  const JudgePage& page_;
  FileSystem& files_;
  const std::atomic<bool>* cancel_;
  std::unique_ptr<JudgeSource> source_;
  JudgedHeader header_;
  std::vector<SamplePair> pairs_;
  std::unique_ptr<JudgedFile> file_;
};

}  // namespace

Result<JudgedTables> run_judge(const JudgeOptions& options, JudgeDesk& desk,
                               const RunControl& control, const JudgePage& page) {
  JudgeRun run(options, desk, control, page);
  return options.table ? run.count() : run.run();
}

}  // namespace twinset
