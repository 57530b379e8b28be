// Joins lines of signatures. The lines are a collection like any other: a record each, read through
// the same door, so that packed files, folders and bad lines are as everywhere.
//
// This file's interface is join_sketches(), declared in twinset/sketch.h; the rest is private.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/file_header.h"
#include "base/message.h"
#include "collection/output_files.h"
#include "io/field_json.h"
#include "join/hamming.h"
#include "run/collector.h"
#include "run/meetings.h"
#include "run/run_verb.h"
#include "scheme/scheme.h"
#include "sketch/signature_line.h"
#include "twinset/sketch.h"

namespace twinset {
namespace {

/// A line as read.
struct ReadLine {
  DocumentId id;  ///< of the line itself
  std::string document_id;
  std::string file;
  std::uint64_t record = 0;
  std::string scheme;
  std::string fingerprint;
  std::vector<std::uint64_t> words;
};

struct SignatureLines final : Collector::Rows {
  void begin(const BatchPlace&) override { lines.clear(); }
  void release_large() override { lines = {}; }

  std::vector<ReadLine> lines;
  FieldLine<SignatureLine> line;  ///< scratch
};

/// Holds the signatures of all lines.
class HeldSignatures final : public CollectorOf<SignatureLines> {
 public:
  HeldSignatures(const Collection& collection, JoinSummary& summary)
      : collection_(collection), summary_(summary) {}
  Status open(const StateFile*) override { return {}; }
  Status checkpoint(StateFile&) override { return {}; }

  std::size_t size() const { return documents_.size(); }
  Tells tells() const { return tells_; }
  std::size_t words() const { return words_; }
  DocumentId document(std::size_t i) const { return documents_[i]; }
  std::span<const std::uint64_t> signature(std::size_t i) const {
    return std::span(signatures_).subspan(i * words_, words_);
  }
  NamedDocument name(std::size_t i) const {
    const Name& name = places_[i];
    const std::string_view both = std::string_view(names_).substr(name.begin);
    return {both.substr(0, name.id_bytes), both.substr(name.id_bytes, name.file_bytes), name.record,
            0};
  }
  /// The place of a document among those held.
  std::size_t place(DocumentId document) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(documents_, document) -
                                    documents_.begin());
  }

 private:
  Status take(const ReadRecord& record, SignatureLines& rows) const override {
    if (!record.is_document()) return {};
    const SignatureLine& read = *rows.line;
    TWINSET_TRY(rows.line.read(record.record.raw, place_of(record.id)));
    ReadLine& line = rows.lines.emplace_back();
    line = {record.id,
            std::string(read.document.id),
            std::string(read.document.file),
            read.document.record,
            std::string(read.scheme),
            std::string(read.fingerprint),
            {}};
    if (read_words(read, line.words)) return {};
    return io_error(place_of(record.id) + " has a signature that is none of " + line.scheme);
  }

  std::string place_of(DocumentId id) const {
    return collection_.sources()[id.source()].shown + ":" + std::to_string(id.record());
  }

  Status put(SignatureLines& rows) override {
    for (const ReadLine& line : rows.lines) TWINSET_TRY(hold(line.id, line));
    return {};
  }

  Status hold(DocumentId id, const ReadLine& line) {
    if (summary_.lines++ == 0) {
      summary_.scheme = line.scheme;
      fingerprint_ = line.fingerprint;
      tells_ = declared_scheme(line.scheme) == nullptr ? Tells::nothing
                                                       : declared_scheme(line.scheme)->tells;
      if (tells_ != Tells::distance && tells_ != Tells::coordinate) {
        return usage_error("signatures of " + line.scheme +
                           " are joined by no distance and no equal part; make them with " +
                           option("scheme", "simhash") + " or imatch");
      }
    }
    if (line.scheme != summary_.scheme || line.fingerprint != fingerprint_) {
      return usage_error(place_of(id) + " is of " + line.scheme + ", fingerprint " +
                         line.fingerprint + ", and the lines before it of " + summary_.scheme +
                         ", fingerprint " + fingerprint_ +
                         ": signatures of two kinds are never joined");
    }
    if (line.words.empty()) {
      ++summary_.without;
      return {};
    }
    if (words_ == 0) words_ = line.words.size();
    if (line.words.size() != words_) {
      return io_error(place_of(id) + " has a signature of another length than the lines before it");
    }
    documents_.push_back(id);
    signatures_.insert(signatures_.end(), line.words.begin(), line.words.end());
    places_.push_back({names_.size(), static_cast<std::uint32_t>(line.document_id.size()),
                       static_cast<std::uint32_t>(line.file.size()), line.record});
    names_ += line.document_id;
    names_ += line.file;
    return {};
  }

