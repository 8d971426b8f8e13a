// An index gives the same items of one logical partition, whether the entries of others are skipped
// or the partition's own items are read.
#include "item/read/partition_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "item/item_test_harness.h"

namespace orrery::item {
namespace {

using enum OperationKind;
using model::PathStep;
using model::Value;

class PartitionOrderTest : public testing::Test {
 protected:
  static ValueBound At(int value) {
    const Value number = Value::Int32(value);
    return {.encoded = model::EncodeKey({&number, 1}, model::Order::kSql), .inclusive = true};
  }

  void Put(const std::string& pk, int id, int n, int m) {
    const std::string name = std::to_string(1'000 + id);
    const std::string json = R"({"id":")" + name + R"(","n":)" + std::to_string(n) + R"(,"m":)" +
                             std::to_string(m) + "}";
    ASSERT_TRUE(harness_.Run(schema_, pk, Do(kUpsert, name, json)).status.has_value());
    items_[pk][name] = {n, m};
  }

  ScanRequest Within(const std::string& pk, const std::string& field) const {
    ScanRequest request;
    request.hash = HashOfKey(pk);
    request.partition_key = Tuple(pk);
    request.index = IndexRange{.index = PathIndexId(std::vector{PathStep::Field(field)})};
    return request;
  }

  std::vector<std::string> Walk(const ScanRequest& request, size_t items_max) {
    std::vector<std::string> ids;
    std::optional<std::string> next;
    examined_ = passed_ = 0;
    do {
      const auto page = harness_.Reader(*schema_).Scan(request, next, {.items_max = items_max},
                                                       storage::ReadMode::kMayBlock);
      if (!page.has_value()) {
        ADD_FAILURE() << page.error().ToString();
        break;
      }
      for (const ScannedItem& item : page->items) {
        const auto key = model::DecodeKey(item.key.row_key);
        ids.push_back(key->front().AsString());
        EXPECT_EQ(item.document.view().empty(), request.index_only);
        EXPECT_FALSE(item.value.empty());
      }
      examined_ += page->examined;
      passed_ += page->entries_passed;
      next = page->next;
    } while (next.has_value());
    return ids;
  }

  using Model = std::map<std::string, std::pair<int, int>>;
  static std::vector<std::string> Expected(const Model& items, bool of_n, bool descending,
                                           const std::function<bool(int)>& is_wanted) {
    std::vector<std::pair<int, std::string>> found;
    for (const auto& [id, values] : items) {
      const int value = of_n ? values.first : values.second;
      if (is_wanted(value)) found.emplace_back(value, id);
    }
    std::ranges::sort(found);
    if (descending) std::ranges::reverse(found);
    std::vector<std::string> ids;
    for (auto& [value, id] : found) ids.push_back(std::move(id));
    return ids;
  }

  ItemHarness harness_;
  std::shared_ptr<ContainerSchema> schema_ = IndexedSchema();
  std::map<std::string, Model> items_;
  size_t examined_ = 0;
  size_t passed_ = 0;
};

TEST_F(PartitionOrderTest, EveryWayGivesTheSame) {
  std::mt19937 random(7);
  for (int i = 0; i < 600; ++i) {
    const uint32_t of = random() % 20;
    const std::string pk = of < 8 ? "large" : of < 9 ? "small" : "p" + std::to_string(i);
    Put(pk, i, static_cast<int>(random() % 100'000), static_cast<int>(random() % 4));
  }
  for (const std::string pk : {"large", "small", "none"}) {
    for (const bool of_n : {true, false}) {
      for (const bool descending : {false, true}) {
        for (const bool index_only : {false, true}) {
          ScanRequest request = Within(pk, of_n ? "n" : "m");
          request.index->descending = descending;
          request.index_only = index_only;
          const auto all = Expected(items_[pk], of_n, descending, [](int) { return true; });
          for (const size_t items_max : {1u, 3u, 20u, 1'000u})
            EXPECT_EQ(Walk(request, items_max), all) << pk << " " << of_n << " " << items_max;

          const int scale = of_n ? 10'000 : 1;
          request.index->lower = request.index->upper = At(scale);
          request.index->further = {{At(2 * scale), At(2 * scale)}, {At(3 * scale), std::nullopt}};
          const auto some = Expected(items_[pk], of_n, descending, [&](int value) {
            return value == scale || value == 2 * scale || value >= 3 * scale;
          });
          for (const size_t items_max : {1u, 3u, 20u, 1'000u})
            EXPECT_EQ(Walk(request, items_max), some) << pk << " " << of_n << " " << items_max;
        }
      }
    }
  }
}

TEST_F(PartitionOrderTest, ALargePartitionsFirstItemsCostFewLooks) {
  for (int i = 0; i < 1'000; ++i) Put(i % 4 == 0 ? "p" + std::to_string(i) : "large", i, i, 0);
  const auto page = harness_.Reader(*schema_).Scan(Within("large", "n"), {}, {.items_max = 10},
                                                   storage::ReadMode::kMayBlock);
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->items.size(), 10u);
  EXPECT_EQ(page->examined, 10u);
  EXPECT_LE(page->entries_passed, 5u);
}

TEST_F(PartitionOrderTest, ASmallPartitionCostsLittleMoreThanItHas) {
  for (int i = 0; i < 3'000; ++i) Put("p" + std::to_string(i), i, i, 0);
  for (int i = 0; i < 40; ++i) Put("small", i, 1'000'000 + i, 0);
  EXPECT_EQ(Walk(Within("small", "n"), 10).size(), 40u);
  EXPECT_EQ(examined_, 40u);
  EXPECT_LE(passed_, 40u * 16 + 1);
}

TEST_F(PartitionOrderTest, ValuesThatManyHaveAreSteppedOver) {
  for (int i = 0; i < 3'000; ++i) Put("p" + std::to_string(i), i, 0, i % 3);
  for (int i = 0; i < 90; ++i) Put("other", i, 0, i % 3);
  for (const bool descending : {false, true}) {
    ScanRequest request = Within("other", "m");
    request.index->descending = descending;
    EXPECT_EQ(Walk(request, 10),
              Expected(items_["other"], false, descending, [](int) { return true; }));
    EXPECT_LE(examined_, 90u);
    EXPECT_LE(passed_, 400u);
  }
}

}  // namespace
}  // namespace orrery::item
