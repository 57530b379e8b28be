// A verb is its options struct, its function and the fields of its result; everything else is made
// from what these declare. Verbs over texts in memory also gather their results, which come one by
// one, as tables.
//
// This file's interface is verbs.h; the rest is private.
#include "verbs.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>

#include "compared.h"
#include "fields.h"
#include "lists.h"
#include "options.h"
#include "table.h"
#include "texts.h"
#include "twinset/calibrate.h"
#include "twinset/cluster.h"
#include "twinset/dedup.h"
#include "twinset/evaluate.h"
#include "twinset/files.h"
#include "twinset/filter.h"
#include "twinset/hits.h"
#include "twinset/index.h"
#include "twinset/labels.h"
#include "twinset/lexicon.h"
#include "twinset/look.h"
#include "twinset/merge.h"
#include "twinset/phish.h"
#include "twinset/plan.h"
#include "twinset/reuse.h"
#include "twinset/sketch.h"
#include "twinset/spans.h"

namespace twinset::python {
namespace {

/// Texts in memory that a call reads in place of files, and what it finds in them.
struct InMemory {
  std::vector<TextColumn> columns;
  std::uint64_t rows = 0;            ///< of the texts that may go
  std::vector<std::uint8_t> mask{};  ///< 1 for each row that stays
  std::vector<std::uint64_t> representatives{};
  std::map<std::string, std::shared_ptr<const Table>> tables{};
  std::string lines{};  ///< of a verb whose output is lines
};

/// Counts rows from 0, as Python does.
struct RowNumbers {
  std::uint64_t row = 0;
  std::uint64_t other = 0;
};

constexpr const char* own_texts = "memory";
constexpr const char* other_texts = "against";

/// Gathers what dedup tells, row by row.
class DedupTables {
 public:
  explicit DedupTables(InMemory& memory)
      : memory_(memory), kept_(fields_of(kept_document_)), removed_(fields_of(removal_)) {
    if (memory.columns.empty()) return;
    kept_.add_columns("", {{"row", &rows_.row}});
    removed_.add_columns("", {{"row", &rows_.row}, {"survivor_row", &rows_.other}});
    memory.mask.assign(memory.rows, 0);
    for (std::uint64_t i = 0; i < memory.rows; ++i) memory.representatives.push_back(i);
  }

  DedupResults results() {
    return {.kept =
                [this](const NamedDocument& document) {
                  kept_document_ = document;
                  rows_.row = document.record - 1;
                  if (rows_.row < memory_.mask.size()) memory_.mask[rows_.row] = 1;
                  kept_.add();
                  return Status();
                },
            .removed =
                [this](const Removal& removal) {
                  removal_ = removal;
                  rows_ = {removal.document.record - 1, removal.survivor.record - 1};
                  const bool own = removal.survivor.file == own_texts;
                  if (own && rows_.row < memory_.mask.size()) {
                    memory_.representatives[rows_.row] = rows_.other;
                  }
                  removed_.add();
                  return Status();
                }};
  }

  void finish() {
    memory_.tables["kept"] = std::move(kept_).table();
    memory_.tables["removed"] = std::move(removed_).table();
  }

 private:
  InMemory& memory_;
  NamedDocument kept_document_;
  Removal removal_;
  RowNumbers rows_;
  FieldTable kept_;
  FieldTable removed_;
};

Result<DedupSummary> run_dedup(DedupOptions& options, const RunControl& control, InMemory& memory) {
  if (memory.columns.empty() && !options.dry_run) return dedup(options, control);
  DedupTables tables(memory);
  auto done = dedup(options, control, tables.results());
  tables.finish();
  return done;
}

Result<ClusterSummary> run_cluster(ClusterOptions& options, const RunControl& control,
                                   InMemory& memory) {
  if (memory.columns.empty()) return cluster(options, control);
  std::uint64_t number = 0;
  NamedDocument document;
  NamedDocument representative;
  RowNumbers numbers;
  FieldTable members({{"cluster", &number}});
  members.add_columns("", fields_of(document));
  members.add_columns("representative_", fields_of(representative));
  members.add_columns("", {{"row", &numbers.row}, {"representative_row", &numbers.other}});
  for (std::uint64_t i = 0; i < memory.rows; ++i) memory.representatives.push_back(i);
  auto done = cluster(options, control, {.member = [&](const ClusterMember& member) {
                        number = member.cluster;
                        document = member.member;
                        representative = member.representative;
                        numbers = {document.record - 1, representative.record - 1};
                        memory.representatives[numbers.row] = numbers.other;
                        members.add();
                        return Status();
                      }});
  memory.tables["clusters"] = std::move(members).table();
  return done;
}

/// Takes the lines of a verb without an output file.
class Lines final : public RecordSink {
 public:
  explicit Lines(std::string& out) : out_(out) {}
  Status write(std::string_view bytes) override {
    out_ += bytes;
    return {};
  }

