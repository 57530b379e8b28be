// What every module of the door of JavaScript has: one input, one text, and a word for memory that
// is out.
//
//   TWINSET_EXPORT(twinset_length) std::uint32_t twinset_length(std::uint32_t bytes) {
//     const std::string_view given = twinset::door::input(bytes);
//     twinset::door::text() = "given: " + std::to_string(given.size());
//   }
//
// JavaScript copies an input to where twinset_input() says, calls a function with its bytes, and
// reads what that says from twinset_text().
//
// Threads: one; a module of WebAssembly has no other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#ifdef __wasm__
#define TWINSET_EXPORT(name) extern "C" __attribute__((export_name(#name)))
#else
#define TWINSET_EXPORT(name) extern "C"
#endif

namespace twinset::door {

/// The first bytes of the last input.
std::string_view input(std::uint32_t bytes);
/// Takes a line "name=value" off `lines`; false if there is none.
bool take_setting(std::string_view& lines, std::string_view& name, std::string_view& value);
/// What the last call said.
std::string& text();

}  // namespace twinset::door
