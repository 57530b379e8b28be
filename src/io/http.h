// What an HTTP message in a web archive says: its status and headers, and its body without the
// codings of its transfer and of its content.
//
//   HttpMessage message;
//   if (parse_http(block, message)) {
//     BodyDecoder decoder;
//     std::string room;
//     DecodedBody body = decoder.decode(message, room);   // body.bytes: the page
//   }
//
// Archives hold what servers and crawlers made of the rules, so a coding that a header names and
// the body does not have is passed over.
//
// Threads: pure functions; a BodyDecoder belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/coded_source.h"

namespace twinset {

/// The lines of a message's head, or of the head of a WARC record. Views of the message.
struct HeaderLines {
  std::string_view lines;  ///< "Name: value" each, with their line ends

  /// The value of the first header of that name, in any case, without the space around it; empty
  /// if there is none.
  std::string_view find(std::string_view name) const;
};

/// The bytes of the blank line that `bytes` begin with; 0 if they begin with none.
std::size_t blank_line(std::string_view bytes);

/// The number of bytes of the head that `bytes` begin with, its blank line included; npos if it
/// does not end there.
std::size_t head_bytes(std::string_view bytes);

/// `text` without space and tabs at both its ends.
std::string_view trimmed(std::string_view text);

/// Are both equal but for the case of ASCII letters?
bool same_letters(std::string_view a, std::string_view b);

/// A number of decimal digits alone; -1 if it is none or over 2^62.
std::int64_t decimal(std::string_view digits);

struct HttpMessage {
  unsigned status = 0;  ///< 0 if the status line has none
  HeaderLines headers;
  std::string_view body;  ///< as stored
};

/// False if `bytes` are not an HTTP response. A head without end is all head.
bool parse_http(std::string_view bytes, HttpMessage& message);

/// "text/html" in lower case, from "Text/HTML; charset=utf-8".
std::string mime_of(std::string_view content_type);
/// "utf-8", from "Text/HTML; charset=utf-8"; empty if it names none.
std::string_view charset_of(std::string_view content_type);

/// Does the message name a coding of its content? Values that are no coding, such as "none" and
/// "utf-8", do not count.
bool names_coding(const HeaderLines& headers);

struct DecodedBody {
  std::string_view bytes;  ///< in the message or in the room
  std::string fault;       ///< why it cannot be decoded; empty if it can
};

class BodyDecoder {
 public:
  BodyDecoder();
  ~BodyDecoder();

  /// The body without its codings, in `room` if it has any. Of a body that is cut off it gives what
  /// there is. Never more than bytes_of_body() promised.
  DecodedBody decode(const HttpMessage& message, std::string& room);

  /// The number of bytes that the body decodes to, or `most` + 1 if it is more than `most`: what a
  /// gzip body says of itself, unless that is much; other codings are decoded to know it.
  std::uint64_t bytes_of_body(const HttpMessage& message, std::uint64_t most);

 private:
  DecodedBody decode_up_to(const HttpMessage& message, std::uint64_t most, std::string& room);
  FrameDecoder* decoder_of(std::string_view coding, std::string_view body);

  std::unique_ptr<FrameDecoder> gzip_;
  std::unique_ptr<FrameDecoder> zlib_;
  std::unique_ptr<FrameDecoder> deflate_;
  std::unique_ptr<FrameDecoder> zstd_;
  std::unique_ptr<FrameDecoder> brotli_;
  std::string between_;  ///< a body after one of its codings
};

}  // namespace twinset
