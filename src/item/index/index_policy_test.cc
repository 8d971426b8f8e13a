#include "item/index/index_policy.h"

#include <gtest/gtest.h>

namespace orrery::item {
namespace {

using model::PathStep;
using Place = std::vector<PathStep>;

const PathStep kA = PathStep::Field("a");
const PathStep kB = PathStep::Field("b");

TEST(IndexPolicyTest, NothingByDefault) {
  const IndexPolicy policy;
  EXPECT_TRUE(policy.empty());
  EXPECT_FALSE(policy.Indexes(Place{kA}));
}

TEST(IndexPolicyTest, AllButTheEtag) {
  const IndexPolicy policy = IndexPolicy::All();
  EXPECT_TRUE(policy.Indexes(Place{kA}));
  EXPECT_TRUE(policy.Indexes(Place{kA, PathStep::Element(), kB}));
  EXPECT_FALSE(policy.Indexes(Place{PathStep::Field("_etag")}));
  EXPECT_TRUE(policy.Indexes(Place{kA, PathStep::Field("_etag")}));
}

TEST(IndexPolicyTest, TheDeeperPatternWins) {
  const auto policy = IndexPolicy::FromPatterns({"/*", "/a/b/?"}, {"/a/*"});
  ASSERT_TRUE(policy.has_value());
  EXPECT_TRUE(policy->Indexes(Place{kB}));
  EXPECT_FALSE(policy->Indexes(Place{kA}));
  EXPECT_TRUE(policy->Indexes(Place{kA, kB}));
  EXPECT_FALSE(policy->Indexes(Place{kA, kB, kB}));
}

TEST(IndexPolicyTest, WalkersSkipWhatCannotBeIndexed) {
  const auto policy = IndexPolicy::FromPatterns({"/a/b/?"}, {"/*"});
  ASSERT_TRUE(policy.has_value());
  EXPECT_TRUE(policy->MayIndexBelow(Place{kA}));
  EXPECT_FALSE(policy->MayIndexBelow(Place{kB}));
}

TEST(IndexPolicyTest, TheRootMustBeInOneList) {
  EXPECT_FALSE(IndexPolicy::FromPatterns({"/a/?"}, {}).has_value());
  EXPECT_FALSE(IndexPolicy::FromPatterns({"/*"}, {"/*"}).has_value());
  EXPECT_FALSE(IndexPolicy::FromPatterns({"/*", "/a/?"}, {"/a/?"}).has_value());
  EXPECT_FALSE(IndexPolicy::FromPatterns({"/*", "nonsense"}, {}).has_value());
  EXPECT_TRUE(IndexPolicy::FromPatterns({}, {"/*"}).has_value());
}

TEST(IndexPolicyTest, IdsTellPathsApart) {
  EXPECT_NE(PathIndexId(Place{kA}), PathIndexId(Place{kB}));
  EXPECT_NE(PathIndexId(Place{kA, kB}), PathIndexId(Place{PathStep::Field("ab")}));
  EXPECT_NE(PathIndexId(Place{kA, PathStep::Element()}), PathIndexId(Place{kA}));
  EXPECT_NE(PathIndexId(Place{PathStep::Field("")}), PathIndexId(Place{PathStep::Element()}));
  EXPECT_NE(NamedIndexId(1), NamedIndexId(2));
}

// Stored in keys.
TEST(IndexPolicyTest, IdsStayWhatTheyAre) {
  EXPECT_EQ(PathIndexId(Place{kA}), PathIndexHash().Then(kA).id());
  EXPECT_EQ(PathIndexId(Place{kA}).value() >> 63, 0u);
  EXPECT_EQ(NamedIndexId(7).value(), 0x8000000000000007u);
}

}  // namespace
}  // namespace orrery::item
