// Every edit sees a text as a row of units: words or, if a text has hardly any white space,
// characters. Bytes between units stay unchanged. An edit picks units by its seed and writes the
// text anew from pieces.
//
// New words have four to seven syllables, drawn from 10^7 to 10^13 words, so a planted word
// practically never equals a word of the text.
//
// This file's interface is edits.h; the rest is private.
#include "evaluate/edits.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "base/characters.h"
#include "evaluate/random.h"

namespace twinset {
namespace {

struct EditUnit {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct Units {
  std::vector<EditUnit> units;
  bool characters = false;  // units are characters, not words
};

bool is_ascii_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_worded(char c) {
  return is_digit(c) || is_lower(c) || is_upper(c) || static_cast<unsigned char>(c) >= 0x80;
}

/// Bytes of the white space character at `at`; 0 if it is another character.
std::size_t space_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return is_ascii_space(text[at]) ? 1 : 0;
  if (first == 0xC2) return byte(1) == 0xA0 || byte(1) == 0x85 ? 2 : 0;
  if (first == 0xE1) return byte(1) == 0x9A && byte(2) == 0x80 ? 3 : 0;
  if (first == 0xE3) return byte(1) == 0x80 && byte(2) == 0x80 ? 3 : 0;
  if (first != 0xE2) return 0;
  if (byte(1) == 0x81) return byte(2) == 0x9F ? 3 : 0;
  if (byte(1) != 0x80) return 0;
  const unsigned third = byte(2);
  return (third >= 0x80 && third <= 0x8A) || third == 0xA8 || third == 0xA9 || third == 0xAF ? 3
                                                                                             : 0;
}

/// Bytes of the character at `at`; a byte that does not start one counts as one.
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t stated = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  std::size_t length = 1;
  while (length < stated && at + length < text.size() &&
         (static_cast<unsigned char>(text[at + length]) & 0xC0) == 0x80) {
    ++length;
  }
  return length;
}

/// The text's words, or its characters if a "word" has over 20 on average.
Units units_of(std::string_view text) {
  constexpr std::size_t longest_mean_word = 20;
  Units out;
  out.units.reserve(text.size() / 6);
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t space = space_length(text, at)) {
      at += space;
      continue;
    }
    EditUnit unit{at, at};
    while (at < text.size()) {
      if (text[at] > ' ' && text[at] < 0x7F) {
        ++at;
      } else if (space_length(text, at) == 0) {
        at += character_length(text, at);
      } else {
        break;
      }
      ++characters;
    }
    unit.end = at;
    out.units.push_back(unit);
  }
  if (characters <= longest_mean_word * out.units.size()) return out;
  out.characters = true;
  out.units.clear();
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t space = space_length(text, at)) {
      at += space;
      continue;
    }
    const std::size_t length = character_length(text, at);
    out.units.push_back({at, at + length});
    at += length;
  }
  return out;
}

void append_character(std::string& out, std::uint32_t code) {
  out += static_cast<char>(0xE0 | code >> 12);
  out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
  out += static_cast<char>(0x80 | (code & 0x3F));
}

/// Appends a new word, or an ideograph if units are characters.
void append_made_word(std::string& out, bool character, SeededRandom& random) {
  constexpr std::string_view consonants = "bdfgklmnprstvz";
  constexpr std::string_view vowels = "aeiou";
  constexpr std::uint32_t first_ideograph = 0x4E00;
  constexpr std::uint32_t ideographs = 20'902;
  if (character) {
    append_character(out, first_ideograph + static_cast<std::uint32_t>(random.below(ideographs)));
    return;
  }
  std::uint64_t bits = random.next();
  const std::uint64_t syllables = 4 + (bits & 3);
  bits >>= 2;
  for (std::uint64_t i = 0; i < syllables; ++i) {
    out += consonants[bits % consonants.size()];
    bits /= consonants.size();
    out += vowels[bits % vowels.size()];
    bits /= vowels.size();
  }
}

