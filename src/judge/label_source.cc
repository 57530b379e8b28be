// The labels of a file of labels. A label is named by its hash and its kind; its text and its
// places are found by the hash when it is shown, so that drawing holds names alone.
#include <algorithm>

#include "base/message.h"
#include "judge/source.h"
#include "labels/label_file.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

std::string_view kind_name(LabelKind kind) { return kind == LabelKind::file ? "file" : "chunk"; }

std::string places_of(const Label& label) {
  std::string out;
  for (const LabelSample& sample : label.samples) {
    out += place_line(sample.url, sample.offset, sample.length);
  }
  return out;
}

class LabelSource final : public JudgeSource {
 public:
  LabelSource(LabelFile file, const std::atomic<bool>* cancel, const Analyzer& analyzer)
      : file_(std::move(file)), cancel_(cancel), analyzer_(analyzer) {}

  Judged kind() const override { return Judged::labels; }
  const Analyzer& analyzer() const override { return analyzer_; }
  unsigned shingle_tokens() const override { return 1; }

  Status draw(Sampler& sampler) override {
    TWINSET_TRY(check_label_classes(sampler.rule().by));
    std::uint64_t labels = 0;
    return file_.for_each([&](const Label& label) -> Status {
      if (++labels % lines_between_checks == 0) TWINSET_TRY(check_stop(cancel_));
      SamplePair pair;
      pair.a.document.id = to_hex(label.hash, file_.facts().hash);
      pair.b.document.id = kind_name(label.kind);
      pair.value.label = pair.b.document.id;
      pair.value.count = label.count;
      return sampler.add(std::move(pair));
    });
  }

  Status name(std::vector<SamplePair>&) override { return {}; }

  Result<std::vector<JudgedPair>> read(std::span<const SamplePair> pairs) override {
    std::vector<JudgedPair> out;
    for (const SamplePair& pair : pairs) {
      TWINSET_TRY(check_stop(cancel_));
      const std::optional<ChunkDigest> hash = parse_hex(pair.a.document.id, file_.facts().hash);
      const LabelKind kind =
          pair.b.document.id == kind_name(LabelKind::file) ? LabelKind::file : LabelKind::chunk;
      TWINSET_ASSIGN(const std::optional<Label> label,
                     file_.find(kind, hash.value_or(ChunkDigest())));
      if (!label.has_value()) {
        return io_error(visible_name(file_.path()) + " has no label " + pair.a.document.id +
                        " any more");
      }
      JudgedPair& shown = out.emplace_back();
      const auto longer = [&](const LabelSample& at) { return is_cut(label->text, at.length); };
      shown.a = {label->text, std::ranges::any_of(label->samples, longer)};
      shown.b = {places_of(*label), false};
      shown.name_b = "seen " + format_count(label->count, "time", "times") + " in " +
                     format_count(label->documents, "document", "documents");
    }
    return out;
  }

 private:
  LabelFile file_;
  const std::atomic<bool>* cancel_;
  const Analyzer& analyzer_;
};

}  // namespace

Status check_label_classes(std::optional<JudgeBy> by) {
  if (by != JudgeBy::distance && by != JudgeBy::resemblance) return {};
  return usage_error("labels have no " + std::string(by_name(by)) + "; use " +
                     option("by", "label") + ", which is their kind, or count");
}

std::string place_line(const std::string& url, std::uint64_t offset, std::uint64_t length) {
  std::string out = visible_name(url);
  if (length > 0) {
    out += ", bytes " + format_count(offset) + " to " + format_count(offset + length);
  }
  return out + "\n";
}

Result<bool> is_table_file(FileSystem& files, const std::string& path) {
  constexpr std::string_view begin("twinset\ntable\0", 14);
  TWINSET_ASSIGN(const std::unique_ptr<File> file, files.open(path, OpenMode::read));
  char bytes[begin.size()];
  TWINSET_ASSIGN(const std::size_t got, file->read_at(0, bytes, sizeof bytes));
  return std::string_view(bytes, got) == begin;
}

Result<std::unique_ptr<JudgeSource>> open_label_file(FileSystem& files, const std::string& path,
                                                     const std::atomic<bool>* cancel) {
  TWINSET_ASSIGN(LabelFile file, LabelFile::open(files, path));
  TWINSET_ASSIGN(const Analyzer* const analyzer, require_analyzer("words"));
  return std::unique_ptr<JudgeSource>(
      std::make_unique<LabelSource>(std::move(file), cancel, *analyzer));
}

}  // namespace twinset
