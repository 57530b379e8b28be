// The compression libraries, each wrapped in one file of its name. bytes.cc chooses between them.
//
// Threads: one thread at a time, each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/block_sink.h"
#include "io/bytes.h"
#include "io/coded_source.h"

namespace twinset {

/// ISA-L: about twice the speed of zlib.
std::unique_ptr<FrameDecoder> make_gzip_decoder();
/// For bodies of HTTP, which are not files: a zlib stream, and deflate without a wrapper. begin()
/// and step() only.
std::unique_ptr<FrameDecoder> make_zlib_decoder();
std::unique_ptr<FrameDecoder> make_deflate_decoder();
/// For bodies of HTTP. Windows of at most 16 MiB. begin() and step() only.
std::unique_ptr<FrameDecoder> make_brotli_decoder();
/// libdeflate, a member each mebibyte or each record, time 0. Takes a new, empty file. `threads`,
/// `own_members` and `level` as for create_bytes().
std::unique_ptr<ByteSink> make_gzip_sink(std::unique_ptr<File> file, std::string path,
                                         unsigned threads, bool own_members, unsigned level);

/// Accepts windows of at most `max_window_bytes`, and never more than 2 GiB (zstd --long=31). Only
/// the memory that frames fill is touched.
std::unique_ptr<FrameDecoder> make_zstd_decoder(std::uint64_t max_window_bytes);
/// One frame (many readers stop after the first), and one more after each that is added, with the
/// checksum of the content. `threads` and `level` as for create_bytes().
std::unique_ptr<ByteSink> make_zstd_sink(std::unique_ptr<File> file, std::string path,
                                         unsigned threads, unsigned level);
/// A frame a record, each with its size and checksum.
std::unique_ptr<ByteSink> make_zstd_record_sink(std::unique_ptr<File> file, std::string path,
                                                unsigned threads, unsigned level);
/// A frame a text, as the sink's at the usual level.
std::unique_ptr<BlockEncoder> make_zstd_encoder();
/// The text of such a frame; nullopt if that is damaged, or has not `bytes` bytes of text.
std::optional<std::string> unpack_zstd(std::string_view frame, std::uint64_t bytes);

}  // namespace twinset
