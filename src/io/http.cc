// Codings are undone from the last that was applied to the first: Transfer-Encoding, then
// Content-Encoding (RFC 9110 and 9112). Crawlers often store a body without a coding that its
// headers still name: a body is taken for chunked only if it begins with a chunk, and for gzip,
// zlib or zstd only if it begins as these do.
//
// This file's interface is io/http.h; the rest is private.
#include "io/http.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <vector>

#include "base/characters.h"
#include "base/varint.h"
#include "io/codecs.h"

namespace twinset {
namespace {

/// A gzip body that says it is at most so many times as long as it is stored is believed.
constexpr std::uint64_t believed_ratio = 30;
/// A body of several codings that is longer is not read.
constexpr std::uint64_t most_held_ratio = 100;
/// RFC 8878 asks readers of HTTP bodies for this window.
constexpr std::uint64_t zstd_window_bytes = std::uint64_t{8} << 20;
/// A body with more codings is not decoded.
constexpr std::size_t most_codings = 4;
constexpr std::string_view too_long = "decodes to more than ";
constexpr std::size_t first_room = std::size_t{16} << 10;

/// The line at the front of `text`, without its end; removes it from `text`.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  while (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// The size of a chunk, from "1f40;name=value"; -1 if the line is none of a chunk.
std::int64_t chunk_size(std::string_view line) {
  line = trimmed(line.substr(0, line.find(';')));
  if (line.empty() || line.size() > 12) return -1;
  std::int64_t size = 0;
  for (const char c : line) {
    const char low = lower(c);
    if (low >= '0' && low <= '9') {
      size = size * 16 + (low - '0');
    } else if (low >= 'a' && low <= 'f') {
      size = size * 16 + (low - 'a' + 10);
    } else {
      return -1;
    }
  }
  return size;
}

/// Passes the body's chunks to `use`; false if the body does not begin with a chunk. What follows
/// a broken chunk is passed as it is, because it is text too.
template <class Use>
bool for_each_chunk(std::string_view body, Use use) {
  bool any = false;
  while (!body.empty()) {
    std::string_view rest = body;
    const std::int64_t size = chunk_size(take_line(rest));
    if (size < 0) {
      if (any) use(body);
      return any;
    }
    any = true;
    if (size == 0) return true;
    const auto bytes = static_cast<std::size_t>(
        std::min<std::uint64_t>(static_cast<std::uint64_t>(size), rest.size()));
    use(rest.substr(0, bytes));
    rest.remove_prefix(bytes);
    if (rest.starts_with("\r\n")) {
      rest.remove_prefix(2);
    } else if (rest.starts_with('\n')) {
      rest.remove_prefix(1);
    }
    body = rest;
  }
  return any;
}

/// Values of Content-Encoding that servers write for "none", or for a charset or a media type.
bool is_no_coding(std::string_view name) {
  constexpr std::array<std::string_view, 12> names{"identity", "none",  "no",   "null",
                                                   "plain",    "raw",   "utf8", "7bit",
                                                   "8bit",     "ascii", "text", "binary"};
  constexpr std::array<std::string_view, 5> beginnings{"utf-", "iso-", "windows-", "us-",
                                                       "charset"};
  const auto begins = [&](std::string_view beginning) {
    return same_letters(name.substr(0, beginning.size()), beginning);
  };
  return name.find('/') != std::string_view::npos ||
         std::ranges::any_of(names, [&](std::string_view no) { return same_letters(name, no); }) ||
         std::ranges::any_of(beginnings, begins);
}

/// The names of codings in "gzip, br", in that order.
std::vector<std::string_view> names_in(std::string_view list) {
  std::vector<std::string_view> names;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view name = trimmed(list.substr(0, comma));
    if (!name.empty() && !is_no_coding(name)) names.push_back(name);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

/// All codings of a message in the order in which they were applied, without "chunked".
struct Codings {
  std::vector<std::string_view> names;
  bool chunked = false;

  explicit Codings(const HeaderLines& headers) {
    names = names_in(headers.find("Content-Encoding"));
    for (const std::string_view name : names_in(headers.find("Transfer-Encoding"))) {
      if (same_letters(name, "chunked")) {
        chunked = true;
      } else {
        names.push_back(name);
      }
    }
  }
  bool none() const { return names.empty() && !chunked; }
};

/// Compressed bytes have control characters: of 64 random ones all but 1 in 1,000 times.
bool looks_like_text(std::string_view body) {
  constexpr std::size_t looked_at = 256;
  return std::ranges::none_of(body.substr(0, looked_at), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f';
  });
}

bool is_gzip(std::string_view body) { return body.starts_with("\x1f\x8b\x08"); }

/// RFC 1950: method 8, and a checksum over two bytes.
bool is_zlib(std::string_view body) {
  if (body.size() < 2) return false;
  const auto first = static_cast<unsigned char>(body[0]);
  const auto second = static_cast<unsigned char>(body[1]);
  return (first & 15) == 8 && (first * 256U + second) % 31 == 0;
}

/// The size that a gzip body says it decodes to; UINT64_MAX if that is not to be believed.
std::uint64_t gzip_says(std::string_view body) {
  if (!is_gzip(body) || body.size() < 18) return UINT64_MAX;
  const std::uint64_t size = little_endian(body.substr(body.size() - 4));
  return size <= believed_ratio * body.size() ? size : UINT64_MAX;
}

struct Inflated {
  std::uint64_t bytes = 0;  ///< most + 1 if there are more
  bool whole = false;       ///< the frame's end was read
  std::string fault;
};

/// Decodes one frame into `out`; only counts its bytes if `out` is null.
Inflated inflate(FrameDecoder& decoder, std::string_view in, std::uint64_t most, std::string* out) {
  Inflated done;
  std::string counted;
  std::string& to = out != nullptr ? *out : counted;
  to.clear();
  decoder.begin();
  while (true) {
    const std::size_t used = out != nullptr ? static_cast<std::size_t>(done.bytes) : 0;
    if (used == to.size()) {
      const std::uint64_t wanted = std::max<std::uint64_t>(first_room, 2 * std::uint64_t{used});
      to.resize(static_cast<std::size_t>(
          std::min(wanted, most == UINT64_MAX ? wanted : std::max<std::uint64_t>(most, used) + 1)));
    }
    const FrameDecoder::Step step = decoder.step(in, to.data() + used, to.size() - used);
    in.remove_prefix(step.consumed);
    done.bytes += step.produced;
    if (done.bytes > most) {
      done.fault = std::string(too_long) + std::to_string(most) + " bytes";
      done.bytes = most + 1;
      break;
    }
    if (step.state == FrameDecoder::State::corrupt) {
      done.fault = std::string(decoder.name()) + ": " + std::string(step.detail);
      break;
    }
    if (step.state == FrameDecoder::State::window_too_large) {
      done.fault = std::string(decoder.name()) + ": asks for too wide a window";
      break;
    }
    done.whole = step.state == FrameDecoder::State::frame_end;
    if (done.whole) break;
    // Cut off: what was decoded so far is all there is.
    if (step.consumed == 0 && step.produced == 0) break;
  }
  if (out != nullptr)
    out->resize(static_cast<std::size_t>(std::min<std::uint64_t>(done.bytes, out->size())));
  return done;
}

}  // namespace

std::string_view HeaderLines::find(std::string_view name) const {
  const char first = lower(name.empty() ? ' ' : name[0]);
  for (std::string_view rest = lines; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (line.size() <= name.size() || lower(line[0]) != first || line[name.size()] != ':') {
      // A space before the colon is wrong, and is met with.
      const std::size_t colon = line.find(':');
      if (colon == std::string_view::npos || colon == name.size() ||
          !same_letters(trimmed(line.substr(0, colon)), name)) {
        continue;
      }
      return trimmed(line.substr(colon + 1));
    }
    if (same_letters(line.substr(0, name.size()), name)) {
      return trimmed(line.substr(name.size() + 1));
    }
  }
  return {};
}

std::size_t blank_line(std::string_view bytes) {
  // Some heads end their lines with two carriage returns, after a conversion.
  const std::string_view begin = bytes.substr(0, 3);
  const std::size_t end = begin.find_first_not_of('\r');
  return end < begin.size() && begin[end] == '\n' ? end + 1 : 0;
}

std::size_t head_bytes(std::string_view bytes) {
  for (std::size_t at = bytes.find('\n'); at != std::string_view::npos;
       at = bytes.find('\n', at + 1)) {
    const std::size_t blank = blank_line(bytes.substr(at + 1));
    if (blank > 0) return at + 1 + blank;
  }
  return std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && (blank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

bool same_letters(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower(x) == lower(y); });
}

std::int64_t decimal(std::string_view digits) {
  constexpr std::size_t most_digits = 18;
  if (digits.empty() || digits.size() > most_digits) return -1;
  std::int64_t number = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return -1;
    number = number * 10 + (c - '0');
  }
  return number;
}

