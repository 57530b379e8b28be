#include "reuse/label_sorter.h"

#include <algorithm>
#include <utility>

#include "system/clean_up.h"

namespace twinset {

LabelSorter::~LabelSorter() {
  for (const std::string& part : parts_) {
    clean_up([&] { return context_.files->remove_file(part); });
  }
}

Status LabelSorter::add(Label label, const LabelFacts& facts) {
  held_bytes_ += sizeof(Label) + label.text.size();
  for (const LabelSample& sample : label.samples) {
    held_bytes_ += sizeof(LabelSample) + sample.url.size();
  }
  labels_.push_back(std::move(label));
  return held_bytes_ < part_bytes_ ? Status() : write_part(facts);
}

Status LabelSorter::finish(const LabelFacts& facts) {
  if (parts_.empty()) return write(path_, facts);
  TWINSET_TRY(write_part(facts));
  TWINSET_ASSIGN(const Fingerprint merged, merge_labels(context_, parts_, path_));
  (void)merged;
  return {};
}

Status LabelSorter::write_part(const LabelFacts& facts) {
  parts_.push_back(path_ + ".part" + std::to_string(parts_.size() + 1) + ".partial");
  return write(parts_.back(), facts);
}

Status LabelSorter::write(const std::string& path, const LabelFacts& facts) {
  std::ranges::stable_sort(labels_,
                           [](const Label& a, const Label& b) { return compare_labels(a, b) < 0; });
  LabelWriter writer(context_, path, facts);
  for (std::size_t i = 0; i < labels_.size();) {
    Label& label = labels_[i];
    for (++i; i < labels_.size() && compare_labels(labels_[i], label) == 0; ++i) {
      add_label(label, labels_[i]);
    }
    TWINSET_TRY(writer.append(label));
  }
  labels_.clear();
  held_bytes_ = 0;
  TWINSET_ASSIGN(const Fingerprint written, writer.finish());
  (void)written;
  return {};
}

}  // namespace twinset
