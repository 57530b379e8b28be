// Each way of looking reads the folder's files through and keeps the best few in a heap:
// clusters by size, records by how little they resemble. Then the inputs are read for the
// first words of these few alone.
#include "twinset/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "cluster/cluster_lines.h"
#include "cluster/pair_lines.h"
#include "io/json.h"
#include "look/asked_record.h"
#include "look/input_again.h"
#include "look/output_folder.h"
#include "look/pairs_folder.h"
#include "report/numbers.h"
#include "report/visible.h"
#include "run/output_lines.h"

namespace twinset {
namespace {

constexpr std::size_t members_beside = 3;  ///< of a cluster among others
constexpr std::size_t read_bytes = 4096;   ///< of a text, for its first words

/// The best `most` of what is added, in memory for no more than these.
template <class Item, class Before>
class Best {
 public:
  Best(std::uint64_t most, Before before) : most_(most), before_(before) {}
  /// Would it be among them?
  bool wants(const Item& item) const {
    return items_.size() < most_ || (most_ > 0 && before_(item, items_.front()));
  }
  void add(Item item) {
    if (!wants(item)) return;
    if (items_.size() == most_) {
      std::pop_heap(items_.begin(), items_.end(), before_);
      items_.pop_back();
    }
    items_.push_back(std::move(item));
    std::push_heap(items_.begin(), items_.end(), before_);
  }
  std::vector<Item> sorted() && {
    std::sort(items_.begin(), items_.end(), before_);
    return std::move(items_);
  }

 private:
  std::uint64_t most_;
  Before before_;
  std::vector<Item> items_;  ///< a heap, the last of them in front
};

/// A cluster, and its first documents: the representative, then members.
struct SeenCluster {
  std::uint64_t documents = 0;
  std::uint64_t line = 0;
  std::vector<RecordPlace> places;
};

struct LargerCluster {
  bool operator()(const SeenCluster& a, const SeenCluster& b) const {
    return a.documents != b.documents ? a.documents > b.documents : a.line < b.line;
  }
};

/// A record and the one that it is like: removed and survivor, or a pair.
struct SeenLink {
  std::string kind;
  double resemblance = 0;
  std::uint64_t order = 0;
  RecordPlace record;
  RecordPlace other;
  std::uint32_t record_number = 0;  ///< of pairs, whose names come later
  std::uint32_t other_number = 0;
};

struct LessAlike {
  bool operator()(const SeenLink& a, const SeenLink& b) const {
    return a.resemblance != b.resemblance ? a.resemblance < b.resemblance : a.order < b.order;
  }
};

class Show {
 public:
  Show(FileSystem& files, const OutputFolder& folder, const ShowOptions& options,
       const RunControl& control)
      : files_(files), folder_(folder), options_(options), cancel_(control.cancel) {}

  Result<std::string> run() {
    Status done;
    if (!options_.cluster.empty()) {
      done = show_cluster();
    } else if (wants_links()) {
      done = folder_.verb == "dedup" ? show_removed() : show_pairs();
    } else {
      done = show_largest();
    }
    TWINSET_TRY(done);
    if (!options_.json) append_notes();
    return std::move(out_);
  }

 private:
  bool wants_links() const {
    return !options_.kind.empty() || options_.least.has_value() || options_.most.has_value();
  }

  Status check_cancelled() const {
    if (cancel_ == nullptr || !cancel_->load()) return {};
    return Error{ErrorCode::interrupted, "interrupted"};
  }

  // ---- Clusters ----

  /// Reads all clusters; `use` sees each with its first `most` documents, whose places it
  /// may ask for, and whether one of them is asked for.
  struct CurrentCluster {
    std::uint64_t documents = 0;
    std::uint64_t line = 0;
    std::vector<std::string> names;  ///< JSON; the representative's first
    std::size_t used = 0;
    bool asked = false;
  };

  Status for_each_seen(std::size_t most, const AskedRecord* asked,
                       const std::function<Result<bool>(const CurrentCluster&)>& use) {
    CurrentCluster cluster;
    cluster.names.resize(most);
    const std::string path = folder_.file(clusters_file_name);
    const auto take = [&](std::string_view raw) -> Status {
      ++cluster.documents;
      if (cluster.used < most) cluster.names[cluster.used++] = raw;
      if (asked == nullptr || !asked->may_be_in(raw)) return {};
      TWINSET_ASSIGN(RecordPlace place, place_of(raw));
      if (!asked->names(place)) return {};
      cluster.asked = true;
      asked_places_.add(std::move(place));
      return {};
    };
    ClusterUse reading;
    reading.begin = [&](std::string_view raw) -> Status {
      if (++cluster.line % 4096 == 0) TWINSET_TRY(check_cancelled());
      cluster.documents = 0;
      cluster.used = 0;
      cluster.asked = false;
      return take(raw);
    };
    reading.member = take;
    reading.end = [&]() -> Result<bool> { return use(cluster); };
    return for_each_cluster(files_, path, reading);
  }

