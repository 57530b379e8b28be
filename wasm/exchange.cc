// This file's interface is exchange.h, and the functions that module.js calls; the rest is private.
#include "exchange.h"

#include <algorithm>
#include <memory>
#include <new>

namespace {

bool memory_is_out = false;

std::unique_ptr<char[]>& input_bytes() {
  static std::unique_ptr<char[]> bytes;
  return bytes;
}

}  // namespace

namespace twinset::door {

std::string_view input(std::uint32_t bytes) { return {input_bytes().get(), bytes}; }

bool take_setting(std::string_view& lines, std::string_view& name, std::string_view& value) {
  if (lines.empty()) return false;
  const std::string_view line = lines.substr(0, lines.find('\n'));
  lines.remove_prefix(std::min(line.size() + 1, lines.size()));
  name = line.substr(0, line.find('='));
  value = line.substr(std::min(name.size() + 1, line.size()));
  return true;
}

std::string& text() {
  static std::string one;
  return one;
}

}  // namespace twinset::door

/// Room for `bytes` bytes, which are the next call's input.
TWINSET_EXPORT(twinset_input) char* twinset_input(std::uint32_t bytes) {
  input_bytes().reset();
  input_bytes() = std::make_unique_for_overwrite<char[]>(bytes);
  return input_bytes().get();
}

TWINSET_EXPORT(twinset_text) const char* twinset_text() { return twinset::door::text().data(); }
TWINSET_EXPORT(twinset_text_bytes) std::uint32_t twinset_text_bytes() {
  return static_cast<std::uint32_t>(twinset::door::text().size());
}

/// After the module has stopped: did it run out of memory?
TWINSET_EXPORT(twinset_out_of_memory) std::uint32_t twinset_out_of_memory() {
  return memory_is_out ? 1 : 0;
}

#ifdef __wasm__
/// Called once, before all others.
TWINSET_EXPORT(twinset_begin) void twinset_begin() {
  std::set_new_handler([] {
    memory_is_out = true;
    __builtin_trap();
  });
}

/// Called for each object of a thread that is to be destroyed at its end; the only thread has none.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }
#endif
