// The labeled documents of a collection, for try_labels(): all of them up to a size, else the
// sampled ones.
//
//   LabeledDocuments labeled(options);
//   TWINSET_TRY(labeled.open(files));
//   for (each document) labeled.set_label(record, place), labeled.add(view, place);
//   TWINSET_TRY(labeled.finish(set));
//
// Threads: belongs to one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "evaluate/trial.h"
#include "scheme/record_view.h"
#include "system/files.h"
#include "twinset/evaluate.h"

namespace twinset {

class LabeledDocuments {
 public:
  explicit LabeledDocuments(const EvaluateOptions& options) : options_(options) {}

  bool wanted() const { return !options_.labels.empty() || !options_.labels_file.empty(); }

  /// Reads --labels-file, if there is one. Errors (usage): lines without a label, or two labels of
  /// one id.
  Status open(FileSystem& files);

  /// Sets the label of a record, from its field 0 or the file.
  void set_label(const Record& record, DocumentPlace& place);
  void add(const RecordView& view, const DocumentPlace& place);
  /// After all documents: those of the collection that they were drawn from.
  void set_counts(std::uint64_t labeled, std::uint64_t unlabeled, std::uint64_t labeled_bytes);

  /// To call after all documents. Errors (usage): ids of the file that no document has, or no label
  /// at all.
  Status check() const;
  /// The documents; if there are too many labels in all, those of the set's originals.
  const std::vector<LabeledDocument>& take(const TrialSet& set);
  /// The number of --utility's label, after take(). Errors (usage): no document taken has it.
  Result<std::uint32_t> utility_label() const;
  /// "all 7 documents with 2 labels; 3 without a label take no part."
  std::string text() const;

 private:
  struct FileLabel {
    std::string label;
    std::size_t order = 0;
    bool used = false;
  };
  Status check_all_used() const;
  /// No longer all of them.
  void hold_sampled();
  void hold(std::string text, const std::vector<std::uint64_t>& tokens, const std::string& label);

  const EvaluateOptions& options_;
  std::unordered_map<std::string, FileLabel> file_;
  std::uint64_t labeled_ = 0;
  std::uint64_t unlabeled_ = 0;
  std::uint64_t labeled_bytes_ = 0;
  bool too_many_ = false;
  std::vector<LabeledDocument> held_;
  std::map<std::string, std::uint32_t> numbers_;
};

}  // namespace twinset
