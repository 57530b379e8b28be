#include "sites/site_templates.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "base/message.h"
#include "io/json_read.h"
#include "match/match.h"
#include "run/collector.h"
#include "run/page_file.h"
#include "run/read_fates.h"
#include "run/scratch_folder.h"
#include "run/texts.h"
#include "scheme/scheme.h"
#include "template/learn_templates.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// One part in so many of the memory for rows may hold the table.
constexpr std::uint64_t table_part = 8;
/// A table of this size, and a learner with so much memory, are part of a run's fixed memory: even
/// the least has room for the templates of some thousand sites.
constexpr std::uint64_t usual_table_bytes = usual_tables_bytes / 2;
constexpr std::uint64_t least_learner_bytes = usual_tables_bytes;
/// One part in so many of the memory for rows holds the places of the pages that are kept.
constexpr std::uint64_t places_part = 64;

/// The removed records of a collection, a bit a record.
class RemovedRecords {
 public:
  explicit RemovedRecords(const Collection& collection) : bits_(collection.sources().size()) {}

  void add(DocumentId id) {
    std::vector<bool>& bits = bits_[id.source()];
    if (bits.size() <= id.record()) bits.resize(id.record() + 1 + bits.size() / 2);
    bits[id.record()] = true;
  }

  bool has(DocumentId id) const {
    const std::vector<bool>& bits = bits_[id.source()];
    return id.record() < bits.size() && bits[id.record()];
  }

 private:
  std::vector<std::vector<bool>> bits_;
};

struct SurvivorRows final : Collector::Rows {
  struct Page {
    std::uint64_t site = 0;
    std::uint32_t rank = 0;
    std::size_t end = 0;  ///< of its keys
  };

  void begin(const BatchPlace&) override {
    pages.clear();
    keys.clear();
  }
  void release_large() override { *this = {}; }

  std::vector<Page> pages;
  std::vector<std::uint64_t> keys;
  TemplateKeys of_page;
};

/// Gives the pages that count to a learner, read again: for a run that has no files to keep their
/// tokens in.
class SurvivorPages final : public CollectorOf<SurvivorRows> {
 public:
  SurvivorPages(const PageFile& pages, const RemovedRecords& removed, TemplateLearner& learner)
      : pages_(pages), removed_(removed), learner_(learner) {}

  Status open(const StateFile*) override { return {}; }
  Status checkpoint(StateFile&) override { return {}; }

 private:
  Status take(const ReadRecord& read, SurvivorRows& rows) const override {
    if (!read.is_document() || !pages_.takes(read.view) || removed_.has(read.id)) return {};
    const Analysis& analysis = read.view.whole_analysis();
    const std::uint64_t site = site_hash(read.view.site());
    const std::uint32_t rank = page_rank(read.view);
    if (analysis.tokens.empty() || !learner_.counts(site, rank)) return {};
    rows.of_page.make(site, analysis.tokens, read.view.blocks());
    for (const auto* keys : {&rows.of_page.windows, &rows.of_page.blocks}) {
      rows.keys.insert(rows.keys.end(), keys->begin(), keys->end());
    }
    rows.pages.push_back({site, rank, rows.keys.size()});
    return {};
  }

  Status put(SurvivorRows& rows) override {
    std::size_t begin = 0;
    for (const SurvivorRows::Page& page : rows.pages) {
      const auto keys = std::span<const std::uint64_t>(rows.keys).subspan(begin, page.end - begin);
      TWINSET_TRY(learner_.add(page.site, page.rank, keys));
      begin = page.end;
    }
    return {};
  }

  const PageFile& pages_;
  const RemovedRecords& removed_;
  TemplateLearner& learner_;
};

/// Pass 1 of the dedup below, which fills `pages` too. `fields`: those of the run around it, so
/// that a table gives both the same bytes.
Status read_whole(CollectionRun& run, const FieldNames& fields, PageFile& pages) {
  Job& job = run.job;
  job.fields.named = fields.named;
  job.signer.view.reads_blocks = true;
  job.signer.view.url_field = pages.url_field();
  TWINSET_TRY(run.read(DocumentKeys::Stored::count, {&pages}));
  job.signer.view.reads_blocks = false;
  TWINSET_TRY(pages.seal(job.memory.rows / places_part));
  if (pages.keeps_tokens()) job.pages = &pages;
  return {};
}

/// Notes in `removed` what dedup would remove of the documents that were read.
Status decide_whole(CollectionRun& run, const Ratio& copy, RemovedRecords& removed) {
  Job& job = run.job;
  const RecordFiles& records = *run.stores.records;
  TWINSET_TRY(run.check_memory(resident_bytes(job, lines_of(run.state))));
  DocumentTable table(run.state.lines, job.reference_sources);
  RecordCounts unused;
  TWINSET_TRY(set_read_fates(records, table, unused));
  RowFile<Proof> proofs(RowsOptions{&job.context, job.spill + "proofs", 0, job.signer.fingerprint});
  Texts texts(job, records, table);
  DecisionOptions decision;
  decision.resemblance = copy;
  TWINSET_TRY(match_documents(job, decision, run.stores, table, texts, proofs, run.clock));
  for (std::uint64_t index = table.first_index(job.reference_sources); index < table.size();
       ++index) {
    if (is_removed(final_fate(table, index))) removed.add(table.document(index));
  }
  return {};
}

