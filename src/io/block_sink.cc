#include "io/block_sink.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "system/out_of_memory.h"

namespace twinset {
namespace {

class BlockSink final : public ByteSink {
 public:
  BlockSink(std::unique_ptr<File> file, std::string path, Blocks blocks, unsigned threads,
            const std::function<std::unique_ptr<BlockEncoder>()>& make_encoder)
      : file_(std::move(file)), path_(std::move(path)), blocks_of_(blocks) {
    for (unsigned i = 0; i < std::max(1U, threads); ++i) encoders_.push_back(make_encoder());
    threads_.reserve(threads);
    try {
      for (unsigned i = 0; i < threads; ++i) {
        threads_.emplace_back([this, i] { encode_blocks(*encoders_[i]); });
      }
    } catch (const std::exception&) {
      // The system refused a thread: fewer will do; with none the caller encodes.
    }
  }

  ~BlockSink() override { stop(); }

  Status write(std::string_view bytes) override {
    if (blocks_of_.kind == Blocks::of_records) {
      filling_ += bytes;
      return {};
    }
    while (!bytes.empty()) {
      const std::size_t count = std::min(bytes.size(), blocks_of_.bytes - filling_.size());
      filling_ += bytes.substr(0, count);
      bytes.remove_prefix(count);
      if (filling_.size() == blocks_of_.bytes) TWINSET_TRY(end_block());
    }
    return {};
  }

  Status end_record() override {
    if (blocks_of_.kind != Blocks::of_records) return {};
    ends_.push_back(filling_.size());
    return filling_.size() < blocks_of_.bytes ? Status() : end_block();
  }

  bool takes_frames() const override { return true; }

  Status add_frames(std::string_view stored) override {
    if (!filling_.empty()) TWINSET_TRY(end_block());
    ++blocks_;
    if (!threads_.empty() && stored.size() <= blocks_of_.bytes) {
      std::unique_lock lock(mutex_);
      TWINSET_TRY(wait_for_room(lock));
      Block& block = queue_.emplace_back();
      block.encoded = stored;
      block.taken = block.done = true;
      write_done(lock);
      return status_;
    }
    // Long ones would fill the queue's memory.
    TWINSET_TRY(wait_for_all());
    return file_->append(stored);
  }

  Status finish() override {
    if (!filling_.empty() || blocks_ == 0) TWINSET_TRY(end_block());
    const Status written = wait_for_all();
    stop();
    return written;
  }

 private:
  struct Block {
    std::string bytes;
    std::vector<std::size_t> ends;  ///< of the records in it; empty: it is one
    std::string encoded;
    bool taken = false;
    bool done = false;
  };

  Status end_block() {
    ++blocks_;
    if (threads_.empty()) {
      Block block;
      block.bytes.swap(filling_);
      block.ends.swap(ends_);
      TWINSET_TRY(encode(*encoders_[0], block));
      TWINSET_TRY(file_->append(block.encoded));
      // Its memory is used again, unless a long record has made it large.
      if (block.bytes.capacity() <= 4 * blocks_of_.bytes) filling_.swap(block.bytes);
      filling_.clear();
      return {};
    }
    std::unique_lock lock(mutex_);
    TWINSET_TRY(wait_for_room(lock));
    Block& block = queue_.emplace_back();
    block.bytes = std::exchange(filling_, {});
    block.ends = std::exchange(ends_, {});
    changed_.notify_all();
    return {};
  }

  Status wait_for_room(std::unique_lock<std::mutex>& lock) {
    changed_.wait(lock, [&] { return queue_.size() <= threads_.size() || !status_.ok(); });
    return status_;
  }

  Status wait_for_all() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return queue_.empty() || !status_.ok(); });
    return status_;
  }

  void encode_blocks(BlockEncoder& encoder) {
    std::unique_lock lock(mutex_);
    for (;;) {
      // Blocks leave only at the front of the queue, and a deque keeps the others in place.
      const auto next = [&] {
        return std::find_if(queue_.begin(), queue_.end(), [](const Block& b) { return !b.taken; });
      };
      changed_.wait(lock, [&] { return stopping_ || next() != queue_.end(); });
      if (stopping_) return;
      Block& block = *next();
      block.taken = true;
      lock.unlock();
      Status encoded = encode(encoder, block);
      lock.lock();
      block.done = true;
      if (!encoded.ok()) return fail(std::move(encoded));
      write_done(lock);
    }
  }

  /// Writes finished blocks at the front; one thread at a time.
  void write_done(std::unique_lock<std::mutex>& lock) {
    while (!writing_ && status_.ok() && !queue_.empty() && queue_.front().done) {
      writing_ = true;
      const std::string& encoded = queue_.front().encoded;
      lock.unlock();
      Status written = append(encoded);
      lock.lock();
      writing_ = false;
      if (!written.ok()) return fail(std::move(written));
      queue_.pop_front();
      changed_.notify_all();
    }
  }

  void fail(Status status) {
    if (status_.ok()) status_ = std::move(status);
    changed_.notify_all();
  }

  Status append(const std::string& encoded) noexcept {
    try {
      return file_->append(encoded);
    } catch (const std::bad_alloc&) {
      return out_of_memory();
    }
  }

  Status encode(BlockEncoder& encoder, Block& block) const noexcept {
    try {
      const Status encoded = encode_records(encoder, block);
      if (encoded.ok()) return {};
      return io_error("cannot write " + path_ + ": " + encoded.error().message);
    } catch (const std::bad_alloc&) {
      return out_of_memory();
    }
  }

  static Status encode_records(BlockEncoder& encoder, Block& block) {
    const std::string_view all = block.bytes;
    if (block.ends.empty()) return encoder.encode(all, block.encoded);
    std::string one;
    std::size_t begin = 0;
    for (const std::size_t end : block.ends) {
      TWINSET_TRY(encoder.encode(all.substr(begin, end - begin), one));
      block.encoded += one;
      begin = end;
    }
    return {};
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      changed_.notify_all();
    }
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  const std::unique_ptr<File> file_;
  const std::string path_;
  const Blocks blocks_of_;
  std::vector<std::unique_ptr<BlockEncoder>> encoders_;
  std::string filling_;
  std::vector<std::size_t> ends_;  ///< of the records in it
  std::uint64_t blocks_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Block> queue_;  ///< not yet written
  bool writing_ = false;
  bool stopping_ = false;
  Status status_;
  std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<ByteSink> make_block_sink(
    std::unique_ptr<File> file, std::string path, Blocks blocks, unsigned threads,
    const std::function<std::unique_ptr<BlockEncoder>()>& make_encoder) {
  return std::make_unique<BlockSink>(std::move(file), std::move(path), blocks, threads,
                                     make_encoder);
}

}  // namespace twinset