  Result<RecordPlace> place_of(std::string_view raw) const {
    TWINSET_ASSIGN(const JsonNode name, read_json(raw, folder_.file(clusters_file_name)));
    return read_place(name, "");
  }

  Status take_places(const CurrentCluster& cluster, SeenCluster& seen) const {
    for (std::size_t i = 0; i < cluster.used; ++i) {
      TWINSET_ASSIGN(RecordPlace place, place_of(cluster.names[i]));
      seen.places.push_back(std::move(place));
    }
    return {};
  }

  Status show_largest() {
    Best<SeenCluster, LargerCluster> best(options_.top, LargerCluster());
    std::uint64_t clusters = 0;
    std::uint64_t documents = 0;
    TWINSET_TRY(for_each_seen(1 + members_beside, nullptr,
                              [&](const CurrentCluster& cluster) -> Result<bool> {
                                ++clusters;
                                documents += cluster.documents;
                                SeenCluster seen{cluster.documents, cluster.line, {}};
                                if (!best.wants(seen)) return true;
                                TWINSET_TRY(take_places(cluster, seen));
                                best.add(std::move(seen));
                                return true;
                              }));
    const std::vector<SeenCluster> shown = std::move(best).sorted();
    std::vector<RecordPlace> places;
    for (const SeenCluster& cluster : shown) {
      places.insert(places.end(), cluster.places.begin(), cluster.places.end());
    }
    TWINSET_TRY(read_words(places));
    if (!options_.json) {
      out_ += format_count(clusters, "cluster", "clusters") + " of " +
              format_count(documents, "document", "documents");
      out_ += clusters > shown.size() ? "; the largest " + format_count(shown.size()) + "\n" : "\n";
    }
    std::size_t at = 0;
    for (const SeenCluster& cluster : shown) {
      append_cluster(cluster, at, nullptr);
      at += cluster.places.size();
    }
    return {};
  }

  Status show_cluster() {
    if (wants_links()) {
      return usage_error("a cluster is shown whole: leave out --kind and --resemblance");
    }
    const AskedRecord asked(options_.cluster);
    SeenCluster seen;
    TWINSET_TRY(for_each_seen(
        static_cast<std::size_t>(std::min<std::uint64_t>(options_.top, UINT32_MAX)) + 1, &asked,
        [&](const CurrentCluster& cluster) -> Result<bool> {
          if (!cluster.asked || seen.documents > 0) return true;
          seen.documents = cluster.documents;
          TWINSET_TRY(take_places(cluster, seen));
          return true;
        }));
    if (asked_places_.all().size() > 1) {
      return several_records(options_.cluster, asked_places_.all());
    }
    if (seen.documents == 0) {
      return usage_error("'" + visible_name(options_.cluster) + "' is in no cluster of " +
                         folder_.path + "; twinset explain tells what became of it");
    }
    TWINSET_TRY(read_words(seen.places));
    Resemblances to_survivor;
    if (folder_.verb == "dedup") TWINSET_TRY(read_resemblances(seen, to_survivor));
    if (!options_.json) {
      out_ += "cluster of " + format_count(seen.documents, "document", "documents") + "\n";
    }
    append_cluster(seen, 0, &to_survivor);
    return {};
  }

  using Resemblances = std::map<std::pair<std::string, std::uint64_t>, double>;

  /// The resemblance of the cluster's members to the document that stands for them.
  Status read_resemblances(const SeenCluster& cluster, Resemblances& out) const {
    const ReportDocument& survivor = cluster.places.front().document;
    return for_each_line(files_, folder_.file(removed_file_name),
                         [&](const JsonNode& line) -> Result<bool> {
                           if (line["survivor_record"].integer() != survivor.record ||
                               line["survivor_file"].text() != survivor.file) {
                             return true;
                           }
                           if (out.size() >= options_.top) return false;
                           out[{line["file"].text(), line["record"].integer().value_or(0)}] =
                               line["resemblance"].real().value_or(0);
                           return true;
                         });
  }

