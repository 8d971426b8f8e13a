#include <gtest/gtest.h>

#include "item/item_test_harness.h"
#include "item/read/reader.h"

namespace orrery::item {
namespace {

using enum OperationKind;
using model::PathStep;
using model::Value;
using storage::ReadMode;

ValueBound At(const Value& value) { return {.encoded = EncodedValues({value}), .inclusive = true}; }
ValueBound Beyond(const Value& value) {
  return {.encoded = EncodedValues({value}), .inclusive = false};
}

class IndexScanTest : public testing::Test {
 protected:
  void Put(const std::string& pk, const std::string& id, const std::string& fields) {
    const auto outcome =
        harness_.Run(schema_, pk, Do(kUpsert, id, R"({"id":")" + id + "\"," + fields + "}"));
    ASSERT_TRUE(outcome.status.has_value()) << outcome.status.error().ToString();
  }

  std::vector<std::string> Walk(const ScanRequest& request, size_t items_max = 100,
                                partition::HashRange range = {}) {
    std::vector<std::string> ids;
    std::optional<std::string> next;
    examined_ = 0;
    do {
      const auto page = harness_.Reader(*schema_, range)
                            .Scan(request, next, {.items_max = items_max}, ReadMode::kMayBlock);
      EXPECT_TRUE(page.has_value()) << page.error().ToString();
      if (!page.has_value()) break;
      for (const ScannedItem& item : page->items) {
        ids.push_back(item.document.view().Get("id").AsString());
      }
      examined_ += page->examined;
      next = page->next;
    } while (next.has_value());
    return ids;
  }

  static IndexRange Over(const std::string& field, std::optional<ValueBound> lower = {},
                         std::optional<ValueBound> upper = {}) {
    return {.index = PathIndexId(std::vector{PathStep::Field(field)}),
            .lower = std::move(lower),
            .upper = std::move(upper)};
  }

