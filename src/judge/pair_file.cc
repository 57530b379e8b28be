// A line of a file of pairs names two records by their files and numbers, as the lines of
// twinset join do, or has their texts. All named records are read in one pass over each file.
#include <algorithm>
#include <map>

#include "base/message.h"
#include "collection/file_collection.h"
#include "collection/one_record.h"
#include "io/inputs.h"
#include "io/json_read.h"
#include "judge/source.h"
#include "scheme/document_view.h"
#include "scheme/record_view.h"
#include "words/visible.h"

namespace twinset {
namespace {

class PairFile final : public JudgeSource {
 public:
  PairFile(FileSystem& files, std::string path, const JudgeOptions& options,
           const Analyzer& analyzer, const std::atomic<bool>* cancel)
      : files_(files),
        path_(std::move(path)),
        input_(options.input),
        analyzer_(analyzer),
        cancel_(cancel) {}

  const Analyzer& analyzer() const override { return analyzer_; }
  unsigned shingle_tokens() const override { return verification_shingle_tokens(analyzer_); }

  Status draw(Sampler& sampler) override {
    Input input;
    input.path = input.shown = path_;
    input.format = "jsonl";
    input.compression = path_.ends_with(".zst")  ? Compression::zstd
                        : path_.ends_with(".gz") ? Compression::gzip
                                                 : Compression::none;
    TWINSET_ASSIGN(const std::unique_ptr<Reader> reader, open_reader(files_, input, limits()));
    RecordBatch batch;
    for (;;) {
      TWINSET_TRY(check_stop(cancel_));
      TWINSET_ASSIGN(const bool more, reader->read(batch));
      if (!more) return {};
      for (const Record& record : batch.records) {
        const std::string place = visible_name(path_) + ":" + std::to_string(record.number);
        if (record.bad != BadReason::none) {
          return io_error(place + " cannot be read: " + std::string(record.detail));
        }
        TWINSET_ASSIGN(const JsonNode line, read_json(record.raw, place));
        SamplePair pair;
        pair.line = record.number;
        TWINSET_TRY(take_line(line, place, sampler.rule().by, pair));
        TWINSET_TRY(sampler.add(std::move(pair)));
      }
    }
  }

  Status name(std::vector<SamplePair>&) override { return {}; }

  Result<std::vector<JudgedPair>> read(std::span<const SamplePair> pairs) override {
    std::vector<JudgedPair> out(pairs.size());
    std::map<std::string, std::vector<Wanted>> by_file;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const SamplePair& pair = pairs[i];
      for (const auto& [text, place, to] : {std::tuple(&pair.text_a, &pair.a, &out[i].a),
                                            std::tuple(&pair.text_b, &pair.b, &out[i].b)}) {
        if (text->has_value()) {
          *to = judged_text(**text);
        } else {
          by_file[place->document.file].push_back({place->document.record, pair.line, to});
        }
      }
    }
    for (auto& [file, wanted] : by_file) TWINSET_TRY(read_file(file, wanted));
    return out;
  }

 private:
  struct Wanted {
    std::uint64_t record = 0;
    std::uint64_t line = 0;
    JudgedText* to = nullptr;
  };

  ReaderLimits limits() const {
    ReaderLimits limits;
    limits.max_record_bytes = input_.max_record;
    return limits;
  }

  static Error no_pair(const std::string& place) {
    return io_error(
        place +
        " is no pair: give {\"a\": {\"file\", \"record\"}, \"b\": {\"file\", \"record\"}}, "
        "or {\"id\", \"text\"} for each, or a line of " +
        verb("join"));
  }

  static bool take_document(const JsonNode& node, RecordPlace& place,
                            std::optional<std::string>& text) {
    if (node.kind() != JsonKind::object) return false;
    place.document = read_place(node, "").document;
    if (const JsonNode given = node["text"]; given.kind() == JsonKind::string) {
      // A text without a file is named by its id.
      if (place.document.file.empty()) place.document.record = 0;
      text = std::string(whole_prefix(given.text(), most_judged_bytes + 8));
      if (place.document.record == 0) return !place.document.id.empty();
    }
    if (place.document.file.empty() || place.document.record == 0) return false;
    if (place.document.id.empty()) {
      place.document.id = place.document.file + ":" + std::to_string(place.document.record);
    }
    return true;
  }

