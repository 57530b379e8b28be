#include "cluster/neighbors.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "io/field_json.h"
#include "join/union_find.h"
#include "system/ordered.h"

namespace twinset {
namespace {

constexpr std::size_t task_entries = std::size_t{1} << 14;

NumberRows::Numbers neighbor_row(const Neighbor& neighbor) {
  return {neighbor.document.source(), neighbor.document.record(), neighbor.distance};
}

std::optional<Neighbor> read_neighbor(const NumberRows::Numbers& row) {
  if (row[0] >= DocumentId::max_sources || row[1] == 0 || row[1] > DocumentId::max_record ||
      row[2] > UINT32_MAX) {
    return std::nullopt;
  }
  return Neighbor{{row[0], row[1]}, static_cast<std::uint32_t>(row[2])};
}

}  // namespace

std::vector<Field> fields_of(NeighborLine& line) {
  return {{"id", AsWritten{&line.id}, Unit::text, "the document's id"},
          {"input", &line.input, Unit::count,
           "the place of its input in `files` of [`summary.json`](summary.md), from 0"},
          {"record", &line.record, Unit::count, "its number in this input, from 1"},
          if_set({"equal", &line.equal, Unit::count,
                  "`[input, record]` of the first document of its signature: the others have the "
                  "neighbors of that one, with it in place of themselves"}),
          if_set({"neighbors",
                  NumberRows(&line.neighbors,
                             {{"input", "the input of a document within the distance"},
                              {"record", "its record there"},
                              {"distance", "the bits in which the signatures differ; 0 of a copy"}},
                             neighbor_row, read_neighbor),
                  Unit::count, "all of them, the nearest first, then in input order"}),
          {"of equal and neighbors there is one",
           FieldRule{[&line] { return line.equal.empty() != line.neighbors.empty(); }}}};
}

Result<std::unique_ptr<Neighbors>> Neighbors::make(const RowsOptions& options,
                                                   const DocumentTable& table,
                                                   const SharedPairStore& pairs) {
  std::unique_ptr<Neighbors> made(new Neighbors(options));
  const auto documents = static_cast<std::uint32_t>(table.size());
  UnionFind equal(documents);
  for (std::uint32_t index = 0; index < documents; ++index) {
    const Standing standing = table.standing(index);
    if (standing.folded()) equal.unite(index, static_cast<std::uint32_t>(standing.other));
  }
  TWINSET_TRY(for_each_row(pairs, [&](const SharedPair& pair) {
    if (pair.keys.shared == 0) equal.unite(pair.a, pair.b);
  }));
  made->firsts_.resize(documents);
  made->begins_.resize(std::size_t{documents} + 1);
  for (std::uint32_t index = 0; index < documents; ++index) {
    made->firsts_[index] = equal.find(index);
    ++made->begins_[made->firsts_[index] + 1];
  }
  std::partial_sum(made->begins_.begin(), made->begins_.end(), made->begins_.begin());
  made->members_.resize(documents);
  {
    std::vector<std::uint32_t> next = made->begins_;
    for (std::uint32_t index = 0; index < documents; ++index) {
      made->members_[next[made->firsts_[index]]++] = index;
    }
  }
  const auto size = [&](std::uint32_t first) -> std::uint64_t { return made->equal(first).size(); };
  for (std::uint32_t index = 0; index < documents; ++index) {
    if (made->firsts_[index] == index) made->entries_ += size(index) - 1;
  }
  std::vector<Row> batch;
  TWINSET_TRY(for_each_row(pairs, [&](const SharedPair& pair) -> Status {
    if (pair.keys.shared == 0) return {};
    const std::uint32_t a = made->firsts_[pair.a];
    const std::uint32_t b = made->firsts_[pair.b];
    made->entries_ += size(a) + size(b);
    batch.push_back({a, pair.keys.shared, b});
    batch.push_back({b, pair.keys.shared, a});
    if (batch.size() < task_entries) return {};
    TWINSET_TRY(made->rows_.append(batch));
    batch.clear();
    return {};
  }));
  TWINSET_TRY(made->rows_.append(batch));
  TWINSET_TRY(made->rows_.seal());
  return made;
}

Status Neighbors::write(const RunContext& context, LineFile& file, const DocumentTable& table,
                        const FindName& name) const {
  struct Task {
    std::vector<std::uint32_t> documents;
    std::vector<Row> rows;
    std::string text;
  };
  TWINSET_ASSIGN(const auto cursor, rows_.read());
  std::uint32_t next = 0;
  OrderedSteps<Task> steps;
  steps.take = [&](Task& task, TaskPlace) -> Result<bool> {
    TWINSET_TRY(context.check_cancelled());
    if (task.rows.capacity() > 4 * task_entries) task = Task();
    task.documents.clear();
    task.rows.clear();
    std::uint64_t entries = 0;
    for (; next < firsts_.size() && entries < task_entries; ++next) {
      const std::size_t before = task.rows.size();
      // Rows come by the first documents, which come in input order.
      for (const Row* row = cursor->peek(); row != nullptr && row->first == next;
           row = cursor->peek()) {
        task.rows.push_back(*row);
        entries += equal(row->other).size();
        cursor->advance();
      }
      TWINSET_TRY(cursor->status());
      const std::size_t same = equal(firsts_[next]).size();
      if (task.rows.size() == before && same == 1) continue;
      entries += firsts_[next] == next ? same : 1;
      task.documents.push_back(next);
    }
    return !task.documents.empty();
  };
  steps.work = [&](unsigned worker, Task& task) -> Status {
    FieldLine<NeighborLine> line;
    task.text.clear();
    auto row = task.rows.cbegin();
    for (const std::uint32_t index : task.documents) {
      TWINSET_TRY(name(worker, index, line->id));
      const DocumentId document = table.document(index);
      line->input = document.source();
      line->record = document.record();
      line->equal.clear();
      line->neighbors.clear();
      const std::uint32_t first = firsts_[index];
      if (first != index) {
        const DocumentId other = table.document(first);
        line->equal.assign({other.source(), other.record()});
      } else {
        for (const std::uint32_t same : equal(index)) {
          if (same != index) line->neighbors.push_back({table.document(same), 0});
        }
      }
      for (; row != task.rows.cend() && row->first == index; ++row) {
        for (const std::uint32_t other : equal(row->other)) {
          line->neighbors.push_back({table.document(other), row->distance});
        }
      }
      // Those of one distance come by signatures.
      std::ranges::sort(line->neighbors, [](const Neighbor& a, const Neighbor& b) {
        return a.distance != b.distance ? a.distance < b.distance : a.document < b.document;
      });
      line.append(task.text);
    }
    return {};
  };
  steps.put = [&](Task& task) -> Status {
    file.buffer() += task.text;
    return file.added();
  };
  return run_in_order(context.threads, steps);
}

}  // namespace twinset