void append_made_words(std::string& out, bool characters, std::uint64_t words,
                       SeededRandom& random) {
  for (std::uint64_t i = 0; i < words; ++i) {
    if (i > 0 && !characters) out += ' ';
    append_made_word(out, characters, random);
  }
}

/// The unit without the punctuation at its ends; it must have a letter or a digit.
EditUnit word_in(std::string_view text, EditUnit unit) {
  while (!is_worded(text[unit.begin])) ++unit.begin;
  while (!is_worded(text[unit.end - 1])) --unit.end;
  return unit;
}

/// Leaves the units that have a letter or a digit.
void keep_words(std::string_view text, std::vector<EditUnit>& units) {
  std::erase_if(units, [&](const EditUnit& unit) {
    const std::string_view bytes = text.substr(unit.begin, unit.end - unit.begin);
    return std::none_of(bytes.begin(), bytes.end(), is_worded);
  });
}

/// Appends `unit` of `text` with another word in it; punctuation at its ends stays.
void append_replaced(std::string& out, std::string_view text, const EditUnit& unit, bool character,
                     SeededRandom& random) {
  const auto [begin, end] = word_in(text, unit);
  const std::string_view old = text.substr(begin, end - begin);
  out += text.substr(unit.begin, begin - unit.begin);
  const std::size_t start = out.size();
  do {
    out.resize(start);
    append_made_word(out, character, random);
  } while (std::string_view(out).substr(start) == old);
  out += text.substr(end, unit.end - end);
}

std::string replace_units(std::string_view text, Units units, std::uint64_t count,
                          std::uint64_t seed) {
  auto& all = units.units;
  keep_words(text, all);
  SeededRandom random(seed);
  count = std::min<std::uint64_t>(count, all.size());
  for (std::uint64_t i = 0; i < count; ++i) {
    std::swap(all[i], all[i + random.below(all.size() - i)]);
  }
  all.resize(count);
  std::sort(all.begin(), all.end(),
            [](const EditUnit& a, const EditUnit& b) { return a.begin < b.begin; });
  std::string out;
  out.reserve(text.size() + 16 * count);
  std::size_t done = 0;
  for (const EditUnit& unit : all) {
    out += text.substr(done, unit.begin - done);
    append_replaced(out, text, unit, units.characters, random);
    done = unit.end;
  }
  out += text.substr(done);
  return out;
}

std::uint64_t share_of(std::uint64_t words, std::uint64_t per_mille) {
  return std::max<std::uint64_t>(1, (words * per_mille + 500) / 1000);
}

std::uint64_t line_words(SeededRandom& random) { return 10 + random.below(31); }

}  // namespace

std::string replace_words(std::string_view text, std::uint64_t count, std::uint64_t seed) {
  return replace_units(text, units_of(text), count, seed);
}

std::string replace_words_at_rate(std::string_view text, std::uint64_t per_mille,
                                  std::uint64_t seed) {
  Units units = units_of(text);
  const std::uint64_t count = share_of(units.units.size(), per_mille);
  return replace_units(text, std::move(units), count, seed);
}

std::string replace_distinct_words(std::string_view text, std::uint64_t per_mille,
                                   std::uint64_t seed) {
  Units units = units_of(text);
  keep_words(text, units.units);
  std::map<std::string, std::size_t> numbers;  // of distinct words, as they come
  std::vector<std::size_t> words;
  for (const EditUnit& unit : units.units) {
    const auto [begin, end] = word_in(text, unit);
    std::string word(text.substr(begin, end - begin));
    for (char& c : word) c = is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
    words.push_back(numbers.try_emplace(std::move(word), numbers.size()).first->second);
  }
  if (words.empty()) return std::string(text);
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::string> made(numbers.size());  // empty: the word stays
  SeededRandom random(seed);
  const std::uint64_t count =
      std::min<std::uint64_t>(share_of(order.size(), per_mille), order.size());
  for (std::uint64_t i = 0; i < count; ++i) {
    std::swap(order[i], order[i + random.below(order.size() - i)]);
    std::string& word = made[order[i]];
    do {
      word.clear();
      append_made_word(word, units.characters, random);
    } while (numbers.contains(word));
  }
  std::string out;
  out.reserve(text.size() + 16 * count);
  std::size_t done = 0;
  for (std::size_t i = 0; i < units.units.size(); ++i) {
    const std::string& word = made[words[i]];
    if (word.empty()) continue;
    const auto [begin, end] = word_in(text, units.units[i]);
    out += text.substr(done, begin - done);
    out += word;
    done = end;
  }
  out += text.substr(done);
  return out;
}

