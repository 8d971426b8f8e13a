#include "item/index/unique_keys.h"

#include <gtest/gtest.h>

#include "item/index/index_build.h"
#include "item/item_test_harness.h"

namespace orrery::item {
namespace {

using enum OperationKind;

NamedIndex UniqueOver(const std::vector<std::string>& paths, uint32_t id = 1) {
  NamedIndex index{.id = id, .name = "u" + std::to_string(id), .paths = {}};
  for (const std::string& path : paths) index.paths.push_back(PathOf(path));
  index.unique = true;
  return index;
}

std::shared_ptr<ContainerSchema> SchemaWith(std::vector<NamedIndex> indexes) {
  auto schema = PlainSchema();
  schema->order = model::Order::kMongo;
  schema->indexing = IndexPolicy().WithNamed(std::move(indexes));
  return schema;
}

class UniqueIndexTest : public testing::Test {
 protected:
  Code Put(const std::shared_ptr<ContainerSchema>& schema, const std::string& id,
           const std::string& json, const std::string& pk = "p") {
    last_ = harness_.Run(schema, pk, Do(kUpsert, id, json));
    return last_.status.has_value() ? Code::kInternal : last_.code();
  }
  static constexpr Code kOk = Code::kInternal;

  Status Build(const std::shared_ptr<ContainerSchema>& schema) {
    auto batch = NextItems(harness_.engine(), Space::kData, schema->id, {}, std::nullopt, 1'000);
    EXPECT_TRUE(batch.has_value());
    return harness_.Submit([&](auto done) {
      return ReindexMutation(schema, std::move(batch->keys), harness_.ledger(), std::move(done),
                             &conflict_);
    });
  }

  ItemHarness harness_;
  ItemHarness::Outcome last_;
  std::string conflict_;
};

TEST_F(UniqueIndexTest, RefusesWhatAnotherItemHas) {
  const auto schema = SchemaWith({UniqueOver({"/a"})});
  EXPECT_EQ(Put(schema, "1", R"({"a": 1})"), kOk);
  EXPECT_EQ(Put(schema, "2", R"({"a": 1.0})"), Code::kAlreadyExists);
  const auto conflict = UniqueConflict::Decode(last_.result.outcome);
  ASSERT_TRUE(conflict.has_value());
  EXPECT_EQ(conflict->index, "u1");
  EXPECT_EQ(conflict->paths, std::vector<std::string>{"a"});
  EXPECT_EQ(conflict->values, std::vector<model::Value>{model::Value::Double(1.0)});
  // Of another logical partition it is another value; and the item itself may be written again.
  EXPECT_EQ(Put(schema, "2", R"({"a": 1})", "q"), kOk);
  EXPECT_EQ(Put(schema, "1", R"({"a": 1, "b": 2})"), kOk);
  EXPECT_EQ(Put(schema, "1", R"({"a": 2})"), kOk);
  EXPECT_EQ(Put(schema, "2", R"({"a": 1})"), kOk);
  EXPECT_EQ(Put(schema, "3", R"({})"), kOk);
  EXPECT_EQ(Put(schema, "4", R"({"a": null})"), Code::kAlreadyExists);
  harness_.ExpectConsistent({schema});
}

TEST_F(UniqueIndexTest, OfAnArrayEachElementIsAKey) {
  const auto schema = SchemaWith({UniqueOver({"/a"})});
  EXPECT_EQ(Put(schema, "1", R"({"a": [1, 2, 2]})"), kOk);
  EXPECT_EQ(Put(schema, "2", R"({"a": [3, 2]})"), Code::kAlreadyExists);
  EXPECT_EQ(UniqueConflict::Decode(last_.result.outcome)->values.front(), model::Value::Int32(2));
  EXPECT_EQ(Put(schema, "2", R"({"a": []})"), kOk);
  EXPECT_EQ(Put(schema, "3", R"({"a": []})"), Code::kAlreadyExists);
  EXPECT_EQ(Put(schema, "1", R"({"a": [1]})"), kOk);
  EXPECT_EQ(Put(schema, "3", R"({"a": [2, 3]})"), kOk);
  harness_.ExpectConsistent({schema});
}

TEST_F(UniqueIndexTest, PathsThroughOneArrayTakeTheSameElement) {
  const auto schema = SchemaWith({UniqueOver({"/a/b", "/a/c"})});
  EXPECT_EQ(Put(schema, "1", R"({"a": [{"b": 1, "c": 2}, {"b": 3, "c": 4}]})"), kOk);
  EXPECT_EQ(Put(schema, "2", R"({"a": {"b": 1, "c": 4}})"), kOk);
  EXPECT_EQ(Put(schema, "3", R"({"a": {"b": 3, "c": 4}})"), Code::kAlreadyExists);
  EXPECT_EQ(Put(schema, "3", R"({"a": [[{"b": 1, "c": 2}]]})"), kOk);  // neither is found
  EXPECT_EQ(Put(schema, "4", R"({})"), Code::kAlreadyExists);
  harness_.ExpectConsistent({schema});
}

TEST_F(UniqueIndexTest, PathsThroughTwoArraysAreRefused) {
  const auto schema = SchemaWith({UniqueOver({"/a/b", "/c"})});
  EXPECT_EQ(Put(schema, "1", R"({"a": [{"b": 1}], "c": [1]})"), Code::kInvalidArgument);
  EXPECT_EQ(last_.status.error().message(), "cannot index parallel arrays [c] [a]");
  EXPECT_EQ(Put(schema, "1", R"({"a": [{"b": 1}], "c": 1})"), kOk);
}

TEST_F(UniqueIndexTest, SparseAndPartialOnesLeaveItemsOut) {
  NamedIndex sparse = UniqueOver({"/a"}, 1);
  sparse.sparse = true;
  NamedIndex partial = UniqueOver({"/b"}, 2);
  partial.only = model::Expression::Apply(model::Operator::kMongoGreater,
                                          {model::Expression::Reference(PathOf("/n")),
                                           model::Expression::Literal(model::Value::Int32(5))})
                     .value();
  const auto schema = SchemaWith({sparse, partial});
  EXPECT_EQ(Put(schema, "1", R"({"b": 1, "n": 3})"), kOk);
  EXPECT_EQ(Put(schema, "2", R"({"b": 1, "n": 7})"), kOk);
  EXPECT_EQ(Put(schema, "3", R"({"b": 1, "n": 7, "a": null})"), Code::kAlreadyExists);
  EXPECT_EQ(Put(schema, "3", R"({"b": 1, "a": null})"), kOk);
  EXPECT_EQ(Put(schema, "4", R"({"b": 1, "a": null})"), Code::kAlreadyExists);
  // It comes into the index by a change of another field.
  EXPECT_EQ(Put(schema, "1", R"({"b": 1, "n": 6})"), Code::kAlreadyExists);
  EXPECT_EQ(Put(schema, "2", R"({"b": 1, "n": 5})"), kOk);
  EXPECT_EQ(Put(schema, "1", R"({"b": 1, "n": 6})"), kOk);
  harness_.ExpectConsistent({schema});
}

TEST_F(UniqueIndexTest, StringsAreEqualByTheCollation) {
  NamedIndex index = UniqueOver({"/a"});
  ASSERT_OK(SetCollation(index, {.locale = "en", .strength = 2}));
  const auto schema = SchemaWith({index});
  EXPECT_EQ(Put(schema, "1", R"({"a": "Abc"})"), kOk);
  EXPECT_EQ(Put(schema, "2", R"({"a": [1, "aBC"]})"), Code::kAlreadyExists);
  EXPECT_EQ(Put(schema, "2", R"({"a": "abd"})"), kOk);
  harness_.ExpectConsistent({schema});
}

TEST_F(UniqueIndexTest, ExistingItemsTakeTheirKeys) {
  const auto before = PlainSchema();
  before->order = model::Order::kMongo;
  for (int i = 0; i < 5; ++i)
    ASSERT_EQ(Put(before, std::to_string(i), R"({"a": )" + std::to_string(i) + "}"), kOk);
  const auto after = SchemaWith({UniqueOver({"/a"})});
  const auto between = std::make_shared<ContainerSchema>(*after);
  between->former_indexing = before->indexing;
  // Before the build has come by: nobody holds 3 yet, and 4 changes hands.
  EXPECT_EQ(Put(between, "3", R"({"a": 30})"), kOk);
  EXPECT_EQ(Put(between, "5", R"({"a": 3})"), kOk);
  EXPECT_EQ(Put(between, "4", R"({"a": 40})"), kOk);
  ASSERT_OK(Build(between));
  EXPECT_EQ(Put(between, "6", R"({"a": 2})"), Code::kAlreadyExists);
  EXPECT_EQ(Put(between, "6", R"({"a": 4})"), kOk);
  harness_.ExpectConsistent({after});
}

TEST_F(UniqueIndexTest, ABuildThatMeetsTwoEqualItemsFailsAndLeavesNothing) {
  const auto before = PlainSchema();
  before->order = model::Order::kMongo;
  for (int i = 0; i < 5; ++i)
    ASSERT_EQ(Put(before, std::to_string(i), R"({"a": )" + std::to_string(i % 4) + "}"), kOk);
  const auto with = SchemaWith({UniqueOver({"/a"})});
  const auto building = std::make_shared<ContainerSchema>(*with);
  building->former_indexing = before->indexing;
  EXPECT_EQ(Put(building, "6", R"({"a": 9})"), kOk);
  const Status failed = Build(building);
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code(), Code::kAlreadyExists);
  EXPECT_EQ(UniqueConflict::Decode(conflict_)->values.front(), model::Value::Int32(0));
  // In the other direction: what was taken is released, and only by whom it belongs to.
  const auto removing = std::make_shared<ContainerSchema>(*before);
  removing->former_indexing = with->indexing;
  EXPECT_EQ(Put(removing, "7", R"({"a": 9})"), kOk);
  ASSERT_OK(Build(removing));
  harness_.ExpectConsistent({before});
}

TEST_F(UniqueIndexTest, AnItemThatCannotBeInItCanBeDeletedWhileItIsBuilt) {
  const auto before = PlainSchema();
  before->order = model::Order::kMongo;
  ASSERT_EQ(Put(before, "1", R"({"a": [1], "b": [2]})"), kOk);
  const auto building = SchemaWith({UniqueOver({"/a", "/b"})});
  building->former_indexing = before->indexing;
  EXPECT_EQ(Build(building).error().code(), Code::kInvalidArgument);
  EXPECT_TRUE(harness_.Run(building, "p", Do(kDelete, "1")).status.has_value());
}

TEST(UniqueConflictTest, BytesThatAreNoneAreRefused) {
  const UniqueConflict conflict{.index = "i",
                                .paths = {"a.b"},
                                .directions = {model::Direction::kDescending},
                                .values = {model::Value::String("x")}};
  const auto back = UniqueConflict::Decode(conflict.Encode());
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->paths, conflict.paths);
  EXPECT_EQ(back->directions, conflict.directions);
  EXPECT_EQ(back->values, conflict.values);
  EXPECT_FALSE(UniqueConflict::Decode("").has_value());
  EXPECT_FALSE(UniqueConflict::Decode(Json(R"({"index": 1})").bson()).has_value());
  EXPECT_FALSE(UniqueConflict::Decode(
                   Json(R"({"index": "i", "paths": ["a"], "falls": [], "values": []})").bson())
                   .has_value());
}

}  // namespace
}  // namespace orrery::item