  ItemHarness harness_;
  std::shared_ptr<ContainerSchema> schema_ = IndexedSchema();
  size_t examined_ = 0;
};

using Ids = std::vector<std::string>;

TEST_F(IndexScanTest, InValueOrder) {
  Put("p", "a", R"("n":3)");
  Put("q", "b", R"("n":1)");
  Put("r", "c", R"("n":2)");
  Put("r", "d", R"("s":"no n")");
  ScanRequest request;
  request.index = Over("n");
  EXPECT_EQ(Walk(request), (Ids{"b", "c", "a"}));
  EXPECT_EQ(Walk(request, 1), (Ids{"b", "c", "a"}));
  request.index->descending = true;
  EXPECT_EQ(Walk(request), (Ids{"a", "c", "b"}));
  EXPECT_EQ(Walk(request, 1), (Ids{"a", "c", "b"}));
}

TEST_F(IndexScanTest, Bounds) {
  for (int i = 0; i < 10; ++i) Put("p", std::to_string(i), R"("n":)" + std::to_string(i));
  ScanRequest request;
  request.index = Over("n", At(Value::Int32(3)), At(Value::Int32(5)));
  EXPECT_EQ(Walk(request), (Ids{"3", "4", "5"}));
  request.index = Over("n", Beyond(Value::Int32(3)), Beyond(Value::Int32(5)));
  EXPECT_EQ(Walk(request), (Ids{"4"}));
  request.index = Over("n", At(Value::Int32(5)), At(Value::Int32(3)));
  EXPECT_EQ(Walk(request), Ids{});
  request.index = Over("n", std::nullopt, Beyond(Value::Int32(2)));
  EXPECT_EQ(Walk(request), (Ids{"0", "1"}));
}

TEST_F(IndexScanTest, OneValueInOneLogicalPartitionIsSoughtDirectly) {
  for (int i = 0; i < 50; ++i) Put("p" + std::to_string(i), std::to_string(i), R"("n":7)");
  ScanRequest request;
  request.index = Over("n", At(Value::Int32(7)), At(Value::Int32(7)));
  EXPECT_EQ(Walk(request).size(), 50u);
  request.hash = HashOfKey("p9");
  request.partition_key = Tuple("p9");
  EXPECT_EQ(Walk(request), (Ids{"9"}));
  EXPECT_EQ(examined_, 1u);
  request.index = Over("n", At(Value::Int32(0)), At(Value::Int32(8)));
  EXPECT_EQ(Walk(request), (Ids{"9"}));
  EXPECT_EQ(examined_, 1u);
}

TEST_F(IndexScanTest, OtherSlicesEntriesAreHidden) {
  for (int i = 0; i < 20; ++i) {
    Put("p" + std::to_string(i), std::to_string(i), R"("n":)" + std::to_string(i % 3));
  }
  const auto [low, high] = partition::HashRange().CutAt(HashOfKey("p5"));
  for (const auto& index : {Over("n"), Over("n", At(Value::Int32(1)), At(Value::Int32(1)))}) {
    ScanRequest request;
    request.index = index;
    EXPECT_EQ(Walk(request, 3, low).size() + Walk(request, 3, high).size(), Walk(request).size());
  }
}

TEST_F(IndexScanTest, AnItemWithSeveralValuesComesOnce) {
  Put("p", "a", R"("t":[1,2,3])");
  Put("p", "b", R"("t":[2])");
  Put("p", "c", R"("t":[0,9])");
  ScanRequest request;
  request.index =
      IndexRange{.index = PathIndexId(std::vector{PathStep::Field("t"), PathStep::Element()})};
  for (const size_t items_max : {1u, 2u, 100u}) {
    EXPECT_EQ(Walk(request, items_max), (Ids{"c", "a", "b"}));
  }
  request.index->lower = At(Value::Int32(2));
  EXPECT_EQ(Walk(request, 1), (Ids{"a", "b", "c"}));
  request.index->descending = true;
  EXPECT_EQ(Walk(request, 1), (Ids{"c", "a", "b"}));
  request.index->upper = Beyond(Value::Int32(9));
  EXPECT_EQ(Walk(request, 1), (Ids{"a", "b"}));
}

TEST_F(IndexScanTest, CompoundIndexesTakeLeadingComponents) {
  schema_->indexing =
      IndexPolicy().WithNamed({{.id = 4, .name = "ab", .paths = {PathOf("/a"), PathOf("/b")}}});
  Put("p", "x", R"("a":1,"b":2)");
  Put("p", "y", R"("a":1,"b":1)");
  Put("p", "z", R"("a":2,"b":0)");
  ScanRequest request;
  request.index = IndexRange{
      .index = NamedIndexId(4), .lower = At(Value::Int32(1)), .upper = At(Value::Int32(1))};
  EXPECT_EQ(Walk(request), (Ids{"y", "x"}));
  request.hash = HashOfKey("p");
  request.partition_key = Tuple("p");
  EXPECT_EQ(Walk(request), (Ids{"y", "x"}));
  request.index->lower = request.index->upper =
      ValueBound{.encoded = EncodedValues({Value::Int32(1), Value::Int32(2)}), .inclusive = true};
  EXPECT_EQ(Walk(request), (Ids{"x"}));
  EXPECT_EQ(examined_, 1u);
  request.index =
      IndexRange{.index = NamedIndexId(4), .lower = Beyond(Value::Int32(1)), .upper = {}};
  EXPECT_EQ(Walk(request), (Ids{"z"}));
}

TEST_F(IndexScanTest, LongBoundsGiveCandidates) {
  const std::string text(1'000, 'x');
  Put("p", "a", R"("s":")" + text + R"(")");
  Put("p", "b", R"("s":")" + text + R"(y")");
  ScanRequest request;
  request.index = Over("s", Beyond(Value::String(text)), std::nullopt);
  EXPECT_EQ(Walk(request).size(), 2u);
}

TEST_F(IndexScanTest, WholeValuesAreInOrderAndBounded) {
  schema_->indexing = schema_->indexing.WithWholeValues(std::vector{*model::Path::Parse("/s")});
  const std::string text(1'000, 'x');
  for (const std::string& end : {"c", "a", "b"}) Put(end, end, R"("s":")" + text + end + R"(")");
  ScanRequest request;
  request.index = Over("s");
  EXPECT_EQ(Walk(request, 1), (Ids{"a", "b", "c"}));
  request.index = Over("s", Beyond(Value::String(text + "a")), std::nullopt);
  EXPECT_EQ(Walk(request), (Ids{"b", "c"}));
}

TEST_F(IndexScanTest, RowKeyBoundsNarrowTheItems) {
  for (int i = 0; i < 10; ++i) Put("p", std::to_string(i), R"("n":)" + std::to_string(9 - i));
  ScanRequest request;
  request.hash = HashOfKey("p");
  request.partition_key = Tuple("p");
  request.row_key_lower = Tuple("3");
  request.row_key_upper = Tuple("6");
  request.index = Over("n");
  EXPECT_EQ(Walk(request), (Ids{"5", "4", "3"}));
}

TEST_F(IndexScanTest, ExpiredItemsAreHidden) {
  schema_->default_ttl_s = -1;
  Put("p", "a", R"("n":1,"ttl":5)");
  Put("p", "b", R"("n":2)");
  ScanRequest request;
  request.index = Over("n");
  EXPECT_EQ(Walk(request).size(), 2u);
  harness_.Advance(std::chrono::seconds(5));
  EXPECT_EQ(Walk(request), (Ids{"b"}));
}

TEST_F(IndexScanTest, ContinuationsOfAnotherIndexAreRefused) {
  Put("p", "a", R"("n":1,"m":1)");
  Put("p", "b", R"("n":2,"m":2)");
  ScanRequest request;
  request.index = Over("n");
  const auto page =
      harness_.Reader(*schema_).Scan(request, {}, {.items_max = 1}, ReadMode::kMayBlock);
  ASSERT_TRUE(page.has_value() && page->next.has_value());
  request.index = Over("m");
  EXPECT_EQ(
      harness_.Reader(*schema_).Scan(request, page->next, {}, ReadMode::kMayBlock).error().code(),
      Code::kInvalidArgument);
}

}  // namespace
}  // namespace orrery::item
