// Estimators compared with their theory. Each trial has fresh sets, each 16 a fresh seed, all from
// fixed numbers; tolerances are Hoeffding's for one false alarm in 10^8,
//
//   epsilon(N) = sqrt(ln(2e8) / (2 N))    N = 10^6: 0.0031
//
// and 5.73 standard deviations where a variance is tested. TWINSET_STATISTICS=full
// runs ten times the trials, and sets of two million.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "scheme/bands.h"
#include "scheme/estimate.h"
#include "scheme/shingle_sets.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TWINSET_SLOW_BUILD 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TWINSET_SLOW_BUILD 1
#endif
#endif

namespace twinset {
namespace {

bool full_run() {
  const char* wanted = std::getenv("TWINSET_STATISTICS");
  return wanted != nullptr && std::string_view(wanted) == "full";
}

/// Trials of a run: ten times as many in a full one, fewer where a sanitizer
/// takes ten times as long. Tolerances follow.
std::uint64_t trials_of(std::uint64_t quick) {
#ifdef TWINSET_SLOW_BUILD
  quick /= 20;
#endif
  return full_run() ? quick * 10 : quick;
}

double epsilon(double draws) { return std::sqrt(std::log(2e8) / (2 * draws)); }

std::uint64_t seed_of(std::uint64_t trial) { return mix64(trial + 0x5eed) >> 1; }

std::string with_seed(const std::string& spec, std::uint64_t seed) {
  return spec + ", seed=" + std::to_string(seed) + ")";
}

/// Share of equal values between the sketches of two sets.
double share_equal(const Sketch& a, const Sketch& b) {
  int equal = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) equal += a.values[i] == b.values[i] ? 1 : 0;
  return equal / static_cast<double>(a.values.size());
}

/// Runs `trial` on the sketches of two fresh sets under a fresh seed. A scheme
/// serves 16 trials: sets are fresh in each.
void for_sketch_pairs(
    const std::string& spec, std::size_t size, double resemblance, std::uint64_t trials,
    const std::function<void(const Scheme&, const Sketch&, const Sketch&, double truth)>& trial) {
  std::unique_ptr<Scheme> scheme;
  Sketch a;
  Sketch b;
  for (std::uint64_t i = 0; i < trials; ++i) {
    if (i % 16 == 0) scheme = must_make(with_seed(spec, seed_of(i)));
    const SetPair pair =
        make_pair_of_sets(seed_of(i) * 7 + size, size, shared_for(size, resemblance));
    sketch_shingles(*scheme, pair.a, a);
    sketch_shingles(*scheme, pair.b, b);
    trial(*scheme, a, b, pair.resemblance);
  }
}

constexpr std::array resemblances{0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95};

/// A1: values are equal with probability the resemblance.
void expect_unbiased(const std::string& spec, std::size_t size, std::uint64_t trials) {
  for (const double resemblance : resemblances) {
    double sum = 0;
    double truth = 0;
    double draws = 0;
    for_sketch_pairs(spec, size, resemblance, trials,
                     [&](const Scheme&, const Sketch& a, const Sketch& b, double exact) {
                       sum += share_equal(a, b);
                       truth += exact;
                       draws += static_cast<double>(a.values.size());
                     });
    EXPECT_NEAR(sum / static_cast<double>(trials), truth / static_cast<double>(trials),
                epsilon(draws))
        << spec << " sets of " << size << " at " << resemblance;
  }
}

TEST(Statistics, A1MinHashIsUnbiased) {
  const std::string spec = "minhash(bands=1, rows=1";
  expect_unbiased(spec, 20, trials_of(7813));
  expect_unbiased(spec, 200, trials_of(7813));
  expect_unbiased(spec, 5000, trials_of(400));
  if (full_run()) expect_unbiased(spec, 2000000, 16);
}

TEST(Statistics, A1FssIsUnbiased) {
  const std::string spec = "fss(bands=1, rows=1";
  expect_unbiased(spec, 2, trials_of(3907));
  expect_unbiased(spec, 20, trials_of(3907));
  expect_unbiased(spec, 200, trials_of(3907));
  expect_unbiased(spec, 1000, trials_of(3907));
  expect_unbiased(spec, 20000, trials_of(200));
  if (full_run()) expect_unbiased(spec, 2000000, 16);
}

/// Variance of the share of equal values, over the binomial one.
double variance_ratio(const std::string& spec, std::size_t size, double resemblance,
                      std::uint64_t trials) {
  double squares = 0;
  double binomial = 0;
  for_sketch_pairs(spec, size, resemblance, trials,
                   [&](const Scheme&, const Sketch& a, const Sketch& b, double truth) {
                     const double error = share_equal(a, b) - truth;
                     squares += error * error;
                     binomial += truth * (1 - truth) / static_cast<double>(a.values.size());
                   });
  return squares / binomial;
}

/// 10 % more than the normal approximation's, as the notes on it advise.
double variance_tolerance(std::uint64_t trials) {
  return 5.73 * std::sqrt(2 / static_cast<double>(trials)) * 1.1;
}

TEST(Statistics, A2MinHashHasTheBinomialVariance) {
  const std::uint64_t trials = trials_of(20000);
  for (const std::size_t size : {20U, 200U, 1000U}) {
    for (const double resemblance : {0.5, 0.8}) {
      if (size == 1000 && resemblance > 0.5) continue;
      EXPECT_NEAR(variance_ratio("minhash(bands=1, rows=1", size, resemblance, trials), 1,
                  variance_tolerance(trials))
          << size << " at " << resemblance;
    }
  }
}

// Below the binomial, clearly so on short documents: one-sided (and sharply below,
// or the scheme is not what it claims to be).
TEST(Statistics, A2FssHasLessThanTheBinomialVariance) {
  const std::uint64_t trials = trials_of(20000);
  const std::string spec = "fss(bins=128, bands=1, rows=1";
  for (const std::size_t size : {20U, 100U, 500U, 2000U}) {
    for (const double resemblance : {0.5, 0.9}) {
      if (size == 2000 && resemblance < 0.9) continue;
      const double ratio = variance_ratio(spec, size, resemblance, trials);
      EXPECT_LT(ratio, 1 + variance_tolerance(trials)) << size << " at " << resemblance;
      if (size <= 100) {
        EXPECT_LT(ratio, 0.85) << size << " at " << resemblance;
      }
    }
  }
}

// A17: with b of the 32 bits kept, chance agreement is taken off as 2^-b.
TEST(Statistics, A17KeptBitsAreCorrectedForChance) {
  const std::uint64_t trials = trials_of(3907);
  for (const unsigned bits : {1U, 2U, 4U, 8U}) {
    const std::string spec = "fss(bits=" + std::to_string(bits) + ", bands=1, rows=1";
    for (const double resemblance : {0.25, 0.5, 0.8, 0.95}) {
      double sum = 0;
      double truth = 0;
      for_sketch_pairs(spec, 150, resemblance, trials,
                       [&](const Scheme& scheme, const Sketch& a, const Sketch& b, double exact) {
                         sum += scheme.compare(a.stored, b.stored).resemblance->value;
                         truth += exact;
                       });
      const double draws = 256 * static_cast<double>(trials);
      EXPECT_NEAR(sum / static_cast<double>(trials), truth / static_cast<double>(trials),
                  epsilon(draws) / (1 - std::exp2(-static_cast<double>(bits))))
          << bits << " bits at " << resemblance;
    }
  }
}

// The standard error and interval a comparison states are kept: fss promises an
// upper bound.
TEST(Statistics, StatedErrorsOfFssHold) {
  const std::uint64_t trials = trials_of(6000);
  for (const char* spec : {"fss(bits=1, bands=1, rows=1", "fss(bands=1, rows=1"}) {
    for (const std::size_t size : {60U, 600U}) {
      double squares = 0;
      double stated = 0;
      double covered = 0;
      for_sketch_pairs(spec, size, 0.8, trials,
                       [&](const Scheme& scheme, const Sketch& a, const Sketch& b, double truth) {
                         const Estimate estimate = *scheme.compare(a.stored, b.stored).resemblance;
                         squares += (estimate.value - truth) * (estimate.value - truth);
                         stated += estimate.standard_error * estimate.standard_error;
                         covered += estimate.low <= truth && truth <= estimate.high ? 1 : 0;
                       });
      EXPECT_LT(squares, stated * (1 + variance_tolerance(trials))) << spec << " " << size;
      EXPECT_GT(covered / static_cast<double>(trials), 0.93) << spec << " " << size;
    }
  }
}

bool share_a_key(const Scheme& scheme, const Sketch& a, const Sketch& b,
                 std::vector<std::uint64_t>& keys) {
  keys.clear();
  scheme.keys(a, keys);
  const std::size_t count = keys.size();
  scheme.keys(b, keys);
  for (std::size_t band = 0; band < count; ++band) {
    if (keys[band] == keys[count + band]) return true;
  }
  return false;
}

/// Share of pairs with a common key, and the share that the S-curve predicts, over the trials.
std::pair<double, double> shared_key_share(const std::string& spec, std::size_t size,
                                           double resemblance, std::uint64_t trials) {
  double sharing = 0;
  double expected = 0;
  std::vector<std::uint64_t> keys;
  for_sketch_pairs(spec, size, resemblance, trials,
                   [&](const Scheme& scheme, const Sketch& a, const Sketch& b, double truth) {
                     sharing += share_a_key(scheme, a, b, keys) ? 1 : 0;
                     expected += *scheme.match_probability(truth);
                   });
  return {sharing / static_cast<double>(trials), expected / static_cast<double>(trials)};
}

// A7: keys meet as the S-curve says; (14, 8) at 0.8 in 0.9236 of pairs.
TEST(Statistics, A7MinHashKeysFollowTheCurve) {
  const std::uint64_t trials = trials_of(40000);
  const double tolerance = epsilon(static_cast<double>(trials));
  for (const double resemblance : {0.8, 0.6}) {
    const auto [sharing, expected] =
        shared_key_share("minhash(bands=14, rows=8", 90, resemblance, trials);
    EXPECT_NEAR(sharing, expected, tolerance) << "14 x 8 at " << resemblance;
  }
  const auto [nine, nine_expected] = shared_key_share("minhash(bands=9, rows=13", 90, 0.8, trials);
  EXPECT_NEAR(nine, nine_expected, tolerance);
  const auto [twenty, twenty_expected] =
      shared_key_share("minhash(values=400, bands=20, rows=20", 90, 0.9, trials / 2);
  EXPECT_NEAR(twenty, twenty_expected, epsilon(static_cast<double>(trials) / 2));
}

// One-sided: more concentrated than the curve's independent draws.
TEST(Statistics, A7FssKeysAreNoFewerThanTheCurve) {
  const std::uint64_t trials = trials_of(40000);
  const double tolerance = epsilon(static_cast<double>(trials));
  for (const std::size_t size : {12U, 90U, 700U}) {
    const auto [sharing, expected] = shared_key_share("fss(bands=28, rows=9", size, 0.8, trials);
    EXPECT_GE(sharing, expected - tolerance) << size;
    const auto [small, small_expected] =
        shared_key_share("fss(bins=128, bands=14, rows=8", size, 0.8, trials);
    EXPECT_GE(small, small_expected - tolerance) << size;
  }
}

/// Whether any key of `a` is one of `b`'s.
bool share_any_key(const Scheme& scheme, const Sketch& a, const Sketch& b,
                   std::vector<std::uint64_t>& keys) {
  keys.clear();
  scheme.keys(a, keys);
  const auto count = static_cast<std::ptrdiff_t>(keys.size());
  scheme.keys(b, keys);
  return std::find_first_of(keys.begin(), keys.begin() + count, keys.begin() + count, keys.end()) !=
         keys.begin() + count;
}

// B-19: two of six super shingles are shared as often as the formula says.
TEST(Statistics, MegaShinglesAreSharedAsTheFormulaSays) {
  for (const double resemblance : {0.8, 0.9, 0.95, 0.98}) {
    const std::uint64_t trials = trials_of(60000);
    double sharing = 0;
    double expected = 0;
    std::vector<std::uint64_t> keys;
    for_sketch_pairs("mega_shingle(shared=2", 200, resemblance, trials,
                     [&](const Scheme& scheme, const Sketch& a, const Sketch& b, double truth) {
                       sharing += share_any_key(scheme, a, b, keys) ? 1 : 0;
                       expected += *scheme.match_probability(truth);
                     });
    const auto all = static_cast<double>(trials);
    EXPECT_NEAR(sharing / all, expected / all, epsilon(all)) << resemblance;
  }
}

/// Chance that, in a random order of `all`, `window` of the `shared` are adjacent somewhere.
double chance_of_run(std::size_t all, std::size_t shared, std::size_t window) {
  // before[used][run]: so many of the shared have come, the last `run` in a row.
  std::vector before(shared + 1, std::vector<double>(window));
  before[0][0] = 1;
  double found = 0;
  for (std::size_t i = 0; i < all; ++i) {
    std::vector after(shared + 1, std::vector<double>(window));
    for (std::size_t used = 0; used <= std::min(i, shared); ++used) {
      for (std::size_t run = 0; run < window; ++run) {
        const double here = before[used][run];
        const double next = static_cast<double>(shared - used) / static_cast<double>(all - i);
        after[used][0] += here * (1 - next);
        if (used == shared) continue;
        (run + 1 == window ? found : after[used + 1][run + 1]) += here * next;
      }
    }
    before = after;
  }
  return found;
}

// B-19, the form of 1997: one window of the sorted samples in common.
TEST(Statistics, SuperShinglesAreSharedWhereARunOfSamplesIs) {
  struct Row {
    std::size_t size;
    double resemblance;
    std::size_t window;
  };
  for (const Row row : {Row{30, 0.5, 4}, Row{30, 0.3, 4}, Row{60, 0.7, 8}, Row{20, 0.8, 6}}) {
    const std::uint64_t trials = trials_of(100000);
    double sharing = 0;
    std::vector<std::uint64_t> keys;
    for_sketch_pairs("super_shingle(modulus=1, window=" + std::to_string(row.window), row.size,
                     row.resemblance, trials,
                     [&](const Scheme& scheme, const Sketch& a, const Sketch& b, double) {
                       sharing += share_any_key(scheme, a, b, keys) ? 1 : 0;
                     });
    const std::size_t shared = shared_for(row.size, row.resemblance);
    const auto all = static_cast<double>(trials);
    EXPECT_NEAR(sharing / all, chance_of_run(2 * row.size - shared, shared, row.window),
                epsilon(all))
        << row.size << " at " << row.resemblance;
  }
}

// A8: one set gives one list of super shingles, whatever the order and the repeats of its shingles;
// one shingle more, or a different one, gives another list.
TEST(Statistics, A8OneSetOneListOfSuperShingles) {
  const std::uint64_t sets = trials_of(1000000);
  for (const char* spec : {"super_shingle(modulus=1, window=4)", "mega_shingle(values=12)"}) {
    const auto scheme = must_make(spec);
    const bool exact = std::string_view(spec).starts_with("super");
    Sketch sketch;
    Sketch shuffled;
    Sketch edited;
    std::uint64_t equal_after_edit = 0;
    for (std::uint64_t i = 0; i < sets / (exact ? 1 : 10); ++i) {
      Shingles shingles = stream_shingles(i + 1, 4 + i % 12);
      sketch_shingles(*scheme, shingles, sketch);
      // A rotation, two in each other's place, one twice.
      std::rotate(shingles.begin(), shingles.begin() + static_cast<long>(1 + i % 3),
                  shingles.end());
      std::swap(shingles[0], shingles[2]);
      shingles.push_back(shingles[1]);
      sketch_shingles(*scheme, shingles, shuffled);
      ASSERT_EQ(sketch.values, shuffled.values) << spec << " " << i;
      ASSERT_EQ(sketch.stored, shuffled.stored) << spec << " " << i;
      shingles.pop_back();
      shingles[i % shingles.size()] ^= 1;
      sketch_shingles(*scheme, shingles, edited);
      equal_after_edit += sketch.values == edited.values ? 1 : 0;
    }
    // A min-hash sketch is a sample: an edit it does not see leaves it equal.
    if (exact) {
      EXPECT_EQ(equal_after_edit, 0U);
    }
  }
}

/// The distribution of how many of `draws` from `all` are among `special` of them,
/// summed up: P(at most i) at i.
std::vector<double> hypergeometric_distribution(std::size_t all, std::size_t special,
                                                std::size_t draws) {
  const auto log_choose = [](std::size_t n, std::size_t k) {
    const auto log_factorial = [](std::size_t m) {
      return std::lgamma(static_cast<double>(m) + 1);
    };
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
  };
  std::vector<double> distribution(draws + 1);
  double sum = 0;
  for (std::size_t i = 0; i <= draws; ++i) {
    if (i <= special && draws - i <= all - special) {
      sum += std::exp(log_choose(special, i) + log_choose(all - special, draws - i) -
                      log_choose(all, draws));
    }
    distribution[i] = sum;
  }
  return distribution;
}

// A3: the estimate of MIN_s is hypergeometric: its mean, its variance, and its whole distribution
// (Dvoretzky, Kiefer, Wolfowitz: the same tolerance). The shared part of the two sketches over s,
// which others have taken for it, is far off.
// B-05: the mean, the variance and the whole distribution of estimates.
TEST(Statistics, A3MinIsHypergeometric) {
  struct Row {
    double resemblance;
    double least_lean;  ///< of the wrong estimate
  };
  constexpr std::size_t draws = 128;
  constexpr std::size_t size = 150;
  const std::uint64_t trials = trials_of(100000);
  const double tolerance = epsilon(static_cast<double>(trials));
  for (const Row row : {Row{0.1, 0.05}, Row{0.5, 0.12}, Row{0.9, 0.03}}) {
    const std::size_t shared = shared_for(size, row.resemblance);
    const std::size_t all = 2 * size - shared;
    double sum = 0;
    double squares = 0;
    double wrong = 0;
    double truth = 0;
    std::vector<double> counts(draws + 1);
    std::vector<std::uint64_t> common;
    for_sketch_pairs("min(samples=128", size, row.resemblance, trials,
                     [&](const Scheme& scheme, const Sketch& a, const Sketch& b, double exact) {
                       const double value = scheme.compare(a.stored, b.stored).resemblance->value;
                       truth = exact;
                       sum += value;
                       squares += (value - exact) * (value - exact);
                       counts[static_cast<std::size_t>(std::lround(value * draws))] += 1;
                       common.clear();
                       std::ranges::set_intersection(a.values, b.values,
                                                     std::back_inserter(common));
                       wrong += static_cast<double>(common.size()) / draws;
                     });
    const auto runs = static_cast<double>(trials);
    EXPECT_NEAR(sum / runs, truth, tolerance) << row.resemblance;
    EXPECT_GT(wrong / runs - truth, row.least_lean) << row.resemblance;
    // The fewer trials of sanitizers would not show the smallest bias.
    if (trials >= 100000) {
      EXPECT_GT(row.least_lean, tolerance);
    }
    const double variance = truth * (1 - truth) / draws * static_cast<double>(all - draws) /
                            static_cast<double>(all - 1);
    EXPECT_NEAR(squares / runs / variance, 1, variance_tolerance(trials)) << row.resemblance;
    const std::vector<double> expected = hypergeometric_distribution(all, shared, draws);
    double seen = 0;
    for (std::size_t i = 0; i <= draws; ++i) {
      seen += counts[i] / runs;
      ASSERT_NEAR(seen, expected[i], tolerance) << row.resemblance << ", " << i;
    }
  }
}

// Of the union's s smallest, those in a document are a sample of it: containment is not biased
// either, not even between documents of different sizes.
TEST(Statistics, A3MinTellsContainment) {
  constexpr std::size_t long_size = 900;
  const std::uint64_t trials = trials_of(100000);
  for (const std::size_t short_size : {300U, 800U}) {
    double known = 0;
    double sum = 0;
    double covered = 0;
    std::unique_ptr<Scheme> scheme;
    for (std::uint64_t i = 0; i < trials; ++i) {
      if (i % 16 == 0) scheme = must_make(with_seed("min(samples=64", seed_of(i)));
      const Shingles longer = stream_shingles(seed_of(i), long_size);
      const Shingles shorter = stream_shingles(seed_of(i), short_size, long_size - short_size / 2);
      const auto estimate =
          scheme->compare(sketch_of(*scheme, shorter).stored, sketch_of(*scheme, longer).stored)
              .containment_a_in_b;
      if (!estimate) continue;
      known += 1;
      sum += estimate->value;
      covered += estimate->low <= 0.5 && 0.5 <= estimate->high ? 1 : 0;
    }
    EXPECT_GT(known, 0.99 * static_cast<double>(trials));
    EXPECT_NEAR(sum / known, 0.5, epsilon(known)) << short_size;
    EXPECT_GT(covered / known, 0.93) << short_size;
  }
}

// A4: MOD_m's estimates over samples that are not empty, and how many are.
// B-06: the means of estimates, and the share of unknown ones.
TEST(Statistics, A4FixedModulus) {
  struct Row {
    std::size_t size;
    std::uint64_t modulus;
  };
  for (const Row row : {Row{50, 25}, Row{200, 25}, Row{120, 7}}) {
    for (const double wanted : {0.3, 0.8}) {
      const std::uint64_t trials = trials_of(150000);
      double known = 0;
      double contained_known = 0;
      double resemblance = 0;
      double containment = 0;
      double truth = 0;
      for_sketch_pairs("mod(modulus=" + std::to_string(row.modulus), row.size, wanted, trials,
                       [&](const Scheme& scheme, const Sketch& a, const Sketch& b, double exact) {
                         const Comparison comparison = scheme.compare(a.stored, b.stored);
                         truth = exact;
                         if (comparison.resemblance) {
                           known += 1;
                           resemblance += comparison.resemblance->value;
                         }
                         if (comparison.containment_a_in_b) {
                           contained_known += 1;
                           containment += comparison.containment_a_in_b->value;
                         }
                       });
      const auto all = static_cast<double>(trials);
      const auto size = static_cast<double>(row.size);
      const double shared = truth * 2 * size / (1 + truth);
      const double dropped = 1 - 1 / static_cast<double>(row.modulus);
      EXPECT_NEAR(1 - known / all, std::pow(dropped, 2 * size - shared), epsilon(all));
      EXPECT_NEAR(1 - contained_known / all, std::pow(dropped, size), epsilon(all));
      EXPECT_NEAR(resemblance / known, truth, epsilon(known)) << row.size << " at " << wanted;
      EXPECT_NEAR(containment / contained_known, shared / size, epsilon(contained_known));
    }
  }
}

// The fitted modulus depends on the sample it is fitted to; that must not bias the estimates, least
// of all where half of the documents take one modulus and half the next.
TEST(Statistics, A4FittedModulus) {
  for (const std::size_t size : {128U, 130U, 200U, 256U, 1000U}) {
    const std::uint64_t trials = trials_of(size > 500 ? 10000 : 30000);
    double resemblance = 0;
    double containment = 0;
    double truth = 0;
    for_sketch_pairs("mod(samples=64", size, 0.5, trials,
                     [&](const Scheme& scheme, const Sketch& a, const Sketch& b, double exact) {
                       const Comparison comparison = scheme.compare(a.stored, b.stored);
                       resemblance += comparison.resemblance->value;
                       containment += comparison.containment_b_in_a->value;
                       truth = exact;
                     });
    const auto all = static_cast<double>(trials);
    const auto n = static_cast<double>(size);
    EXPECT_NEAR(resemblance / all, truth, epsilon(all) / 3) << size;
    EXPECT_NEAR(containment / all, static_cast<double>(shared_for(size, 0.5)) / n, epsilon(all) / 3)
        << size;
  }
}

// A5: V_i holds n / 2^i on average; documents of 100 * 2^i to 100 * 2^(i+1)
// shingles keep 100 to 200 at 2^i, not the 50 to 100 once printed.
TEST(Statistics, A5NestedSamplesHaveTheirMeanSize) {
  for (const unsigned i : {1U, 3U, 5U}) {
    for (const std::size_t size : {std::size_t{100} << i, std::size_t{199} << i}) {
      const std::uint64_t trials = trials_of(20000 >> i);
      const auto modulus = static_cast<double>(std::uint64_t{1} << i);
      double sum = 0;
      for (std::uint64_t trial = 0; trial < trials; ++trial) {
        const auto scheme = must_make(
            with_seed("mod(modulus=" + std::to_string(std::uint64_t{1} << i), seed_of(trial)));
        sum += static_cast<double>(sketch_of(*scheme, stream_shingles(trial, size)).values.size());
      }
      const auto n = static_cast<double>(size);
      const auto all = static_cast<double>(trials);
      const double deviation = std::sqrt(n / modulus * (1 - 1 / modulus) / all);
      EXPECT_NEAR(sum / all, n / modulus, 5.73 * deviation) << i << " " << size;
    }
  }
}

// A5 of B's own rule, the modulus of the size class: the printed formula gives 100 to 200 samples,
// and half the scale the 50 to 100 printed with it. A4: the share of empty samples is tested
// separately; here there are next to none.
// B-09: 100 to 200 values by the printed rule, 50 to 100 by twice the modulus.
TEST(Statistics, A5SizeClassesHaveTheirMeanSize) {
  for (const double scale : {100.0, 50.0}) {
    for (const unsigned i : {1U, 3U, 5U}) {
      for (const std::size_t size : {std::size_t{100} << i, std::size_t{199} << i}) {
        const std::uint64_t trials = trials_of(20000 >> i);
        const double modulus = std::exp2(i) * 100 / scale;
        double sum = 0;
        double empty = 0;
        for (std::uint64_t trial = 0; trial < trials; ++trial) {
          const auto scheme =
              must_make(with_seed(scale == 100 ? "mod(scale=100" : "mod(scale=50", seed_of(trial)));
          const Sketch sketch = sketch_of(*scheme, stream_shingles(trial, size));
          sum += static_cast<double>(sketch.values.size());
          empty += sketch.values.empty() ? 1 : 0;
        }
        const auto n = static_cast<double>(size);
        const auto all = static_cast<double>(trials);
        const double deviation = std::sqrt(n / modulus * (1 - 1 / modulus) / all);
        EXPECT_NEAR(sum / all, n / modulus, 5.73 * deviation) << scale << " " << i << " " << size;
        EXPECT_GT(sum / all, 0.95 * scale);
        EXPECT_LT(sum / all, 2.05 * scale);
        EXPECT_NEAR(empty / all, std::pow(1 - 1 / modulus, n), epsilon(all));
      }
    }
  }
}

// A4 by size class: documents of two classes, compared at the longer's modulus. With 18 samples
// expected, only one in 10^8 documents has none.
TEST(Statistics, A4SizeClasses) {
  const std::uint64_t trials = trials_of(40000);
  double resemblance = 0;
  double containment = 0;
  std::unique_ptr<Scheme> scheme;
  for (std::uint64_t i = 0; i < trials; ++i) {
    if (i % 16 == 0) scheme = must_make(with_seed("mod(scale=16", seed_of(i)));
    const Shingles longer = stream_shingles(seed_of(i), 300);
    const Shingles shorter = stream_shingles(seed_of(i), 120, 240);
    const Comparison comparison =
        scheme->compare(sketch_of(*scheme, shorter).stored, sketch_of(*scheme, longer).stored);
    resemblance += comparison.resemblance->value;
    containment += comparison.containment_b_in_a->value;
  }
  const auto all = static_cast<double>(trials);
  EXPECT_NEAR(resemblance / all, 60 / 360.0, epsilon(all));
  EXPECT_NEAR(containment / all, 60 / 300.0, epsilon(all));
}

// B-10: a short text and a long one, with a few samples left. The interval holds the truth in 95 %
// of documents.
TEST(Statistics, IntervalsOfMODHoldTheTruth) {
  struct Row {
    const char* spec;
    std::size_t size;
  };
  // Five samples of 125; and fitted moduli, where a part of all is seen.
  for (const Row row : {Row{"mod(modulus=25", 125}, Row{"mod(modulus=16", 400},
                        Row{"mod(samples=100", 150}, Row{"mod(samples=100", 700}}) {
    double covered = 0;
    double known = 0;
    const std::uint64_t trials = trials_of(4000);
    for (const double wanted : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}) {
      for_sketch_pairs(row.spec, row.size, wanted, trials,
                       [&](const Scheme& scheme, const Sketch& a, const Sketch& b, double) {
                         const auto estimate =
                             scheme.compare(a.stored, b.stored).containment_a_in_b;
                         if (!estimate) return;
                         const double truth = static_cast<double>(shared_for(row.size, wanted)) /
                                              static_cast<double>(row.size);
                         known += 1;
                         covered += estimate->low <= truth && truth <= estimate->high ? 1 : 0;
                       });
    }
    EXPECT_NEAR(covered / known, 0.95, 0.02) << row.spec << " " << row.size;
  }
}