  /// `first`: of words_, its representative's. With `resemblances` members say theirs.
  void append_cluster(const SeenCluster& cluster, std::size_t first,
                      const Resemblances* resemblances) {
    const std::size_t shown = cluster.places.size();
    if (options_.json) {
      JsonObject object(out_);
      add(object, cluster.places[0], first);
      std::string members = "[";
      for (std::size_t i = 1; i < shown; ++i) {
        members += i > 1 ? ", " : "";
        JsonObject member(members);
        add(member, cluster.places[i], first + i);
        const auto found = find(resemblances, cluster.places[i]);
        if (found.has_value()) member.real("resemblance", *found);
        member.end();
      }
      object.number("documents", cluster.documents).raw("members", members + "]");
      object.end();
      out_ += '\n';
      return;
    }
    out_ += fmt::format("\n{:>7}  {}\n", format_count(cluster.documents), title(cluster.places[0]));
    append_words(first);
    for (std::size_t i = 1; i < shown; ++i) {
      const auto found = find(resemblances, cluster.places[i]);
      out_ += fmt::format("{:>7}  {}\n", found.has_value() ? format_share(*found) : "",
                          title(cluster.places[i]));
      append_words(first + i);
    }
    if (cluster.documents > shown) {
      out_ += "         ... " + format_count(cluster.documents - shown) + " more ...\n";
    }
  }

  static std::optional<double> find(const Resemblances* resemblances, const RecordPlace& place) {
    if (resemblances == nullptr) return std::nullopt;
    const auto found = resemblances->find({place.document.file, place.document.record});
    if (found == resemblances->end()) return std::nullopt;
    return found->second;
  }

  // ---- Records that went, and pairs ----

  bool in_band(double resemblance) const {
    // Numbers of files have six decimals.
    constexpr double rounding = 0.0000005;
    return (!options_.least.has_value() || resemblance >= options_.least->value() - rounding) &&
           (!options_.most.has_value() || resemblance <= options_.most->value() + rounding);
  }

  Status show_removed() {
    Best<SeenLink, LessAlike> best(options_.top, LessAlike());
    std::uint64_t order = 0;
    std::uint64_t found = 0;
    TWINSET_TRY(for_each_line(
        files_, folder_.file(removed_file_name), [&](const JsonNode& line) -> Result<bool> {
          if (++order % 4096 == 0) TWINSET_TRY(check_cancelled());
          SeenLink link;
          link.kind = line["kind"].text();
          link.resemblance = line["resemblance"].real().value_or(0);
          link.order = order;
          const bool of_kind = options_.kind.empty() || link.kind == options_.kind;
          if (!of_kind || !in_band(link.resemblance)) return true;
          ++found;
          if (!best.wants(link)) return true;
          link.record = read_place(line, "");
          link.other = read_place(line, "survivor_");
          best.add(std::move(link));
          return true;
        }));
    return show_links(std::move(best).sorted(), found, "removed record", "removed records");
  }

  Status show_pairs() {
    if (folder_.verb == "recut") {
      return usage_error(folder_.path +
                         " has no pairs: recut writes clusters alone. Show the folder that "
                         "cluster made");
    }
    PairsFolder pairs(folder_);
    TWINSET_TRY(pairs.open());
    if (!pairs.has_numbers() && (options_.least.has_value() || options_.most.has_value())) {
      return usage_error(folder_.path +
                         " joined documents by a shared key alone (--verify none): its pairs have "
                         "no resemblance");
    }
    if (options_.kind == "contained") {
      return usage_error("pairs of " + folder_.path +
                         " are identical, lexical or near; contained is a kind of dedup's");
    }
    Best<SeenLink, LessAlike> best(options_.top, LessAlike());
    std::uint64_t found = 0;
    TWINSET_TRY(read_pairs(pairs, best, found));
    std::vector<SeenLink> shown = std::move(best).sorted();
    std::vector<std::uint32_t> numbers;
    for (const SeenLink& link : shown) {
      numbers.insert(numbers.end(), {link.record_number, link.other_number});
    }
    TWINSET_ASSIGN(auto names, pairs.names(files_, numbers));
    for (SeenLink& link : shown) {
      link.record = names[link.record_number];
      link.other = names[link.other_number];
    }
    return show_links(shown, found, "pair", "pairs");
  }

  Status read_pairs(const PairsFolder& pairs, Best<SeenLink, LessAlike>& best,
                    std::uint64_t& found) const {
    const bool band = options_.least.has_value() || options_.most.has_value();
    const std::string path = folder_.file(pairs_file_name);
    PairLine line;
    std::string_view id;
    std::uint64_t line_number = 0;
    std::uint64_t order = 0;
    const auto add = [&](const char* kind, std::uint32_t a, std::uint32_t b, double resemblance) {
      if (!options_.kind.empty() && options_.kind != kind) return;
      if (!in_band(resemblance)) return;
      ++found;
      SeenLink link;
      link.kind = kind;
      link.resemblance = resemblance;
      link.order = order;
      link.record_number = a;
      link.other_number = b;
      best.add(std::move(link));
    };
    return for_each_raw_line(files_, path, [&](std::string_view raw) -> Result<bool> {
      TWINSET_TRY(read_pair_line(raw, path, ++line_number, line, id));
      if (line_number % 4096 == 0) TWINSET_TRY(check_cancelled());
      if (line.kind != Fate::near) {
        ++order;
        add(fate_name(line.kind), line.number, line.original, 1);
      }
      for (const SharedPair& pair : line.pairs) {
        ++order;
        // Pairs below the threshold are shown where a band is asked for.
        if (!band && !pairs.threshold().reached_by(pair.keys)) continue;
        add("near", pair.a, pair.b, pair.keys.resemblance());
      }
      return true;
    });
  }

