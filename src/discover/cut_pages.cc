// The pages of texts in memory, cut as discover() cuts them; this file's interface is cut_pages(),
// declared in twinset/reuse.h.
#include <algorithm>
#include <string>

#include "collection/memory_collection.h"
#include "reuse/page_reader.h"
#include "reuse/reuse_rules.h"
#include "run/common_options.h"
#include "run/each_document.h"
#include "run/prepare.h"
#include "twinset/reuse.h"
#include "web/chunk_options.h"

namespace twinset {
namespace {

/// The objects of a page that was read; their places and hashes alone.
void set_objects(const ReadPage& read, std::uint64_t text_bytes, ChunkHash hash, CutPage& page) {
  page.objects.clear();
  if (!read.repeated.empty()) return;
  if (!read.file_stops) page.objects.push_back({true, to_hex(read.file, hash), 0, text_bytes});
  for (const Chunk& chunk : read.chunks) {
    page.objects.push_back(
        {false, to_hex(chunk.hash, hash), chunk.bytes.begin, chunk.bytes.end - chunk.bytes.begin});
  }
}

}  // namespace

Result<CutRules> cut_pages(const DiscoverOptions& options, const RunControl& control,
                           const std::function<Status(const CutPage& page)>& use) {
  TWINSET_TRY(check_page_settings(options.pages));
  TWINSET_ASSIGN(const ChunkRules chunks, chunk_rules(options.cutting));
  VerbOptions verb;
  verb.name = "discover";
  verb.works_in = WorksIn::memory;
  verb.needs_tokens = false;
  verb.signs = false;
  if (!options.pages.url.empty()) verb.fields = {options.pages.url};
  Job job;
  job.reads_named = false;
  TWINSET_TRY(prepare_job(collection_of(options, {}), verb, control, job));
  TWINSET_ASSIGN(const PageCutting cutting,
                 page_cutting(*job.context.files, chunks, options.pages, options.stop));
  TWINSET_ASSIGN(job.collection, MemoryCollection::make(options.columns, options.input.format));
  job.signer.view.pages = std::ranges::any_of(job.collection->sources(), &Source::pages);
  FieldNames fields = job.fields;
  fields.named = verb.fields;
  const RecordView view(job.signer.view);
  PageReader reader(cutting.rule, job.collection->sources());
  ReadPage read;
  CutPage page;
  const auto quote = [&](const Record& record, const PageObject& object) {
    if (object.is_file) return reader.quote(record.text, most_label_text_bytes);
    Chunk chunk;
    chunk.bytes = {static_cast<std::uint32_t>(object.offset),
                   static_cast<std::uint32_t>(object.offset + object.length)};
    return reader.quote(reader.content(chunk), most_label_text_bytes);
  };
  InputTroubles troubles;
  TWINSET_TRY(for_each_document(
      job, fields, troubles, [&](std::uint64_t source, const Record& record) -> Status {
        TWINSET_TRY(reader.read({{source, record.number}, record, Fate::kept, view}, read));
        page.record = record.number;
        page.url = read.url;
        page.site = read.site();
        page.recursion_error = !read.repeated.empty();
        page.short_chunks = read.short_chunks;
        page.stop_chunks = read.stop_chunks;
        page.file_stops = read.file_stops;
        set_objects(read, record.text.size(), chunks.hash, page);
        page.quote = [&](const PageObject& object) { return quote(record, object); };
        return use(page);
      }));
  return CutRules{to_text(chunks), std::string(chunk_hash_name(chunks.hash)),
                  job.signer.view.pages};
}

}  // namespace twinset