// B-10: a short text and one twenty times as long, at whose modulus few samples of the short one
// are left. The interval holds the share of it that the long one has in 95 % of documents.
TEST(Statistics, IntervalsOfAShortTextInALongOneHoldTheTruth) {
  constexpr std::size_t short_size = 150;
  constexpr std::size_t long_size = 3000;
  for (const char* spec : {"mod(samples=100", "mod(scale=100"}) {
    double covered = 0;
    double known = 0;
    double samples = 0;
    double error = 0;
    const std::uint64_t trials = trials_of(1000);
    for (const double wanted : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}) {
      const auto shared = static_cast<std::size_t>(wanted * short_size + 0.5);
      const double truth = static_cast<double>(shared) / short_size;
      std::unique_ptr<Scheme> scheme;
      for (std::uint64_t i = 0; i < trials; ++i) {
        if (i % 16 == 0) scheme = must_make(with_seed(spec, seed_of(i)));
        const std::uint64_t stream = seed_of(trials * shared + i);
        const Sketch longer = sketch_of(*scheme, stream_shingles(stream, long_size));
        const Sketch shorter =
            sketch_of(*scheme, stream_shingles(stream, short_size, long_size - shared));
        const auto estimate = scheme->compare(shorter.stored, longer.stored).containment_a_in_b;
        if (!estimate) continue;
        known += 1;
        error += estimate->value - truth;
        covered += estimate->low <= truth && truth <= estimate->high ? 1 : 0;
        samples += static_cast<double>(longer.values.size());
      }
    }
    EXPECT_LT(samples / known, long_size / 12.0) << spec << ": the long text's modulus";
    EXPECT_NEAR(error / known, 0, epsilon(known)) << spec;
    EXPECT_NEAR(covered / known, 0.95, 0.02) << spec;
  }
}

