// One pass over the code points. Each is decomposed; marks wait until the next character that is
// not a mark, and are then sorted by their combining classes. In that order everything is folded,
// which leaves nothing to decompose or to sort (tools/unicode_table.py checks it), and handed to
// the composer, which holds back one starter and the marks that it could not compose with it.
//
// This file's interface is text/canonical.h and text/canonical_table.h's functions;
// the rest is private.
#include "text/canonical.h"

#include <algorithm>
#include <vector>

#include "text/canonical_table.h"
#include "text/emoji.h"
#include "text/token_hash.h"
#include "text/unicode_table.h"
#include "text/utf8.h"

namespace twinset {
namespace {

/// Hangul syllables are composed of jamo by a formula (Unicode, section 3.12).
namespace hangul {
constexpr std::uint32_t syllables = 0xAC00;
constexpr std::uint32_t leads = 0x1100;
constexpr std::uint32_t vowels = 0x1161;
constexpr std::uint32_t tails = 0x11A7;  ///< one before the first
constexpr std::uint32_t lead_count = 19;
constexpr std::uint32_t vowel_count = 21;
constexpr std::uint32_t tail_count = 28;
constexpr std::uint32_t syllable_count = lead_count * vowel_count * tail_count;

bool is_syllable(std::uint32_t code_point) { return code_point - syllables < syllable_count; }

std::uint32_t compose(std::uint32_t first, std::uint32_t second) {
  if (first - leads < lead_count && second - vowels < vowel_count) {
    return syllables + ((first - leads) * vowel_count + second - vowels) * tail_count;
  }
  const std::uint32_t tail = second - tails;
  if (is_syllable(first) && (first - syllables) % tail_count == 0 && tail - 1 < tail_count - 1) {
    return first + tail;
  }
  return 0;
}
}  // namespace hangul

/// Takes code points of NFD in order and gives those of NFC to the sink.
template <class Sink>
class Composer {
 public:
  explicit Composer(Sink& sink) : sink_(sink) {}

  void take(std::uint32_t code_point, std::uint8_t combining, bool may_compose) {
    if (starter_ == none) {
      // Marks before the first letter belong to no word.
      if (combining == 0) starter_ = code_point;
      return;
    }
    const bool blocked = !marks_.empty() && last_combining_ >= combining;
    if (may_compose && !blocked) {
      const std::uint32_t composed = unicode::compose(starter_, code_point);
      if (composed != 0) {
        starter_ = composed;
        return;
      }
    }
    if (combining == 0) {
      flush();
      starter_ = code_point;
    } else {
      marks_.push_back(code_point);
      last_combining_ = combining;
    }
  }

  void flush() {
    if (starter_ == none) return;
    sink_(starter_);
    for (const std::uint32_t mark : marks_) sink_(mark);
    marks_.clear();
    starter_ = none;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  Sink& sink_;
  std::uint32_t starter_ = none;
  std::uint8_t last_combining_ = 0;
  std::vector<std::uint32_t> marks_;
};

template <class Sink>
class Canonical {
 public:
  Canonical(LetterCase letter_case, Sink& sink)
      : folds_(letter_case == LetterCase::fold), composer_(sink) {}

  void take(std::uint32_t code_point) {
    if (code_point < 0x80) {
      order_marks();
      const bool upper = folds_ && code_point - 'A' < 26;
      composer_.take(upper ? code_point | 0x20 : code_point, 0, false);
      return;
    }
    if (unicode::rule(code_point) == unicode::rules::ignorable ||
        code_point == unicode::zero_width_space) {
      if (flag_ && emoji::is_tag(code_point)) composer_.take(code_point, 0, false);
      return;
    }
    flag_ = code_point == emoji::black_flag;
    if (hangul::is_syllable(code_point)) {
      // Its parts would compose to it again, so it may stay whole: only a tail can follow.
      order_marks();
      composer_.take(code_point, 0, false);
      return;
    }
    const unicode::CanonicalRecord& record = unicode::canonical_record(code_point);
    if (record.decomposed == 0) {
      take_decomposed(code_point, record);
      return;
    }
    for (const std::uint32_t part : unicode::canonical_sequence(record.decomposed)) {
      take_decomposed(part, unicode::canonical_record(part));
    }
  }

  void finish() {
    order_marks();
    composer_.flush();
  }

 private:
  void take_decomposed(std::uint32_t code_point, const unicode::CanonicalRecord& record) {
    if (record.combining != 0) {
      marks_.push_back(std::uint32_t{record.combining} << 24 | code_point);
      return;
    }
    order_marks();
    compose_folded(code_point, record);
  }

  void order_marks() {
    if (marks_.empty()) return;
    std::ranges::stable_sort(marks_, {}, [](std::uint32_t mark) { return mark >> 24; });
    for (const std::uint32_t mark : marks_) {
      const std::uint32_t code_point = mark & 0xFFFFFF;
      compose_folded(code_point, unicode::canonical_record(code_point));
    }
    marks_.clear();
  }

  void compose_folded(std::uint32_t code_point, const unicode::CanonicalRecord& record) {
    if (!folds_ || record.folded == 0) {
      composer_.take(code_point, record.combining, record.may_compose != 0);
      return;
    }
    for (const std::uint32_t part : unicode::canonical_sequence(record.folded)) {
      const unicode::CanonicalRecord& folded = unicode::canonical_record(part);
      composer_.take(part, folded.combining, folded.may_compose != 0);
    }
  }

  const bool folds_;
  bool flag_ = false;  ///< the last character is a black flag, or a tag after one
  Composer<Sink> composer_;
  std::vector<std::uint32_t> marks_;  ///< combining class << 24 | code point
};

template <class Sink>
void canonical(std::string_view word, LetterCase letter_case, Sink sink) {
  Canonical<Sink> form(letter_case, sink);
  for (std::size_t position = 0; position < word.size();) {
    const utf8::Decoded decoded = utf8::decode(word, position);
    position += decoded.bytes;
    form.take(decoded.code_point);
  }
  form.finish();
}

}  // namespace

void append_canonical(std::string_view word, LetterCase letter_case, std::string& out) {
  canonical(word, letter_case, [&](std::uint32_t code_point) {
    std::uint8_t bytes[utf8::max_bytes];
    const std::uint32_t count = utf8::encode(code_point, bytes);
    out.append(reinterpret_cast<const char*>(bytes), count);
  });
}

std::uint64_t canonical_hash(std::string_view word, LetterCase letter_case) {
  TokenHasher hasher;
  canonical(word, letter_case, [&](std::uint32_t code_point) {
    std::uint8_t bytes[utf8::max_bytes];
    const std::uint32_t count = utf8::encode(code_point, bytes);
    hasher.add(bytes, count);
  });
  return hasher.value();
}

namespace unicode {

std::uint32_t compose(std::uint32_t first, std::uint32_t second) {
  const std::uint32_t syllable = hangul::compose(first, second);
  if (syllable != 0) return syllable;
  const auto key = [](const Composition& pair) {
    return std::uint64_t{pair.first} << 32 | pair.second;
  };
  const std::uint64_t wanted = std::uint64_t{first} << 32 | second;
  const auto found = std::ranges::lower_bound(compositions, wanted, {}, key);
  return found != std::end(compositions) && key(*found) == wanted ? found->composed : 0;
}

bool is_symbol(std::uint32_t code_point) {
  const auto behind = std::ranges::upper_bound(symbol_ranges, code_point, {}, &SymbolRange::begin);
  return behind != std::begin(symbol_ranges) && code_point < behind[-1].end;
}

}  // namespace unicode
}  // namespace twinset