/// A dedup of the run's collection, as whole pages, that leaves nothing behind but its decisions
/// and the pages that it read. Replaces `read` by the facts of the inputs.
Status find_removed(const CollectionRun& run, const CollectionOptions& options,
                    const RunControl& control, PageFile& pages, RemovedRecords& removed,
                    std::vector<InputFacts>& read) {
  CollectionOptions whole;
  whole.scheme = DedupOptions().scheme;
  whole.input = options.input;
  whole.analyzer = options.analyzer;
  whole.min_tokens = options.min_tokens;
  whole.max_group = options.max_group;
  whole.resources = options.resources;
  whole.resources.checkpoint = UINT64_MAX;
  // A run over columns works in memory, any other beside its own files.
  const ScratchFolder scratch(*run.job.context.files, run.job.context.tmp + "/learn");
  if (options.columns.empty()) whole.resources.tmp = scratch.path();
  VerbOptions verb;
  verb.name = verb.identity = "pages";
  // Texts of one form are near all; only those that say the same are copies.
  const Ratio copy = run.job.signer.view.pages ? DecisionOptions().resemblance : Ratio{1, 1};
  verb.thresholds = {copy, std::nullopt};
  verb.reads_again = true;
  RunControl quiet = control;
  quiet.kept = nullptr;
  CollectionRun inner(whole, std::move(verb), quiet);
  inner.read_from(run.job.collection);
  const auto steps = [&]() -> Status {
    TWINSET_TRY(inner.prepare());
    TWINSET_TRY(inner.open());
    TWINSET_TRY(read_whole(inner, run.job.fields, pages));
    return decide_whole(inner, copy, removed);
  };
  const Status done = steps();
  RunFacts facts;
  if (done.ok()) inner.describe(facts);
  TWINSET_TRY(inner.abandon());
  read = std::move(facts.inputs);
  return done;
}

/// Tells the learner of all pages, so that it knows which of them count.
Status note_pages(const PageFile& pages, const RemovedRecords& removed, TemplateLearner& learner) {
  TWINSET_TRY(pages.for_each_note([&](const PageNote& note) -> Status {
    const bool is_copy = removed.has(note.id);
    if (!is_copy && !note.has_tokens) return {};
    return learner.note({site_hash(note.host), note.number, note.rank, is_copy ? 1U : 0U});
  }));
  return learner.choose([&](std::uint64_t number) { return pages.host_of_note(number); });
}

/// Calls `use` with the keys of each page that counts.
Status for_each_counted(const PageFile& pages, const RemovedRecords& removed,
                        const TemplateLearner& learner,
                        const std::function<Status(std::uint64_t site, std::uint32_t rank,
                                                   const TemplateKeys& keys)>& use) {
  TemplateKeys keys;
  return pages.for_each_page([&](DocumentId document, const PageTokens& page) -> Status {
    if (removed.has(document) || !learner.counts(page.site, page.rank)) return {};
    keys.make(page.site, page.tokens, page.blocks);
    return use(page.site, page.rank, keys);
  });
}

Status count(const PageFile& pages, const RemovedRecords& removed, TemplateLearner& learner) {
  TWINSET_TRY(
      for_each_counted(pages, removed, learner,
                       [&](std::uint64_t, std::uint32_t, const TemplateKeys& keys) -> Status {
                         learner.expect(keys.windows);
                         learner.expect(keys.blocks);
                         return {};
                       }));
  return for_each_counted(
      pages, removed, learner,
      [&](std::uint64_t site, std::uint32_t rank, const TemplateKeys& keys) -> Status {
        TWINSET_TRY(learner.add(site, rank, keys.windows));
        return learner.add(site, rank, keys.blocks);
      });
}

Status learn(CollectionRun& run, const CollectionOptions& options, const RunControl& control,
             const std::string& path, std::uint64_t fingerprint) {
  Job& job = run.job;
  const bool texts = !job.signer.view.pages;
  const bool has_files = options.columns.empty() || !options.resources.tmp.empty();
  auto pages = std::make_unique<PageFile>(
      RowsOptions{&job.context, job.spill + "pages", 0, fingerprint},
      has_files ? PageFile::Keeps::tokens : PageFile::Keeps::notes, options.url, texts);
  RemovedRecords removed(*job.collection);
  std::vector<InputFacts> read;
  TWINSET_TRY(find_removed(run, options, control, *pages, removed, read));
  job.context.memory_bytes = job.memory.rows;
  TemplateLearner learner({&job.context, job.spill + "templates",
                           std::max(job.memory.rows / 2, least_learner_bytes), fingerprint},
                          texts);
  TWINSET_TRY(note_pages(*pages, removed, learner));
  const PageFile& noted = *pages;
  run.take_pages(std::move(pages), read);
  if (has_files) {
    TWINSET_TRY(count(noted, removed, learner));
  } else {
    SurvivorPages survivors(noted, removed, learner);
    job.signer.view.reads_blocks = true;
    TWINSET_TRY(run.read_again("learn templates", {&survivors}));
    job.signer.view.reads_blocks = false;
  }
  TWINSET_TRY(learner.freeze(path));
  run.clock.end("learn templates");
  return {};
}

}  // namespace

