#include "collection/collection.h"

#include <gtest/gtest.h>

#include "collection/file_collection.h"
#include "support_runs/job_testing.h"

namespace twinset {
namespace {

TEST(ProtectedSources, AreTheReferences) {
  InputList list;
  for (const bool reference : {true, true, false}) {
    Input input;
    input.reference = reference;
    list.inputs.push_back(input);
  }
  EXPECT_EQ(protected_sources(FileCollection(testing::unsynced(), list)), 2U);
  Source source;
  EXPECT_FALSE(source.is_protected());
  source.role = Role::reference;
  EXPECT_TRUE(source.is_protected());
}

}  // namespace
}  // namespace twinset
