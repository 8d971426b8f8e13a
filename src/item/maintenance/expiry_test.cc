#include "item/maintenance/expiry.h"

#include <gtest/gtest.h>

#include "item/item_test_harness.h"

namespace orrery::item {
namespace {

using enum OperationKind;

class ExpiryTest : public testing::Test {
 protected:
  ExpiryTest() {
    schema_->default_ttl_s = 10;
    schema_->feed_retention = std::chrono::hours(24);
    schema_->unique_keys = {{.paths = {PathOf("/n")}}};
    auto slices = std::make_shared<RetainedSlices>();
    (*slices)[schema_->id] = {.ranges = {partition::HashRange()},
                              .feed_retention = schema_->feed_retention};
    harness_.retention().SetSlices(slices);
  }
  void Put(const std::string& pk, const std::string& id, const std::string& json) {
    const auto outcome = harness_.Run(schema_, pk, Do(kUpsert, id, json));
    ASSERT_TRUE(outcome.status.has_value()) << outcome.status.error().ToString();
  }
  size_t Count(Space space) {
    const std::string prefix = SpacePrefix(space, schema_->id);
    return storage::ContentOf(harness_.engine(), {.lower = prefix, .upper = PrefixEnd(prefix)})
        .size();
  }

  ItemHarness harness_;
  std::shared_ptr<ContainerSchema> schema_ = IndexedSchema();
};

TEST_F(ExpiryTest, TheSweepRemovesWhatHasExpired) {
  Put("p", "a", R"({"n":1})");
  Put("q", "b", R"({"n":2,"ttl":100})");
  Put("q", "c", R"({"n":3,"ttl":-1})");
  harness_.Advance(std::chrono::seconds(9));
  EXPECT_EQ(harness_.Sweep(schema_), 0u);
  harness_.Advance(std::chrono::seconds(1));
  harness_.ExpectConsistent({schema_});
  EXPECT_EQ(harness_.Sweep(schema_), 1u);
  EXPECT_EQ(harness_.Sweep(schema_), 0u);
  EXPECT_EQ(harness_.ledger().Sum().items, 2);
  EXPECT_EQ(Count(Space::kData), 2u);
  harness_.ExpectConsistent({schema_});
  harness_.Advance(std::chrono::hours(1'000));
  EXPECT_EQ(harness_.Sweep(schema_), 1u);
  EXPECT_EQ(harness_.ReadJson(*schema_, "q", "c"), R"({"n":3,"ttl":-1})");
}

TEST_F(ExpiryTest, EarliestFirstWithinTheRangeAndLimit) {
  Put("p", "a", R"({"n":1,"ttl":3})");
  Put("p", "b", R"({"n":2,"ttl":1})");
  Put("q", "c", R"({"n":3,"ttl":2})");
  harness_.Advance(std::chrono::seconds(10));
  const auto two = FindExpired(harness_.engine(), schema_->id, {}, harness_.now(), 2);
  ASSERT_TRUE(two.has_value());
  ASSERT_EQ(two->size(), 2u);
  EXPECT_EQ((*two)[0].key, KeyOf("p", "b"));
  EXPECT_EQ((*two)[1].key, KeyOf("q", "c"));
  const auto range = partition::HashRange::Inclusive(HashOfKey("q"), HashOfKey("q"));
  EXPECT_EQ(FindExpired(harness_.engine(), schema_->id, range, harness_.now(), 9)->size(), 1u);
}

TEST_F(ExpiryTest, AVersionWrittenMeanwhileStays) {
  Put("p", "a", R"({"n":1})");
  harness_.Advance(std::chrono::seconds(10));
  auto expired = FindExpired(harness_.engine(), schema_->id, {}, harness_.now(), 9);
  ASSERT_TRUE(expired.has_value());
  ASSERT_EQ(expired->size(), 1u);
  Put("p", "a", R"({"n":2})");
  ASSERT_OK(harness_.Submit([&](auto done) {
    return ExpiryMutation(schema_, *std::move(expired), harness_.ledger(), std::move(done));
  }));
  EXPECT_EQ(harness_.ReadJson(*schema_, "p", "a"), R"({"n":2})");
  harness_.ExpectConsistent({schema_});
}

TEST_F(ExpiryTest, WhatCompactionDroppedIsPutRight) {
  Put("p", "a", R"({"n":1})");
  Put("p", "b", R"({"n":2})");
  harness_.Advance(std::chrono::seconds(11) + ItemHarness::kExpiryGrace);
  ASSERT_OK(harness_.engine().Flush());
  ASSERT_OK(harness_.engine().Compact({}, {}));
  EXPECT_EQ(Count(Space::kData), 0u);
  EXPECT_EQ(Count(Space::kIndex), 0u);
  EXPECT_EQ(Count(Space::kUnique), 0u);
  harness_.ExpectConsistent({schema_});

  Put("p", "b", R"({"n":1,"ttl":-1})");
  harness_.ExpectConsistent({schema_});
  EXPECT_EQ(harness_.ledger().Sum().items, 3);
  EXPECT_EQ(harness_.Sweep(schema_), 2u);
  EXPECT_EQ(harness_.ledger().Sum().items, 1);
  harness_.ExpectConsistent({schema_});

  // The one that nobody replaced is announced, though its image is gone.
  size_t announced = 0;
  for (const FeedEntry& entry : harness_.Feed(*schema_, FeedMode::kAllVersions).entries) {
    if (entry.kind == ChangeKind::kDelete) {
      ++announced;
      EXPECT_TRUE(entry.by_expiry);
      EXPECT_EQ(entry.key, KeyOf("p", "a"));
      EXPECT_FALSE(entry.document.has_value());
    }
  }
  EXPECT_EQ(announced, 1u);
}

}  // namespace
}  // namespace orrery::item
