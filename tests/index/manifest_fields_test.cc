// The rules that hold between the fields of a manifest.
#include <gtest/gtest.h>

#include "index/manifest.h"
#include "io/field_json.h"

namespace twinset::testing {
namespace {

TEST(ManifestFields, NoMoreDocumentsAreDeletedThanThereAre) {
  Manifest manifest;
  manifest.settings.scheme = {"fss"};
  manifest.segments = {{1, 10, 10, 2, "aa"}};
  const std::string json = fields_json(fields_of(manifest));
  Manifest read;
  EXPECT_TRUE(read_fields(json, "x", fields_of(read)).ok());
  EXPECT_EQ(read.segments, manifest.segments);
  manifest.segments[0].deleted = 11;
  EXPECT_FALSE(read_fields(fields_json(fields_of(manifest)), "x", fields_of(read)).ok());
}

}  // namespace
}  // namespace twinset::testing