 private:
  std::string& out_;
};

/// What a call of a verb gives back.
struct Outcome {
  nb::object fields = nb::none();
  std::string text{};  ///< for people
  std::string json{};  ///< summary.json, of a run
};

struct Call {
  const nb::dict& settings;
  const nb::object& progress;
  InMemory& memory;
};

struct Verb {
  const char* name;
  const char* summary;
  bool takes_texts;
  VerbLists lists{};
  std::function<nb::list()> options;
  std::function<nb::list()> fields;
  std::function<Outcome(const Call&)> run;
};

/// A verb whose `run(options, control, memory)` gives a Result, of which `show(result, options)`
/// makes the outcome and `empty()` gives fields for stubs.
template <class Options, class Run, class Show, class Empty>
Verb verb(const char* name, const char* summary, bool takes_texts, Run run, Show show,
          Empty empty) {
  return {name,
          summary,
          takes_texts,
          {},
          [] {
            Options options;
            return described(options_of(options));
          },
          empty,
          [run, show](const Call& call) {
            Options options;
            set_options(options_of(options), call.settings);
            if constexpr (requires { options.columns; }) options.columns = call.memory.columns;
            auto done = watched(call.progress, {}, [&](const RunControl& control) {
              return run(options, control, call.memory);
            });
            return show(done, options);
          }};
}

/// A verb whose result has fields.
template <class Options, class Summary, class Run, class Text>
Verb summed(const char* name, const char* summary, bool takes_texts, Run run, Text text) {
  return verb<Options>(
      name, summary, takes_texts, run,
      [text](Summary& done, Options& options) {
        Outcome outcome{.fields = values_of(fields_of(done)), .text = text(done, options)};
        if constexpr (requires { done.json; }) outcome.json = done.json;
        return outcome;
      },
      [] {
        Summary empty;
        return described(fields_of(empty));
      });
}

nb::object json_lines(const std::string& lines) {
  return nb::module_::import_("twinset._results").attr("json_lines")(text_of(lines));
}

/// A verb that tells a line of JSON for each thing that it finds.
template <class Options, class Run, class Show>
Verb told_in_lines(const char* name, const char* summary, Run run, Show show) {
  return verb<Options>(name, summary, false, run, show, [] { return nb::list(); });
}

/// The same function; its options have the texts in memory, if there are any.
template <class Options, class Made>
auto over_files(Result<Made> (*run)(const Options&, const RunControl&)) {
  return [run](Options& options, const RunControl& control, InMemory&) {
    return run(options, control);
  };
}

template <class Options, class Made>
auto to_lines(Result<Made> (*run)(const Options&, const RunControl&)) {
  return [run](Options& options, RunControl control, InMemory& memory) {
    Lines lines(memory.lines);
    if (options.output.empty()) control.kept = &lines;
    return run(options, control);
  };
}

constexpr auto plain_text = [](const auto& done, const auto&) { return to_text(done); };

Verb lexicon_verb(const char* name, const char* summary, bool takes_texts,
                  Result<LexiconSummary> (*run)(const LexiconOptions&, const RunControl&)) {
  return verb<LexiconOptions>(
      name, summary, takes_texts, over_files(run),
      [](LexiconSummary& done, LexiconOptions&) {
        return Outcome{.fields = values_of(fields_of(done.table)), .text = to_text(done.table)};
      },
      [] {
        TermTable empty;
        empty.primary.emplace();
        return described(fields_of(empty));
      });
}

/// Of what is done to an index without documents: what it holds afterwards.
Verb index_verb(const char* name, const char* summary,
                Result<IndexSummary> (*run)(const IndexOptions&, const RunControl&)) {
  return verb<IndexOptions>(
      name, summary, false, to_lines(run),
      [](IndexSummary& done, IndexOptions&) {
        return Outcome{.fields = values_of(fields_of(done.stats)), .text = to_text(done.stats)};
      },
      [] {
        IndexStats empty;
        return described(fields_of(empty));
      });
}

template <class Found>
std::vector<Field> fields_of_all(std::vector<Found>& found) {
  return {{"found", NestedList(&found), Unit::count, "what is found of each, in their order"}};
}

/// A verb that asks an index for each of several names.
template <class Found, class Options>
Verb found_of_names(const char* name, const char* summary,
                    Result<std::vector<Found>> (*run)(const Options&, const RunControl&)) {
  return verb<Options>(
      name, summary, false, over_files(run),
      [](std::vector<Found>& found, Options&) {
        Outcome outcome{.fields = values_of(fields_of_all(found))};
        for (const Found& each : found) {
          outcome.text += (outcome.text.empty() ? "" : "\n") + to_text(each);
        }
        return outcome;
      },
      [] {
        std::vector<Found> empty;
        return described(fields_of_all(empty), Elements::alike);
      });
}

std::vector<Verb> all_verbs() {
  return {
      summed<DedupOptions, DedupSummary>(
          "dedup", "Keeps one of each group of similar documents, with proof for each removal.",
          true, run_dedup, plain_text),
      summed<ClusterOptions, ClusterSummary>(
          "cluster", "Groups documents that are alike, at any threshold; removes none.", true,
          run_cluster, plain_text),
      summed<RecutOptions, ClusterSummary>(
          "recut", "Makes the clusters of another threshold from the pairs that cluster() kept.",
          false, over_files(recut), plain_text),
      summed<MergeOptions, MergeSummary>(
          "merge", "Makes one run of the folders that dedup() or cluster() left with shard=.",
          false, over_files(merge), plain_text),
      summed<PlanOptions, Plan>(
          "plan", "Predicts what dedup() or cluster() would find and cost; writes nothing.", true,
          over_files(plan), plain_text),
      summed<EvaluateOptions, Evaluation>(
          "evaluate", "Measures recall and precision on your own documents, with planted edits.",
          true, over_files(evaluate), plain_text),
      summed<CalibrateOptions, Calibration>(
          "calibrate", "Chooses a threshold from your own documents, and checks it.", false,
          over_files(calibrate), plain_text),
      summed<SketchOptions, SketchSummary>(
          "sketch", "Writes the signature of each document as a line of JSON.", true,
          to_lines(sketch), plain_text),
      summed<JoinOptions, JoinSummary>(
          "join", "Finds the lines of sketch() whose signatures are near or equal.", false,
          to_lines(join_sketches), plain_text),
      summed<SpansOptions, SpansSummary>("spans",
                                         "Finds the passages that texts share word for word.", true,
                                         over_files<SpansOptions, SpansSummary>(spans),
                                         [](const SpansSummary& done, const SpansOptions& options) {
                                           return to_text(done, options);
                                         }),
      summed<DiscoverOptions, DiscoverSummary>(
          "discover", "Labels the chunks and files that pages have again and again, or known ones.",
          true, over_files(discover), plain_text),
      summed<DetectOptions, DetectSummary>(
          "detect", "Finds the pages that hold known chunks, and where copying is common.", true,
          over_files(detect),
          [](const DetectSummary& done, const DetectOptions& options) {
            return to_text(done, options.badness);
          }),
      summed<PhishOptions, PhishSummary>("phish",
                                         "Finds the pages of other sites that imitate known ones.",
                                         true, over_files(phish), plain_text),
      summed<LabelsOptions, LabelsSummary>("labels_merge", "Makes one file of labels of several.",
                                           false, over_files(merge_labels), plain_text),
      summed<LabelsOptions, LabelsSummary>("labels_import", "Makes a file of labels of lists.",
                                           false, over_files(import_labels), plain_text),
      told_in_lines<LabelsOptions>(
          "labels_show", "The labels of a file, a dict each.",
          [](LabelsOptions& options, const RunControl& control, InMemory&) -> Result<std::string> {
            std::string lines;
            const auto take = [&](std::string_view more) {
              lines += more;
              return Status();
            };
            TWINSET_TRY(show_labels(options, true, take, control));
            return lines;
          },
          [](std::string& lines, LabelsOptions&) { return Outcome{.fields = json_lines(lines)}; }),
      verb<RestoreOptions>(
          "restore", "Gives removed records back, byte for byte: as lines, or into output=.", false,
          to_lines(restore),
          [](RestoreSummary& done, RestoreOptions&) {
            return Outcome{.fields = values_of(fields_of(done))};
          },
          [] {
            RestoreSummary empty;
            return described(fields_of(empty));
          }),
      lexicon_verb(
          "lexicon_show", "Tells what a df file or a lexicon was made of.", false,
          [](const LexiconOptions& options, const RunControl& control) -> Result<LexiconSummary> {
            LexiconSummary shown;
            TWINSET_ASSIGN(
                shown.table,
                read_terms(options.inputs.empty() ? "" : options.inputs.front(), control));
            return shown;
          }),
      lexicon_verb("lexicon_count", "Counts the documents of each term.", true, count_terms),
      lexicon_verb("lexicon_build", "Makes a lexicon for the scheme imatch.", true, build_lexicon),
      verb<ExplainOptions>(
          "explain", "Tells why a record was removed, or which records a kept one represents.",
          false, over_files(explain),
          [](Explanation& done, ExplainOptions&) {
            return Outcome{.fields = values_of(fields_of(done)), .text = to_text(done)};
          },
          [] {
            Explanation empty;
            return described(fields_of(empty));
          }),
      told_in_lines<ShowOptions>(
          "show", "Shows clusters, removed records or pages of a finished run.", over_files(show),
          [](Shown& done, ShowOptions&) {
            return Outcome{.fields = json_lines(to_json(done)), .text = to_text(done)};
          }),
      index_verb("index_create", "Makes an empty index.", create_index),
      summed<IndexOptions, IndexSummary>("index_add",
                                         "Adds documents to an index: all of them, or none.", true,
                                         over_files(add_to_index), plain_text),
      summed<IndexOptions, IndexSummary>("index_delete", "Deletes documents by their ids.", false,
                                         over_files(delete_from_index), plain_text),
      index_verb("index_compact", "Removes the bytes of deleted documents.", compact_index),
      index_verb("index_verify", "Reads every byte of an index.", verify_index),
      index_verb("index_stats", "Tells what an index holds.", index_stats),
      index_verb("index_export", "Gives the documents of an index: as lines, or into output=.",
                 export_index),
      summed<QueryOptions, QuerySummary>(
          "query", "Asks an index for the documents that texts resemble, contain or quote.", true,
          to_lines(query_index), plain_text),
      summed<FilterOptions, FilterSummary>(
          "filter", "Holds messages against prototypes, such as known spam: a verdict for each.",
          true, to_lines(filter), plain_text),
      summed<GroupOptions, GroupSummary>(
          "group", "Groups the hits of searches: a line of answers for each line of the inputs.",
          false,
          [](GroupOptions& options, RunControl control, InMemory& memory) {
            Lines lines(memory.lines);
            control.kept = &lines;
            return group_hits(options, control);
          },
          plain_text),
      summed<TrackOptions, TrackSummary>(
          "track", "Tells how pages change, move and die, from their versions by date.", true,
          over_files(track), plain_text),
      found_of_names<PageLocation>(
          "locate", "Finds where pages are now, in an index of several sweeps with dates.", locate),
      found_of_names<IndexLookup>(
          "lookup", "Looks up URLs or ids in an index: their documents, and their clusters.",
          lookup),
      verb<CompareOptions>(
          "compare", "Compares two documents: resemblance, containment, the passages they share.",
          false, over_files(compare),
          [](ComparedTexts& done, CompareOptions&) {
            return Outcome{.fields = compared_values(done), .text = to_text(done)};
          },
          [] {
            ComparedTexts empty;
            return described(fields_of(empty));
          }),
  };
}

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all = [] {
    std::vector<Verb> made = all_verbs();
    for (Verb& verb : made) verb.lists = lists_of(verb.name);
    return made;
  }();
  return all;
}

nb::list listed_verbs() {
  nb::list all;
  for (const Verb& verb : verbs()) {
    all.append(nb::make_tuple(verb.name, verb.summary, verb.takes_texts, verb.options(),
                              verb.fields(), nb::cast(verb.lists.names), name_of(verb.lists.held)));
  }
  return all;
}

/// A view of numbers that the owner keeps.
template <class T>
nb::object view_of(std::vector<T> values) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = kept->data();
  const std::size_t size = kept->size();
  const nb::capsule owner(kept.release(),
                          [](void* held) noexcept { delete static_cast<std::vector<T>*>(held); });
  return nb::cast(nb::ndarray<nb::memview, T, nb::ndim<1>>(data, {size}, owner));
}

