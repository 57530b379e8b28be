// The door of JavaScript: what a page, an extension or Node calls, as C functions over the memory
// of a module of WebAssembly. index.js speaks to it, and to nothing else; compiled for this
// machine, it is what tests hold the module against.
//
//   char* room = twinset_input(14);              // copy "min_chars=1" there, then
//   twinset_set_rules(11);                       // 1; twinset_text() is the line that says the
//   rules room = twinset_input(16);                    // copy "<p>Fish<p>Chips" there, then
//   twinset_chunk(15);                           // 2; twinset_chunks() points at as many Chunks
//
// There is one input, one text and one list of chunks; each call that makes one replaces it.
// Running out of memory ends the module: out_of_memory() tells that from a fault of ours.
//
// Threads: one; a module of WebAssembly has no other.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "twinset/option.h"
#include "twinset/result.h"
#include "twinset/reuse.h"
#include "web/chunk_hash.h"
#include "web/chunk_options.h"
#include "web/chunks.h"

#ifdef __wasm__
#define TWINSET_EXPORT(name) extern "C" __attribute__((export_name(#name)))
#else
#define TWINSET_EXPORT(name) extern "C"
#endif

namespace twinset {
namespace {

// index.js reads chunks from memory: the 32 bytes of the hash, then begin and end.
static_assert(sizeof(Chunk) == 40 && offsetof(Chunk, bytes) == 32);

struct State {
  std::unique_ptr<char[]> input;
  std::string text;  ///< what the last call says: rules, options or an error
  Chunker chunker{ChunkRules()};
  std::vector<Chunk> chunks;
};

State& state() {
  static State one;
  return one;
}

bool memory_is_out = false;

/// Sets the options of lines "name=value".
Result<ChunkRules> read_rules(std::string_view lines) {
  ChunkSettings settings;
  const std::vector<Option> options = chunk_options(settings);
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(line.size() < lines.size() ? line.size() + 1 : line.size());
    const std::string_view name = line.substr(0, line.find('='));
    const Option* found = nullptr;
    std::string known;
    for (const Option& each : options) {
      if (each.name() == name) found = &each;
      known += (known.empty() ? "" : ", ") + option(each.name());
    }
    if (found == nullptr) {
      return usage_error("there is no rule '" + std::string(name) + "'; there are " + known);
    }
    const std::string_view value =
        line.substr(name.size() < line.size() ? name.size() + 1 : name.size());
    if (const Status set = found->set(value); !set.ok()) {
      return usage_error(option(found->name()) + ": " + set.error().message);
    }
  }
  return chunk_rules(settings);
}

std::uint32_t use(const Result<ChunkRules>& rules) {
  State& now = state();
  if (!rules.ok()) {
    now.text = rules.error().message;
    return 0;
  }
  now.chunker = Chunker(rules.value());
  now.text = to_text(rules.value());
  return 1;
}

}  // namespace
}  // namespace twinset

/// Room for `bytes` bytes, which are the next call's input.
TWINSET_EXPORT(twinset_input) char* twinset_input(std::uint32_t bytes) {
  std::unique_ptr<char[]>& input = twinset::state().input;
  input.reset();
  input = std::make_unique_for_overwrite<char[]>(bytes);
  return input.get();
}

/// The last text; its bytes.
TWINSET_EXPORT(twinset_text) const char* twinset_text() { return twinset::state().text.data(); }
TWINSET_EXPORT(twinset_text_bytes) std::uint32_t twinset_text_bytes() {
  return static_cast<std::uint32_t>(twinset::state().text.size());
}

/// The text becomes a line for each option: name, values, default and help, with tabs between.
TWINSET_EXPORT(twinset_options) void twinset_options() {
  std::string& text = twinset::state().text;
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
  return twinset::use(twinset::read_rules({twinset::state().input.get(), bytes}));
}

/// The same of such a line.
TWINSET_EXPORT(twinset_parse_rules) std::uint32_t twinset_parse_rules(std::uint32_t bytes) {
  const std::string_view line(twinset::state().input.get(), bytes);
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
  now.chunker.read({now.input.get(), bytes}, now.chunks);
  return static_cast<std::uint32_t>(now.chunks.size());
}
TWINSET_EXPORT(twinset_chunks) const void* twinset_chunks() {
  return twinset::state().chunks.data();
}

/// After the module has stopped: did it run out of memory?
TWINSET_EXPORT(twinset_out_of_memory) std::uint32_t twinset_out_of_memory() {
  return twinset::memory_is_out ? 1 : 0;
}

#ifdef __wasm__
/// Called once, before all others.
TWINSET_EXPORT(twinset_begin) void twinset_begin() {
  std::set_new_handler([] {
    twinset::memory_is_out = true;
    __builtin_trap();
  });
}
#endif
