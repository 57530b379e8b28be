// A list is read as it was written: the fields of its lines, or those that its lines are made flat
// into. Only the ids of a file of pairs are held: a line names the other document by its place.
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "cluster/pair_lines.h"
#include "collection/output_lines.h"
#include "detect/detect_fields.h"
#include "detect/detect_lines.h"
#include "detect/detected_folder.h"
#include "io/text_lines.h"
#include "join/fate.h"
#include "look/cluster_lines.h"
#include "look/output_folder.h"
#include "look/pairs_folder.h"
#include "run/run_fields.h"
#include "search/query_line.h"
#include "sketch/signature_line.h"
#include "spans/span_lines.h"
#include "system/context.h"
#include "twinset/field.h"
#include "twinset/look.h"
#include "web/chunks.h"

namespace twinset {
namespace {

void set_numbers(const Link& link, RemovalKind kind, ClusterPair& pair) {
  pair.kind = kind;
  pair.resemblance.reset();
  pair.containment.reset();
  pair.other_containment.reset();
  pair.distance.reset();
  if (link.counts() || link.estimated()) pair.resemblance = link.resemblance();
  if (link.counts()) {
    pair.containment = link.numbers.containment();
    pair.other_containment = link.numbers.earlier_containment();
  }
  if (link.kind == LinkKind::distance) pair.distance = link.numbers.shared;
}

class ListReader {
 public:
  using UseLine = std::function<Status(std::string_view raw, const std::string& what)>;

  /// `held`: lines in memory; nullptr: those of the folder's files, or of the file.
  ListReader(const std::string& folder, const std::string_view* held, const RunControl& control,
             const ListColumns& columns, const std::function<Status()>& row)
      : folder_(folder_path(folder)),
        held_(held),
        files_(files_of(control)),
        cancel_(control.cancel),
        columns_(columns),
        row_(row) {}

  Status read(ResultList list) {
    switch (list) {
      case ResultList::kept:
        return lines<NamedDocument>(file("kept.jsonl"), place_fields);
      case ResultList::removed:
        return lines<Removal>(file(removed_file_name));
      case ResultList::clusters:
        return members();
      case ResultList::pairs:
        return pairs();
      case ResultList::spans:
        return lines<SpanLine>(file(spans_list));
      case ResultList::pages:
        return lines<DetectedPage>(file(pages_list), page_line_fields);
      case ResultList::matches:
        return matches();
      case ResultList::recursion:
        return lines<RecursionError>(file(recursion_list));
      case ResultList::neighborhoods:
        return lines<DetectedNeighborhood>(file(neighborhoods_list), neighborhood_line_fields);
      case ResultList::signatures:
        return lines<SignatureLine>(folder_);
      case ResultList::joined:
        return lines<JoinLine>(folder_);
      case ResultList::hits:
        return hits();
      case ResultList::documents:
        return lines<StoredDocument>(folder_);
    }
    return {};
  }

 private:
  std::string file(std::string_view name) const { return folder_ + "/" + std::string(name); }

  Status told() const {
    TWINSET_TRY(check_stop(cancel_));
    return row_();
  }

  Status each_line(const std::string& path, const UseLine& use) const {
    std::uint64_t number = 0;
    if (held_ == nullptr) {
      return for_each_raw_line(files_, path, [&](std::string_view raw) -> Result<bool> {
        TWINSET_TRY(use(raw, path + ":" + std::to_string(++number)));
        return true;
      });
    }
    Status status;
    for_each_line(*held_, [&](std::string_view raw) {
      status = use(raw, "line " + std::to_string(++number));
      return status.ok();
    });
    return status;
  }

  template <class T>
  Status lines(
      const std::string& path,
      typename FieldLine<T>::FieldsOf fields = [](T& value) { return fields_of(value); },
      const T& unread = T()) const {
    FieldLine<T> line(fields);
    columns_("", fields(*line));
    return each_line(path, [&](std::string_view raw, const std::string& what) -> Status {
      *line = unread;
      TWINSET_TRY(line.read(raw, what));
      return told();
    });
  }

