#include <gtest/gtest.h>

#include "item/item_test_harness.h"
#include "item/read/reader.h"
#include "model/expression/expression_json.h"

namespace orrery::item {
namespace {

using enum OperationKind;
using storage::ReadMode;

class ScanTest : public testing::Test {
 protected:
  ScanTest() {
    for (const char* pk : {"p", "q", "r"}) {
      for (int i = 0; i < 10; ++i) {
        const std::string id = std::to_string(i);
        const auto outcome =
            harness_.Run(schema_, pk, Do(kCreate, id, R"({"id":")" + id + R"(","n":)" + id + "}"));
        EXPECT_TRUE(outcome.status.has_value());
      }
    }
  }

  // Ids of all items, page by page.
  std::vector<std::string> Walk(const ScanRequest& request, const PageLimits& limits,
                                partition::HashRange range = {}) {
    std::vector<std::string> ids;
    std::optional<std::string> next;
    do {
      const auto page =
          harness_.Reader(*schema_, range).Scan(request, next, limits, ReadMode::kMayBlock);
      EXPECT_TRUE(page.has_value()) << page.error().ToString();
      if (!page.has_value()) break;
      EXPECT_LE(page->items.size(), limits.items_max);
      for (const ScannedItem& item : page->items) {
        ids.push_back(item.document.view().Get("id").AsString());
      }
      next = page->next;
      ++pages_;
    } while (next.has_value());
    return ids;
  }

  ScanRequest OnePartition(const std::string& pk) const {
    ScanRequest request;
    request.hash = HashOfKey(pk);
    request.partition_key = Tuple(pk);
    return request;
  }

