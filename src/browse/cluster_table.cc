// The lists are read once each: the clusters, then of dedup the removed records, whose lines are in
// the order of their documents, and of cluster the pairs. A list that does not agree with the
// clusters is damaged.
#include "browse/cluster_table.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_map>

#include "base/hash.h"
#include "base/message.h"
#include "base/plain_bytes.h"
#include "base/varint.h"
#include "browse/pair_table.h"
#include "browse/written_lines.h"
#include "collection/output_lines.h"
#include "io/field_json.h"
#include "look/cluster_lines.h"
#include "rows/sort.h"
#include "run/record_files.h"
#include "system/context.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// Of a name beside its id: its length, document and fingerprint.
constexpr std::uint64_t most_row_bytes = 30;
/// Rows between two looks at `cancel`.
constexpr std::uint64_t stop_rows = 4096;

std::uint32_t millionths_of(double share) {
  return static_cast<std::uint32_t>(std::clamp(share, 0.0, 1.0) * 1e6 + 0.5);
}

Error lost_names() { return io_error("the temporary file of the names is damaged"); }

std::uint32_t id_hash(std::string_view id) { return static_cast<std::uint32_t>(checksum(id)); }

}  // namespace

/// Fills a table.
class ClusterTable::Reading {
  struct ByDocument {
    const std::vector<DocumentId>& documents;
    std::uint64_t radix(std::uint32_t member) const { return documents[member].value(); }
    bool operator()(std::uint32_t a, std::uint32_t b) const {
      return documents[a] != documents[b] ? documents[a] < documents[b] : a < b;
    }
  };
  struct SourceHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view file) const { return checksum(file); }
  };
  struct ByHash {
    static std::uint64_t radix(const IdHash& one) { return one.value(); }
    bool operator()(const IdHash& a, const IdHash& b) const { return a.value() < b.value(); }
  };

 public:
  Reading(FileSystem& files, const OutputFolder& folder, const BrowseLimits& limits,
          ClusterTable& table)
      : files_(files), folder_(folder), limits_(limits), table_(table), next_(table) {
    for (const MadeInput& input : folder.inputs) table_.sources_.push_back(input.input.shown);
    for (std::size_t i = 0; i < table_.sources_.size(); ++i) source_numbers_[sources()[i]] = i;
  }

  Status read_clusters() {
    const std::string path = folder_.file(clusters_file_name);
    make_room();
    table_.first_.push_back(0);
    ClusterUse use;
    use.begin = [&](std::string_view raw) { return add_member(raw, path); };
    use.member = [&](std::string_view raw) { return add_member(raw, path); };
    use.end = [&]() -> Result<bool> {
      end_cluster();
      return true;
    };
    TWINSET_TRY(for_each_cluster(files_, path, use));
    if (table_.names_.rows() != members_ || needed() > limits_.memory_bytes) return too_little();
    TWINSET_TRY(table_.names_.seal());
    sort_members();
    table_.kind_.assign(table_.members(), no_kind);
    table_.resemblance_.assign(table_.members(), unknown);
    return {};
  }

  Status read_removed(RowStore* lines) {
    const std::string path = folder_.file(removed_file_name);
    table_.removed_line_.assign(table_.members(), unknown);
    FieldLine<Removal> line;
    WrittenRemoval removal;
    std::uint64_t number = 0;
    const auto what = [&] { return path + ":" + std::to_string(number); };
    TWINSET_TRY(for_each_raw_line(files_, path, [&](std::string_view raw) -> Result<bool> {
      if (++number % stop_rows == 0) TWINSET_TRY(check_stop(limits_.cancel));
      if (!read_written_removal(raw, removal)) {
        TWINSET_TRY(line.read(raw, what()));
        removal = {{line->document.id, line->document.file, line->document.record, 0},
                   line->kind,
                   line->resemblance};
      }
      if (lines != nullptr) TWINSET_TRY(lines->append(raw));
      const std::optional<std::uint64_t> source = source_of(removal.document.file);
      std::optional<std::uint64_t> member;
      if (source.has_value()) member = next_.find({*source, removal.document.record});
      if (!member.has_value() || table_.removed_line_[*member] != unknown || number > unknown) {
        return io_error(what() + " is damaged: " + std::string(clusters_file_name) +
                        " does not have its record in a cluster");
      }
      table_.removed_line_[*member] = static_cast<std::uint32_t>(number - 1);
      table_.kind_[*member] = static_cast<std::uint8_t>(removal.kind);
      table_.resemblance_[*member] = millionths_of(removal.resemblance);
      return true;
    }));
    for (std::uint64_t cluster = 0; cluster < table_.clusters(); ++cluster) {
      for (std::uint64_t i = table_.begin(cluster) + 1; i < table_.end(cluster); ++i) {
        note_kind(cluster, i);
        std::uint32_t& least = table_.least_[cluster];
        least = std::min(least, table_.resemblance_[i]);
      }
    }
    return {};
  }

  Status read_pairs(PairTable& pairs) {
    const PairsFolder folder(folder_);
    const std::string path = folder_.file(pairs_file_name);
    TWINSET_TRY(for_each_pair_line(files_, path, [&](const PairLine& line) -> Status {
      if (line.number % stop_rows == 0) TWINSET_TRY(check_stop(limits_.cancel));
      if (line.document().source() >= folder_.inputs.size()) return unknown_document(path, line);
      TWINSET_TRY(pairs.append(line, folder));
      if (line.kind() != Fate::near) {
        take_pair(line.document(), line.original(), kind_of(line.kind()), 1.0);
      }
      for (const PairedDocument& pair : line.pairs) {
        if (!folder.threshold().reached_by(pair.keys)) continue;
        const Link link = Link::read(folder.kind(), pair.keys);
        const bool known = link.counts() || link.estimated();
        take_pair(line.document(), pair.document, RemovalKind::near,
                  known ? std::optional(link.resemblance()) : std::nullopt);
      }
      return {};
    }));
    for (std::uint64_t cluster = 0; cluster < table_.clusters(); ++cluster) {
      for (std::uint64_t i = table_.begin(cluster) + 1; i < table_.end(cluster); ++i) {
        note_kind(cluster, i);
      }
    }
    return pairs.seal();
  }

 private:
  const std::vector<std::string>& sources() const { return table_.sources_; }

  /// The members that are asked for mostly come in the order of their documents.
  class NextMember {
   public:
    explicit NextMember(const ClusterTable& table) : table_(table) {}

    std::optional<std::uint64_t> find(DocumentId document) {
      constexpr std::size_t steps = 16;
      const std::vector<std::uint32_t>& order = table_.by_document_;
      const std::size_t end = std::min(at_ + steps, order.size());
      for (std::size_t i = at_; i < end; ++i) {
        const DocumentId here = table_.documents_[order[i]];
        if (here > document) break;
        at_ = i + 1;
        if (here == document) return order[i];
      }
      at_ = table_.rank_of(document);
      if (at_ == order.size() || table_.documents_[order[at_]] != document) return std::nullopt;
      return order[at_++];
    }

   private:
    const ClusterTable& table_;
    std::size_t at_ = 0;  ///< in by_document_
  };

  std::uint64_t needed() const {
    return members_ * document_bytes + table_.clusters() * cluster_bytes + clusters_left_out_ +
           RowStore::memory_of(name_bytes_);
  }

  void make_room() {
    const std::uint64_t most =
        std::min<std::uint64_t>(limits_.memory_bytes / document_bytes, unknown);
    const auto documents = static_cast<std::size_t>(std::min(limits_.documents, most));
    const auto clusters = static_cast<std::size_t>(std::min(limits_.clusters, most / 2));
    table_.documents_.reserve(documents);
    table_.by_id_.reserve(documents);
    table_.first_.reserve(clusters + 1);
    table_.least_.reserve(clusters);
    table_.source_counts_.reserve(clusters);
    table_.kinds_.reserve(clusters);
  }

  Status too_little() const {
    const std::uint64_t all = needed() + limits_.beside_bytes;
    return usage_error(
        option("memory", std::to_string(limits_.memory_bytes + limits_.beside_bytes)) +
        " is too little: the " + format_count(members_, "document", "documents") +
        " in clusters of " + folder_.path + " need " + std::to_string(all) + " bytes (" +
        format_bytes(all) + ")");
  }

  std::optional<std::uint64_t> source_of(std::string_view file) const {
    const auto found = source_numbers_.find(file);
    if (found == source_numbers_.end()) return std::nullopt;
    return found->second;
  }

  Status add_member(std::string_view raw, const std::string& path) {
    if (++members_ % stop_rows == 0) TWINSET_TRY(check_stop(limits_.cancel));
    std::string_view id;
    if (read_written_name(raw, written_) && written_.id.front() == '"' &&
        written_.id.find('\\') == std::string_view::npos) {
      id = written_.id.substr(1, written_.id.size() - 2);
    } else {
      TWINSET_TRY(name_.read(raw, path));
      written_ = {name_->id, name_->file, name_->record, name_->fingerprint};
      id = decoded_ = place_of(*name_).document.id;
    }
    name_bytes_ += id.size() + most_row_bytes;
    // What does not fit is counted, so that the error says how much is needed.
    if (needed() > limits_.memory_bytes || members_ >= unknown) return {};
    std::optional<std::uint64_t> source = source_of(written_.file);
    if (!source.has_value()) {
      source = sources().size();
      source_numbers_.emplace(written_.file, *source);
      table_.sources_.emplace_back(written_.file);
    }
    if (*source >= DocumentId::max_sources || written_.record > DocumentId::max_record) {
      return io_error(path + " is damaged: it names a record that cannot be");
    }
    const DocumentId document(*source, written_.record);
    row_.clear();
    append_varint(document.value(), row_);
    append_varint(written_.fingerprint, row_);
    row_ += id;
    TWINSET_TRY(table_.names_.append(row_));
    table_.by_id_.push_back({id_hash(id), static_cast<std::uint32_t>(table_.members())});
    table_.documents_.push_back(document);
    cluster_sources_.push_back(static_cast<std::uint32_t>(*source));
    return {};
  }

  void end_cluster() {
    if (needed() > limits_.memory_bytes) {
      clusters_left_out_ += cluster_bytes;
      return;
    }
    std::sort(cluster_sources_.begin(), cluster_sources_.end());
    const auto end = std::unique(cluster_sources_.begin(), cluster_sources_.end());
    table_.source_counts_.push_back(static_cast<std::uint32_t>(end - cluster_sources_.begin()));
    cluster_sources_.clear();
    table_.first_.push_back(static_cast<std::uint32_t>(table_.members()));
    table_.least_.push_back(unknown);
    table_.kinds_.push_back(0);
  }

  void sort_members() {
    std::vector<std::uint32_t>& order = table_.by_document_;
    order.resize(table_.members());
    std::iota(order.begin(), order.end(), 0U);
    sort_rows(std::span(order), ByDocument{table_.documents_});
    sort_rows(std::span(table_.by_id_), ByHash{});
  }

  void note_kind(std::uint64_t cluster, std::uint64_t member) {
    const std::uint8_t kind = table_.kind_[member];
    if (kind != no_kind) {
      table_.kinds_[cluster] = static_cast<Kinds>(table_.kinds_[cluster] | 1U << kind);
    }
  }

  void take_pair(DocumentId document, DocumentId other, RemovalKind kind,
                 std::optional<double> resemblance) {
    const std::optional<std::uint64_t> a = table_.member(document);
    const std::optional<std::uint64_t> b = table_.member(other);
    if (!a.has_value() || !b.has_value()) return;
    const std::uint64_t cluster = table_.cluster_of(*a);
    if (cluster != table_.cluster_of(*b)) return;
    for (const std::uint64_t member : {*a, *b}) {
      // A copy is one however many pairs its original has; of a representative no kind is told.
      std::uint8_t& known = table_.kind_[member];
      const bool copy = kind != RemovalKind::near && member == *a;
      if (copy || known == no_kind) {
        known = static_cast<std::uint8_t>(copy ? kind : RemovalKind::near);
      }
      if (!resemblance.has_value()) continue;
      std::uint32_t& most = table_.resemblance_[member];
      const std::uint32_t now = millionths_of(*resemblance);
      most = most == unknown ? now : std::max(most, now);
    }
    if (resemblance.has_value()) {
      table_.least_[cluster] = std::min(table_.least_[cluster], millionths_of(*resemblance));
    }
  }

  FileSystem& files_;
  const OutputFolder& folder_;
  const BrowseLimits& limits_;
  ClusterTable& table_;
  std::unordered_map<std::string, std::uint64_t, SourceHash, std::equal_to<>> source_numbers_;
  WrittenName written_;
  FieldLine<NamedDocument> name_;
  std::string row_;
  std::string decoded_;
  NextMember next_;
  std::vector<std::uint32_t> cluster_sources_;
  std::uint64_t members_ = 0;
  std::uint64_t name_bytes_ = 0;
  std::uint64_t clusters_left_out_ = 0;  ///< bytes
};

