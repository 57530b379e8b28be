// The door of JavaScript: what a page, an extension or Node calls, as C functions over the memory
// of a module of WebAssembly. index.js speaks to it, and to nothing else; compiled for this
// machine, it is what tests hold the module against.
//
//   "min_chars=1"        twinset_set_rules() == 1; the text is the line that says the rules
//   "<p>Fish<p>Chips"    twinset_chunk() == 2; twinset_chunks() points at as many Chunks
//
// There is one list of chunks; each call that makes one replaces it.
//
// Threads: one; a module of WebAssembly has no other.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "exchange.h"
#include "twinset/option.h"
#include "twinset/result.h"
#include "twinset/reuse.h"
#include "web/chunk_hash.h"
#include "web/chunk_options.h"
#include "web/chunks.h"

namespace twinset {
namespace {

// index.js reads chunks from memory: the 32 bytes of the hash, then begin and end.
static_assert(sizeof(Chunk) == 40 && offsetof(Chunk, bytes) == 32);

struct State {
  Chunker chunker{ChunkRules()};
  std::vector<Chunk> chunks;
};

State& state() {
  static State one;
  return one;
}

/// Sets the options of lines "name=value".
Result<ChunkRules> read_rules(std::string_view lines) {
  ChunkSettings settings;
  const std::vector<Option> options = chunk_options(settings);
  std::string_view name;
  std::string_view value;
  while (door::take_setting(lines, name, value)) {
    const Option* found = nullptr;
    std::string known;
    for (const Option& each : options) {
      if (each.name() == name) found = &each;
      known += (known.empty() ? "" : ", ") + option(each.name());
    }
    if (found == nullptr) {
      return usage_error("there is no rule '" + std::string(name) + "'; there are " + known);
    }
    if (const Status set = found->set(value); !set.ok()) {
      return usage_error(option(found->name()) + ": " + set.error().message);
    }
  }
  return chunk_rules(settings);
}

std::uint32_t use(const Result<ChunkRules>& rules) {
  if (!rules.ok()) {
    door::text() = rules.error().message;
    return 0;
  }
  state().chunker = Chunker(rules.value());
  door::text() = to_text(rules.value());
  return 1;
}

}  // namespace
}  // namespace twinset

/// The text becomes a line for each option: name, values, default and help, with tabs between.
TWINSET_EXPORT(twinset_options) void twinset_options() {
  std::string& text = twinset::door::text();
  text.clear();
  twinset::ChunkSettings settings;
  for (const twinset::Option& option : twinset::chunk_options(settings)) {
    const std::string by_default(option.by_default);
    text += option.name() + "\t" + option.value_name() + "\t" +
            (by_default.empty() ? option.text() : by_default) + "\t" + std::string(option.help) +
            "\n";
  }
}

/// Takes the rules of the input, lines "name=value"; what none names has its default. 1, and the
/// text is the line that says them (docs/formats/labels.md); or 0, and it is the error.
TWINSET_EXPORT(twinset_set_rules) std::uint32_t twinset_set_rules(std::uint32_t bytes) {
  return twinset::use(twinset::read_rules(twinset::door::input(bytes)));
}

/// The same of such a line.
TWINSET_EXPORT(twinset_parse_rules) std::uint32_t twinset_parse_rules(std::uint32_t bytes) {
  const std::string_view line = twinset::door::input(bytes);
  const std::optional<twinset::ChunkRules> rules = twinset::parse_chunk_rules(line);
  if (rules.has_value()) return twinset::use(*rules);
  return twinset::use(twinset::usage_error("'" + std::string(line) + "' says no rules of chunks"));
}

/// Bytes of a hash by these rules: 16, 20 or 32.
TWINSET_EXPORT(twinset_hash_bytes) std::uint32_t twinset_hash_bytes() {
  const twinset::ChunkHash hash = twinset::state().chunker.rules().hash;
  return static_cast<std::uint32_t>(twinset::chunk_hash_bits(hash) / 8);
}

/// Cuts the input, a page, by the rules; returns the number of its chunks.
TWINSET_EXPORT(twinset_chunk) std::uint32_t twinset_chunk(std::uint32_t bytes) {
  twinset::State& now = twinset::state();
  now.chunker.read(twinset::door::input(bytes), now.chunks);
  return static_cast<std::uint32_t>(now.chunks.size());
}
TWINSET_EXPORT(twinset_chunks) const void* twinset_chunks() {
  return twinset::state().chunks.data();
}
