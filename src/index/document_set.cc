// This file's interface is index/document_set.h.
#include "index/document_set.h"

#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "base/plain_bytes.h"

namespace twinset {
namespace {

constexpr std::string_view part_name = "documents";

}  // namespace

Result<DocumentSet> DocumentSet::read(const FrozenFile& file, std::uint64_t documents) {
  TWINSET_ASSIGN(const FrozenPart part, file.part(part_name));
  DocumentSet deleted(documents);
  Words& words = deleted.own();
  if (part.size() != words.size() * sizeof(std::uint64_t)) {
    return part.damaged(0, "its documents are of another segment");
  }
  TWINSET_ASSIGN(const std::string_view bytes, part.read(0, part.size()));
  std::memcpy(words.data(), bytes.data(), bytes.size());
  for (const std::uint64_t word : words) {
    deleted.count_ += static_cast<std::uint64_t>(std::popcount(word));
  }
  if ((words.back() >> documents % 64) != 0) {
    return part.damaged(part.size(), "it has a document that the segment does not have");
  }
  return deleted;
}

Result<DocumentSet> DocumentSet::read(FileSystem& files, const std::string& path,
                                      const FrozenKind& kind, std::uint64_t documents) {
  TWINSET_ASSIGN(const auto file, FrozenFile::open(files, path, kind));
  return read(*file, documents);
}

Status DocumentSet::write(const RunContext& context, const std::string& path,
                          const FrozenKind& kind) const {
  FrozenWriter writer(context, path, kind);
  TWINSET_TRY(writer.begin(part_name));
  TWINSET_TRY(writer.append(bytes_of(std::span<const std::uint64_t>(*words_))));
  TWINSET_TRY(writer.finish());
  return {};
}

DocumentSet::DocumentSet(const DocumentSet& other)
    : count_(other.count_), words_(other.words_), is_shared_(true) {
  other.is_shared_.store(true, std::memory_order_relaxed);
}

DocumentSet::DocumentSet(DocumentSet&& other) noexcept
    : count_(other.count_),
      words_(std::move(other.words_)),
      is_shared_(other.is_shared_.load(std::memory_order_relaxed)) {}

DocumentSet& DocumentSet::operator=(DocumentSet other) noexcept {
  count_ = other.count_;
  words_ = std::move(other.words_);
  is_shared_.store(other.is_shared_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  return *this;
}

DocumentSet::Words& DocumentSet::own() {
  // Whether the other copies are still there is not asked: only a lock could tell.
  if (is_shared_.load(std::memory_order_relaxed)) {
    words_ = std::make_shared<Words>(*words_);
    is_shared_.store(false, std::memory_order_relaxed);
  }
  return *words_;
}

bool DocumentSet::add(std::uint64_t document) {
  if (has(document)) return false;
  own()[static_cast<std::size_t>(document / 64)] |= std::uint64_t{1} << document % 64;
  ++count_;
  return true;
}

void DocumentSet::add(const DocumentSet& other) {
  if (other.count_ == 0) return;
  Words& words = own();
  count_ = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] |= (*other.words_)[i];
    count_ += static_cast<std::uint64_t>(std::popcount(words[i]));
  }
}

std::vector<std::uint64_t> DocumentSet::counts_before() const {
  std::vector<std::uint64_t> counts;
  counts.reserve(words_->size());
  std::uint64_t count = 0;
  for (const std::uint64_t word : *words_) {
    counts.push_back(count);
    count += static_cast<std::uint64_t>(std::popcount(word));
  }
  return counts;
}

std::uint64_t DocumentSet::before(std::uint64_t document,
                                  const std::vector<std::uint64_t>& counts) const {
  const auto word = static_cast<std::size_t>(document / 64);
  const std::uint64_t below = (*words_)[word] & ((std::uint64_t{1} << document % 64) - 1);
  return counts[word] + static_cast<std::uint64_t>(std::popcount(below));
}

}  // namespace twinset