Result<ClusterTable> ClusterTable::read(FileSystem& files, const OutputFolder& folder,
                                        const BrowseLimits& limits, RowStore* removed,
                                        PairTable* pairs) {
  TWINSET_ASSIGN(RowStore names, RowStore::make(files, limits.tmp));
  ClusterTable out(std::move(names));
  Reading reading(files, folder, limits, out);
  TWINSET_TRY(reading.read_clusters());
  if (folder.verb == "dedup") TWINSET_TRY(reading.read_removed(removed));
  if (pairs != nullptr) TWINSET_TRY(reading.read_pairs(*pairs));
  for (std::uint64_t cluster = 0; cluster < out.clusters(); ++cluster) {
    out.kind_[out.begin(cluster)] = no_kind;
  }
  return out;
}

std::uint64_t ClusterTable::cluster_of(std::uint64_t member) const {
  const auto after = std::upper_bound(first_.begin(), first_.end(), member);
  return static_cast<std::uint64_t>(after - first_.begin()) - 1;
}

std::optional<RemovalKind> ClusterTable::kind(std::uint64_t member) const {
  if (kind_[member] == no_kind) return std::nullopt;
  return static_cast<RemovalKind>(kind_[member]);
}

std::optional<std::uint64_t> ClusterTable::removed_line(std::uint64_t member) const {
  if (removed_line_.empty() || removed_line_[member] == unknown) return std::nullopt;
  return removed_line_[member];
}