bool parse_http(std::string_view bytes, HttpMessage& message) {
  if (bytes.size() < 5 || !same_letters(bytes.substr(0, 5), "HTTP/")) return false;
  const std::size_t head = std::min(head_bytes(bytes), bytes.size());
  std::string_view rest = bytes.substr(0, head);
  const std::string_view line = take_line(rest);
  const std::size_t space = std::min(line.find(' '), line.size());
  const std::string_view after = trimmed(line.substr(space));
  const std::int64_t status = decimal(after.substr(0, after.find(' ')));
  message.status = status >= 0 && status <= 999 ? static_cast<unsigned>(status) : 0;
  message.headers.lines = rest;
  message.body = bytes.substr(head);
  return true;
}

std::string mime_of(std::string_view content_type) {
  std::string mime(trimmed(content_type.substr(0, content_type.find_first_of(";,"))));
  std::transform(mime.begin(), mime.end(), mime.begin(), lower);
  return mime;
}

std::string_view charset_of(std::string_view content_type) {
  constexpr std::string_view name = "charset";
  for (std::size_t at = content_type.find(';'); at != std::string_view::npos;) {
    const std::size_t next = content_type.find(';', at + 1);
    const std::string_view parameter = trimmed(content_type.substr(at + 1, next - at - 1));
    at = next;
    const std::size_t equals = parameter.find('=');
    if (equals == std::string_view::npos ||
        !same_letters(trimmed(parameter.substr(0, equals)), name)) {
      continue;
    }
    std::string_view value = trimmed(parameter.substr(equals + 1));
    while (!value.empty() && (value.front() == '"' || value.front() == '\''))
      value.remove_prefix(1);
    return value.substr(0, value.find_first_of("\"' ,"));
  }
  return {};
}

