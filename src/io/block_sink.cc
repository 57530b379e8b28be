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

namespace twinset {
namespace {

class BlockSink final : public ByteSink {
 public:
  BlockSink(std::unique_ptr<File> file, std::string path, std::size_t block_bytes, unsigned threads,
            const std::function<std::unique_ptr<BlockEncoder>()>& make_encoder)
      : file_(std::move(file)), path_(std::move(path)), block_bytes_(block_bytes) {
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
    while (!bytes.empty()) {
      const std::size_t count = std::min(bytes.size(), block_bytes_ - filling_.size());
      filling_ += bytes.substr(0, count);
      bytes.remove_prefix(count);
      if (filling_.size() == block_bytes_) TWINSET_TRY(end_block());
    }
    return {};
  }

  Status finish() override {
    if (!filling_.empty() || blocks_ == 0) TWINSET_TRY(end_block());
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return queue_.empty() || !status_.ok(); });
    }
    stop();
    return std::move(status_);
  }

 private:
  struct Block {
    std::string bytes;
    std::string encoded;
    bool taken = false;
    bool done = false;
  };

  Status end_block() {
    ++blocks_;
    if (threads_.empty()) {
      std::string encoded;
      TWINSET_TRY(encode(*encoders_[0], filling_, encoded));
      filling_.clear();
      return file_->append(encoded);
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return queue_.size() <= threads_.size() || !status_.ok(); });
    if (!status_.ok()) return status_;
    queue_.emplace_back().bytes = std::exchange(filling_, {});
    changed_.notify_all();
    return {};
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
      const Status encoded = encode(encoder, block.bytes, block.encoded);
      lock.lock();
      block.done = true;
      if (!encoded.ok()) return fail(encoded);
      write_done(lock);
    }
  }

  /// Writes finished blocks at the front; one thread at a time.
  void write_done(std::unique_lock<std::mutex>& lock) {
    while (!writing_ && status_.ok() && !queue_.empty() && queue_.front().done) {
      writing_ = true;
      const std::string& encoded = queue_.front().encoded;
      lock.unlock();
      const Status written = file_->append(encoded);
      lock.lock();
      writing_ = false;
      if (!written.ok()) return fail(written);
      queue_.pop_front();
      changed_.notify_all();
    }
  }

  void fail(const Status& status) {
    if (status_.ok()) status_ = status;
    changed_.notify_all();
  }

  Status encode(BlockEncoder& encoder, std::string_view block, std::string& out) const {
    Status encoded;
    try {
      encoded = encoder.encode(block, out);
    } catch (const std::bad_alloc&) {
      encoded = io_error("out of memory");
    }
    if (encoded.ok()) return {};
    return io_error("cannot write " + path_ + ": " + encoded.error().message);
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
  const std::size_t block_bytes_;
  std::vector<std::unique_ptr<BlockEncoder>> encoders_;
  std::string filling_;
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
    std::unique_ptr<File> file, std::string path, std::size_t block_bytes, unsigned threads,
    const std::function<std::unique_ptr<BlockEncoder>()>& make_encoder) {
  return std::make_unique<BlockSink>(std::move(file), std::move(path), block_bytes, threads,
                                     make_encoder);
}

}  // namespace twinset