bool ClusterTable::take_row(std::uint64_t member, std::string_view row, NameRow& out) const {
  std::span<const std::uint8_t> rest = byte_span(row);
  std::uint64_t value = 0;
  if (!take_varint(rest, value) || !take_varint(rest, out.fingerprint)) return false;
  out.id = row.substr(row.size() - rest.size());
  return value == documents_[member].value();
}

bool ClusterTable::take_name(std::uint64_t member, std::string_view row, RecordPlace& out) const {
  NameRow read;
  if (!take_row(member, row, read)) return false;
  const DocumentId document = documents_[member];
  out.fingerprint = read.fingerprint;
  out.document.id = read.id;
  out.document.file = sources_[document.source()];
  out.document.record = document.record();
  return true;
}

Result<RecordPlace> ClusterTable::name(std::uint64_t member) const {
  std::string row;
  TWINSET_TRY(names_.read(member, row));
  RecordPlace out;
  if (!take_name(member, row, out)) return lost_names();
  return out;
}

Status ClusterTable::for_each_name(
    std::uint64_t first, std::uint64_t end,
    const std::function<Result<bool>(std::uint64_t member, const RecordPlace& place)>& use) const {
  RecordPlace place;
  return names_.for_each(first, end,
                         [&](std::uint64_t member, std::string_view row) -> Result<bool> {
                           if (!take_name(member, row, place)) {
                             return lost_names();
                           }
                           return use(member, place);
                         });
}

