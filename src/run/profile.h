// A profile: the values that `twinset calibrate` chose for a scheme and an analyzer, which runs of
// other verbs take (docs/formats/profile.md).
//
//   TWINSET_TRY(apply_profile(files, {&options, &options.resemblance, set_check}));
//
// Options typed by hand win. A run under another scheme or analyzer is refused: the values say
// nothing about it.
//
// Threads: pure functions, except for reading files.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "scheme/scheme.h"
#include "system/files.h"
#include "twinset/collection.h"
#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

/// Exactly one of `distance`, `resemblance` and neither: then the scheme itself was chosen.
struct Profile {
  std::string scheme;       ///< full spec
  std::string fingerprint;  ///< of the scheme, made for `resemblance`, and the analyzer
  std::string analyzer;
  std::uint32_t analyzer_version = 0;
  std::string distance;  ///< as --distance takes it; empty: none
  std::optional<Ratio> resemblance;
  std::optional<Check> check;  ///< under which `resemblance` was chosen
  std::string checked = "[]";  ///< the shares on the half that did not choose, a JSON array
  std::string made = "{}";     ///< where it comes from, a JSON object
};

/// The profile as a file holds it.
std::string profile_text(Profile profile);

/// Errors name `path` and the place: io (the text is not JSON, or no profile), usage (another
/// version).
Result<Profile> parse_profile(std::string_view text, const std::string& path);

/// The options that a profile sets.
struct ProfileTarget {
  ComparisonOptions* options = nullptr;
  Ratio* resemblance = nullptr;
  std::function<void(Check)> set_check;  ///< sets --verify
};

/// Sets the options that ComparisonOptions::typed does not name, and ComparisonOptions::profile to
/// PATH@HASH. Does nothing without a profile. Errors: read_profile's; usage, if the scheme or the
/// analyzer of the run is another.
Status apply_profile(FileSystem& files, const ProfileTarget& target);

}  // namespace twinset