std::string insert_header(std::string_view text, std::uint64_t seed) {
  SeededRandom random(seed);
  std::string out;
  append_made_words(out, units_of(text).characters, line_words(random), random);
  out += "\n\n";
  out += text;
  return out;
}

std::string append_footer(std::string_view text, std::uint64_t seed) {
  SeededRandom random(seed);
  std::string out(text);
  out += "\n\n";
  append_made_words(out, units_of(text).characters, line_words(random), random);
  return out;
}

std::string move_passage(std::string_view text, std::uint64_t seed) {
  const Units units = units_of(text);
  const std::uint64_t count = units.units.size();
  if (count < 3) return std::string(text);
  SeededRandom random(seed);
  // The passage is units [first, first + length), never the last unit, so that it includes the
  // space after it; it moves to before `target`, which is outside of it.
  const std::uint64_t length =
      std::clamp<std::uint64_t>(count * (10 + random.below(21)) / 100, 1, count - 2);
  const std::uint64_t first = random.below(count - length);
  // Targets: 0 .. first - 1 and first + length + 1 .. count - 1.
  const std::uint64_t before = first;
  const std::uint64_t after = count - (first + length + 1);
  std::uint64_t target = random.below(before + after);
  if (target >= before) target += length + 1;
  const std::size_t begin = units.units[first].begin;
  const std::size_t end = units.units[first + length].begin;
  const std::size_t to = units.units[target].begin;
  std::string out(text);
  const auto at = [&](std::size_t i) { return out.begin() + static_cast<std::ptrdiff_t>(i); };
  if (to < begin) {
    std::rotate(at(to), at(begin), at(end));
  } else {
    std::rotate(at(begin), at(end), at(to));
  }
  return out;
}

std::string cut_tail(std::string_view text, std::uint64_t seed) {
  const Units units = units_of(text);
  const std::uint64_t count = units.units.size();
  if (count < 2) return std::string(text);
  SeededRandom random(seed);
  const std::uint64_t cut =
      std::clamp<std::uint64_t>(count * (5 + random.below(26)) / 100, 1, count - 1);
  return std::string(text.substr(0, units.units[count - cut - 1].end));
}

std::string embed_in(std::string_view text, std::string_view host, std::uint64_t seed) {
  const Units units = units_of(host);
  SeededRandom random(seed);
  const std::size_t split =
      units.units.empty() ? 0 : units.units[random.below(units.units.size())].begin;
  std::string out(host.substr(0, split));
  out += "\n\n";
  out += text;
  out += "\n\n";
  out += host.substr(split);
  return out;
}

std::string shuffle_sentences(std::string_view text, std::uint64_t seed) {
  constexpr std::array<std::string_view, 3> wide_ends = {"\xE3\x80\x82", "\xEF\xBC\x81",
                                                         "\xEF\xBC\x9F"};
  std::vector<std::string_view> sentences;
  const auto take = [&](std::size_t begin, std::size_t end) {
    while (begin < end && is_ascii_space(text[begin])) ++begin;
    while (end > begin && is_ascii_space(text[end - 1])) --end;
    if (begin < end) sentences.push_back(text.substr(begin, end - begin));
  };
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    const std::string_view character = text.substr(at, length);
    at += length;
    const bool stop = character == "." || character == "!" || character == "?";
    const bool spaced = at == text.size() || is_ascii_space(text[at]);
    if (character == "\n" || (stop && spaced) ||
        std::find(wide_ends.begin(), wide_ends.end(), character) != wide_ends.end()) {
      take(begin, at);
      begin = at;
    }
  }
  take(begin, text.size());
  if (sentences.size() < 2) return std::string(text);
  SeededRandom random(seed);
  for (std::size_t i = sentences.size() - 1; i > 0; --i) {
    std::swap(sentences[i], sentences[random.below(i + 1)]);
  }
  std::string out;
  out.reserve(text.size());
  for (const std::string_view sentence : sentences) {
    if (!out.empty()) out += ' ';
    out += sentence;
  }
  return out;
}