  Status show_links(const std::vector<SeenLink>& links, std::uint64_t found, const char* one,
                    const char* many) {
    std::vector<RecordPlace> places;
    for (const SeenLink& link : links) places.insert(places.end(), {link.record, link.other});
    TWINSET_TRY(read_words(places));
    if (!options_.json) {
      out_ += format_count(found, one, many);
      if (found > links.size()) out_ += "; the " + format_count(links.size()) + " least alike";
      out_ += '\n';
    }
    for (std::size_t i = 0; i < links.size(); ++i) append_link(links[i], 2 * i);
    return {};
  }

  void append_link(const SeenLink& link, std::size_t first) {
    if (options_.json) {
      JsonObject object(out_);
      add(object, link.record, first);
      object.string("kind", link.kind).real("resemblance", link.resemblance);
      std::string other;
      JsonObject beside(other);
      add(beside, link.other, first + 1);
      beside.end();
      object.raw(folder_.verb == "dedup" ? "survivor" : "other", other);
      object.end();
      out_ += '\n';
      return;
    }
    out_ += fmt::format("\n{:>7}  {}  {}\n", format_share(link.resemblance), link.kind,
                        title(link.record));
    append_words(first);
    out_ += fmt::format("{:>7}  {}\n", folder_.verb == "dedup" ? "kept" : "and", title(link.other));
    append_words(first + 1);
  }

  // ---- Words ----

  Status read_words(const std::vector<RecordPlace>& places) {
    TWINSET_ASSIGN(std::vector<SeenText> read, read_texts(files_, folder_, places, read_bytes));
    words_ = std::move(read);
    for (const SeenText& seen : words_) {
      if (!seen.text.has_value())
        notes_.insert(seen.missing + "; words that are not the run's are not shown");
    }
    return {};
  }

  void append_words(std::size_t index) {
    if (!words_[index].text.has_value()) return;
    const std::string words = visible_text(first_words(*words_[index].text));
    out_ += "         " + (words.empty() ? "(no text)" : words) + "\n";
  }

  static std::string title(const RecordPlace& place) {
    return fmt::format("{}  ({}, record {})", visible_name(place.document.id),
                       visible_name(place.document.file), format_count(place.document.record));
  }

  void add(JsonObject& object, const RecordPlace& place, std::size_t index) const {
    object.string("id", place.document.id)
        .string("file", place.document.file)
        .number("record", place.document.record);
    const SeenText& seen = words_[index];
    if (seen.text.has_value()) {
      object.string("words", first_words(*seen.text));
    } else {
      object.raw("words", "null").string("missing", seen.missing);
    }
  }

  void append_notes() {
    if (!words_.empty()) notes_.insert(folder_.folder_note());
    if (!notes_.empty()) out_ += '\n';
    for (const std::string& note : notes_) {
      if (!note.empty()) out_ += "Note: " + visible_text(note) + ".\n";
    }
  }

  FileSystem& files_;
  const OutputFolder& folder_;
  const ShowOptions& options_;
  const std::atomic<bool>* cancel_;
  PlaceList asked_places_;
  std::vector<SeenText> words_;
  std::set<std::string> notes_;
  std::string out_;
};

Status check_options(const ShowOptions& options) {
  if (!options.kind.empty() && !removed_fate(options.kind).has_value()) {
    return usage_error("no kind '" + visible_name(options.kind) +
                       "'; there are identical, lexical, near, contained");
  }
  if (options.top == 0) return usage_error("--top 0 shows nothing");
  if (options.least.has_value() && options.most.has_value() &&
      options.most->value() < options.least->value()) {
    return usage_error("--resemblance is LOW:HIGH, the smaller number first");
  }
  return {};
}

}  // namespace

Result<std::string> show(const ShowOptions& options, const RunControl& control) {
  TWINSET_TRY(check_options(options));
  FileSystem& files = control.files != nullptr ? *control.files : disk();
  TWINSET_ASSIGN(OutputFolder folder, open_output_folder(files, options.output));
  return Show(files, folder, options, control).run();
}

}  // namespace twinset