  const Collection& collection_;
  JoinSummary& summary_;
  std::string fingerprint_;
  Tells tells_ = Tells::nothing;
  std::size_t words_ = 0;  ///< of each signature
  std::vector<DocumentId> documents_;
  std::vector<std::uint64_t> signatures_;
  struct Name {
    std::size_t begin = 0;
    std::uint32_t id_bytes = 0;
    std::uint32_t file_bytes = 0;
    std::uint64_t record = 0;
  };
  std::string names_;  ///< id and file of each
  std::vector<Name> places_;
};

/// The pass reads each line as a record whose text is its fingerprint.
CollectionOptions reading(const JoinOptions& options) {
  CollectionOptions reading;
  reading.inputs = options.inputs;
  reading.input.format = "jsonl";
  reading.input.text = "fingerprint";
  reading.resources = options.resources;
  reading.resources.checkpoint = UINT64_MAX;
  return reading;
}

VerbOptions join_verb(const JoinOptions& options) {
  VerbOptions verb;
  verb.name = verb.identity = "join";
  verb.signs = false;
  verb.works_in = WorksIn::own;
  verb.stores_nothing = true;
  verb.new_files = {{"output", options.output}};
  return verb;
}

class JoinRun final : public VerbSteps {
 public:
  JoinRun(const JoinOptions& options, const RunControl& control)
      : options_(options),
        kept_(control.kept),
        control_{control.cancel, control.progress, control.files, nullptr},
        run_(reading(options_), join_verb(options_), control_) {}

  Result<JoinSummary> run() {
    if (options_.output.empty() && kept_ == nullptr) {
      return usage_error("no output given: " + option("output", "FILE") +
                         ", or send the pairs on: > pairs.jsonl");
    }
    if (distance() > max_join_distance) {
      return usage_error(option("distance", std::to_string(distance())) + " is above " +
                         std::to_string(max_join_distance) + ", the largest that is searched for");
    }
    return run_verb(run_, summary_, *this);
  }

 private:
  Status work() override {
    HeldSignatures held(*job().collection, summary_);
    TWINSET_TRY(run_.pass("read", {&held}));
    if (run_.state.bad > 0) {
      return io_error(std::to_string(run_.state.bad) + " lines are not of " + verb("sketch") +
                      ": they have no fingerprint");
    }
    PairStore pairs(rows("pairs"));
    const DocumentTable documents(run_.state.lines, 0);
    if (held.tells() == Tells::coordinate) {
      TWINSET_TRY(pair_equal(held, documents, pairs));
    } else if (held.words() == 1) {
      TWINSET_TRY(pair_near<1>(held, documents, pairs));
    } else if (held.words() == 2) {
      TWINSET_TRY(pair_near<2>(held, documents, pairs));
    }
    TWINSET_TRY(pairs.seal());
    return write(held, pairs);
  }

  const Job& job() const { return run_.job; }
  std::uint64_t distance() const { return options_.distance.value_or(usual_join_distance); }
  RowsOptions rows(const std::string& name) const {
    return {&job().context, job().spill + name, job().context.memory_bytes / 4, 0};
  }

