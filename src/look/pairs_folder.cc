#include "look/pairs_folder.h"

#include <algorithm>

#include "cluster/cluster_summary.h"
#include "cluster/pair_lines.h"
#include "collection/output_lines.h"

namespace twinset {

Status PairsFolder::open() {
  std::uint64_t lines = 0;
  for (const MadeInput& input : folder_.inputs) {
    first_numbers_.push_back(lines);
    lines += input.facts.lines;
  }
  if (folder_.inputs.empty()) {
    return io_error(folder_.path + "/summary.json is damaged: it lists no inputs");
  }
  kind_ = link_kind(folder_.made["pairs_count"].text()).value_or(LinkKind::keys);
  threshold_ = {folder_.threshold.resemblance, folder_.threshold.containment};
  return {};
}

std::optional<std::uint32_t> PairsFolder::number_of(const RecordPlace& place) const {
  for (std::size_t i = 0; i < folder_.inputs.size(); ++i) {
    if (folder_.inputs[i].input.shown != place.document.file) continue;
    return static_cast<std::uint32_t>(first_numbers_[i] + place.document.record - 1);
  }
  return std::nullopt;
}

Result<std::map<std::uint32_t, RecordPlace>> PairsFolder::names(
    FileSystem& files, std::span<const std::uint32_t> wanted) const {
  std::map<std::uint32_t, RecordPlace> out;
  for (const std::uint32_t number : wanted) out[number];
  PairLine line;
  std::string_view id;
  std::uint64_t line_number = 0;
  const std::string path = folder_.file(pairs_file_name);
  TWINSET_TRY(for_each_raw_line(files, path, [&](std::string_view raw) -> Result<bool> {
    TWINSET_TRY(read_pair_line(raw, path, ++line_number, line, id));
    const auto found = out.find(line.number);
    if (found == out.end()) return true;
    TWINSET_ASSIGN(const JsonNode read, read_json(id, path));
    const auto after = std::upper_bound(first_numbers_.begin(), first_numbers_.end(), line.number);
    const auto input = static_cast<std::size_t>(after - first_numbers_.begin()) - 1;
    found->second = {
        {id_text(read), folder_.inputs[input].input.shown, line.number - first_numbers_[input] + 1},
        line.fingerprint};
    return true;
  }));
  std::erase_if(out, [](const auto& entry) { return entry.second.document.record == 0; });
  return out;
}

}  // namespace twinset
