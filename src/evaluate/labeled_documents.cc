// Labeled documents are held until they exceed a limit; then they are dropped, and the labeled ones
// of the sample are used.
//
// This file's interface is evaluate/labeled_documents.h; the rest is private.
#include "evaluate/labeled_documents.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/message.h"
#include "collection/output_lines.h"
#include "io/json.h"

namespace twinset {

Status LabeledDocuments::open(FileSystem& files) {
  const std::string& path = options_.labels_file;
  if (path.empty()) return {};
  return for_each_line(files, path, [&](const JsonNode& line) -> Result<bool> {
    const std::optional<std::string> id = plain_value(line["id"]);
    const std::optional<std::string> label = plain_value(line["label"]);
    if (!id || !label) {
      return usage_error(path +
                         ": a line is {\"id\": ..., \"label\": ...}, each a string or a number, "
                         "but one is " +
                         std::string(line.raw().substr(0, 80)));
    }
    const auto [entry, fresh] = file_.try_emplace(*id, FileLabel{*label, file_.size()});
    if (!fresh && entry->second.label != *label) {
      return usage_error(path + ": id " + *id + " has two labels, " + entry->second.label +
                         " and " + *label);
    }
    return true;
  });
}

void LabeledDocuments::set_label(const Record& record, DocumentPlace& place) {
  std::optional<std::string> label;
  if (!options_.labels.empty()) {
    label = plain_value(record.field(0));
  } else if (const std::optional<std::string> id = plain_value(place.id); id && !file_.empty()) {
    if (const auto found = file_.find(*id); found != file_.end()) {
      found->second.used = true;
      label = found->second.label;
    }
  }
  if (!label) return;
  place.label = std::move(*label);
  place.labeled = true;
}

void LabeledDocuments::add(const RecordView& view, const DocumentPlace& place) {
  if (!wanted()) return;
  const std::string text = view.compared_text();
  ++(place.labeled ? labeled_ : unlabeled_);
  if (!place.labeled || too_many_) return;
  labeled_bytes_ += text.size();
  if (held_.size() == most_labeled_documents || labeled_bytes_ > most_labeled_bytes) {
    hold_sampled();
    return;
  }
  hold(text, view.analysis().tokens, place.label);
}

void LabeledDocuments::set_counts(std::uint64_t labeled, std::uint64_t unlabeled,
                                  std::uint64_t labeled_bytes) {
  if (!wanted()) return;
  labeled_ = labeled;
  unlabeled_ = unlabeled;
  if (labeled > most_labeled_documents || labeled_bytes > most_labeled_bytes) hold_sampled();
}

void LabeledDocuments::hold_sampled() {
  too_many_ = true;
  held_ = {};
  numbers_.clear();
}

void LabeledDocuments::hold(std::string text, const std::vector<std::uint64_t>& tokens,
                            const std::string& label) {
  LabeledDocument document;
  document.text = std::move(text);
  document.analysis.tokens = tokens;
  document.label =
      numbers_.try_emplace(label, static_cast<std::uint32_t>(numbers_.size())).first->second;
  held_.push_back(std::move(document));
}

/// An error that names the first unknown ids.
Status LabeledDocuments::check_all_used() const {
  std::vector<std::pair<std::size_t, const std::string*>> unknown;
  for (const auto& [id, entry] : file_) {
    if (!entry.used) unknown.emplace_back(entry.order, &id);
  }
  if (unknown.empty() || options_.ignore_unknown_labels) return {};
  std::sort(unknown.begin(), unknown.end());
  constexpr std::size_t most_named = 5;
  std::string named;
  for (std::size_t i = 0; i < std::min(unknown.size(), most_named); ++i) {
    named += (i == 0 ? "" : ", ") + *unknown[i].second;
  }
  return usage_error(
      fmt::format("{} labels {} {} that no document has: {}{}; check {}, or pass them over with {}",
                  options_.labels_file, unknown.size(), unknown.size() == 1 ? "id" : "ids", named,
                  unknown.size() > most_named ? ", ..." : "", option("id"),
                  switch_on("ignore_unknown_labels")));
}

Status LabeledDocuments::check() const {
  TWINSET_TRY(check_all_used());
  if (!wanted() || labeled_ > 0 || unlabeled_ == 0) return {};
  return usage_error(options_.labels.empty()
                         ? "no document has an id that " + options_.labels_file + " labels"
                         : "no record has a string or a number in its field '" + options_.labels +
                               "' (" + option("labels") + ")");
}

const std::vector<LabeledDocument>& LabeledDocuments::take(const TrialSet& set) {
  for (std::size_t i = 0; i < set.originals() && too_many_ && wanted(); ++i) {
    const TrialDocument& document = set.documents()[i];
    if (document.place.labeled) {
      hold(document.text, document.analysis.tokens, document.place.label);
    }
  }
  return held_;
}

Result<std::uint32_t> LabeledDocuments::utility_label() const {
  const auto found = numbers_.find(options_.utility);
  if (found != numbers_.end()) return found->second;
  constexpr std::size_t most_named = 5;
  std::string named;
  std::size_t i = 0;
  for (const auto& [label, number] : numbers_) {
    if (i++ < most_named) named += (named.empty() ? "" : ", ") + label;
  }
  return usage_error(fmt::format("no document has the label '{}' ({}); labels are: {}{}",
                                 options_.utility, option("utility"), named,
                                 i > most_named ? ", ..." : ""));
}

std::string LabeledDocuments::text() const {
  return fmt::format("{} with {} labels; {} without a label take no part.",
                     too_many_ ? fmt::format("{} sampled documents of {}", held_.size(), labeled_)
                               : fmt::format("all {} documents", held_.size()),
                     numbers_.size(), unlabeled_);
}

}  // namespace twinset