BodyDecoder::BodyDecoder() = default;
BodyDecoder::~BodyDecoder() = default;

/// Null if the coding is unknown or the body does not begin so; the decoders are made when first
/// needed.
FrameDecoder* BodyDecoder::decoder_of(std::string_view coding, std::string_view body) {
  const auto made = [](std::unique_ptr<FrameDecoder>& decoder, auto make) {
    if (decoder == nullptr) decoder = make();
    return decoder.get();
  };
  // Servers call each of these by the names of the others.
  if (is_gzip(body)) return made(gzip_, [] { return make_gzip_decoder(); });
  if (body.starts_with("\x28\xb5\x2f\xfd")) {
    return made(zstd_, [] { return make_zstd_decoder(zstd_window_bytes); });
  }
  if (same_letters(coding, "br")) return made(brotli_, [] { return make_brotli_decoder(); });
  if (!same_letters(coding, "deflate")) return nullptr;
  if (is_zlib(body)) return made(zlib_, [] { return make_zlib_decoder(); });
  return made(deflate_, [] { return make_deflate_decoder(); });
}

DecodedBody BodyDecoder::decode_up_to(const HttpMessage& message, std::uint64_t most,
                                      std::string& room) {
  DecodedBody decoded{message.body, {}};
  Codings codings(message.headers);
  if (codings.none() || message.body.empty()) return decoded;
  if (codings.names.size() > most_codings) return {{}, "has too many codings"};
  if (codings.chunked) {
    room.clear();
    if (for_each_chunk(message.body, [&](std::string_view chunk) { room += chunk; })) {
      decoded.bytes = room;
    }
  }
  for (auto coding = codings.names.rbegin(); coding != codings.names.rend(); ++coding) {
    FrameDecoder* const decoder = decoder_of(*coding, decoded.bytes);
    if (decoder == nullptr) {
      const bool stored_plain = same_letters(*coding, "gzip") || same_letters(*coding, "x-gzip") ||
                                same_letters(*coding, "zstd");
      // Browsers pass over names that they do not know; compressed bytes are not text.
      if (stored_plain || looks_like_text(decoded.bytes)) continue;
      return {{},
              "has the coding " + std::string(coding->substr(0, 20)) +
                  ", which twinset does not decode"};
    }
    const std::uint64_t limit = std::min(most, gzip_says(decoded.bytes));
    Inflated inflated = inflate(*decoder, decoded.bytes, limit, &between_);
    // Any bytes may be taken for the beginning of raw deflate or of brotli.
    const bool plain =
        (decoder == deflate_.get() && inflated.bytes == 0) ||
        (decoder == brotli_.get() && !inflated.whole && looks_like_text(decoded.bytes));
    if (plain) continue;
    if (!inflated.fault.empty()) return {{}, std::move(inflated.fault)};
    room.swap(between_);
    decoded.bytes = room;
  }
  return decoded;
}

bool names_coding(const HeaderLines& headers) {
  return !names_in(headers.find("Content-Encoding")).empty();
}

DecodedBody BodyDecoder::decode(const HttpMessage& message, std::string& room) {
  return decode_up_to(message, UINT64_MAX, room);
}

std::uint64_t BodyDecoder::bytes_of_body(const HttpMessage& message, std::uint64_t most) {
  const Codings codings(message.headers);
  if (codings.names.empty()) return message.body.size();
  std::string room;
  if (codings.names.size() > 1) {
    // These are held to be counted, so no more than an honest body has.
    const std::uint64_t held = std::min<std::uint64_t>(most, most_held_ratio * message.body.size());
    const DecodedBody decoded = decode_up_to(message, held, room);
    return decoded.fault.starts_with(too_long) ? most + 1 : decoded.bytes.size();
  }
  std::string_view body = message.body;
  if (codings.chunked && for_each_chunk(body, [&](std::string_view chunk) { room += chunk; })) {
    body = room;
  }
  if (const std::uint64_t says = gzip_says(body); says != UINT64_MAX) {
    return std::min(says, most + 1);
  }
  FrameDecoder* const decoder = decoder_of(codings.names.front(), body);
  if (decoder == nullptr) return body.size();
  const std::uint64_t bytes = inflate(*decoder, body, most, nullptr).bytes;
  // The body may be stored without the coding.
  return decoder == brotli_.get() ? std::max<std::uint64_t>(bytes, body.size()) : bytes;
}

}  // namespace twinset