Status use_site_templates(CollectionRun& run, const CollectionOptions& options,
                          const RunControl& control) {
  Job& job = run.job;
  if (options.templates == Templates::keep) return {};
  const Analyzer& analyzer = *job.signer.view.analyzer;
  if (!job.signer.view.pages || analyzer.reads_markup()) {
    if (options.templates == Templates::automatic) return {};
    if (analyzer.reads_markup() || analyzer.takes_features()) {
      return usage_error(option("templates", "drop") + " leaves out words, and " +
                         option("analyzer", std::string(analyzer.name())) + " reads none");
    }
  }
  const std::string path = job.work + "/out/" + templates_file;
  const std::uint64_t fingerprint = job.signer.view.fingerprint();
  if (!run.checkpoint.has("templates")) {
    TWINSET_TRY(learn(run, options, control, path, fingerprint));
  }
  TWINSET_ASSIGN(job.signer.view.templates,
                 TemplateTable::open(*job.context.files, path, fingerprint));
  const std::uint64_t bytes = TemplateTable::memory_bytes(job.signer.view.templates->rows());
  if (bytes > std::max(job.memory.rows / table_part, usual_table_bytes)) {
    return job.memory.too_little("the table of the templates of these sites",
                                 job.memory.budget_for_rows(bytes * table_part, UINT64_MAX), "");
  }
  job.signer.renew_fingerprint();
  run.note_done("templates");
  return {};
}

Result<std::shared_ptr<const TemplateTable>> learn_site_templates(
    std::shared_ptr<Collection> collection, const CollectionOptions& options,
    const RunControl& control) {
  std::shared_ptr<const TemplateTable> none;
  if (options.templates == Templates::keep) return none;
  CollectionOptions own = options;
  own.inputs.clear();
  own.scheme = DedupOptions().scheme;  // It keeps no signature; any scheme does.
  own.profile.clear();
  own.distance.clear();
  own.resources.checkpoint = UINT64_MAX;
  VerbOptions verb;
  verb.name = verb.identity = "templates";
  verb.stores_nothing = true;
  verb.reads_again = true;
  RunControl quiet = control;
  quiet.kept = nullptr;
  FileSystem& files = files_of(control);
  const ScratchFolder scratch(files, scratch_path(options.resources, "templates"));
  TWINSET_TRY(files.make_directory(scratch.path()));
  own.resources.tmp = scratch.path();
  CollectionRun run(own, std::move(verb), quiet);
  run.read_from(std::move(collection));
  const auto steps = [&]() -> Status {
    TWINSET_TRY(run.prepare());
    TWINSET_TRY(run.open());
    return use_site_templates(run, own, quiet);
  };
  const Status done = steps();
  std::shared_ptr<const TemplateTable> table = run.job.signer.view.templates;
  const Status removed = run.abandon();
  TWINSET_TRY(done);
  TWINSET_TRY(removed);
  return table;
}

std::uint64_t templates_bytes(const ViewRule& view) {
  const TemplateTable* const table = view.templates.get();
  return table == nullptr ? 0 : TemplateTable::memory_bytes(table->rows());
}

std::vector<std::string> template_warnings(const TemplateFacts& learned,
                                           const std::string& url_field) {
  std::vector<std::string> warnings;
  const auto named = [&](const std::string& host) {
    if (!host.empty()) return host;
    return std::string(learned.texts ? "that without a value" : "that without a URL");
  };
  const bool one_site = learned.largest.size() == 1 && learned.largest.front().site.empty();
  if (!url_field.empty() && one_site) {
    warnings.push_back(
        (learned.texts ? "no text has a value of" : "no page has a host in its field ") +
        (learned.texts ? " the field " : std::string()) + visible_name(url_field) + " (" +
        option("url") + "): all " +
        (learned.texts ? "texts were taken for one group" : "pages were taken for one site"));
  }
  const auto sites = [&](std::uint64_t count) {
    return learned.texts ? format_count(count, "group", "groups")
                         : format_count(count, "site", "sites");
  };
  if (learned.too_alike > 0) {
    warnings.push_back("the templates of " + sites(learned.too_alike) + ", the first " +
                       named(learned.first_too_alike) + ", are not left out: fewer than " +
                       format_count(learned.texts ? template_least_texts : template_least_pages) +
                       (learned.texts ? " of its texts are unlike"
                                      : " of its pages are unlike at resemblance 0.8") +
                       ", too few to tell templates from copies");
  }
  if (learned.not_learned > 0) {
    warnings.push_back("the templates of " + sites(learned.not_learned) + ", the first " +
                       named(learned.first_not_learned) +
                       ", are not left out: memory holds no more sites; give more " +
                       option("memory"));
  }
  return warnings;
}

}  // namespace twinset
