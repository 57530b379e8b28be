// Labels in any order become a file of labels.
//
//   LabelSorter sorter(context, "stop.labels");
//   TWINSET_TRY(sorter.add(label, facts));    // equal ones are added up
//   TWINSET_TRY(sorter.finish(facts));        // now the file is there
//
// So many bytes of labels are held, sorted, and written as a file of labels beside the one to make;
// such parts are merged as any files of labels are, and removed.
//
// Threads: belongs to one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "labels/label_file.h"
#include "system/context.h"

namespace twinset {

class LabelSorter {
 public:
  static constexpr std::size_t usual_part_bytes = std::size_t{128} << 20;

  LabelSorter(const RunContext& context, std::string path,
              std::size_t part_bytes = usual_part_bytes)
      : context_(context), path_(std::move(path)), part_bytes_(part_bytes) {}
  /// Removes the parts.
  ~LabelSorter();
  LabelSorter(const LabelSorter&) = delete;
  LabelSorter& operator=(const LabelSorter&) = delete;

  /// Errors: writing fails; interrupted. `facts` are the same each time.
  Status add(Label label, const LabelFacts& facts);
  Status finish(const LabelFacts& facts);

 private:
  Status write_part(const LabelFacts& facts);
  Status write(const std::string& path, const LabelFacts& facts);

  const RunContext& context_;
  std::string path_;
  std::size_t part_bytes_;
  std::vector<Label> labels_;
  std::size_t held_bytes_ = 0;
  std::vector<std::string> parts_;
};

}  // namespace twinset
