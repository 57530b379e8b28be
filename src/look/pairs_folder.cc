#include "look/pairs_folder.h"

#include "cluster/cluster_fields.h"
#include "cluster/pair_lines.h"
#include "join/distance_limit.h"

namespace twinset {

PairsFolder::PairsFolder(const OutputFolder& folder)
    : folder_(folder),
      threshold_{folder.threshold.resemblance, folder.threshold.containment},
      kind_(link_kind_of(std::get<ClusterSummary>(folder.summary))) {
  threshold_.kind = kind_;
  const Result<DistanceLimit> limit = DistanceLimit::parse(folder.options.distance);
  threshold_.distance = limit.ok() ? limit.value().most() : max_join_distance;
}

std::optional<DocumentId> PairsFolder::document(const RecordPlace& place) const {
  const MadeInput* const input = folder_.find(place.document.file);
  if (input == nullptr) return std::nullopt;
  return DocumentId(static_cast<std::uint64_t>(input - folder_.inputs.data()),
                    place.document.record);
}

Result<std::map<DocumentId, RecordPlace>> PairsFolder::names(
    FileSystem& files, std::span<const DocumentId> wanted) const {
  std::map<DocumentId, RecordPlace> out;
  for (const DocumentId document : wanted) out[document];
  const std::string path = folder_.file(pairs_file_name);
  TWINSET_TRY(for_each_pair_line(files, path, [&](const PairLine& line) -> Status {
    const auto found = out.find(line.document());
    if (found == out.end()) return {};
    const std::uint64_t input = line.document().source();
    const std::uint64_t record = line.document().record();
    if (input >= folder_.inputs.size() || record > folder_.inputs[input].facts.lines) {
      return unknown_document(path, line);
    }
    TWINSET_ASSIGN(const JsonNode id, read_json(line.id, path));
    found->second = {{id_text(id), folder_.inputs[input].input.shown, record}, line.fingerprint};
    return {};
  }));
  std::erase_if(out, [](const auto& entry) { return entry.second.document.record == 0; });
  return out;
}

}  // namespace twinset
