// What spans() must find, by brute force over every N tokens in a row of every text: no anchors, no
// rolling hashes, nothing out of core.
//
// Threads: pure functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/hash.h"
#include "text/analyzer.h"

namespace twinset::testing {

struct OracleText {
  std::vector<std::uint64_t> tokens;
  std::vector<TokenOffsets> offsets;
  bool reference = false;
};

inline OracleText oracle_text(std::string_view text, bool reference = false) {
  Analysis analysis;
  find_analyzer("words")->analyze(text, Offsets::keep, analysis);
  return {analysis.tokens, analysis.offsets, reference};
}

inline std::vector<OracleText> oracle_texts(const std::vector<std::string>& texts) {
  std::vector<OracleText> all;
  for (const std::string& text : texts) all.push_back(oracle_text(text));
  return all;
}

/// A span by tokens. `place`: "first", "nearest", "both", or empty.
struct OracleSpan {
  std::size_t later = 0;
  std::size_t begin = 0;
  std::size_t earlier = 0;
  std::size_t earlier_begin = 0;
  std::size_t tokens = 0;
  std::string place;
  auto operator<=>(const OracleSpan&) const = default;
};

struct OraclePlace {
  std::size_t text = 0;
  std::size_t begin = 0;
  auto operator<=>(const OraclePlace&) const = default;
};

/// References come first, as in a run.
class SpanOracle {
 public:
  SpanOracle(std::vector<OracleText> texts, std::size_t least)
      : texts_(std::move(texts)), least_(least) {
    struct Row {
      Fingerprint key;
      OraclePlace place;
      auto operator<=>(const Row&) const = default;
    };
    std::vector<Row> rows;
    for (std::size_t text = 0; text < texts_.size(); ++text) {
      const auto& tokens = texts_[text].tokens;
      for (std::size_t begin = 0; begin + least <= tokens.size(); ++begin) {
        rows.push_back({fingerprint_bytes({reinterpret_cast<const char*>(&tokens[begin]),
                                           least * sizeof tokens[0]}),
                        {text, begin}});
      }
    }
    std::sort(rows.begin(), rows.end());
    for (std::size_t begin = 0; begin < rows.size();) {
      std::size_t end = begin + 1;
      while (end < rows.size() && rows[end].key == rows[begin].key) ++end;
      if (end - begin > 1) {
        std::vector<OraclePlace>& places = groups_.emplace_back();
        for (; begin < end; ++begin) places.push_back(rows[begin].place);
      }
      begin = end;
    }
    for (const auto& places : groups_) {
      for (std::size_t i = 0; i < places.size(); ++i) group_of_[places[i]] = {&places, i};
    }
  }

  /// Spans at first and nearest places.
  std::vector<OracleSpan> followed() const {
    std::map<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, std::size_t>, int>
        kinds;
    for (std::size_t text = 0; text < texts_.size(); ++text) {
      if (texts_[text].reference) continue;
      for (const bool first : {true, false}) {
        std::size_t end = 0;
        for (std::size_t begin = 0; begin + least_ <= texts_[text].tokens.size(); ++begin) {
          if (begin + least_ <= end) continue;
          const std::vector<OraclePlace> earlier = places_before({text, begin});
          if (earlier.empty()) continue;
          const OracleSpan span = span_at(first ? earlier.front() : earlier.back(), {text, begin});
          end = span.begin + span.tokens;
          kinds[{span.later, span.begin, span.earlier, span.earlier_begin, span.tokens}] |=
              first ? 1 : 2;
        }
      }
    }
    std::vector<OracleSpan> spans;
    for (const auto& [span, kind] : kinds) {
      const auto& [later, begin, earlier, earlier_begin, tokens] = span;
      spans.push_back({later, begin, earlier, earlier_begin, tokens,
                       kind == 3   ? "both"
                       : kind == 1 ? "first"
                                   : "nearest"});
    }
    return spans;
  }

  /// Spans of every two places, sorted.
  std::vector<OracleSpan> all_pairs() const {
    std::vector<OracleSpan> spans;
    for (const auto& [place, group] : group_of_) {
      if (texts_[place.text].reference) continue;
      for (const OraclePlace& earlier : places_before(place)) {
        spans.push_back(span_at(earlier, place));
      }
    }
    std::sort(spans.begin(), spans.end());
    spans.erase(std::unique(spans.begin(), spans.end()), spans.end());
    return spans;
  }

  /// By text and token: does it lie in N tokens that stand at an earlier place?
  std::vector<std::vector<bool>> reused() const {
    std::vector<std::vector<bool>> in;
    for (const OracleText& text : texts_) in.emplace_back(text.tokens.size());
    for (const auto& [place, group] : group_of_) {
      if (texts_[place.text].reference || places_before(place).empty()) continue;
      for (std::size_t i = 0; i < least_; ++i) in[place.text][place.begin + i] = true;
    }
    return in;
  }

