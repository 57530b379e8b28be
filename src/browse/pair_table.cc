#include "browse/pair_table.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "base/plain_bytes.h"
#include "base/varint.h"
#include "io/json_read.h"
#include "run/scratch_folder.h"

namespace twinset {
namespace {

constexpr std::uint64_t sampled_documents = 64;
constexpr std::size_t pending_bytes = std::size_t{1} << 20;
/// Rows that are read at once.
constexpr std::uint64_t read_rows = 4096;

Error lost_pairs() { return io_error("the temporary file of the pairs has been cut short"); }

}  // namespace

Result<PairTable> PairTable::make(FileSystem& files, const std::string& tmp) {
  TWINSET_ASSIGN(RowStore names, RowStore::make(files, tmp));
  PairTable out(std::move(names));
  Resources place;
  place.tmp = tmp;
  const std::string path = scratch_path(place, "browse");
  TWINSET_ASSIGN(out.file_, files.open(path, OpenMode::create));
  TWINSET_TRY(files.remove_file(path));
  return out;
}

Status PairTable::append(const PairLine& line, const PairsFolder& folder) {
  if (names_.rows() % sampled_documents == 0) sampled_.push_back(line.document());
  std::string name;
  append_varint(line.document().value(), name);
  append_varint(line.fingerprint, name);
  name += line.id;
  TWINSET_TRY(names_.append(name));
  left_rests_out_ = left_rests_out_ || !line.rests.empty();
  const auto add = [&](const PairTableRow& row) {
    pending_.append(reinterpret_cast<const char*>(&row), sizeof row);
    ++rows_;
  };
  if (line.kind() != Fate::near) {
    add({line.document(), line.original(), {}, static_cast<std::uint32_t>(kind_of(line.kind()))});
  } else {
    for (std::size_t i = 0; i < line.pairs.size(); ++i) {
      const std::uint32_t mark = folder.is_template(line, i) ? PairTableRow::template_mark : 0;
      add({line.document(), line.pairs[i].document, line.pairs[i].keys,
           mark | static_cast<std::uint32_t>(RemovalKind::near)});
    }
  }
  if (pending_.size() < pending_bytes) return {};
  TWINSET_TRY(file_->append(pending_));
  pending_.clear();
  return {};
}

Status PairTable::seal() {
  TWINSET_TRY(file_->append(pending_));
  pending_ = std::string();
  return names_.seal();
}

Result<PairTableRow> PairTable::row(std::uint64_t number) const {
  PairTableRow out;
  TWINSET_ASSIGN(const std::size_t got,
                 file_->read_at(number * sizeof out, reinterpret_cast<char*>(&out), sizeof out));
  if (got != sizeof out) return lost_pairs();
  return out;
}

Status PairTable::for_each(
    std::uint64_t first, std::uint64_t end,
    const std::function<Result<bool>(std::uint64_t number, const PairTableRow& row)>& use) const {
  std::vector<PairTableRow> block;
  end = std::min(end, rows_);
  while (first < end) {
    block.resize(std::min(read_rows, end - first));
    const std::size_t bytes = block.size() * sizeof(PairTableRow);
    TWINSET_ASSIGN(
        const std::size_t got,
        file_->read_at(first * sizeof(PairTableRow), reinterpret_cast<char*>(block.data()), bytes));
    if (got != bytes) return lost_pairs();
    for (const PairTableRow& row : block) {
      TWINSET_ASSIGN(const bool on, use(first, row));
      if (!on) return {};
      ++first;
    }
  }
  return {};
}

Status PairTable::for_each_of(
    DocumentId document, const std::function<Result<bool>(const PairTableRow& row)>& use) const {
  std::uint64_t low = 0;
  std::uint64_t high = rows_;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    TWINSET_ASSIGN(const PairTableRow found, row(middle));
    if (found.document < document) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  for (; low < rows_; ++low) {
    TWINSET_ASSIGN(const PairTableRow found, row(low));
    if (found.document != document) return {};
    TWINSET_ASSIGN(const bool on, use(found));
    if (!on) return {};
  }
  return {};
}

Result<bool> PairTable::name(DocumentId document, RecordPlace& out) const {
  const auto after = std::upper_bound(sampled_.begin(), sampled_.end(), document);
  if (after == sampled_.begin()) return false;
  const auto group = static_cast<std::uint64_t>(after - sampled_.begin() - 1);
  bool found = false;
  Status status =
      names_.for_each(group * sampled_documents, (group + 1) * sampled_documents,
                      [&](std::uint64_t, std::string_view row) -> Result<bool> {
                        std::span<const std::uint8_t> rest = byte_span(row);
                        std::uint64_t value = 0;
                        std::uint64_t fingerprint = 0;
                        if (!take_varint(rest, value) || !take_varint(rest, fingerprint))
                          return lost_pairs();
                        if (value < document.value()) return true;
                        if (value > document.value()) return false;
                        const std::string_view id = row.substr(row.size() - rest.size());
                        TWINSET_ASSIGN(const JsonNode node, read_json(id, "an id"));
                        out = {{id_text(node), "", document.record()}, fingerprint};
                        found = true;
                        return false;
                      });
  TWINSET_TRY(status);
  return found;
}

}  // namespace twinset