  Status matches() const {
    TWINSET_ASSIGN(const DetectedFolder made, read_detected_folder(files_, folder_));
    const std::optional<ChunkRules> rules = parse_chunk_rules(made.summary.rules);
    MatchLine unread;
    if (rules.has_value()) unread.hash = rules->hash;
    return lines<MatchLine>(
        file(matches_list), [](MatchLine& line) { return fields_of(line); }, unread);
  }

  Status hits() const {
    FieldLine<QueryLine> line;
    NamedDocument asked;
    IndexHit hit;
    columns_("", place_fields(asked));
    columns_("hit_", fields_of(hit));
    return each_line(folder_, [&](std::string_view raw, const std::string& what) -> Status {
      *line = QueryLine();
      TWINSET_TRY(line.read(raw, what));
      asked = line->document;
      for (IndexHit& each : line->answer.hits) {
        hit = std::move(each);
        TWINSET_TRY(told());
      }
      return {};
    });
  }

  Status members() const {
    std::uint64_t cluster = 0;
    std::string first;
    FieldLine<NamedDocument> representative;
    FieldLine<NamedDocument> member;
    columns_("", {{"cluster", &cluster}});
    columns_("", fields_of(*member));
    columns_("representative_", fields_of(*representative));
    const std::string path = file(clusters_file_name);
    ClusterUse use;
    use.begin = [&](std::string_view raw) {
      first = raw;
      return representative.read(first, path);
    };
    use.member = [&](std::string_view raw) -> Status {
      TWINSET_TRY(member.read(raw, path));
      return told();
    };
    use.end = [&]() -> Result<bool> {
      ++cluster;
      return true;
    };
    return for_each_cluster(files_, path, use);
  }

  Status pairs() const {
    TWINSET_ASSIGN(const OutputFolder made, open_output_folder(files_, folder_));
    if (made.verb != "cluster") return usage_error(folder_ + " has no pairs: cluster() keeps them");
    const PairsFolder folder(made);
    ClusterPair pair;
    columns_("", fields_of(pair));
    struct Seen {
      std::string id;
      std::uint64_t fingerprint = 0;
    };
    std::map<DocumentId, Seen> seen;
    const std::string path = made.file(pairs_file_name);
    return for_each_pair_line(files_, path, [&](const PairLine& line) -> Status {
      const auto name = [&](DocumentId document, const Seen& of) -> Result<NamedDocument> {
        if (document.source() >= made.inputs.size()) return unknown_document(path, line);
        return NamedDocument{of.id, made.inputs[document.source()].input.shown, document.record(),
                             of.fingerprint};
      };
      const auto tell = [&](DocumentId other, const Link& link, RemovalKind kind) -> Status {
        const auto found = seen.find(other);
        if (found == seen.end()) return unknown_document(path, line);
        TWINSET_ASSIGN(pair.other, name(other, found->second));
        set_numbers(link, kind, pair);
        return told();
      };
      const Seen& own =
          seen.emplace(line.document(), Seen{std::string(line.id), line.fingerprint}).first->second;
      TWINSET_ASSIGN(pair.document, name(line.document(), own));
      pair.is_template = false;
      if (line.kind() != Fate::near) {
        return tell(line.original(), Link::copy(), kind_of(line.kind()));
      }
      for (std::size_t i = 0; i < line.pairs.size(); ++i) {
        pair.is_template = folder.is_template(line, i);
        TWINSET_TRY(tell(line.pairs[i].document, Link::read(folder.kind(), line.pairs[i].keys),
                         RemovalKind::near));
      }
      return {};
    });
  }

  const std::string folder_;
  const std::string_view* held_;
  FileSystem& files_;
  const std::atomic<bool>* cancel_;
  const ListColumns& columns_;
  const std::function<Status()>& row_;
};

}  // namespace

Status read_list(const std::string& folder, ResultList list, const RunControl& control,
                 const ListColumns& columns, const std::function<Status()>& row) {
  return ListReader(folder, nullptr, control, columns, row).read(list);
}

Status read_lines(std::string_view lines, ResultList list, const RunControl& control,
                  const ListColumns& columns, const std::function<Status()>& row) {
  if (list < ResultList::signatures) return usage_error("this list is in a folder");
  return ListReader("", &lines, control, columns, row).read(list);
}

}  // namespace twinset
