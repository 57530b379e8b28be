// JSON made up at random, right and wrong, the same for the same seed.
//
// Threads: one thread at a time.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace twinset::testing {

class JsonSamples {
 public:
  explicit JsonSamples(std::uint64_t seed) : random_(seed) {}

  /// An object that is right, with keys from a small set so that some come twice.
  std::string object() {
    std::string out;
    append_object(out, 4);
    return out;
  }

  /// `json` with one to three bytes changed, dropped or put in.
  std::string spoiled(std::string json) {
    constexpr std::string_view odd = "{}[]\",:\\0123456789.eE+-truefalsnl /bu\n\t\x1f\x7f\xc3\xa9";
    for (std::uint64_t changes = below(3) + 1; changes > 0; --changes) {
      const std::size_t at = below(json.size() + 1);
      const char byte = odd[below(odd.size())];
      switch (below(3)) {
        case 0:
          json.insert(at, 1, byte);
          break;
        case 1:
          if (at < json.size()) json.erase(at, 1 + below(3));
          break;
        default:
          if (at < json.size()) json[at] = byte;
      }
    }
    return json;
  }

  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
  }

 private:
  void space(std::string& out) {
    if (below(4) == 0) out.append(below(3), " \t\r"[below(3)]);
  }

  void append_string(std::string& out) {
    static constexpr std::string_view pieces[] = {"a",
                                                  "text",
                                                  "the quick brown fox jumps over the lazy dog",
                                                  "\\n",
                                                  "\\\"",
                                                  "\\\\",
                                                  "\\u00e9",
                                                  "\\ud83d\\ude00",
                                                  "\xc3\xa9",
                                                  "\xe4\xb8\xad",
                                                  "\\/",
                                                  "\\b\\f\\r\\t"};
    out += '"';
    for (std::size_t i = below(6); i > 0; --i) out += pieces[below(std::size(pieces))];
    out += '"';
  }

  void append_value(std::string& out, std::size_t depth) {
    static constexpr std::string_view scalars[] = {"0",    "-0",     "12",   "-3.25", "1e5",
                                                   "2E-3", "7.5e+2", "true", "false", "null"};
    switch (below(depth > 0 ? 6 : 4)) {
      case 0:
      case 1:
        append_string(out);
        break;
      case 2:
      case 3:
        out += scalars[below(std::size(scalars))];
        break;
      case 4:
        append_object(out, depth - 1);
        break;
      default:
        out += '[';
        for (std::size_t i = 0, n = below(4); i < n; ++i) {
          if (i > 0) out += ',';
          space(out);
          append_value(out, depth - 1);
          space(out);
        }
        out += ']';
    }
  }

  void append_object(std::string& out, std::size_t depth) {
    static constexpr std::string_view keys[] = {"text", "id",  "meta",     "te\\u0078t",
                                                "",     "a.b", "\\u0069d", "\xc3\xa9"};
    out += '{';
    space(out);
    for (std::size_t i = 0, n = below(6); i < n; ++i) {
      if (i > 0) out += ',';
      space(out);
      out += '"';
      out += keys[below(std::size(keys))];
      out += '"';
      space(out);
      out += ':';
      space(out);
      append_value(out, depth > 0 ? depth - 1 : 0);
      space(out);
    }
    out += '}';
  }

  std::mt19937_64 random_;
};

}  // namespace twinset::testing
