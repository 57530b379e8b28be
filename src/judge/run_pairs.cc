// The pairs of a run are in pairs.jsonl.zst or, as a removed record and its survivor, in
// removed.jsonl.zst. Copies are no finding of a scheme: their texts or words are equal. They are
// sampled only when labels make the classes.
#include <algorithm>

#include "base/message.h"
#include "cluster/pair_lines.h"
#include "collection/output_lines.h"
#include "judge/source.h"
#include "look/input_again.h"
#include "look/output_folder.h"
#include "look/pairs_folder.h"
#include "scheme/document_view.h"
#include "scheme/scheme.h"
#include "twinset/dedup.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// The label of a template pair, in place of "near".
constexpr const char* template_label = "template";

class RunPairs final : public JudgeSource {
 public:
  RunPairs(FileSystem& files, OutputFolder folder, const std::atomic<bool>* cancel)
      : files_(files), folder_(std::move(folder)), cancel_(cancel) {}

  Status open() {
    TWINSET_ASSIGN(const std::unique_ptr<Scheme> scheme,
                   make_scheme(folder_.scheme, folder_.threshold.resemblance.value(), files_));
    // The scheme may take single words; passages of them would be no evidence.
    shingle_tokens_ =
        std::max(scheme->shingle_tokens(), verification_shingle_tokens(*folder_.analyzer));
    return {};
  }

  const Analyzer& analyzer() const override { return *folder_.analyzer; }
  unsigned shingle_tokens() const override { return shingle_tokens_; }

  Status draw(Sampler& sampler) override {
    return folder_.verb == "dedup" ? draw_removed(sampler) : draw_pairs(sampler);
  }

  Status name(std::vector<SamplePair>& pairs) override {
    if (folder_.verb == "dedup") return {};
    std::vector<DocumentId> wanted;
    for (const SamplePair& pair : pairs) {
      wanted.insert(wanted.end(), {pair.document_a, pair.document_b});
    }
    TWINSET_ASSIGN(auto names, PairsFolder(folder_).names(files_, wanted));
    for (SamplePair& pair : pairs) {
      for (const auto& [document, place] :
           {std::pair(pair.document_a, &pair.a), std::pair(pair.document_b, &pair.b)}) {
        const auto found = names.find(document);
        if (found == names.end()) {
          return io_error(folder_.file(pairs_file_name) + " has no line for record " +
                          std::to_string(document.record()) + " of " +
                          visible_name(place->document.file) + ", which is in a pair");
        }
        *place = found->second;
      }
    }
    return {};
  }

  Result<std::vector<JudgedPair>> read(std::span<const SamplePair> pairs) override {
    std::vector<RecordPlace> places;
    for (const SamplePair& pair : pairs) places.insert(places.end(), {pair.a, pair.b});
    TWINSET_TRY(check_stop(cancel_));
    // A little more than is shown, so that a cut text is known to be cut.
    TWINSET_ASSIGN(std::vector<SeenText> texts,
                   read_texts(files_, folder_, places, most_judged_bytes + 8, cancel_));
    std::vector<JudgedPair> out(pairs.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (!texts[i].text.has_value()) {
        return io_error("the pairs of " + folder_.path + " cannot be shown: " + texts[i].missing);
      }
      (i % 2 == 0 ? out[i / 2].a : out[i / 2].b) = judged_text(std::move(*texts[i].text));
    }
    return out;
  }

 private:
  static bool wants_copies(const Sampler& sampler) { return sampler.rule().by == JudgeBy::label; }

  Status draw_removed(Sampler& sampler) {
    const std::optional<JudgeBy> by = sampler.rule().by;
    if (by == JudgeBy::distance || by == JudgeBy::count) {
      return usage_error(
          folder_.path + " was made by dedup, whose pairs have a resemblance and no " +
          std::string(by_name(by)) + "; use " + option("by", "resemblance") + " or label");
    }
    std::uint64_t lines = 0;
    return for_each_value<Removal>(files_, folder_.file(removed_file_name),
                                   [&](const Removal& removal) -> Result<bool> {
                                     if (++lines % lines_between_checks == 0)
                                       TWINSET_TRY(check_stop(cancel_));
                                     if (is_copy(fate_of(removal.kind)) && !wants_copies(sampler))
                                       return true;
                                     SamplePair pair;
                                     pair.value.label = name_of(removal.kind);
                                     pair.value.resemblance = removal.resemblance;
                                     pair.a = place_of(removal.document);
                                     pair.b = place_of(removal.survivor);
                                     TWINSET_TRY(sampler.add(std::move(pair)));
                                     return true;
                                   });
  }