std::string change_numbers(std::string_view text, std::uint64_t seed) {
  SeededRandom random(seed);
  std::string out(text);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!is_digit(out[i])) continue;
    // The first digit of a run always changes, so every number does.
    const bool first = i == 0 || !is_digit(out[i - 1]);
    const std::uint64_t step = first ? 1 + random.below(9) : random.below(10);
    out[i] = static_cast<char>('0' + (static_cast<std::uint64_t>(out[i] - '0') + step) % 10);
  }
  return out;
}

std::string change_case(std::string_view text, std::uint64_t seed) {
  const std::uint64_t style = SeededRandom(seed).below(3);
  std::string out(text);
  bool inside = false;
  for (char& c : out) {
    const bool upper = style == 0 || (style == 2 && !inside);
    inside = is_worded(c);
    if (upper && is_lower(c)) {
      c = static_cast<char>(c - 'a' + 'A');
    } else if (!upper && is_upper(c)) {
      c = static_cast<char>(c - 'A' + 'a');
    }
  }
  return out;
}

std::string wrap_lines(std::string_view text, std::uint64_t seed) {
  const std::size_t width = 40 + SeededRandom(seed).below(61);
  std::string out;
  out.reserve(text.size());
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (is_ascii_space(text[at])) {
      while (at < text.size() && is_ascii_space(text[at])) ++at;
      out += column >= width ? '\n' : ' ';
      column = column >= width ? 0 : column + 1;
      continue;
    }
    out += text[at++];
    ++column;
  }
  return out;
}

std::string pad_with_spam(std::string_view text, std::uint64_t seed) {
  const Units units = units_of(text);
  if (units.units.empty()) return std::string(text);
  SeededRandom random(seed);
  std::vector<std::size_t> places(3 + random.below(6));
  for (std::size_t& place : places) place = units.units[random.below(units.units.size())].begin;
  std::sort(places.begin(), places.end());
  std::string out;
  std::size_t done = 0;
  for (const std::size_t place : places) {
    out += text.substr(done, place - done);
    append_made_words(out, units.characters, 2 + random.below(5), random);
    if (!units.characters) out += ' ';
    done = place;
  }
  out += text.substr(done);
  return out;
}

std::string add_ocr_noise(std::string_view text, std::uint64_t seed) {
  struct Misreading {
    std::string_view read;
    std::string_view as;
  };
  constexpr std::array<Misreading, 12> misreadings = {{{"rn", "m"},
                                                       {"cl", "d"},
                                                       {"vv", "w"},
                                                       {"l", "1"},
                                                       {"O", "0"},
                                                       {"o", "0"},
                                                       {"e", "c"},
                                                       {"S", "5"},
                                                       {"a", "o"},
                                                       {"h", "b"},
                                                       {"i", "l"},
                                                       {"t", "f"}}};
  SeededRandom random(seed);
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    if (is_ascii_space(text[at]) || !random.chance(1, 100)) {
      out += text.substr(at, length);
      at += length;
      continue;
    }
    const auto* misread = std::find_if(
        misreadings.begin(), misreadings.end(),
        [&](const Misreading& candidate) { return text.substr(at).starts_with(candidate.read); });
    if (misread != misreadings.end()) {
      out += misread->as;
      at += misread->read.size();
    } else {
      if (length == 1) out += text[at];
      at += length;
    }
  }
  return out;
}

