#include "item/write/version_writer.h"

#include <gtest/gtest.h>

#include "item/item_test_harness.h"

namespace orrery::item {
namespace {

using enum OperationKind;

class VersionWriterTest : public testing::Test {
 protected:
  ItemHarness::Outcome Run(Operation operation) {
    return harness_.Run(schema_, "p", std::move(operation));
  }
  void Succeed(Operation operation) {
    const auto outcome = Run(std::move(operation));
    ASSERT_TRUE(outcome.status.has_value()) << outcome.status.error().ToString();
    harness_.ExpectConsistent({schema_});
  }
  size_t Count(Space space) {
    const std::string prefix = SpacePrefix(space, schema_->id);
    return storage::ContentOf(harness_.engine(), {.lower = prefix, .upper = PrefixEnd(prefix)})
        .size();
  }

  ItemHarness harness_;
  std::shared_ptr<ContainerSchema> schema_ = IndexedSchema();
};

TEST_F(VersionWriterTest, IndexEntriesFollowTheDocument) {
  Succeed(Do(kCreate, "a", R"({"x":1,"y":[1,2,3]})"));
  EXPECT_EQ(Count(Space::kIndex), 4u);
  Succeed(Do(kReplace, "a", R"({"x":1,"y":[2,9]})"));
  EXPECT_EQ(Count(Space::kIndex), 3u);
  // The one term left in its index is no longer one of several.
  Succeed(Do(kReplace, "a", R"({"x":1,"y":[2]})"));
  EXPECT_EQ(Count(Space::kIndex), 2u);
  Succeed(Do(kDelete, "a"));
  EXPECT_EQ(Count(Space::kIndex), 0u);
}

TEST_F(VersionWriterTest, KeptTermsAreRewrittenOnlyForAnotherExpiry) {
  Succeed(Do(kCreate, "a", R"({"x":1})"));
  const auto unchanged = Run(Do(kReplace, "a", R"({"x":1})"));
  Succeed(Do(kReplace, "a", R"({"x":2})"));
  const auto changed = Run(Do(kReplace, "a", R"({"x":3})"));
  EXPECT_GT(changed.result.charge, unchanged.result.charge);
  schema_->default_ttl_s = 60;
  Succeed(Do(kReplace, "a", R"({"x":3})"));
}

TEST_F(VersionWriterTest, NothingIsLeftOfADeletedItem) {
  schema_->default_ttl_s = 60;
  schema_->unique_keys = {{.paths = {PathOf("/x")}}};
  Succeed(Do(kCreate, "a", R"({"x":1})"));
  Succeed(Do(kReplace, "a", R"({"x":2})"));
  Succeed(Do(kDelete, "a"));
  for (const Space space : kSpaces) EXPECT_EQ(Count(space), 0u) << static_cast<char>(space);
  EXPECT_EQ(harness_.ledger().Sum(), Totals{});
}

TEST_F(VersionWriterTest, UniqueValuesAreTakenOnce) {
  schema_->unique_keys = {{.paths = {PathOf("/x"), PathOf("/y")}}};
  Succeed(Do(kCreate, "a", R"({"x":1,"y":1})"));
  const auto refused = Run(Do(kCreate, "b", R"({"x":1,"y":1})"));
  ASSERT_EQ(refused.code(), Code::kAlreadyExists);
  EXPECT_NE(refused.status.error().message().find("/x, /y"), std::string::npos)
      << refused.status.error().message();
  EXPECT_GE(refused.result.charge, RequestUnits::Whole(1));

  Succeed(Do(kCreate, "b", R"({"x":1,"y":2})"));
  EXPECT_EQ(Run(Do(kReplace, "b", R"({"x":1,"y":1})")).code(), Code::kAlreadyExists);
  Succeed(Do(kReplace, "a", R"({"x":5,"y":5})"));
  Succeed(Do(kReplace, "b", R"({"x":1,"y":1})"));
  Succeed(Do(kReplace, "b", R"({"x":1,"y":1,"z":0})"));
  Succeed(Do(kDelete, "b"));
  Succeed(Do(kCreate, "c", R"({"x":1,"y":1})"));
  // Another logical partition has values of its own.
  EXPECT_TRUE(harness_.Run(schema_, "q", Do(kCreate, "c", R"({"x":1,"y":1})")).status.has_value());
}

TEST_F(VersionWriterTest, UniqueValuesCanBeHandedOverInOneTransaction) {
  schema_->unique_keys = {{.paths = {PathOf("/x")}}};
  Succeed(Do(kCreate, "a", R"({"x":1})"));
  const auto outcome =
      harness_.Run(schema_, "p", {Do(kDelete, "a"), Do(kCreate, "b", R"({"x":1})")});
  EXPECT_TRUE(outcome.status.has_value());
  harness_.ExpectConsistent({schema_});
}

TEST_F(VersionWriterTest, ExpiredHoldersDoNotCount) {
  schema_->unique_keys = {{.paths = {PathOf("/x")}}};
  schema_->default_ttl_s = 10;
  Succeed(Do(kCreate, "a", R"({"x":1})"));
  harness_.Advance(std::chrono::seconds(10));
  Succeed(Do(kCreate, "b", R"({"x":1})"));
  // Removing the first holder must leave the second one's claim.
  EXPECT_EQ(harness_.Sweep(schema_), 1u);
  harness_.ExpectConsistent({schema_});
  EXPECT_EQ(Run(Do(kCreate, "c", R"({"x":1})")).code(), Code::kAlreadyExists);
}

TEST_F(VersionWriterTest, OnlyLiveVersionsAreInTheFeedWithoutRetention) {
  Succeed(Do(kCreate, "a", R"({"x":1})"));
  Succeed(Do(kReplace, "a", R"({"x":2})"));
  Succeed(Do(kCreate, "b", R"({"x":1})"));
  Succeed(Do(kDelete, "b"));
  EXPECT_EQ(Count(Space::kFeed), 1u);
}

TEST_F(VersionWriterTest, VersionsPastRetentionAreNotKept) {
  schema_->feed_retention = std::chrono::hours(1);
  Succeed(Do(kCreate, "a", R"({"x":1})"));
  Succeed(Do(kReplace, "a", R"({"x":2})"));
  EXPECT_EQ(Count(Space::kFeed), 2u);
  harness_.Advance(std::chrono::hours(2));
  Succeed(Do(kReplace, "a", R"({"x":3})"));
  EXPECT_EQ(Count(Space::kFeed), 2u);
}

}  // namespace
}  // namespace orrery::item