  ItemHarness harness_;
  std::shared_ptr<ContainerSchema> schema_ = PlainSchema();
  size_t pages_ = 0;
};

const std::vector<std::string> kDigits = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

TEST_F(ScanTest, PointReads) {
  const auto item = harness_.Reader(*schema_).Read(KeyOf("p", "3"), ReadMode::kMayBlock);
  ASSERT_TRUE(item.has_value());
  EXPECT_EQ(item->lsn, Lsn(4));
  EXPECT_EQ(item->expiry, std::nullopt);
  EXPECT_EQ(model::ToJson(item->document), R"({"id":"3","n":3})");
  const auto missing = harness_.Reader(*schema_).Read(KeyOf("p", "x"), ReadMode::kMayBlock);
  EXPECT_EQ(missing.error().code(), Code::kNotFound);
}

TEST_F(ScanTest, KeysOfOtherSlicesHaveMoved) {
  const Hash128 hash = HashOfKey("p");
  const auto elsewhere = partition::HashRange::Inclusive(hash.Next(), Hash128::Max());
  const SliceReader reader = harness_.Reader(*schema_, elsewhere);
  EXPECT_EQ(reader.Read(KeyOf("p", "3"), ReadMode::kMayBlock).error().code(), Code::kMoved);
  EXPECT_EQ(reader.Scan(OnePartition("p"), {}, {}, ReadMode::kMayBlock).error().code(),
            Code::kMoved);
}

TEST_F(ScanTest, OneLogicalPartitionInRowKeyOrder) {
  EXPECT_EQ(Walk(OnePartition("q"), {}), kDigits);
  EXPECT_EQ(pages_, 1u);
}

TEST_F(ScanTest, PagesJoinWithoutGapOrRepetition) {
  for (const size_t items_max : {1u, 3u, 5u, 10u}) {
    EXPECT_EQ(Walk(OnePartition("q"), {.items_max = items_max}), kDigits);
  }
  pages_ = 0;
  Walk(OnePartition("q"), {.items_max = 5});
  EXPECT_EQ(pages_, 2u);
}

TEST_F(ScanTest, Descending) {
  ScanRequest request = OnePartition("q");
  request.descending = true;
  EXPECT_EQ(Walk(request, {.items_max = 3}),
            std::vector<std::string>(kDigits.rbegin(), kDigits.rend()));
}

TEST_F(ScanTest, RowKeyBounds) {
  ScanRequest request = OnePartition("q");
  request.row_key_lower = Tuple("3");
  request.row_key_upper = Tuple("6");
  EXPECT_EQ(Walk(request, {}), (std::vector<std::string>{"3", "4", "5"}));
  request.descending = true;
  EXPECT_EQ(Walk(request, {.items_max = 2}), (std::vector<std::string>{"5", "4", "3"}));
  request.partition_key.reset();
  EXPECT_EQ(harness_.Reader(*schema_).Scan(request, {}, {}, ReadMode::kMayBlock).error().code(),
            Code::kInvalidArgument);
}

TEST_F(ScanTest, WholeSliceAndItsPieces) {
  EXPECT_EQ(Walk({}, {.items_max = 7}).size(), 30u);
  const auto [low, high] = partition::HashRange().CutAt(HashOfKey("q"));
  EXPECT_EQ(Walk({}, {}, low).size() + Walk({}, {}, high).size(), 30u);
  EXPECT_EQ(Walk({}, {}, partition::HashRange::Inclusive(HashOfKey("q"), HashOfKey("q"))), kDigits);
}

TEST_F(ScanTest, ContinuationsAreGoodInBothHalves) {
  const auto first = harness_.Reader(*schema_).Scan({}, {}, {.items_max = 13}, ReadMode::kMayBlock);
  ASSERT_TRUE(first.has_value() && first->next.has_value());
  size_t rest = 0;
  const auto [low, high] = partition::HashRange().CutAt(first->items.back().key.hash);
  for (const auto& range : {low, high}) {
    const auto page =
        harness_.Reader(*schema_, range).Scan({}, first->next, {}, ReadMode::kMayBlock);
    ASSERT_TRUE(page.has_value());
    rest += page->items.size();
  }
  EXPECT_EQ(rest, 17u);
}

TEST_F(ScanTest, FilterAndExaminedLimit) {
  const auto filter =
      model::ExpressionFromJson(model::ValueFromJson(R"({">":[{"path":"/n"},7]})").value());
  ASSERT_TRUE(filter.has_value());
  ScanRequest request = OnePartition("q");
  request.filter = &*filter;
  EXPECT_EQ(Walk(request, {}), (std::vector<std::string>{"8", "9"}));
  const auto page =
      harness_.Reader(*schema_).Scan(request, {}, {.examined_max = 4}, ReadMode::kMayBlock);
  ASSERT_TRUE(page.has_value());
  EXPECT_TRUE(page->items.empty());
  EXPECT_EQ(page->examined, 4u);
  EXPECT_GT(page->bytes_examined, 0u);
  EXPECT_TRUE(page->next.has_value());
  EXPECT_EQ(Walk(request, {.examined_max = 4}), (std::vector<std::string>{"8", "9"}));
}

TEST_F(ScanTest, BytesLimit) {
  pages_ = 0;
  EXPECT_EQ(Walk(OnePartition("q"), {.bytes_max = 1}), kDigits);
  EXPECT_EQ(pages_, 10u);
}

TEST_F(ScanTest, ExpiredItemsAreHidden) {
  schema_->default_ttl_s = -1;
  ASSERT_OK(harness_.Run(schema_, "q", Do(kReplace, "4", R"({"id":"4","ttl":5})")).status);
  EXPECT_EQ(Walk(OnePartition("q"), {}).size(), 10u);
  harness_.Advance(std::chrono::seconds(6));
  EXPECT_EQ(Walk(OnePartition("q"), {}).size(), 9u);
  EXPECT_EQ(harness_.ReadJson(*schema_, "q", "4"), std::nullopt);
}

TEST_F(ScanTest, ForeignContinuationsAreRefused) {
  const ItemKey key = KeyOf("q", "1");
  for (const std::string& foreign :
       {std::string("nonsense"), std::string(), DataKey(ContainerId(99), key),
        SizesKey(schema_->id, key.hash, key.partition_key)}) {
    EXPECT_EQ(harness_.Reader(*schema_).Scan({}, foreign, {}, ReadMode::kMayBlock).error().code(),
              Code::kInvalidArgument);
  }
}

TEST_F(ScanTest, CachedOnlyNeverTouchesTheDisk) {
  const std::string text(100'000, 'x');  // a block each
  for (const std::string& id : kDigits) {
    const auto outcome = harness_.Run(
        schema_, "z", Do(kCreate, id, R"({"id":")" + id + R"(","s":")" + text + R"("})"));
    ASSERT_OK(outcome.status);
  }
  ASSERT_OK(harness_.engine().Flush());
  harness_.Close();
  harness_.Open();
  const SliceReader reader = harness_.Reader(*schema_);
  EXPECT_EQ(reader.Read(KeyOf("z", "3"), ReadMode::kCachedOnly).error().code(), Code::kWouldBlock);
  ScanRequest later = OnePartition("z");
  later.row_key_lower = Tuple("5");
  const auto blocked = reader.Scan(later, {}, {}, ReadMode::kCachedOnly);
  ASSERT_FALSE(blocked.has_value());
  EXPECT_EQ(blocked.error().code(), Code::kWouldBlock);

  for (const char* id : {"0", "1", "2"}) {
    ASSERT_TRUE(reader.Read(KeyOf("z", id), ReadMode::kMayBlock).has_value());
  }
  EXPECT_TRUE(reader.Read(KeyOf("z", "1"), ReadMode::kCachedOnly).has_value());
  const auto part = reader.Scan(OnePartition("z"), {}, {}, ReadMode::kCachedOnly);
  ASSERT_TRUE(part.has_value());
  ASSERT_TRUE(part->next.has_value());
  const auto rest = reader.Scan(OnePartition("z"), part->next, {}, ReadMode::kMayBlock);
  ASSERT_TRUE(rest.has_value());
  EXPECT_EQ(part->items.size() + rest->items.size(), 10u);
}

}  // namespace
}  // namespace orrery::item
