// The door of JavaScript compiled for this machine, which the module of WebAssembly must equal:
//
//   native LINES < paths        a page a line: chunks, and the SHA-256 of lines "begin end hash"
//   native LINES time < paths   the CPU seconds that cutting took (bench/wasm.mjs)
//
// LINES are the rules, as wasm/door.cc takes them.
#include <cstdint>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "base/sha256.h"
#include "web/chunk_hash.h"
#include "web/chunks.h"

extern "C" {
char* twinset_input(std::uint32_t bytes);
const char* twinset_text();
std::uint32_t twinset_set_rules(std::uint32_t bytes);
std::uint32_t twinset_hash_bytes();
std::uint32_t twinset_chunk(std::uint32_t bytes);
const void* twinset_chunks();
}

namespace {

std::uint32_t give(std::string_view text) {
  const auto bytes = static_cast<std::uint32_t>(text.size());
  text.copy(twinset_input(bytes), text.size());
  return bytes;
}

void append_hex(std::string& out, const std::uint8_t* bytes, std::size_t count) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (std::size_t i = 0; i < count; ++i) (out += digits[bytes[i] >> 4]) += digits[bytes[i] & 15];
}

}  // namespace

int main(int count, char** arguments) {
  const bool timed = count == 3 && std::string_view(arguments[2]) == "time";
  if ((count != 2 && !timed) || twinset_set_rules(give(arguments[1])) != 1) {
    std::cerr << "native LINES [time] < paths: " << twinset_text() << "\n";
    return 2;
  }
  std::string path;
  std::clock_t ticks = 0;
  while (std::getline(std::cin, path)) {
    std::ifstream file(path, std::ios::binary);
    const std::string page((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    const std::clock_t began = std::clock();
    const std::uint32_t chunks = twinset_chunk(give(page));
    ticks += std::clock() - began;
    if (timed) continue;
    const auto* chunk = static_cast<const twinset::Chunk*>(twinset_chunks());
    std::string lines;
    for (std::uint32_t i = 0; i < chunks; ++i, ++chunk) {
      lines += std::to_string(chunk->bytes.begin) + " " + std::to_string(chunk->bytes.end) + " ";
      append_hex(lines, chunk->hash.bytes.data(), twinset_hash_bytes());
      lines += '\n';
    }
    const auto digest = twinset::sha256(lines);
    std::string line = std::to_string(chunks) + " ";
    append_hex(line, digest.data(), digest.size());
    std::cout << line << "\n";
  }
  if (timed) std::cout << static_cast<double>(ticks) / CLOCKS_PER_SEC << "\n";
  return 0;
}
