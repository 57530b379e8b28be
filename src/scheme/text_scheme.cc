// A scheme of texts: a Signer, with the views that runs make of their records. Many texts are
// signed a block at a time, by whichever thread is free, and the blocks are put together in their
// order.
//
// This file's interface is TextScheme in twinset/scheme.h; the rest is private.
#include <algorithm>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include "scheme/identity.h"
#include "scheme/record_view.h"
#include "scheme/signer.h"
#include "system/context.h"
#include "system/ordered.h"

namespace twinset {
namespace {

/// A block of texts ends when it has so many of them, or so many bytes.
constexpr std::size_t block_texts = 256;
constexpr std::size_t block_bytes = std::size_t{1} << 20;
/// After a longer text a thread frees its buffers.
constexpr std::size_t long_text_bytes = std::size_t{8} << 20;

Hash128 as_words(const Fingerprint& fingerprint) { return {fingerprint.high, fingerprint.low}; }

template <class Value>
void append(std::vector<Value>& out, const std::vector<Value>& more) {
  out.insert(out.end(), more.begin(), more.end());
}

/// Appends offsets that begin at 0 to others, after whose end they go on.
void append_offsets(std::vector<std::int64_t>& out, const std::vector<std::int64_t>& more) {
  const std::int64_t base = out.back();
  for (std::size_t i = 1; i < more.size(); ++i) out.push_back(base + more[i]);
}

Error no_memory(std::string_view text) {
  return io_error("not enough memory for the sketch of a text of " + std::to_string(text.size()) +
                  " bytes");
}

/// Signs texts one by one. Each thread has one.
class TextSigner {
 public:
  explicit TextSigner(const Signer& signer) : signer_(signer), view_(signer.view) {}

  /// The sketch and, if they are asked for, the keys of the text: sorted and unique.
  Status sign(std::string_view text, bool wants_keys) {
    TWINSET_TRY(check_text_bytes(text));
    record_ = {};
    record_.text = text;
    record_.markup = signer_.view.pages ? Markup::html : Markup::none;
    view_.look_at(record_);
    signer_.scheme->sketch(view_, sketch_);
    keys_.clear();
    if (!wants_keys) return {};
    signer_.scheme->keys(sketch_, keys_);
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    return {};
  }

  Sketch& sketch() { return sketch_; }
  std::vector<std::uint64_t>& keys() { return keys_; }

  /// Signs one more text of a block.
  Status append_to(SignedTexts& block, std::string_view text) {
    TWINSET_TRY(sign(text, true));
    append(block.sketches, sketch_.stored);
    block.offsets.push_back(static_cast<std::int64_t>(block.sketches.size()));
    append(block.keys, keys_);
    block.key_offsets.push_back(static_cast<std::int64_t>(block.keys.size()));
    block.byte_hashes.push_back(as_words(identical_fingerprint(text)));
    block.token_hashes.push_back(as_words(view_.lexical_fingerprint()));
    // A byte a text for now, since a block may begin within a byte of the whole bitmap.
    block.validity.push_back(sketch_.empty ? 0 : 1);
    block.without += sketch_.empty ? 1 : 0;
    if (text.size() > long_text_bytes) view_.release_large();
    return {};
  }

