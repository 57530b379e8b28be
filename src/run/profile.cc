// The reader knows every field: a file with others is of a newer version, or none of ours.
//
// This file's interface is run/profile.h; the rest is private.
#include "run/profile.h"

#include <algorithm>

#include "base/file_header.h"
#include "base/message.h"
#include "io/field_json.h"
#include "join/distance_limit.h"
#include "scheme/spec.h"
#include "text/analyzer.h"

namespace twinset {
namespace {

constexpr std::uint64_t profile_version = 1;
constexpr std::uint64_t most_profile_bytes = std::uint64_t{1} << 20;

/// [{"below_tokens": 100, "distance": 2}, {"distance": 3}] of "100:2,3"; a number of "3".
std::string distance_json(std::string_view distance) {
  if (distance.find(':') == std::string_view::npos) return std::string(distance);
  std::string out = "[";
  while (!distance.empty()) {
    const std::string_view part = distance.substr(0, distance.find(','));
    distance.remove_prefix(std::min(part.size() + 1, distance.size()));
    const std::size_t colon = part.find(':');
    if (out.size() > 1) out += ", ";
    std::string_view below = part.substr(0, colon == std::string_view::npos ? 0 : colon);
    std::string_view bits = part.substr(below.empty() ? 0 : colon + 1);
    append_fields(out,
                  {if_set({"below_tokens", AsWritten{&below}}), {"distance", AsWritten{&bits}}});
  }
  return out + "]";
}

Status read_distance(std::string_view json, std::string& distance) {
  TWINSET_ASSIGN(const JsonNode value, read_json(json, "distance"));
  distance = value.kind() == JsonKind::number ? value.raw() : "";
  for (const JsonNode& each : value.elements()) {
    const JsonNode below = each["below_tokens"];
    if (!each["distance"].integer() || (below && !below.integer()) ||
        each.fields().size() != (below ? 2U : 1U)) {
      return usage_error(
          "is not a list of {\"below_tokens\": N, \"distance\": BITS}, the last without "
          "\"below_tokens\"");
    }
    if (!distance.empty()) distance += ',';
    if (below) distance += std::string(below.raw()) + ":";
    distance += each["distance"].raw();
  }
  if (distance.empty()) return usage_error("is neither a number nor a list");
  const auto limit = DistanceLimit::parse(distance);
  return limit.ok() ? Status() : usage_error("cannot be: " + limit.error().message);
}

/// A part of the file that is kept as it is: an array or an object.
JsonForm part_form(std::string& part, char opening) {
  return {[&part] { return part; },
          [&part, opening](std::string_view json) -> Status {
            if (json.front() != opening) {
              return usage_error(opening == '[' ? "is not an array" : "is not an object");
            }
            part = json;
            return {};
          }};
}

JsonForm resemblance_form(std::optional<Ratio>& resemblance) {
  return {[&resemblance] { return resemblance ? resemblance->text() : ""; },
          [&resemblance](std::string_view json) -> Status {
            const Result<Ratio> ratio = Ratio::parse(json);
            if (!ratio.ok() || ratio.value().numerator() == 0) {
              return usage_error("is not a number above 0 and at most 1");
            }
            resemblance = ratio.value();
            return {};
          }};
}

std::vector<Field> fields_of(Profile& profile) {
  return {{"profile", Computed{[] { return profile_version; }}},
          {"scheme", &profile.scheme, Unit::code},
          {"fingerprint", &profile.fingerprint, Unit::code},
          {"analyzer", Nested([&profile] {
             return std::vector<Field>{{"name", &profile.analyzer},
                                       {"version", &profile.analyzer_version}};
           })},
          if_set({"distance", JsonForm{[&profile] { return distance_json(profile.distance); },
                                       [&profile](std::string_view json) {
                                         return read_distance(json, profile.distance);
                                       }}}),
          if_set({"resemblance", resemblance_form(profile.resemblance), Unit::share}),
          if_set({"verify", Choice(&profile.check, {"exact", "sketch"})}),
          if_set({"checked", part_form(profile.checked, '[')}),
          if_set({"made", part_form(profile.made, '{')}),
          {"scheme and fingerprint are not empty", FieldRule{[&profile] {
             return !profile.scheme.empty() && !profile.fingerprint.empty();
           }}},
          {"distance or resemblance, not both",
           FieldRule{[&profile] { return profile.distance.empty() || !profile.resemblance; }}}};
}

}  // namespace

std::string profile_text(Profile profile) {
  return fields_json(fields_of(profile), JsonLayout::lines);
}

Result<Profile> parse_profile(std::string_view text, const std::string& path) {
  TWINSET_ASSIGN(const JsonNode root, read_json(text, path));
  const JsonNode version = root["profile"];
  if (!version) return io_error(path + " is not a profile: it has no member \"profile\"");
  if (version.integer() != profile_version) {
    return usage_error(path + " is a profile of version " + std::string(version.raw()) +
                       ", and this twinset reads version " + std::to_string(profile_version) +
                       "; calibrate again");
  }
  Profile profile;
  const std::vector<Field> fields = fields_of(profile);
  for (const auto& [name, value] : root.fields()) {
    if (std::ranges::find(fields, name, &Field::name) == fields.end()) {
      return io_error(path + " has an unknown member \"" + name + "\", at byte " +
                      std::to_string(value.raw().data() - text.data()));
    }
  }
  TWINSET_TRY(read_fields(text, path, root, fields));
  return profile;
}

Status apply_profile(FileSystem& files, const ProfileTarget& target) {
  ComparisonOptions& options = *target.options;
  if (options.profile.empty()) return {};
  const std::string path = options.profile;
  TWINSET_ASSIGN(const std::string text, read_whole_file(files, path, most_profile_bytes));
  TWINSET_ASSIGN(const Profile profile, parse_profile(text, path));
  const auto typed = [&](std::string_view name) {
    return std::ranges::find(options.typed, name) != options.typed.end();
  };
  if (!typed("analyzer")) options.analyzer = profile.analyzer;
  TWINSET_ASSIGN(const Analyzer* const analyzer, require_analyzer(options.analyzer));
  if (options.analyzer != profile.analyzer || analyzer->version() != profile.analyzer_version) {
    return usage_error(path + " was calibrated for analyzer " + profile.analyzer + " of version " +
                       std::to_string(profile.analyzer_version) + ", and this run uses " +
                       options.analyzer + " of version " + std::to_string(analyzer->version()) +
                       "; calibrate for it, or leave " + option("profile") + " out");
  }
  if (!typed("scheme")) options.scheme = profile.scheme;
  // Schemes with bands are planned for a threshold: the profile's, to compare them.
  TWINSET_ASSIGN(const std::unique_ptr<Scheme> scheme,
                 make_scheme(seeded_spec(spec_for(*analyzer, options.scheme), options.seed),
                             profile.resemblance.value_or(Ratio(1, 1)).value(), files));
  ViewRule rule;
  rule.analyzer = analyzer;
  rule.shingle_tokens = scheme->shingle_tokens() != 0 ? scheme->shingle_tokens()
                                                      : verification_shingle_tokens(*analyzer);
  if (fingerprint_text(scheme_fingerprint(*scheme, rule)) != profile.fingerprint) {
    return usage_error(path + " was calibrated for the scheme " + profile.scheme +
                       ", and this run uses " + scheme->spec() + "; leave " + option("scheme") +
                       " and " + option("seed") + " out to use the profile's, or calibrate for it");
  }
  if (!profile.distance.empty() && !typed("distance")) options.distance = profile.distance;
  if (profile.resemblance && !typed("resemblance")) *target.resemblance = *profile.resemblance;
  if (profile.check && !typed("verify")) target.set_check(*profile.check);
  options.profile = path + "@" + fingerprint_text(fingerprint_bytes(text));
  return {};
}

}  // namespace twinset