  static Status take_line(const JsonNode& line, const std::string& place, std::optional<JudgeBy> by,
                          SamplePair& pair) {
    const bool joined = static_cast<bool>(line["other"]);
    if (!take_document(joined ? line : line["a"], pair.a, pair.text_a) ||
        !take_document(joined ? line["other"] : line["b"], pair.b, pair.text_b)) {
      return no_pair(place);
    }
    pair.value.distance = line["distance"].integer();
    pair.value.resemblance = line["resemblance"].real();
    pair.value.label = line["label"].text();
    if (pair.value.label.empty()) pair.value.label = line["kind"].text();
    if (by.has_value() && !class_of(value_json(pair.value, by), by).has_value()) {
      return usage_error(place + " has no " + std::string(by_name(by)) +
                         (by == JudgeBy::resemblance ? " from 0 to 1" : "") + "; choose another " +
                         option("by"));
    }
    return {};
  }

  Status read_file(const std::string& file, std::vector<Wanted>& wanted) {
    const std::string from = visible_name(path_) + ":" + std::to_string(wanted.front().line);
    if (is_standard_input(file)) {
      return io_error(from + " names standard input, which cannot be read again");
    }
    const Result<InputList> list =
        expand_inputs(files_, {{file}, {}, input_.format, "", false, false, input_.text});
    if (!list.ok()) {
      return Error{list.error().code, from + " names a file: " + list.error().message};
    }
    if (list.value().inputs.size() != 1) {
      return usage_error(from + " names " + visible_name(file) + ", which is not one file");
    }
    Input input = list.value().inputs.front();
    if (analyzer_.takes_features()) input.markup = Markup::none;
    std::ranges::sort(wanted, {}, &Wanted::record);
    FieldNames fields = fields_read(input_);
    fields.features = analyzer_.takes_features();
    ReaderLimits reading = limits();
    reading.fields = &fields;
    TWINSET_ASSIGN(const std::unique_ptr<Reader> reader, open_reader(files_, input, reading));
    RecordView view({.analyzer = &analyzer_});
    RecordBatch batch;
    std::size_t next = 0;
    while (next < wanted.size()) {
      TWINSET_TRY(check_stop(cancel_));
      TWINSET_ASSIGN(const bool more, reader->read(batch));
      if (!more) break;
      if (batch.records.empty() || batch.records.back().number < wanted[next].record) continue;
      reader->decode(fields, batch);
      for (const Record& record : batch.records) {
        while (next < wanted.size() && wanted[next].record < record.number) {
          return missing(file, wanted[next]);
        }
        if (next == wanted.size() || wanted[next].record != record.number) continue;
        if (record.bad != BadReason::none) return missing(file, wanted[next]);
        view.look_at(record);
        const std::string text = shown_text(view);
        for (; next < wanted.size() && wanted[next].record == record.number; ++next) {
          *wanted[next].to = judged_text(text);
        }
      }
    }
    if (next < wanted.size()) return missing(file, wanted[next]);
    return {};
  }

  Error missing(const std::string& file, const Wanted& wanted) const {
    return io_error(visible_name(path_) + ":" + std::to_string(wanted.line) + " names record " +
                    std::to_string(wanted.record) + " of " + visible_name(file) +
                    ", which is no document of it");
  }

  FileSystem& files_;
  std::string path_;
  InputSettings input_;
  const Analyzer& analyzer_;
  const std::atomic<bool>* cancel_;
};

}  // namespace

Result<std::unique_ptr<JudgeSource>> open_pair_file(FileSystem& files, const std::string& path,
                                                    const JudgeOptions& options,
                                                    const std::atomic<bool>* cancel) {
  TWINSET_ASSIGN(const Analyzer* const analyzer, require_analyzer(options.analyzer));
  return std::unique_ptr<JudgeSource>(
      std::make_unique<PairFile>(files, path, options, *analyzer, cancel));
}

}  // namespace twinset
