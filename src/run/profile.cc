// The reader knows every member: a file with others is of a newer version, or none of ours.
//
// This file's interface is run/profile.h; the rest is private.
#include "run/profile.h"

#include <algorithm>
#include <array>

#include "base/file_header.h"
#include "base/message.h"
#include "io/json.h"
#include "io/json_read.h"
#include "join/distance_limit.h"
#include "scheme/spec.h"
#include "text/analyzer.h"

namespace twinset {
namespace {

constexpr std::uint64_t profile_version = 1;
constexpr std::uint64_t most_profile_bytes = std::uint64_t{1} << 20;
constexpr std::array<std::string_view, 2> check_names = {"exact", "sketch"};

/// [{"below_tokens": 100, "distance": 2}, {"distance": 3}] of "100:2,3"; a number of "3".
std::string distance_json(std::string_view distance) {
  if (distance.find(':') == std::string_view::npos) return std::string(distance);
  std::string out = "[";
  while (!distance.empty()) {
    const std::string_view part = distance.substr(0, distance.find(','));
    distance.remove_prefix(std::min(part.size() + 1, distance.size()));
    const std::size_t colon = part.find(':');
    if (out.size() > 1) out += ", ";
    JsonObject object(out);
    if (colon != std::string_view::npos) object.raw("below_tokens", part.substr(0, colon));
    object.raw("distance", part.substr(colon == std::string_view::npos ? 0 : colon + 1)).end();
  }
  return out + "]";
}

/// The members of a profile, one by one.
class ProfileReader {
 public:
  ProfileReader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  Result<Profile> read() {
    TWINSET_ASSIGN(const JsonNode root, read_json(text_, path_));
    if (root.kind() != JsonKind::object) return wrong(root, "is not a profile, but another value");
    const JsonNode version = root["profile"];
    if (!version) return wrong(root, "is not a profile: it has no member \"profile\"");
    if (version.integer() != profile_version) {
      return usage_error(path_ + " is a profile of version " + std::string(version.raw()) +
                         ", and this twinset reads version " + std::to_string(profile_version) +
                         "; calibrate again");
    }
    for (const auto& [name, value] : root.fields()) TWINSET_TRY(member(name, value));
    return complete(root);
  }

 private:
  Status member(const std::string& name, const JsonNode& value) {
    if (name == "profile") return {};
    if (name == "scheme") return text(name, value, profile_.scheme);
    if (name == "fingerprint") return text(name, value, profile_.fingerprint);
    if (name == "analyzer") return analyzer(value);
    if (name == "distance") return distance(value);
    if (name == "resemblance") return resemblance(value);
    if (name == "verify") return check(value);
    const bool checked = name == "checked";
    if (!checked && name != "made") return wrong(value, "has an unknown member \"" + name + "\"");
    if (value.kind() != (checked ? JsonKind::array : JsonKind::object)) {
      return wrong(value,
                   "has a \"" + name + "\" that is not " + (checked ? "an array" : "an object"));
    }
    (checked ? profile_.checked : profile_.made) = value.raw();
    return {};
  }

  Status text(const std::string& name, const JsonNode& value, std::string& out) const {
    if (value.kind() != JsonKind::string || value.text().empty()) {
      return wrong(value, "has a \"" + name + "\" that is not a text");
    }
    out = value.text();
    return {};
  }

  Status analyzer(const JsonNode& value) {
    const std::optional<std::uint64_t> version = value["version"].integer();
    if (value.kind() != JsonKind::object || value["name"].kind() != JsonKind::string || !version ||
        *version > UINT32_MAX || value.fields().size() != 2) {
      return wrong(value, "has an \"analyzer\" that is not {\"name\": TEXT, \"version\": NUMBER}");
    }
    profile_.analyzer = value["name"].text();
    profile_.analyzer_version = static_cast<std::uint32_t>(*version);
    return {};
  }

  Status distance(const JsonNode& value) {
    std::string out;
    if (value.kind() == JsonKind::number) out = value.raw();
    for (const JsonNode& each : value.elements()) {
      const JsonNode below = each["below_tokens"];
      const bool known = each.kind() == JsonKind::object && each["distance"].integer() &&
                         (!below || below.integer()) && each.fields().size() == (below ? 2U : 1U);
      if (!known) {
        return wrong(each,
                     "has a \"distance\" that is not {\"below_tokens\": N, \"distance\": BITS}, "
                     "the last without \"below_tokens\"");
      }
      if (!out.empty()) out += ',';
      if (below) out += std::string(below.raw()) + ":";
      out += each["distance"].raw();
    }
    if (out.empty()) return wrong(value, "has a \"distance\" that is neither a number nor a list");
    if (const auto limit = DistanceLimit::parse(out); !limit.ok()) {
      return wrong(value, "has a \"distance\" that cannot be: " + limit.error().message);
    }
    profile_.distance = std::move(out);
    return {};
  }

  Status resemblance(const JsonNode& value) {
    const Result<Ratio> ratio = Ratio::parse(value.raw());
    if (value.kind() != JsonKind::number || !ratio.ok() || ratio.value().numerator() == 0) {
      return wrong(value, "has a \"resemblance\" that is not a number above 0 and at most 1");
    }
    profile_.resemblance = ratio.value();
    return {};
  }

  Status check(const JsonNode& value) {
    const auto name = std::ranges::find(check_names, value.text());
    if (value.kind() != JsonKind::string || name == check_names.end()) {
      return wrong(value, "has a \"verify\" that is neither \"exact\" nor \"sketch\"");
    }
    profile_.check = static_cast<Check>(name - check_names.begin());
    return {};
  }

  Result<Profile> complete(const JsonNode& root) {
    for (const char* name : {"scheme", "fingerprint", "analyzer"}) {
      if (!root[name]) return wrong(root, "has no \"" + std::string(name) + "\"");
    }
    if (!profile_.distance.empty() && profile_.resemblance) {
      return wrong(root["resemblance"], "has both a \"distance\" and a \"resemblance\"");
    }
    return std::move(profile_);
  }

  Error wrong(const JsonNode& at, const std::string& what) const {
    return io_error(path_ + " " + what + ", at byte " +
                    std::to_string(at.raw().data() - text_.data()));
  }

  std::string_view text_;
  const std::string& path_;
  Profile profile_;
};

}  // namespace

std::string profile_text(const Profile& profile) {
  std::string analyzer;
  JsonObject(analyzer)
      .string("name", profile.analyzer)
      .number("version", profile.analyzer_version)
      .end();
  std::string out = "{\n  \"profile\": " + std::to_string(profile_version);
  const auto member = [&](std::string_view name, std::string_view json) {
    out += ",\n  ";
    append_json_string(out, name);
    out += ": ";
    out += json;
  };
  const auto text = [&](std::string_view name, std::string_view value) {
    std::string json;
    append_json_string(json, value);
    member(name, json);
  };
  text("scheme", profile.scheme);
  text("fingerprint", profile.fingerprint);
  member("analyzer", analyzer);
  if (!profile.distance.empty()) member("distance", distance_json(profile.distance));
  if (profile.resemblance) member("resemblance", profile.resemblance->text());
  if (profile.check) text("verify", check_names[static_cast<std::size_t>(*profile.check)]);
  member("checked", profile.checked);
  member("made", profile.made);
  return out + "\n}\n";
}

Result<Profile> parse_profile(std::string_view text, const std::string& path) {
  return ProfileReader(text, path).read();
}

Status apply_profile(FileSystem& files, const ProfileTarget& target) {
  CollectionOptions& options = *target.options;
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
