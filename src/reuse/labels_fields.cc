#include "twinset/field.h"
#include "twinset/labels.h"

namespace twinset {

std::vector<Field> fields_of(LabelsSummary& summary) {
  return {{"chunks", &summary.chunks, Unit::count, "labels that are chunks"},
          {"files", &summary.files, Unit::count, "labels that are files"},
          {"rules", &summary.rules, Unit::code, "how the chunks were cut"},
          {"hash", &summary.hash, Unit::code, "hash of the content of the file"}};
}

}  // namespace twinset
