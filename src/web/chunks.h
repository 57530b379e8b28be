// The chunks of a page: the pieces between its paragraphs and divisions, each named by a hash. A
// page that has a chunk of another copied it, whatever else it has (Ardi and Heidemann, "Precise
// Detection of Content Reuse in the Web").
//
//   Chunker chunker({.least_characters = 1});
//   chunker.read("<title>T</title><p>Fish<p>Chips", chunks);
//   // three: [0, 16), [16, 23), [23, 31); "<p>Fish" is hashed for the second
//
// A page is cut before each start tag of certain elements (4.5), and the content of a chunk is its
// markup: the paper's own stop chunks are "<p></p>" and "<p> </p>" (4.4.2). White space is
// normalized (web/white_space.h). Pages of other sites have other attributes and other markup after
// a paragraph: rules may ignore attributes, and cut where elements end. Short chunks are what pages
// have in common without copying; they are stop chunks, counted and left out.
//
// Two more ways of cutting are those of the authors' programs, byte for byte, so that their lists
// of hashes can be used: docs/chunks.md has them side by side.
//
// Threads: a Chunker belongs to one; it keeps its memory from page to page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/html.h"
#include "text/html_tags.h"
#include "text/offsets.h"
#include "web/chunk_hash.h"

namespace twinset {

enum class ChunkCuts : std::uint8_t {
  /// Before start tags as a browser sees them: none in comments, scripts, styles, templates,
  /// noscript.
  html,
  /// The paper's Hadoop programs: before "<p" in any case, if a space, a tab, ">" or "/" follows,
  /// wherever it stands. White space is kept.
  hadoop,
  /// The browser extension AuntieTuna: line ends are removed first and blanks made one, then it
  /// cuts before "<p" and "<div" likewise. Counts UTF-16 units as characters.
  auntietuna,
  /// Text without markup: after blank lines.
  paragraphs
};

/// The elements that `ChunkCuts::html` cuts at, added up.
namespace chunk_elements {
inline constexpr std::uint8_t paragraphs = 1;  ///< p
inline constexpr std::uint8_t divisions = 2;   ///< div
inline constexpr std::uint8_t tables = 4;      ///< table
inline constexpr std::uint8_t cells = 8;       ///< td, th
inline constexpr std::uint8_t frames = 16;     ///< frame, iframe
/// Where one of these ends, the page is cut, too: before its end tag, and before the tag that ends
/// a paragraph without one.
inline constexpr std::uint8_t ends = 32;
}  // namespace chunk_elements

enum class ChunkContent : std::uint8_t {
  markup,  ///< all bytes from cut to cut
  text     ///< what a reader sees of them (text/html.h); of `html` only
};

/// The attributes of tags, in the markup that `ChunkCuts::html` hashes.
enum class ChunkAttributes : std::uint8_t {
  keep,
  ignore  ///< "<p>" of "<p id=a>": ids, classes and nonces that sites and pages have of their own
};

/// White space in what `html` and `paragraphs` hash.
enum class ChunkWhiteSpace : std::uint8_t {
  normalize,  ///< web/white_space.h
  keep        ///< a copy whose lines are broken elsewhere is another chunk
};

/// What a chunk is. Chunks made by other rules have other hashes and never meet.
struct ChunkRules {
  ChunkCuts cuts = ChunkCuts::html;
  std::uint8_t elements = chunk_elements::paragraphs | chunk_elements::divisions;
  ChunkContent content = ChunkContent::markup;
  ChunkAttributes attributes = ChunkAttributes::keep;
  ChunkWhiteSpace white_space = ChunkWhiteSpace::normalize;
  ChunkHash hash = ChunkHash::xxh3;
  std::uint64_t seed = 0;  ///< of xxh3
  /// Of the content that is hashed, in code points.
  std::uint32_t least_characters = 101;

  bool operator==(const ChunkRules&) const = default;
};

/// More than 100 characters: "discard chunks shorter than 100" (4.4.2), "longer than 100" (8.1).
inline constexpr std::uint32_t least_characters_of_web = 101;
/// More than 25: the chunks of PayPal's pages (8.2).
inline constexpr std::uint32_t least_characters_of_phish = 26;
/// The extension's code compares the length plus one with its 30.
inline constexpr std::uint32_t least_characters_of_auntietuna = 29;

/// The paper's Hadoop programs: SHA-1 of all chunks.
ChunkRules hadoop_chunks();
/// The extension: SHA-256. Its lists are of the page as the browser writes it (outerHTML).
ChunkRules auntietuna_chunks();

/// One line that differs where the rules do: "html(p,div) markup xxh3(seed=0) least=101". Two sets
/// of hashes can be compared if it is equal.
std::string to_text(const ChunkRules& rules);

/// The rules of such a line; nothing if to_text() writes none like it, so also for the seen text of
/// another version of html.md. Settings that a cutting method lacks, such as `elements` of
/// hadoop, keep their defaults.
std::optional<ChunkRules> parse_chunk_rules(std::string_view text);

struct Chunk {
  ChunkDigest hash;
  TokenOffsets bytes;  ///< of the page: [begin, end)
  bool operator==(const Chunk&) const = default;
};

class Chunker {
 public:
  explicit Chunker(const ChunkRules& rules) : rules_(rules) {}

  const ChunkRules& rules() const { return rules_; }

  /// Replaces `chunks` by those of the page, in order. `page` is at most 4 GiB - 64 bytes, any
  /// bytes. Chunks, with those left out, cover each byte once. O(bytes).
  void read(std::string_view page, std::vector<Chunk>& chunks);

  /// The chunks of the last page that were too short.
  std::size_t short_chunks() const { return short_chunks_; }

  /// The content that is hashed of page[begin, end). Valid until the next call.
  std::string_view content(std::string_view piece);

 private:
  void find_cuts(std::string_view page);
  void find_tag_cuts(std::string_view page);
  std::string_view compared_markup(std::string_view piece);

  ChunkRules rules_;
  std::size_t short_chunks_ = 0;
  std::vector<std::uint32_t> cuts_;  ///< the begins of all chunks but the first
  HtmlText text_;
  std::vector<HtmlTag> tags_;
  std::string markup_;  ///< of a piece, without what its rules leave out
  std::vector<char> content_;
};

}  // namespace twinset
