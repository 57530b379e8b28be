#include "twinset/field.h"
#include "twinset/merge.h"

namespace twinset {

std::vector<Field> fields_of(MergeSummary& summary) {
  return {
      if_set({"dedup", OptionalNested(&summary.dedup), Unit::count, "of shards of dedup"}),
      if_set({"cluster", OptionalNested(&summary.cluster), Unit::count, "of shards of cluster"})};
}

}  // namespace twinset