 private:
  const Signer& signer_;
  Record record_;
  RecordView view_;
  Sketch sketch_;
  std::vector<std::uint64_t> keys_;
};

struct TextBlock {
  std::span<const std::string_view> texts;
  SignedTexts made;
};

/// The next texts, which are taken off `rest`.
std::span<const std::string_view> next_block(std::span<const std::string_view>& rest) {
  std::size_t size = 0;
  std::size_t bytes = 0;
  while (size < rest.size() && size < block_texts && bytes < block_bytes) {
    bytes += rest[size++].size();
  }
  const std::span<const std::string_view> block = rest.first(size);
  rest = rest.subspan(size);
  return block;
}

/// Appends a block's texts, whose validity is a byte each, to `out`, whose validity is a bit each.
void put_block(const SignedTexts& block, SignedTexts& out) {
  const std::size_t first = out.size();
  append(out.sketches, block.sketches);
  append_offsets(out.offsets, block.offsets);
  append(out.keys, block.keys);
  append_offsets(out.key_offsets, block.key_offsets);
  append(out.byte_hashes, block.byte_hashes);
  append(out.token_hashes, block.token_hashes);
  out.validity.resize((out.size() + 7) / 8);
  for (std::size_t i = 0; i < block.size(); ++i) {
    const std::size_t at = first + i;
    out.validity[at / 8] |= static_cast<std::uint8_t>(block.validity[i] << at % 8);
  }
  out.without += block.without;
}

}  // namespace

struct TextScheme::Parts {
  Signer signer;
  std::string spec;
};

TextScheme::TextScheme(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
TextScheme::TextScheme(TextScheme&&) noexcept = default;
TextScheme& TextScheme::operator=(TextScheme&&) noexcept = default;
TextScheme::~TextScheme() = default;

const std::string& TextScheme::spec() const { return parts_->spec; }
std::uint64_t TextScheme::fingerprint() const { return parts_->signer.fingerprint; }
std::optional<std::uint64_t> TextScheme::shingle_tokens() const {
  const unsigned tokens = parts_->signer.scheme->shingle_tokens();
  return tokens > 0 ? std::optional<std::uint64_t>(tokens) : std::nullopt;
}

Result<TextScheme> make_scheme(std::string_view spec, std::string_view analyzer, bool html,
                               Ratio threshold, FileSystem* files) {
  auto parts = std::make_unique<TextScheme::Parts>();
  TWINSET_ASSIGN(parts->signer, Signer::make({.analyzer = std::string(analyzer),
                                              .scheme = std::string(spec),
                                              .threshold = threshold.value(),
                                              .html = html},
                                             files_of({.files = files})));
  parts->spec = parts->signer.scheme->spec();
  return TextScheme(std::move(parts));
}

Result<TextSketch> TextScheme::sketch(std::string_view text) const {
  try {
    TextSigner signer(parts_->signer);
    TWINSET_TRY(signer.sign(text, false));
    return TextSketch(fingerprint(), std::move(signer.sketch().stored));
  } catch (const std::bad_alloc&) {
    return no_memory(text);
  }
}

Result<std::vector<std::uint64_t>> TextScheme::keys(std::string_view text) const {
  try {
    TextSigner signer(parts_->signer);
    TWINSET_TRY(signer.sign(text, true));
    return std::move(signer.keys());
  } catch (const std::bad_alloc&) {
    return no_memory(text);
  }
}

Result<SignedTexts> TextScheme::sign(std::span<const std::string_view> texts,
                                     unsigned threads) const {
  for (const std::string_view text : texts) TWINSET_TRY(check_text_bytes(text));
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  SignedTexts out;
  out.scheme = fingerprint();
  try {
    std::vector<TextSigner> signers;
    signers.reserve(threads);
    for (unsigned i = 0; i < threads; ++i) signers.emplace_back(parts_->signer);
    std::span<const std::string_view> rest = texts;
    OrderedSteps<TextBlock> steps;
    steps.take = [&](TextBlock& block, TaskPlace) -> Result<bool> {
      block.texts = next_block(rest);
      return !block.texts.empty();
    };
    steps.work = [&](unsigned worker, TextBlock& block) -> Status {
      block.made = {};
      for (const std::string_view text : block.texts) {
        TWINSET_TRY(signers[worker].append_to(block.made, text));
      }
      return {};
    };
    steps.put = [&](TextBlock& block) -> Status {
      put_block(block.made, out);
      return {};
    };
    TWINSET_TRY(run_in_order(threads, steps));
  } catch (const std::bad_alloc&) {
    return io_error("not enough memory to sign " + std::to_string(texts.size()) + " texts");
  }
  return out;
}

Result<Comparison> TextScheme::compare(const TextSketch& a, const TextSketch& b) const {
  for (const TextSketch* sketch : {&a, &b}) {
    if (sketch->scheme() == fingerprint()) continue;
    return usage_error(std::string(sketch == &a ? "the first" : "the second") +
                       " sketch was made by another scheme than " + parts_->spec +
                       " with analyzer " + std::string(parts_->signer.view.analyzer->name()) +
                       ", or another version of one; make it again");
  }
  return compare(a.bytes(), b.bytes());
}

Comparison TextScheme::compare(std::span<const std::uint8_t> a,
                               std::span<const std::uint8_t> b) const {
  return parts_->signer.scheme->compare(a, b);
}

}  // namespace twinset
