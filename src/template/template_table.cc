#include "template/template_table.h"

#include <algorithm>
#include <bit>

#include "io/field_json.h"
#include "rows/table.h"
#include "template/template_fields.h"
#include "text/shingler.h"

namespace twinset {
namespace {

constexpr std::uint64_t site_seed = 0x73697465ULL;
constexpr std::uint64_t site_mark = 0x8f1bbcdc5a827999ULL;
constexpr std::uint64_t window_mark = 0xca62c1d66ed9eba1ULL;
constexpr std::uint64_t block_mark = 0xc3d2e1f010325476ULL;
constexpr unsigned link_pages_bits = 8;
constexpr std::size_t prefetched = 16;

}  // namespace

std::uint64_t site_hash(std::string_view host) { return checksum(host, site_seed); }
std::uint64_t site_key(std::uint64_t site) { return mix64(site ^ site_mark); }

void TemplateKeys::make(std::uint64_t site, std::span<const std::uint64_t> tokens,
                        std::span<const PageBlock> page_blocks) {
  shingle(tokens, template_window_tokens, windows);
  const std::uint64_t of_windows = mix64(site ^ window_mark);
  for (std::uint64_t& window : windows) window = mix64(window ^ of_windows);
  blocks.clear();
  const std::uint64_t of_blocks = mix64(site ^ block_mark);
  for (const PageBlock& block : page_blocks) {
    blocks.push_back(mix64(block_hash(tokens.subspan(block.begin, block.size())) ^ of_blocks));
  }
}

TableKind TemplateTable::kind(std::uint64_t fingerprint) {
  return {"templates", template_rule_version, fingerprint};
}

std::uint64_t TemplateTable::memory_bytes(std::uint64_t rows) {
  return std::bit_ceil(rows + rows / 2 + 1) * sizeof(TemplateRow);
}

Result<std::shared_ptr<const TemplateTable>> TemplateTable::open(FileSystem& files,
                                                                 const std::string& path,
                                                                 std::uint64_t fingerprint) {
  TWINSET_ASSIGN(const Table<TemplateRow> rows,
                 Table<TemplateRow>::open(files, path, kind(fingerprint)));
  std::shared_ptr<TemplateTable> table(new TemplateTable());
  table->slots_.resize(memory_bytes(rows.rows()) / sizeof(TemplateRow));
  table->rows_ = rows.rows();
  TWINSET_TRY(read_fields(rows.description(), path, learned_fields(table->learned_)));
  table->hash_ = rows.hash();
  TWINSET_ASSIGN(const auto cursor, rows.read());
  for (; const TemplateRow* row = cursor->peek(); cursor->advance()) table->insert(*row);
  TWINSET_TRY(cursor->status());
  return std::shared_ptr<const TemplateTable>(std::move(table));
}

void TemplateTable::insert(const TemplateRow& row) {
  std::size_t slot = row.key & (slots_.size() - 1);
  while (slots_[slot].count != 0) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = row;
}

std::uint64_t TemplateTable::count(std::uint64_t key) const {
  std::size_t slot = key & (slots_.size() - 1);
  while (slots_[slot].count != 0) {
    if (slots_[slot].key == key) return slots_[slot].count;
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return 0;
}

std::optional<TemplateSite> TemplateTable::site(std::uint64_t site) const {
  const std::uint64_t packed = count(site_key(site));
  if (packed == 0) return std::nullopt;
  return TemplateSite{packed >> link_pages_bits,
                      packed & ((std::uint64_t{1} << link_pages_bits) - 1), learned_.texts};
}

void TemplateTable::look_up(std::uint64_t site, std::span<const std::uint64_t> tokens,
                            std::span<const PageBlock> blocks, TemplateKeys& keys,
                            PageFrequencies& frequencies) const {
  keys.make(site, tokens, blocks);
  frequencies.blocks.clear();
  for (const std::uint64_t key : keys.blocks) frequencies.blocks.push_back(count(key));
  frequencies.tokens.assign(tokens.size(), 0);
  for (std::size_t i = 0; i < keys.windows.size(); ++i) {
    // The slots of a few windows ahead are on their way while this one is looked at.
    if (i + prefetched < keys.windows.size()) {
      __builtin_prefetch(&slots_[keys.windows[i + prefetched] & (slots_.size() - 1)]);
    }
    const std::uint64_t pages = count(keys.windows[i]);
    if (pages == 0) continue;
    const std::size_t end = std::min(i + template_window_tokens, tokens.size());
    for (std::size_t token = i; token < end; ++token) {
      frequencies.tokens[token] = std::max(frequencies.tokens[token], pages);
    }
  }
}

}  // namespace twinset