// B-29, section 6.6: a copy of which every shingle that one seed samples has been changed is unlike
// its source under that seed, and under any other as alike as it is.
TEST(Statistics, ACopyMadeForOneSeedIsCaughtUnderOthers) {
  constexpr std::size_t size = 2000;
  const std::uint64_t trials = trials_of(200);
  double dodged = 0;
  double sum = 0;
  double truth = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const auto known = must_make(with_seed("mod(modulus=25", seed_of(2 * trial)));
    const auto secret = must_make(with_seed("mod(modulus=25", seed_of(2 * trial + 1)));
    const Shingles source = stream_shingles(trial, size);
    Shingles copy = source;
    double changed = 0;
    for (std::uint64_t& shingle : copy) {
      if (sketch_of(*known, {shingle}).values.empty()) continue;
      shingle = mix64(shingle);
      changed += 1;
    }
    const auto resemblance = [&](const Scheme& scheme) {
      return scheme.compare(sketch_of(scheme, source).stored, sketch_of(scheme, copy).stored)
          .resemblance->value;
    };
    dodged += resemblance(*known) == 0 ? 1 : 0;
    sum += resemblance(*secret);
    truth += (size - changed) / (size + changed);
  }
  const auto all = static_cast<double>(trials);
  EXPECT_EQ(dodged, all);
  EXPECT_GT(truth / all, 0.9);
  // Each estimate is of some 83 samples that are as good as drawn one by one.
  EXPECT_NEAR(sum / all, truth / all, 5.73 * std::sqrt(0.92 * 0.08 / (80 * all)));
}

