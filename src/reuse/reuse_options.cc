#include "reuse/reuse_options.h"

#include "run/common_options.h"
#include "web/chunk_hash.h"

namespace twinset {

std::vector<Option> chunk_options(ChunkSettings& settings) {
  using enum OptionRole;
  using enum Heading;
  return together({
      {"--chunks", Choice(&settings.chunks, {"html", "hadoop", "auntietuna", "paragraphs"}),
       decides, method,
       "how texts are cut: html: pages at --at, other texts at blank lines; hadoop and auntietuna: "
       "as the programs of the paper's authors; paragraphs: all at blank lines"},
      {"--at ELEMENTS", &settings.at, decides, method,
       "the elements whose start tags cut a page, of p, div, table, cell, frame; with ends, where "
       "they end, too"},
      {"--content", Choice(&settings.content, {"markup", "text"}), decides, method,
       "what of a chunk is compared: its markup, or what a reader sees"},
      {"--chunk-attributes", Choice(&settings.chunk_attributes, {"keep", "ignore"}), decides,
       method,
       "the attributes of tags in markup that is compared; ignored, ids and classes of a site's or "
       "page's own hide no copy"},
      {"--hash", Choice(&settings.hash, chunk_hash_names()), decides, method,
       "the hash of chunks; xxh3 of 128 bits is fast, blake3 and sha256 resist people who forge "
       "chunks",
       "xxh3; of hadoop sha1, of auntietuna sha256"},
      {"--hash-seed N", &settings.hash_seed, decides, method, "the seed of xxh3"},
      {"--min-chars N", &settings.min_chars, decides, most_used,
       "shorter chunks are stop chunks: what pages have in common without copying",
       "101; of hadoop 0, of auntietuna 29"},
  });
}

std::vector<Option> page_options(PageSettings& settings) {
  using enum OptionRole;
  using enum Heading;
  return together({
      {"--url FIELD", &settings.url, decides, input,
       "field of a record that holds its URL; pages of web archives know theirs, and a record "
       "without one stands where its file does"},
      {"--repeats N", &settings.repeats, decides, method,
       "leave out a page if parts of its path stand N times in a row, as a crawler's loops make "
       "them; 0: keep all"},
  });
}

}  // namespace twinset