namespace {

/// U+00C0 .. U+017F without their marks, one letter each; a blank if two are needed or the
/// character is not a letter.
constexpr std::string_view bare_letters =
    "AAAAAA CEEEEIIIIDNOOOOO OUUUUY  aaaaaa ceeeeiiiidnooooo ouuuuy y"
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIi  JjKkkLlLlLlLlLlNnNnNnnNnOoOoOo  "
    "RrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
constexpr std::uint32_t first_bare_letter = 0xC0;
static_assert(bare_letters.size() == 0x180 - first_bare_letter);

/// The code point of `bytes`, which is one UTF-8 character; 0 if it is not.
std::uint32_t code_of(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (byte(0) < 0x80) return byte(0);
  const std::size_t stated = byte(0) < 0xC2 ? 0 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
  if (stated != bytes.size() || byte(0) > 0xF4) return 0;
  std::uint32_t code = byte(0) & (0x7FU >> stated);
  for (std::size_t i = 1; i < stated; ++i) code = code << 6 | (byte(i) & 0x3FU);
  return code;
}

/// The replacement of an accented letter or a mark: nothing, one letter or two; `found` says
/// whether it is one of these.
std::string_view without_mark(std::uint32_t code, bool& found) {
  struct Pair {
    std::uint32_t code;
    std::string_view letters;
  };
  constexpr std::array<Pair, 8> pairs = {{{0xC6, "AE"},
                                          {0xDE, "Th"},
                                          {0xDF, "ss"},
                                          {0xE6, "ae"},
                                          {0xFE, "th"},
                                          {0x132, "IJ"},
                                          {0x152, "OE"},
                                          {0x153, "oe"}}};
  found = true;
  if (code >= 0x300 && code <= 0x36F) return {};
  for (const Pair& pair : pairs) {
    if (pair.code == code) return pair.letters;
  }
  if (code >= first_bare_letter && code - first_bare_letter < bare_letters.size()) {
    const std::string_view letter = bare_letters.substr(code - first_bare_letter, 1);
    if (letter != " ") return letter;
  }
  found = false;
  return {};
}

/// A vowel with an acute accent; empty if `c` is not a vowel.
std::string_view with_acute(char c) {
  constexpr std::string_view vowels = "aeiouAEIOU";
  constexpr std::array<std::string_view, 10> marked = {
      "\xC3\xA1", "\xC3\xA9", "\xC3\xAD", "\xC3\xB3", "\xC3\xBA",
      "\xC3\x81", "\xC3\x89", "\xC3\x8D", "\xC3\x93", "\xC3\x9A"};
  const std::size_t at = vowels.find(c);
  return at == std::string_view::npos ? std::string_view() : marked[at];
}

}  // namespace

std::string change_accents(std::string_view text, std::uint64_t seed) {
  std::string bare;
  bool any = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = text.substr(at, character_length(text, at));
    bool found = false;
    const std::string_view letters = without_mark(code_of(character), found);
    bare += found ? letters : character;
    any = any || found;
    at += character.size();
  }
  if (any) return bare;
  SeededRandom random(seed);
  std::string marked;
  for (const char c : text) {
    const std::string_view vowel = with_acute(c);
    if (!vowel.empty() && random.chance(1, 50)) {
      marked += vowel;
    } else {
      marked += c;
    }
  }
  return marked;
}

std::string write_entities(std::string_view text, std::uint64_t seed) {
  SeededRandom random(seed);
  const bool hexadecimal = random.chance(1, 2);
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = text.substr(at, character_length(text, at));
    at += character.size();
    const std::uint32_t code = code_of(character);
    if (code == '&') {
      out += "&amp;";
    } else if (code == '<') {
      out += "&lt;";
    } else if (code == '>') {
      out += "&gt;";
    } else if (code == '"') {
      out += "&quot;";
    } else if (code == '\'' || code >= 0x80) {
      out += hexadecimal ? fmt::format("&#x{:X};", code) : fmt::format("&#{};", code);
    } else if (code == ' ' && random.chance(1, 50)) {
      out += "&nbsp;";
    } else {
      out += character;
    }
  }
  return out;
}