  Status draw_pairs(Sampler& sampler) {
    if (folder_.verb == "recut") {
      return usage_error(folder_.path +
                         " has no pairs: recut writes clusters alone. Judge the folder that "
                         "cluster made");
    }
    const PairsFolder pairs(folder_);
    const std::optional<JudgeBy> by = sampler.rule().by;
    const bool far = pairs.kind() == LinkKind::distance;
    const bool resemble =
        Link::read(pairs.kind(), {}).counts() || pairs.kind() == LinkKind::estimate;
    if (by == JudgeBy::count || (by == JudgeBy::distance && !far) ||
        (by == JudgeBy::resemblance && !resemble)) {
      return usage_error("the pairs of " + folder_.path + " have no " + std::string(by_name(by)) +
                         ": their numbers are of the kind " + link_kind_name(pairs.kind()) +
                         "; choose another " + option("by"));
    }
    const std::string path = folder_.file(pairs_file_name);
    const auto known = [&](DocumentId document) {
      return document.source() < folder_.inputs.size() && document.record() != 0 &&
             document.record() <= folder_.inputs[document.source()].facts.lines;
    };
    return for_each_pair_line(files_, path, [&](const PairLine& line) -> Status {
      if (line.number % lines_between_checks == 0) TWINSET_TRY(check_stop(cancel_));
      if (!known(line.document())) return unknown_document(path, line);
      if (line.kind() != Fate::near && wants_copies(sampler)) {
        if (!known(line.original())) return unknown_document(path, line);
        TWINSET_TRY(sampler.add(pair_of(line.document(), line.original(), fate_name(line.kind()))));
      }
      for (std::size_t i = 0; i < line.pairs.size(); ++i) {
        const auto& [other, keys] = line.pairs[i];
        if (!known(other)) return unknown_document(path, line);
        // Pairs below the threshold are in no cluster; a class of its own keeps them apart.
        const bool every = by == JudgeBy::distance || by == JudgeBy::resemblance;
        if (!every && !pairs.threshold().reached_by(keys)) continue;
        const bool is_template = pairs.is_template(line, i);
        SamplePair pair =
            pair_of(line.document(), other, is_template ? template_label : fate_name(Fate::near));
        const Link link = Link::read(pairs.kind(), keys);
        if (far) pair.value.distance = keys.shared;
        if (resemble) pair.value.resemblance = link.resemblance();
        TWINSET_TRY(sampler.add(std::move(pair)));
      }
      return {};
    });
  }

  SamplePair pair_of(DocumentId a, DocumentId b, const char* label) const {
    SamplePair pair;
    pair.document_a = a;
    pair.document_b = b;
    pair.a.document = {{}, folder_.inputs[a.source()].input.shown, a.record()};
    pair.b.document = {{}, folder_.inputs[b.source()].input.shown, b.record()};
    pair.value.label = label;
    return pair;
  }

  FileSystem& files_;
  OutputFolder folder_;
  const std::atomic<bool>* cancel_;
  unsigned shingle_tokens_ = 5;
};

}  // namespace

JudgedText judged_text(std::string text) {
  const bool cut = text.size() > most_judged_bytes;
  text.resize(whole_prefix(text, most_judged_bytes).size());
  return {std::move(text), cut};
}

Result<std::unique_ptr<JudgeSource>> open_run_pairs(FileSystem& files, const std::string& folder,
                                                    const std::atomic<bool>* cancel) {
  TWINSET_ASSIGN(OutputFolder made, open_output_folder(files, folder));
  auto source = std::make_unique<RunPairs>(files, std::move(made), cancel);
  TWINSET_TRY(source->open());
  return std::unique_ptr<JudgeSource>(std::move(source));
}

}  // namespace twinset
