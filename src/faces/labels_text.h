// The lines in which labels are shown.
//
// Threads: a constant.
#pragma once

#include "reuse/show_labels.h"

namespace twinset {

/// One or two lines for each label.
extern const LabelLines label_lines;

}  // namespace twinset