nb::dict run(const std::string& name, const nb::dict& settings, Texts* texts, Texts* against,
             const nb::object& progress) {
  const Verb* found = nullptr;
  for (const Verb& verb : verbs()) {
    if (name == verb.name) found = &verb;
  }
  if (found == nullptr) throw nb::key_error(name.c_str());
  InMemory memory;
  if (texts != nullptr) {
    memory.columns.push_back(texts->column(own_texts));
    memory.rows = texts->size();
  }
  if (against != nullptr) {
    memory.columns.push_back(against->column(other_texts));
    memory.columns.back().reference = true;
  }
  Outcome outcome = found->run({settings, progress, memory});
  nb::dict answer;
  answer["fields"] = outcome.fields;
  answer["text"] = text_of(render_message(Door::python, outcome.text));
  answer["json"] = text_of(outcome.json);
  nb::dict tables;
  for (const auto& [title, table] : memory.tables) {
    tables[title.c_str()] = nb::cast(std::const_pointer_cast<Table>(table));
  }
  answer["tables"] = tables;
  if (texts != nullptr && memory.tables.contains("kept")) {
    // Signed: datasets takes differences of them.
    std::vector<std::int64_t> indices;
    for (std::uint64_t i = 0; i < memory.rows; ++i) {
      if (memory.mask[i] != 0) indices.push_back(static_cast<std::int64_t>(i));
    }
    answer["mask"] = view_of(std::move(memory.mask));
    answer["indices"] = view_of(std::move(indices));
  }
  if (texts != nullptr && !memory.tables.empty()) {
    answer["representatives"] = view_of(std::move(memory.representatives));
  }
  answer["lines"] = nb::bytes(memory.lines.data(), memory.lines.size());
  return answer;
}

}  // namespace

