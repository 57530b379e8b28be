// What each version of a page is to the one before it, and when to read the page again.
//
//   VersionChain chain(signer, sampler, 3);
//   for (const PageVersion& version : page) chain.add(version, known);   // in order
//   chain.end(known);
//   chain.recrawl_days()
//
// Whether a version is broken is known when a later one is like the page again, or when none of the
// next versions is: so `known` gets versions with a delay, and a page may have any number of them.
//
// Threads: belongs to one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "scheme/scheme.h"
#include "track/page_version.h"
#include "twinset/index.h"

namespace twinset {

/// What estimates shares: of a sample of so many shingles a share is known to 0.03.
inline constexpr const char* version_sampler = "mod(samples=256)";
/// A version is unlike its page below this resemblance, and like it again from the other on.
inline constexpr double unlike_resemblance = 0.2;
inline constexpr double back_resemblance = 0.5;
/// A change is small that leaves so much, where no signature weighs it.
inline constexpr double small_resemblance = 0.9;
/// A page that is not like itself again after so many versions has been rewritten.
inline constexpr std::size_t most_broken_versions = 16;
/// So many versions of one signature, or so many changes, one after the other, change the interval
/// (S 2.6.1).
inline constexpr std::uint64_t steady_versions = 3;
inline constexpr std::uint64_t steady_changes = 3;

class VersionChain {
 public:
  /// `signer` has signatures with distances, `sampler` estimates shares. Null: there is none;
  /// without a signer a change is small that leaves small_resemblance.
  VersionChain(const Scheme* signer, const Scheme* sampler, unsigned distance)
      : signer_(signer), sampler_(sampler), distance_(distance) {}

  /// Begins the versions of another page.
  void begin();
  /// Appends to `known` the versions that are known now.
  void add(const PageVersion& version, std::vector<TrackedVersion>& known);
  /// Appends the others.
  void end(std::vector<TrackedVersion>& known);

  /// nullopt: all versions are of one moment.
  std::optional<double> recrawl_days() const;

 private:
  struct Change {
    std::optional<double> resemblance;
    std::optional<double> containment;  ///< of the earlier in the later
  };
  Change between(const PageVersion& earlier, const PageVersion& later) const;
  void note_pace(const PageVersion& version, const TrackedVersion& tracked);

  bool is_small(const TrackedVersion& tracked) const;

  const Scheme* signer_;
  const Scheme* sampler_;
  unsigned distance_;
  std::optional<PageVersion> last_;
  std::optional<PageVersion> page_;  ///< as it was before it broke, if it has
  std::vector<TrackedVersion> unsure_;
  std::optional<double> days_;  ///< between the last two dates
  /// At the end: versions whose signatures are equal to the one before, or are not.
  std::uint64_t equal_ = 0;
  std::uint64_t unequal_ = 0;
};

}  // namespace twinset