  template <std::size_t Words>
  Status pair_near(const HeldSignatures& held, const DocumentTable& documents, PairStore& pairs) {
    SignatureRows<Words> signatures(rows("signatures"));
    for (std::size_t i = 0; i < held.size(); ++i) {
      SignatureRow<Words> row{{}, {0, held.document(i)}};
      std::ranges::copy(held.signature(i), row.signature.begin());
      TWINSET_TRY(signatures.append(row));
    }
    TWINSET_TRY(signatures.seal());
    const auto guard = [&](const HammingPlan& plan) {
      return check_meetings(static_cast<std::uint64_t>(plan.meetings), options_.max_meetings,
                            "the signatures have much in common; a smaller " + option("distance") +
                                " compares fewer of them");
    };
    TWINSET_ASSIGN(const HammingReport report,
                   near_documents<Words>(signatures, documents, static_cast<unsigned>(distance()),
                                         guard, rows("tables"), pairs));
    (void)report;
    return {};
  }

  /// Pairs the lines that are equal at a coordinate with the first of them.
  Status pair_equal(const HeldSignatures& held, const DocumentTable& documents, PairStore& pairs) {
    class Visitor {
     public:
      Visitor(const DocumentTable& documents, PairStore& out) : documents_(documents), out_(out) {}
      Status row(const KeyRow& row, bool first) {
        const Place place = documents_.place(row.document);
        if (!first) return out_.append(Pair{place, first_});
        first_ = place;
        return {};
      }
      Status finish() { return {}; }

     private:
      const DocumentTable& documents_;
      PairStore& out_;
      Place first_;
    };
    PartitionedRows<KeyRow> keys(rows("keys"));
    for (std::size_t i = 0; i < held.size(); ++i) {
      const auto words = held.signature(i);
      for (std::size_t k = 0; k < words.size(); ++k) {
        if (words[k] == 0) continue;
        const KeyRow row{mix64(words[k] ^ mix64(k + 1)), held.document(i)};
        TWINSET_TRY(keys.append({&row, 1}));
      }
    }
    return keys.for_each_group(documents.unfolded(), KeepOrder{&documents},
                               [&](unsigned) { return Visitor(documents, pairs); });
  }

  Status write(const HeldSignatures& held, const PairStore& pairs) {
    std::unique_ptr<WholeFile> file;
    if (!options_.output.empty()) {
      TWINSET_ASSIGN(file, WholeFile::create(*job().context.files, "output", options_.output));
    }
    std::string lines;
    FieldLine<JoinLine> line;
    const auto flush = [&]() -> Status {
      TWINSET_TRY(job().context.check_cancelled());
      const std::string text = std::exchange(lines, {});
      if (text.empty()) return {};
      return file != nullptr ? file->write(text) : kept_->write(text);
    };
    TWINSET_TRY(for_each_row(pairs, [&](const Pair& pair) -> Status {
      const std::size_t later = held.place(pair.later.document);
      const std::size_t earlier = held.place(pair.earlier.document);
      const Comparison found =
          compare(held.signature(later), held.signature(earlier), held.tells());
      // Two keys of equal hashes may be of unlike signatures.
      const auto within = static_cast<std::uint32_t>(distance());
      if (verdict(found, {.distance = within}) != Verdict::reached) return {};
      ++summary_.pairs;
      *line = {held.name(later), held.name(earlier), {}, found.coordinate};
      if (found.distance) line->distance = found.distance->differ;
      line.append(lines);
      return lines.size() < (std::size_t{1} << 20) ? Status() : flush();
    }));
    TWINSET_TRY(flush());
    return file != nullptr ? file->publish() : Status();
  }

  /// The bits that differ, or the first coordinate that is equal.
  static Comparison compare(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                            Tells tells) {
    Comparison comparison;
    BitDistance distance{0, static_cast<std::uint32_t>(a.size() * 64)};
    for (std::uint32_t i = 0; i < a.size(); ++i) {
      distance.differ += static_cast<std::uint32_t>(std::popcount(a[i] ^ b[i]));
      if (a[i] == b[i] && a[i] != 0 && !comparison.coordinate) comparison.coordinate = i;
    }
    if (tells == Tells::distance) return {{}, {}, distance, {}};
    return comparison;
  }

  JoinOptions options_;
  RecordSink* kept_;
  RunControl control_;
  CollectionRun run_;
  JoinSummary summary_;
};

}  // namespace

Result<JoinSummary> join_sketches(const JoinOptions& options, const RunControl& control) {
  return JoinRun(options, control).run();
}

}  // namespace twinset