void add_verbs(nb::module_& module) {
  nb::class_<Texts>(module, "Texts", "Texts in memory, with ids and fields.")
      .def_static(
          "of",
          [](nb::handle data, std::string text, std::string id, std::vector<std::string> mentions) {
            return Texts::of(data, {std::move(text), std::move(id), std::move(mentions)});
          },
          nb::arg("data").none(), nb::arg("text") = "text", nb::arg("id") = "id",
          nb::arg("mentions") = std::vector<std::string>())
      .def("__len__", &Texts::size)
      .def_prop_ro("fields",
                   [](const Texts& texts) {
                     nb::list names;
                     for (const auto& [name, values] : texts.fields) names.append(text_of(name));
                     return names;
                   })
      .def("__getitem__", [](const Texts& texts, std::size_t row) -> nb::object {
        if (row >= texts.size()) throw nb::index_error("no such row");
        if (!texts.texts.has(row)) return nb::none();
        return text_of(texts.texts.views()[row]);
      });
  module.def("verbs", &listed_verbs);
  module.def("text_dedup_config", [](const std::string& path) {
    const TextDedupConfig config = or_raise(read_text_dedup_config(disk(), path));
    nb::list options;
    for (const auto& [name, value] : config.options) {
      options.append(nb::make_tuple(text_of(name), text_of(value)));
    }
    nb::list without_counterpart;
    for (const std::string& key : config.without_counterpart) {
      without_counterpart.append(text_of(key));
    }
    return nb::make_tuple(options, without_counterpart);
  });
  module.def("is_input_name", [](const std::string& name) { return is_input_name(name); });
  module.def("run", &run, nb::arg("name"), nb::arg("settings"), nb::arg("texts").none(),
             nb::arg("against").none(), nb::arg("progress").none());
}

}  // namespace twinset::python
