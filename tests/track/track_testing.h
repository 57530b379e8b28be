// Shared by the tests of track: versions made of words, and their sketches.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "scheme/record_view.h"
#include "scheme/scheme.h"
#include "scheme/spec.h"
#include "support/scratch_folder.h"
#include "support_runs/job_fixture.h"
#include "track/page_version.h"

namespace twinset::testing {

/// `words` words, the same for a seed.
inline std::string page_words(std::uint64_t seed, std::size_t words) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    text += (i > 0 ? " w" : "w") + std::to_string(mix64(seed << 20 | i) % 20'000);
  }
  return text;
}

/// Makes versions as a run keeps them.
class VersionMaker {
 public:
  const Scheme& signer() const { return *signer_; }
  const Scheme& sampler() const { return *sampler_; }

  PageVersion operator()(const std::string& url, const std::string& date,
                         const std::string& text) const {
    PageVersion version;
    version.host = url.substr(0, url.find('/'));
    version.url = url;
    version.written = date;
    version.date = parse_date(date).value();
    version.id = "\"" + url + " " + date + "\"";
    Record record;
    record.text = text;
    RecordView view(rule_);
    view.look_at(record);
    version.bytes_hash = checksum(text);
    version.tokens_hash = view.lexical_fingerprint();
    version.signature = stored(*signer_, view);
    version.sample = stored(*sampler_, view);
    return version;
  }

 private:
  static std::unique_ptr<Scheme> made(const std::string& spec) {
    return make_scheme(spec, 0.5, disk()).value();
  }
  static std::string stored(const Scheme& scheme, const RecordView& view) {
    Sketch sketch;
    scheme.sketch(view, sketch);
    if (sketch.empty) return {};
    return {sketch.stored.begin(), sketch.stored.end()};
  }

  ViewRule rule_ = view_rule({.analyzer = "words"}).value();
  std::unique_ptr<Scheme> signer_ = made("simhash");
  std::unique_ptr<Scheme> sampler_ = made("mod(samples=256)");
};

}  // namespace twinset::testing