Status ClusterTable::for_each_id(
    std::uint64_t first, std::uint64_t end,
    const std::function<Result<bool>(std::uint64_t member, std::string_view id)>& use) const {
  NameRow read;
  return names_.for_each(first, end,
                         [&](std::uint64_t member, std::string_view row) -> Result<bool> {
                           if (!take_row(member, row, read)) return lost_names();
                           return use(member, read.id);
                         });
}

std::size_t ClusterTable::rank_of(DocumentId document) const {
  const auto found = std::lower_bound(
      by_document_.begin(), by_document_.end(), document,
      [&](std::uint32_t member, DocumentId wanted) { return documents_[member] < wanted; });
  return static_cast<std::size_t>(found - by_document_.begin());
}

std::optional<std::uint64_t> ClusterTable::member(DocumentId document) const {
  const std::size_t rank = rank_of(document);
  if (rank == by_document_.size() || documents_[by_document_[rank]] != document) {
    return std::nullopt;
  }
  return by_document_[rank];
}

Result<std::vector<std::uint64_t>> ClusterTable::find(const std::string& name) const {
  std::vector<std::uint64_t> out;
  const std::size_t colon = name.rfind(':');
  const std::string_view digits =
      colon == std::string::npos ? std::string_view() : std::string_view(name).substr(colon + 1);
  const bool is_number = !digits.empty() && digits.size() < 13 && digits.front() != '0' &&
                         digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (is_number) {
    for (std::size_t source = 0; source < sources_.size(); ++source) {
      if (sources_[source] != std::string_view(name).substr(0, colon)) continue;
      const std::uint64_t record = std::stoull(std::string(digits));
      if (record > DocumentId::max_record) continue;
      if (const auto found = member({source, record})) out.push_back(*found);
    }
  }
  const std::uint32_t hash = id_hash(name);
  auto at = std::lower_bound(by_id_.begin(), by_id_.end(), hash,
                             [](const IdHash& a, std::uint32_t wanted) { return a.hash < wanted; });
  for (; at != by_id_.end() && at->hash == hash; ++at) {
    if (std::find(out.begin(), out.end(), at->member) != out.end()) continue;
    TWINSET_ASSIGN(const RecordPlace place, this->name(at->member));
    if (place.document.id == name) out.push_back(at->member);
  }
  return out;
}

}  // namespace twinset
