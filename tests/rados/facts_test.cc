// Tests of what the store learns of its pool and cluster, and details of operations that the
// conformance suite leaves open.
#include <set>

#include "ceph_under_test.h"

namespace orrery::storage::rados {
namespace {

using FactsTest = CephTest;

TEST_F(FactsTest, ThePoolHasFourCopiesAndServesWithThree) {
  const auto store = Connect(NewOptions());
  const auto facts = store->Pool();
  ASSERT_TRUE(facts.has_value()) << facts.error().ToString();
  EXPECT_EQ(facts->size, 4u);
  EXPECT_EQ(facts->min_size, 3u);
  EXPECT_TRUE(CheckCopies(*facts, "orrery").has_value());
}

TEST_F(FactsTest, TheClusterTellsItsHealth) {
  const auto store = Connect(NewOptions());
  const auto facts = store->Cluster();
  ASSERT_TRUE(facts.has_value()) << facts.error().ToString();
  EXPECT_EQ(facts->id.size(), 36u);
  EXPECT_TRUE(facts->health.starts_with("HEALTH_"));
  EXPECT_EQ(facts->osds, 4u);
  EXPECT_EQ(facts->osds_up, 4u);
}

TEST_F(FactsTest, ThePoolTellsHowMuchFits) {
  const auto store = Connect(NewOptions());
  EXPECT_FALSE(store->FreeBytes().has_value()) << "it was not asked";
  const Status asked = store->LookForFreeBytes();
  ASSERT_TRUE(asked.has_value()) << asked.error().ToString();
  ASSERT_TRUE(store->FreeBytes().has_value());
  const auto cluster = store->Cluster();
  ASSERT_TRUE(cluster.has_value());
  EXPECT_GT(*store->FreeBytes(), uint64_t{100} << 20);
  EXPECT_LT(*store->FreeBytes(), cluster->bytes_available / 2) << "there are four copies of each";
}

TEST_F(FactsTest, CopiesAreOnFourOsds) {
  const auto store = Connect(NewOptions());
  const auto copies = store->CopiesOf("any \"object\"");
  ASSERT_TRUE(copies.has_value()) << copies.error().ToString();
  EXPECT_EQ(std::set(copies->begin(), copies->end()).size(), 4u);
}

TEST_F(FactsTest, NamespacesAreApart) {
  const auto one = Connect(NewOptions());
  const auto other = Connect(NewOptions());
  ASSERT_TRUE(one->Apply("a", ObjectWrite().Create()).has_value());
  EXPECT_FALSE(other->Stat("a").has_value());
  EXPECT_EQ(other->List("", 10).value_or(NamePage{}).names.size(), 0u);
}

TEST_F(FactsTest, ALockIsNoAttribute) {
  const auto store = Connect(NewOptions());
  ASSERT_TRUE(store->Lock("a", "lease", "me", std::chrono::seconds(30)).has_value());
  const auto attributes = store->Attributes("a");
  ASSERT_TRUE(attributes.has_value());
  EXPECT_TRUE(attributes->empty());
}

TEST_F(FactsTest, TakingAwayFromNothingMakesTheObject) {
  const auto store = Connect(NewOptions());
  EXPECT_TRUE(store->Apply("a", ObjectWrite().Truncate(5)).has_value());
  EXPECT_EQ(store->Stat("a").value_or(ObjectStat{}).bytes, 5u);
  EXPECT_TRUE(store->Apply("b", ObjectWrite().RemoveEntry("k").RemoveAttribute("x")).has_value());
  EXPECT_TRUE(store->Stat("b").has_value());
}

TEST_F(FactsTest, NothingIsReadWhenNothingIsAskedFor) {
  const auto store = Connect(NewOptions());
  ASSERT_TRUE(store->Apply("a", ObjectWrite().Write(0, "bytes")).has_value());
  EXPECT_EQ(store->Read("a", 0, 0).value_or("error"), "");
  EXPECT_FALSE(store->Read("none", 0, 0).has_value());
}

TEST_F(FactsTest, AnObjectBeyondWhatAnOsdTakesIsTooLarge) {
  const auto store = Connect(NewOptions());
  EXPECT_EQ(CodeOf(store->Apply("a", ObjectWrite().Write(uint64_t{1} << 30, "x"))),
            Code::kTooLarge);
  EXPECT_EQ(CodeOf(store->Apply(std::string(5'000, 'n'), ObjectWrite().Create())),
            Code::kInvalidArgument);
}

TEST_F(FactsTest, AStrangeCursorIsRefused) {
  const auto store = Connect(NewOptions());
  EXPECT_FALSE(store->List("nonsense", 10).has_value());
}

}  // namespace
}  // namespace orrery::storage::rados
