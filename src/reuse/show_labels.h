// The labels of one file, in lines that are drawn elsewhere, or as JSON.
//
// Threads: one call at a time.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "labels/label.h"
#include "twinset/labels.h"
#include "twinset/result.h"

namespace twinset {

/// The text in which labels are shown; the functions are in faces/.
struct LabelLines {
  std::string_view heading;
  void (*append)(std::string& out, const Label& label, ChunkHash hash);
};

/// As show_labels(), as JSON if `lines` is null.
Result<LabelsSummary> show_labels_in(const LabelLines* lines, const LabelsOptions& options,
                                     const std::function<Status(std::string_view)>& use,
                                     const RunControl& control);

}  // namespace twinset