std::string wrap_in_template(std::string_view text, std::uint64_t seed) {
  struct Template {
    std::string_view head;
    std::string_view foot;
  };
  constexpr std::array<Template, 4> templates = {
      {{"Skip to main content\nHome | Products | Support | About us | Contact\nSearch this site\n"
        "You are here: Home > Documents\n\n",
        "\n\nWas this page helpful? Yes No\nShare this page: Email Print\n"
        "Terms of use | Privacy statement | Cookies | Site map\n"
        "All rights reserved. Do not copy without permission of the owner.\n"},
       {"Log in  Register  Help\nArchive of documents, open to all readers\n\n",
        "\n\nPrevious document  Next document  Back to the list\n"
        "This archive is kept by volunteers; write to the desk if you find a mistake in it.\n"},
       {"We use cookies to give you the best experience on our site. Accept all  Settings\n"
        "News  Sport  Business  Culture  Weather  Video  More\n\n",
        "\n\nMost read\nSign up for our daily letter and get the best stories every morning\n"
        "Follow us  Advertise with us  Work for us  Complaints and corrections\n"},
       {"From: list owner\nTo: all members\nSubject: for your files\n\n",
        "\n\n--\nYou receive this message because you are a member of this list.\n"
        "To leave the list, send an empty message to the address at the top of this one.\n"}}};
  const Template& page = templates[SeededRandom(seed).below(templates.size())];
  std::string out(page.head);
  out += text;
  out += page.foot;
  return out;
}

std::string chain_version(std::string_view text, std::uint64_t version, std::uint64_t seed) {
  std::string out(text);
  for (std::uint64_t v = 1; v <= version; ++v) {
    out = replace_words_at_rate(out, 10, derive_seed(seed, v));
  }
  return out;
}

std::string made_words(std::string_view like, std::uint64_t words, std::uint64_t seed) {
  SeededRandom random(seed);
  std::string out;
  append_made_words(out, units_of(like).characters, words, random);
  return out;
}

namespace {

/// Embeds the text in a page of made-up words half to twice as long.
std::string embed_in_made_page(std::string_view text, std::uint64_t seed) {
  const std::uint64_t words = std::max<std::uint64_t>(20, units_of(text).units.size());
  const std::uint64_t host = words / 2 + SeededRandom(seed).below(words * 3 / 2);
  return embed_in(text, made_words(text, host, derive_seed(seed, 1)), derive_seed(seed, 2));
}

using Text = std::string_view;
using Seed = std::uint64_t;

constexpr std::array<Edit, 24> edit_list = {{
    {"exact", [](Text t, Seed) { return std::string(t); }},
    {"case", change_case},
    {"wrap", wrap_lines},
    {"replace-1", [](Text t, Seed s) { return replace_words(t, 1, s); }},
    {"replace-3", [](Text t, Seed s) { return replace_words(t, 3, s); }},
    {"replace-10", [](Text t, Seed s) { return replace_words(t, 10, s); }},
    {"replace-1%", [](Text t, Seed s) { return replace_words_at_rate(t, 10, s); }},
    {"replace-2%", [](Text t, Seed s) { return replace_words_at_rate(t, 20, s); }},
    {"replace-5%", [](Text t, Seed s) { return replace_words_at_rate(t, 50, s); }},
    {"replace-10%", [](Text t, Seed s) { return replace_words_at_rate(t, 100, s); }},
    {"accents", change_accents},
    {"entities", write_entities},
    {"header", insert_header},
    {"footer", append_footer},
    {"move", move_passage},
    {"cut-tail", cut_tail},
    {"embed", embed_in_made_page},
    {"template", wrap_in_template},
    {"shuffle", shuffle_sentences},
    {"numbers", change_numbers},
    {"padding", pad_with_spam},
    {"ocr", add_ocr_noise},
    {"chain-3", [](Text t, Seed s) { return chain_version(t, 3, s); }},
    {"chain-10", [](Text t, Seed s) { return chain_version(t, 10, s); }},
}};

}  // namespace

std::span<const Edit> edits() { return edit_list; }

}  // namespace twinset
