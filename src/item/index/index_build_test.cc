#include "item/index/index_build.h"

#include <gtest/gtest.h>

#include "item/item_test_harness.h"

namespace orrery::item {
namespace {

using enum OperationKind;

class IndexBuildTest : public testing::Test {
 protected:
  void Put(const std::shared_ptr<ContainerSchema>& schema, const std::string& id,
           const std::string& json) {
    const auto outcome = harness_.Run(schema, "p", Do(kUpsert, id, json));
    ASSERT_TRUE(outcome.status.has_value()) << outcome.status.error().ToString();
  }
  // Visits all items in batches of two.
  void Build(const std::shared_ptr<ContainerSchema>& schema) {
    std::optional<std::string> next;
    do {
      auto batch = NextItems(harness_.engine(), Space::kData, schema->id, {}, next, 2);
      ASSERT_TRUE(batch.has_value());
      ASSERT_OK(harness_.Submit([&](auto done) {
        return ReindexMutation(schema, std::move(batch->keys), harness_.ledger(), std::move(done));
      }));
      next = std::move(batch->next);
    } while (next.has_value());
  }
  // The schema that is published for the time of a change.
  static std::shared_ptr<ContainerSchema> Between(const ContainerSchema& before,
                                                  const ContainerSchema& after) {
    auto between = std::make_shared<ContainerSchema>(after);
    between->former_indexing = before.indexing;
    return between;
  }

  ItemHarness harness_;
};

TEST_F(IndexBuildTest, NextItemsVisitsEachOnce) {
  const auto schema = PlainSchema();
  for (int i = 0; i < 5; ++i) Put(schema, std::to_string(i), R"({"n":1})");
  const auto first = NextItems(harness_.engine(), Space::kData, schema->id, {}, {}, 3);
  ASSERT_TRUE(first.has_value() && first->next.has_value());
  EXPECT_EQ(first->keys.size(), 3u);
  const auto second = NextItems(harness_.engine(), Space::kData, schema->id, {}, first->next, 3);
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->keys.size(), 2u);
  EXPECT_EQ(second->next, std::nullopt);
  EXPECT_EQ(
      NextItems(harness_.engine(), Space::kData, schema->id, {}, "nonsense", 3).error().code(),
      Code::kInvalidArgument);
}

TEST_F(IndexBuildTest, ExistingItemsGetANewIndex) {
  const auto before = PlainSchema();
  for (int i = 0; i < 5; ++i) Put(before, std::to_string(i), R"({"n":)" + std::to_string(i) + "}");
  const auto after = IndexedSchema();
  const auto between = Between(*before, *after);
  // Written in the course of the change, before and after the build comes by.
  Put(between, "1", R"({"n":1})");
  Build(between);
  Put(between, "2", R"({"n":7})");
  harness_.ExpectConsistent({after});
}

TEST_F(IndexBuildTest, EntriesOfTheFormerPolicyGo) {
  const auto before = IndexedSchema();
  for (int i = 0; i < 5; ++i) Put(before, std::to_string(i), R"({"n":[1,2],"m":2})");
  const auto after = PlainSchema();
  after->indexing = IndexPolicy::FromPatterns({"/m/?"}, {"/*"}).value();
  const auto between = Between(*before, *after);
  Put(between, "1", R"({"n":[3],"m":4})");
  Build(between);
  harness_.ExpectConsistent({after});
  Build(between);
  harness_.ExpectConsistent({after});
}

TEST_F(IndexBuildTest, ADefaultTtlReachesExistingItems) {
  const auto before = IndexedSchema();
  before->unique_keys = {{.paths = {PathOf("/n")}}};
  Put(before, "a", R"({"n":1})");
  Put(before, "b", R"({"n":2,"ttl":1000})");
  Put(before, "c", R"({"n":3,"ttl":"not one"})");
  const auto after = std::make_shared<ContainerSchema>(*before);
  after->default_ttl_s = 60;
  Build(after);
  harness_.ExpectConsistent({after});
  harness_.Advance(std::chrono::seconds(60));
  EXPECT_EQ(harness_.Sweep(after), 1u);
  EXPECT_EQ(harness_.ReadJson(*after, "p", "a"), std::nullopt);
  EXPECT_NE(harness_.ReadJson(*after, "p", "b"), std::nullopt);
  EXPECT_NE(harness_.ReadJson(*after, "p", "c"), std::nullopt);
  harness_.ExpectConsistent({after});

  Build(before);
  harness_.Advance(std::chrono::hours(10));
  EXPECT_NE(harness_.ReadJson(*after, "p", "b"), std::nullopt);
  harness_.ExpectConsistent({before});
}

TEST_F(IndexBuildTest, RebuildingLeavesVersionsAsTheyAre) {
  const auto schema = IndexedSchema();
  Put(schema, "a", R"({"n":1})");
  const auto before = storage::ContentOf(harness_.engine());
  Build(schema);
  EXPECT_EQ(storage::ContentOf(harness_.engine()), before);
}

TEST_F(IndexBuildTest, DroppedIndexesLoseTheirEntries) {
  const auto before = PlainSchema();
  before->indexing = IndexPolicy().WithNamed({{.id = 1, .name = "n", .paths = {PathOf("/n")}},
                                              {.id = 2, .name = "m", .paths = {PathOf("/m")}}});
  for (int i = 0; i < 5; ++i) Put(before, std::to_string(i), R"({"n":1,"m":2})");
  const auto after = PlainSchema();
  after->indexing = IndexPolicy().WithNamed({{.id = 2, .name = "m", .paths = {PathOf("/m")}}});
  ASSERT_OK(DropIndexEntries(harness_.engine(), after->id, NamedIndexId(1)));
  harness_.ExpectConsistent({after});
}

}  // namespace
}  // namespace orrery::item
