#include "run/keep_rule.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace twinset {
namespace {

using Key = std::array<char, order_key_bytes>;

int sign(int value) { return (value > 0) - (value < 0); }

/// -1, 0 or 1 as the keys of two numbers compare.
int compare_keys(const std::string& a, const std::string& b) {
  Key key_a;
  Key key_b;
  EXPECT_TRUE(number_order_key(a, key_a.data())) << a;
  EXPECT_TRUE(number_order_key(b, key_b.data())) << b;
  return sign(std::memcmp(key_a.data(), key_b.data(), order_key_bytes));
}

/// The parts of a number, which can be written in many ways.
struct MadeNumber {
  bool negative = false;
  std::string digits;  ///< an integer
  int exponent = 0;    ///< power of ten

  /// The value: digits before and after the point, 120 places each.
  std::string expanded() const {
    constexpr int places = 120;
    std::string fixed(2 * places, '0');
    for (std::size_t i = 0; i < digits.size(); ++i) {
      const int power = static_cast<int>(digits.size() - 1 - i) + exponent;
      fixed[static_cast<std::size_t>(places - 1 - power)] = digits[i];
    }
    return fixed;
  }

  std::string written(std::mt19937_64& random) const {
    std::string text = negative ? "-" : "";
    int power = exponent;
    std::string whole = digits;
    std::string fraction;
    // Some digits go after the point, followed by some zeros.
    if (random() % 2 == 0) {
      const std::size_t moved = random() % whole.size();
      fraction = whole.substr(whole.size() - moved);
      whole.resize(whole.size() - moved);
      power += static_cast<int>(moved);
      fraction.append(random() % 3, '0');
      if (fraction.empty()) fraction = "0";
    }
    text += whole;
    if (!fraction.empty()) text += "." + fraction;
    if (power != 0 || random() % 4 == 0) {
      text += random() % 2 == 0 ? 'e' : 'E';
      if (power < 0) {
        text += '-';
      } else if (random() % 2 == 0) {
        text += '+';
      }
      text.append(random() % 3, '0');
      text += std::to_string(power < 0 ? -power : power);
    }
    return text;
  }
};

MadeNumber random_number(std::mt19937_64& random) {
  MadeNumber number;
  number.negative = random() % 2 == 0;
  number.digits = std::to_string(random() % (random() % 2 == 0 ? 20 : 100'000'000'000ULL));
  if (random() % 4 == 0) number.digits += std::to_string(random());
  number.exponent = static_cast<int>(random() % 41) - 20;
  return number;
}

int compare_values(const MadeNumber& a, const MadeNumber& b) {
  const std::string zero(240, '0');
  const int of_a = a.expanded() == zero ? 0 : a.negative ? -1 : 1;
  const int of_b = b.expanded() == zero ? 0 : b.negative ? -1 : 1;
  if (of_a != of_b) return sign(of_a - of_b);
  if (of_a == 0) return 0;
  return of_a * sign(a.expanded().compare(b.expanded()));
}

TEST(NumberOrderKey, ComparesAsTheNumbersDo) {
  std::mt19937_64 random(1);
  std::array<int, 3> seen{};
  for (int trial = 0; trial < 100'000; ++trial) {
    const MadeNumber a = random_number(random);
    MadeNumber b = random_number(random);
    // Equal and nearly equal numbers: written in another way, or one digit off.
    if (trial % 3 == 0) b = a;
    if (trial % 6 == 0) b.digits.back() = static_cast<char>('0' + random() % 10);
    if (trial % 12 == 0) b.negative = !b.negative;
    const std::string text_a = a.written(random);
    const std::string text_b = b.written(random);
    const int expected = compare_values(a, b);
    ASSERT_EQ(compare_keys(text_a, text_b), expected) << text_a << " and " << text_b;
    ++seen[static_cast<std::size_t>(expected + 1)];
  }
  for (const int count : seen) EXPECT_GT(count, 5000);
}

TEST(NumberOrderKey, OrdersWhatDoublesCannot) {
  const std::vector<std::string> ascending{"-1e400",
                                           "-9007199254740993",
                                           "-9007199254740992",
                                           "-1.5",
                                           "-0.1",
                                           "-1e-999999999",
                                           "0",
                                           "1e-999999999",
                                           "5e-324",
                                           "0.09999999999999999999999",
                                           "0.1",
                                           "0.10000000000000000000001",
                                           "1",
                                           "9007199254740992",
                                           "9007199254740993",
                                           "18446744073709551615",
                                           "18446744073709551616",
                                           "1e308",
                                           "1e309",
                                           "9e999999999"};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      EXPECT_EQ(compare_keys(ascending[i], ascending[j]), (i > j) - (i < j))
          << ascending[i] << " and " << ascending[j];
    }
  }
  for (const char* zero : {"-0", "0.000", "0e7", "-0.0E-9"}) {
    EXPECT_EQ(compare_keys(zero, "0"), 0) << zero;
  }
  EXPECT_EQ(compare_keys("1e0000000000000002", "100"), 0);
  EXPECT_EQ(compare_keys("1E+2", "1000e-1"), 0);
}

TEST(NumberOrderKey, RefusesWhatIsNoNumber) {
  Key key;
  for (const char* text : {"",    "-",   "+1",    "1.",    ".5",         "1e",          "1e+",
                           "e5",  "1x",  "0x10",  "NaN",   "Infinity",   "1 ",          " 1",
                           "1,5", "--1", "1.2.3", "1e5.0", "2024-01-05", "1e9999999999"}) {
    EXPECT_FALSE(number_order_key(text, key.data())) << text;
  }
}

TEST(KeepRule, IsParsedByName) {
  const auto parsed = [](std::string_view text) { return KeepRule::parse(text).value(); };
  EXPECT_EQ(parsed("first").by, KeepRule::By::input);
  EXPECT_EQ(parsed("source").by, KeepRule::By::input);
  EXPECT_EQ(parsed("longest").by, KeepRule::By::size);
  EXPECT_TRUE(parsed("longest").descending);
  EXPECT_FALSE(parsed("shortest").descending);
  for (const char* order : {"newest:", "highest:", "oldest:", "lowest:"}) {
    const KeepRule rule = parsed(std::string(order) + "meta.date:x");
    EXPECT_EQ(rule.by, KeepRule::By::field);
    EXPECT_EQ(rule.dates, order[0] == 'n' || order[0] == 'o') << order;
    EXPECT_EQ(rule.field, "meta.date:x");
    EXPECT_EQ(rule.descending, order[0] == 'n' || order[0] == 'h');
  }
  for (const char* text : {"", "last", "First", "newest", "newest:", ":date", "best:date"}) {
    const Result<KeepRule> refused = KeepRule::parse(text);
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_EQ(refused.error().code, ErrorCode::usage);
    EXPECT_NE(refused.error().message.find("newest:FIELD"), std::string::npos);
  }
}

TEST(KeepRule, EveryFormIsARule) {
  for (const std::string& form : KeepRule::forms()) {
    EXPECT_TRUE(KeepRule::parse(form.ends_with(':') ? form + "field" : form).ok()) << form;
    EXPECT_EQ(KeepRule::parse(form).ok(), !form.ends_with(':')) << form;
  }
}

}  // namespace
}  // namespace twinset
