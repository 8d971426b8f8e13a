#include "api/gremlin/graph/graph_transaction.h"

#include <gtest/gtest.h>

#include "api/gremlin/graph/memory_store_for_test.h"

namespace orrery::gremlin {
namespace {

class GraphTransactionTest : public testing::Test {
 protected:
  Value Add(GraphTransaction& graph, std::string id) {
    auto vertex = graph.AddVertex(Value::String(std::move(id)), "thing", {});
    EXPECT_TRUE(vertex.has_value());
    return vertex.has_value() ? *vertex : Value::Null();
  }
  static size_t Count(GraphTransaction& graph, ElementKind kind) {
    const auto cursor = graph.Find({.kind = kind});
    EXPECT_TRUE(cursor.has_value());
    Values all;
    for (size_t before = SIZE_MAX; before != all.size();) {
      before = all.size();
      EXPECT_TRUE((*cursor)->Next(2, all).has_value());
    }
    return all.size();
  }

  MemoryStore store_;
  uint8_t last_uuid_ = 0;
  NewUuid new_uuid_ = [this] { return UuidBytes{++last_uuid_}; };
};

TEST_F(GraphTransactionTest, OthersSeeWritesAfterCommitOnly) {
  GraphTransaction mine(store_, new_uuid_);
  GraphTransaction other(store_, new_uuid_);
  Add(mine, "a");
  EXPECT_EQ(Count(mine, ElementKind::kVertex), 1U);
  EXPECT_EQ(Count(other, ElementKind::kVertex), 0U);
  bool committed = false;
  ASSERT_TRUE(mine.Commit(committed).has_value());
  EXPECT_TRUE(committed);
  EXPECT_FALSE(mine.has_changes());
  EXPECT_EQ(Count(other, ElementKind::kVertex), 1U);
}

TEST_F(GraphTransactionTest, RollbackForgets) {
  GraphTransaction graph(store_, new_uuid_);
  Add(graph, "a");
  graph.Rollback();
  EXPECT_EQ(Count(graph, ElementKind::kVertex), 0U);
}

TEST_F(GraphTransactionTest, GivesTheNewestVersion) {
  GraphTransaction graph(store_, new_uuid_);
  const Value old = Add(graph, "a");
  ASSERT_TRUE(graph.SetProperty(old, "single", "age", Value::Int(1), {}).has_value());
  ASSERT_TRUE(graph.SetProperty(old, "list", "age", Value::Int(2), {}).has_value());
  EXPECT_TRUE(old.AsVertex()->properties.empty());
  EXPECT_EQ(graph.Newest(old).AsVertex()->properties.size(), 2U);
}

TEST_F(GraphTransactionTest, AVertexGoesWithItsEdges) {
  bool committed = false;
  GraphTransaction before(store_, new_uuid_);
  const Value a = Add(before, "a");
  const Value b = Add(before, "b");
  ASSERT_TRUE(before.AddEdge({}, "knows", *a.AsVertex(), *b.AsVertex(), {}).has_value());
  ASSERT_TRUE(before.Commit(committed).has_value());

  GraphTransaction graph(store_, new_uuid_);
  ASSERT_TRUE(graph.AddEdge({}, "likes", *b.AsVertex(), *a.AsVertex(), {}).has_value());
  EXPECT_EQ(Count(graph, ElementKind::kEdge), 2U);
  ASSERT_TRUE(graph.Remove(a).has_value());
  EXPECT_TRUE(graph.Newest(a).is_null());
  EXPECT_EQ(Count(graph, ElementKind::kEdge), 0U);
  EXPECT_EQ(Count(graph, ElementKind::kVertex), 1U);
}

TEST_F(GraphTransactionTest, RefusesASecondVertexOfOneId) {
  GraphTransaction graph(store_, new_uuid_);
  Add(graph, "1");
  EXPECT_EQ(graph.AddVertex(Value::Int(1), "thing", {}).error().code(), Code::kAlreadyExists);
}

TEST_F(GraphTransactionTest, RefusesWhatCannotBeStored) {
  GraphTransaction graph(store_, new_uuid_);
  const Value a = Add(graph, "a");
  const auto code = [&](std::string_view key, const Value& value) {
    return graph.SetProperty(a, "single", key, value, {}).error().code();
  };
  EXPECT_EQ(code("list", Value::List({})), Code::kInvalidArgument);
  EXPECT_EQ(code("", Value::Int(1)), Code::kInvalidArgument);
  EXPECT_EQ(code("_etag", Value::Int(1)), Code::kInvalidArgument);
}

TEST_F(GraphTransactionTest, APartitionKeyMustBeGivenAndStays) {
  MemoryStore store({.partition_key = "city", .partition_is_id = false});
  GraphTransaction graph(store, new_uuid_);
  EXPECT_EQ(graph.AddVertex(Value::String("a"), "thing", {}).error().code(),
            Code::kInvalidArgument);
  const auto vertex =
      graph.AddVertex(Value::String("a"), "thing",
                      {{.id = {}, .key = "city", .value = Value::String("Bern"), .meta = {}}});
  ASSERT_TRUE(vertex.has_value());
  EXPECT_EQ(graph.SetProperty(*vertex, "single", "city", Value::String("Basel"), {}).error().code(),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace orrery::gremlin