  /// By text and token: what --cut takes away, round after round.
  std::vector<std::vector<bool>> cut(bool across = false) const {
    std::vector<std::vector<bool>> gone;
    std::vector<OracleText> rest = texts_;
    std::vector<std::vector<std::size_t>> place_of(rest.size());
    for (std::size_t text = 0; text < rest.size(); ++text) {
      gone.emplace_back(rest[text].tokens.size());
      place_of[text].resize(rest[text].tokens.size());
      std::iota(place_of[text].begin(), place_of[text].end(), std::size_t{0});
    }
    for (bool changed = true; changed;) {
      changed = false;
      const auto now = SpanOracle(rest, least_).cut_once(across);
      for (std::size_t text = 0; text < rest.size(); ++text) {
        OracleText kept{{}, {}, rest[text].reference};
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < now[text].size(); ++i) {
          if (now[text][i]) {
            gone[text][place_of[text][i]] = true;
            changed = true;
          } else {
            kept.tokens.push_back(rest[text].tokens[i]);
            places.push_back(place_of[text][i]);
          }
        }
        rest[text] = std::move(kept);
        place_of[text] = std::move(places);
      }
    }
    return gone;
  }

  /// One round: N tokens that stand at an earlier place, without those of N tokens that stand at no
  /// earlier place but at a later one.
  std::vector<std::vector<bool>> cut_once(bool across) const {
    std::vector<std::vector<bool>> in;
    for (const OracleText& text : texts_) in.emplace_back(text.tokens.size());
    for (const bool later : {true, false}) {
      for (const auto& [place, group] : group_of_) {
        if (texts_[place.text].reference) continue;
        const std::vector<OraclePlace>& all = *group.first;
        const bool repeated = std::any_of(all.begin(), all.end(), [&](const OraclePlace& other) {
          return is_before(all.front(), other, across);
        });
        if (later ? !is_before(all.front(), place, across) : !repeated || place != all.front()) {
          continue;
        }
        for (std::size_t i = 0; i < least_; ++i) in[place.text][place.begin + i] = later;
      }
    }
    return in;
  }

  const std::vector<OracleText>& texts() const { return texts_; }

 private:
  bool is_before(const OraclePlace& place, const OraclePlace& other, bool across) const {
    if (place.text != other.text) return place.text < other.text;
    return !across && place.begin + least_ <= other.begin;
  }

  /// Places of the same tokens before `place` that do not overlap it, in order.
  std::vector<OraclePlace> places_before(const OraclePlace& place) const {
    const auto group = group_of_.find(place);
    if (group == group_of_.end()) return {};
    std::vector<OraclePlace> before;
    for (std::size_t i = 0; i < group->second.second; ++i) {
      const OraclePlace& other = (*group->second.first)[i];
      if (other.text == place.text && other.begin + least_ > place.begin) break;
      before.push_back(other);
    }
    return before;
  }

  OracleSpan span_at(OraclePlace earlier, OraclePlace later) const {
    const auto& a = texts_[earlier.text].tokens;
    const auto& b = texts_[later.text].tokens;
    while (earlier.begin > 0 && later.begin > 0 && a[earlier.begin - 1] == b[later.begin - 1]) {
      --earlier.begin;
      --later.begin;
    }
    std::size_t tokens = 0;
    while (earlier.begin + tokens < a.size() && later.begin + tokens < b.size() &&
           a[earlier.begin + tokens] == b[later.begin + tokens]) {
      ++tokens;
    }
    return {later.text, later.begin, earlier.text, earlier.begin, tokens, ""};
  }

  std::vector<OracleText> texts_;
  std::size_t least_;
  std::vector<std::vector<OraclePlace>> groups_;
  std::map<OraclePlace, std::pair<const std::vector<OraclePlace>*, std::size_t>> group_of_;
};

/// A span as one line: what a line of spans.jsonl.zst says, too.
inline std::string span_line(std::size_t record_a, std::uint64_t begin_a, std::uint64_t end_a,
                             std::size_t record_b, std::uint64_t begin_b, std::uint64_t end_b,
                             std::uint64_t tokens, std::string_view place) {
  return std::to_string(record_a) + ":" + std::to_string(begin_a) + "-" + std::to_string(end_a) +
         " " + std::to_string(record_b) + ":" + std::to_string(begin_b) + "-" +
         std::to_string(end_b) + " " + std::to_string(tokens) + " " + std::string(place);
}

/// Record numbers are those of texts, from 1.
inline std::vector<std::string> span_lines(const SpanOracle& oracle,
                                           const std::vector<OracleSpan>& spans) {
  std::vector<std::string> lines;
  for (const OracleSpan& span : spans) {
    const auto& a = oracle.texts()[span.earlier].offsets;
    const auto& b = oracle.texts()[span.later].offsets;
    lines.push_back(span_line(span.earlier + 1, a[span.earlier_begin].begin,
                              a[span.earlier_begin + span.tokens - 1].end, span.later + 1,
                              b[span.begin].begin, b[span.begin + span.tokens - 1].end, span.tokens,
                              span.place));
  }
  return lines;
}

}  // namespace twinset::testing
