// HTTP messages as archives hold them; bodies encoded here by the libraries' own encoders.
#include "io/http.h"

#include <gtest/gtest.h>
#include <libdeflate.h>
#include <zstd.h>

#include <random>
#include <string>

#include "support/streams.h"

namespace twinset {
namespace {

using namespace std::string_literals;
using testing::compressed;
using testing::sample_text;

HttpMessage parsed(std::string_view bytes) {
  HttpMessage message;
  EXPECT_TRUE(parse_http(bytes, message)) << bytes.substr(0, 40);
  return message;
}

/// The body of a message with these header lines.
struct Decoded {
  std::string bytes;
  std::string fault;
  std::uint64_t promised = 0;
};

Decoded decode(const std::string& headers, const std::string& body, std::uint64_t most = 1 << 20) {
  const std::string bytes = "HTTP/1.1 200 OK\r\n" + headers + "\r\n" + body;
  const HttpMessage message = parsed(bytes);
  BodyDecoder decoder;
  std::string room;
  const DecodedBody decoded = decoder.decode(message, room);
  return {std::string(decoded.bytes), decoded.fault, decoder.bytes_of_body(message, most)};
}

std::string deflated(std::string_view bytes, bool zlib) {
  libdeflate_compressor* const compressor = libdeflate_alloc_compressor(6);
  std::string out(bytes.size() + 100, '\0');
  out.resize(zlib ? libdeflate_zlib_compress(compressor, bytes.data(), bytes.size(), out.data(),
                                             out.size())
                  : libdeflate_deflate_compress(compressor, bytes.data(), bytes.size(), out.data(),
                                                out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

std::string chunked(std::string_view body, std::size_t step) {
  std::string out;
  char size[32];
  for (std::size_t at = 0; at < body.size(); at += step) {
    const std::string_view chunk = body.substr(at, step);
    std::snprintf(size, sizeof size, "%zX;x=y\r\n", chunk.size());
    out += size + std::string(chunk) + "\r\n";
  }
  return out + "0\r\n\r\n";
}

TEST(Http, ReadsStatusHeadersAndBody) {
  const HttpMessage message = parsed(
      "HTTP/1.1 404 Not  Found\r\nContent-Type: text/html\r\nx-a : 1 \r\nX-A: "
      "2\r\n\r\nbody\r\n\r\n");
  EXPECT_EQ(message.status, 404U);
  EXPECT_EQ(message.headers.find("content-TYPE"), "text/html");
  EXPECT_EQ(message.headers.find("X-A"), "1");
  EXPECT_EQ(message.headers.find("X"), "");
  EXPECT_EQ(message.headers.find("Content"), "");
  EXPECT_EQ(message.body, "body\r\n\r\n");
}

TEST(Http, ReadsOddHeads) {
  EXPECT_EQ(parsed("HTTP/1.0 200\n\nbody").body, "body");
  EXPECT_EQ(parsed("http/1.0 200\nA: b\r\n\r\r\nbody").body, "body");
  EXPECT_EQ(parsed("HTTP/1.1\r\n\r\nbody").status, 0U);
  EXPECT_EQ(parsed("HTTP/1.1 99999 x\r\n\r\n").status, 0U);
  EXPECT_EQ(parsed("HTTP/1.1 200 OK\r\nA: b").headers.find("A"), "b");
  EXPECT_EQ(parsed("HTTP/1.1 200 OK\r\nA: b").body, "");
  HttpMessage message;
  EXPECT_FALSE(parse_http("<html>", message));
  EXPECT_FALSE(parse_http("", message));
}

TEST(Http, MediaTypes) {
  EXPECT_EQ(mime_of(" Text/HTML ; charset=x"), "text/html");
  EXPECT_EQ(mime_of("text/html,text/html"), "text/html");
  EXPECT_EQ(mime_of(""), "");
  EXPECT_EQ(charset_of("text/html; charset=UTF-8"), "UTF-8");
  EXPECT_EQ(charset_of("text/html; x=y; Charset = \"big5\""), "big5");
  EXPECT_EQ(charset_of("text/html;charset='gbk';x"), "gbk");
  EXPECT_EQ(charset_of("text/html; charset"), "");
  EXPECT_EQ(charset_of("text/html"), "");
}

TEST(Http, Numbers) {
  EXPECT_EQ(decimal("0"), 0);
  EXPECT_EQ(decimal("123456789012345678"), 123456789012345678);
  EXPECT_EQ(decimal("1234567890123456789"), -1);
  for (const char* none : {"", "-1", "+1", "1 ", "0x1", "1.0"})
    EXPECT_EQ(decimal(none), -1) << none;
}

TEST(Http, BodiesInEveryCoding) {
  const std::string text = sample_text(50'000);
  const std::string gzip = compressed(text, Compression::gzip);
  const std::string zstd = compressed(text, Compression::zstd);
  EXPECT_EQ(decode("", text).bytes, text);
  EXPECT_EQ(decode("Content-Encoding: gzip\r\n", gzip).bytes, text);
  EXPECT_EQ(decode("Content-Encoding: X-GZIP\r\n", gzip).bytes, text);
  EXPECT_EQ(decode("Content-Encoding: zstd\r\n", zstd).bytes, text);
  EXPECT_EQ(decode("Content-Encoding: deflate\r\n", deflated(text, true)).bytes, text);
  EXPECT_EQ(decode("Content-Encoding: deflate\r\n", deflated(text, false)).bytes, text);
  EXPECT_EQ(decode("Content-Encoding: deflate\r\n", gzip).bytes, text);
  EXPECT_EQ(decode("Content-Encoding: identity\r\n", text).bytes, text);
  for (const std::size_t step : {1UL, 100UL, 4096UL, 100'000UL}) {
    EXPECT_EQ(decode("Transfer-Encoding: chunked\r\n", chunked(text, step)).bytes, text);
    EXPECT_EQ(
        decode("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", chunked(gzip, step))
            .bytes,
        text);
    EXPECT_EQ(decode("Transfer-Encoding: gzip, Chunked\r\n", chunked(gzip, step)).bytes, text);
  }
  EXPECT_EQ(decode("Content-Encoding: zstd, gzip\r\n", compressed(zstd, Compression::gzip)).bytes,
            text);
}

TEST(Http, NamesThatAreNoCodings) {
  const std::string text = testing::sample_text(300);
  for (const char* name : {"none", "None", "utf-8", "UTF8", "text/html", "iso-8859-1", "binary",
                           "8bit", "identity, none", "null", "some-new-one", "compress"}) {
    EXPECT_EQ(decode("Content-Encoding: " + std::string(name) + "\r\n", text).bytes, text) << name;
  }
  HttpMessage message;
  ASSERT_TRUE(parse_http("HTTP/1.1 200 OK\r\nContent-Encoding: utf-8\r\n\r\nx", message));
  EXPECT_FALSE(names_coding(message.headers));
  ASSERT_TRUE(parse_http("HTTP/1.1 200 OK\r\nContent-Encoding: none, gzip\r\n\r\nx", message));
  EXPECT_TRUE(names_coding(message.headers));
}

TEST(Http, BodiesWithoutTheCodingTheyName) {
  const std::string text = "<html>plain</html>";
  for (const char* header : {"Content-Encoding: gzip\r\n", "Content-Encoding: zstd\r\n",
                             "Content-Encoding: deflate\r\n", "Transfer-Encoding: chunked\r\n"}) {
    EXPECT_EQ(decode(header, text).bytes, text) << header;
    EXPECT_EQ(decode(header, text).fault, "") << header;
    EXPECT_EQ(decode(header, "").bytes, "") << header;
  }
}

TEST(Http, WhatIsLeftOfABodyThatIsCutOff) {
  const std::string text = sample_text(50'000);
  const std::string gzip = compressed(text, Compression::gzip);
  const Decoded half = decode("Content-Encoding: gzip\r\n", gzip.substr(0, gzip.size() / 2));
  EXPECT_EQ(half.fault, "");
  EXPECT_GT(half.bytes.size(), 10'000U);
  EXPECT_TRUE(text.starts_with(half.bytes));
  EXPECT_EQ(decode("Transfer-Encoding: chunked\r\n", "5\r\nabcde\r\n9\r\nfgh").bytes, "abcdefgh");
  EXPECT_EQ(decode("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\nno chunk").bytes, "abcno chunk");
}

TEST(Http, BodiesThatDoNotDecodeSayWhy) {
  std::string gzip = compressed(sample_text(50'000), Compression::gzip);
  gzip[gzip.size() - 6] ^= 1;  // The checksum.
  EXPECT_EQ(decode("Content-Encoding: gzip\r\n", gzip).fault, "gzip: checksum differs");
  EXPECT_EQ(decode("Content-Encoding: compress\r\n", "\x1f\x9d").fault,
            "has the coding compress, which twinset does not decode");
  EXPECT_EQ(decode("Content-Encoding: br\r\n", "<\x01").fault, "brotli: the data is damaged");
  EXPECT_EQ(decode("Content-Encoding: gzip, gzip, gzip, gzip, gzip\r\n", "x").fault,
            "has too many codings");
}

/// The line 40 times, by brotli 1.0.9 at level 9.
std::string brotli_lines(std::string& text) {
  static constexpr char stored[] =
      "\x1f\xd7\x09\x00\x44\x6b\xe7\x2f\xb4\xf3\xae\x40\xfe\x1e\x34\x08\xb4\x41\xb2\x26"
      "\x05\x1b\x70\xe0\x16\xc9\xc0\x4b\x34\xa9\x0d\x1b\x70\x62\x1d\x0d\x92\xd2\x35\x4d"
      "\x61\x56\xd0\x11\x11\x73\x97\xcf\x06\x4a\x1b\x57\x58\x4f\xc2\xad\x28\xe4\x30\x37"
      "\x15\x00\xd0\x73\xb8\x42\x01";
  text.clear();
  for (int i = 0; i < 40; ++i) {
    text += "<p>Open from nine to five, closed on Sundays and holidays.</p>\n";
  }
  return {stored, sizeof stored - 1};
}

TEST(Http, BrotliIsUndone) {
  std::string text;
  const std::string brotli = brotli_lines(text);
  const std::string header = "Content-Encoding: br\r\n";
  EXPECT_EQ(decode(header, brotli).bytes, text);
  EXPECT_EQ(decode(header, brotli).promised, text.size());
  EXPECT_EQ(decode(header, brotli, 1000).promised, 1001U);
  EXPECT_EQ(decode(header + "Transfer-Encoding: chunked\r\n", chunked(brotli, 10)).bytes, text);
  // A crawler may store what its browser made of it.
  EXPECT_EQ(decode(header, text).bytes, text);
  EXPECT_EQ(decode(header, text).promised, text.size());
  // Cut off.
  const Decoded part = decode(header, brotli.substr(0, brotli.size() - 4));
  EXPECT_EQ(part.fault, "");
  EXPECT_TRUE(text.starts_with(part.bytes));
}

TEST(Http, TellsTheSizeOfABodyBeforeItIsDecoded) {
  const std::string text = sample_text(50'000);
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    const std::string header = compression == Compression::gzip ? "Content-Encoding: gzip\r\n"
                                                                : "Content-Encoding: zstd\r\n";
    EXPECT_EQ(decode(header, compressed(text, compression)).promised, text.size());
    EXPECT_EQ(decode(header, compressed(text, compression), 49'999).promised, 50'000U);
    EXPECT_EQ(decode(header + "Transfer-Encoding: chunked\r\n",
                     chunked(compressed(text, compression), 1000))
                  .promised,
              text.size());
  }
  EXPECT_EQ(decode("Content-Encoding: deflate\r\n", deflated(text, false)).promised, text.size());
  EXPECT_EQ(decode("Content-Encoding: br\r\n", "abc").promised, 3U);
  EXPECT_EQ(decode("", "abc").promised, 3U);
}

// 100 MB of zeros in 100 KB, which says that it is small, or nothing of its size.
TEST(Http, BombsAreCountedAndNotHeld) {
  const std::string zeros(100'000'000, '\0');
  std::string bomb = compressed(zeros, Compression::gzip);
  EXPECT_EQ(
      decode("Content-Encoding: zstd\r\n", compressed(zeros, Compression::zstd), 1000).promised,
      1001U);
  EXPECT_EQ(decode("Content-Encoding: deflate\r\n", deflated(zeros, false), 1000).promised, 1001U);
  // The first member of many tells only its own size.
  bomb = deflated(zeros, false);
  bomb = "\x1f\x8b\x08\0\0\0\0\0\0\x03"s + bomb + "\0\0\0\0\x0a\0\0\0"s;
  const Decoded lies = decode("Content-Encoding: gzip\r\n", bomb, 1000);
  EXPECT_EQ(lies.promised, 10U);
  EXPECT_EQ(lies.fault, "decodes to more than 10 bytes");
}

TEST(Http, AnyBytesAreReadAsSomething) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string body(random() % 300, '\0');
    for (char& byte : body) byte = static_cast<char>(random());
    if (i % 3 == 0) body = compressed(sample_text(random() % 3000), Compression::gzip);
    if (i % 3 == 0 && !body.empty()) body[random() % body.size()] ^= 4;
    const Decoded decoded = decode("Transfer-Encoding: chunked\r\nContent-Encoding: " +
                                       std::string(i % 2 ? "gzip" : "deflate") + "\r\n",
                                   i % 5 == 0 ? chunked(body, random() % 50 + 1) : body);
    if (!decoded.fault.empty()) continue;
    EXPECT_LE(decoded.bytes.size(), std::max<std::uint64_t>(decoded.promised, 3000U));
  }
}

}  // namespace
}  // namespace twinset