// B-07: the values MOD_m selects by are even in every byte, over shingles of random words, under
// twinset's hash and under Rabin's fingerprints of 64 and of 40 bits. Chi-square over 256 cells, at
// 10^-8 in all.
TEST(Statistics, SelectedValuesAreEven) {
  constexpr std::size_t count = 400000;
  const Shingles numbers = stream_shingles(1, count);
  for (const auto& [spec, bytes] :
       std::vector<std::pair<std::string, int>>{{"mod(modulus=1)", 8},
                                                {"mod(modulus=1, hash=rabin)", 8},
                                                {"mod(modulus=1, hash=rabin, bits=40)", 5}}) {
    const Sketch sketch = sketch_of_tokens(*must_make(spec), numbers);
    ASSERT_GE(sketch.values.size(), count - 4) << spec;
    const double each = static_cast<double>(sketch.values.size()) / 256;
    for (int byte = 8 - bytes; byte < 8; ++byte) {
      std::array<double, 256> cells{};
      for (const std::uint64_t value : sketch.values) cells[value >> (8 * byte) & 255] += 1;
      double chi_square = 0;
      for (const double cell : cells) chi_square += (cell - each) * (cell - each) / each;
      // 255 degrees: mean 255, deviation 22.6; 10^-9 is at about 408.
      EXPECT_LT(chi_square, 408) << spec << " byte " << byte;
      EXPECT_GT(chi_square, 140) << spec << " byte " << byte << ": too even to be a hash";
    }
  }
}

}  // namespace
}  // namespace twinset
