#include "item/row/row_merge_rule.h"

#include <gtest/gtest.h>

#include "item/layout/key_layout.h"
#include "model/row/row_codec.h"
#include "storage/engine/engine.h"
#include "storage/engine/engine_testing.h"

namespace orrery::item {
namespace {

using std::chrono::seconds;

constexpr ContainerId kMergedTable{7};
constexpr Micros kMergeGrace = seconds(10);
constexpr model::ColumnId kSet = 1;

class RowMergeRuleTest : public testing::Test {
 protected:
  RowMergeRuleTest() {
    clock_.Advance(std::chrono::hours(1'000));
    auto slices = std::make_shared<RetainedSlices>();
    (*slices)[kMergedTable] = {.ranges = {partition::HashRange()}, .deletion_grace = kMergeGrace};
    retention_.SetSlices(slices);
    WriteRowKey(key_, kMergedTable, {Hash128{1, 0}, "pk", ""});
    auto engine = storage::Engine::Open(
        resources_,
        {.path = directory_ / "engine", .keep_rule = &retention_, .merge_rule = &merge_rule_});
    EXPECT_TRUE(engine.has_value());
    engine_ = *std::move(engine);
  }

  uint32_t NowSeconds() const {
    return static_cast<uint32_t>(std::chrono::duration_cast<seconds>(clock_.Now()).count());
  }
  // UPDATE .. SET s = s + {`added`}, s = s - {`removed`}
  void Change(const std::string& added, const std::string& removed) {
    model::Row change;
    const auto element = [&](model::CellKind kind, const std::string& path) {
      change.cells.push_back({.column = kSet,
                              .has_path = true,
                              .kind = kind,
                              .timestamp = clock_.Now().count(),
                              .expiry_s = kind == model::CellKind::kTombstone ? NowSeconds() : 0,
                              .path = path,
                              .value = {}});
    };
    element(model::CellKind::kTombstone, removed);
    element(model::CellKind::kValue, added);
    std::ranges::sort(change.cells, {}, &model::Cell::path);
    std::string encoded;
    model::EncodeRow(encoded, change);
    storage::Batch batch;
    batch.Merge(key_, encoded);
    ASSERT_TRUE(engine_->Write(batch, storage::Durability::kOs).has_value());
  }
  void ReadInto(model::Row& row) {
    const auto found = engine_->Get(key_, pinned_);
    ASSERT_TRUE(found.has_value() && *found);
    ASSERT_TRUE(model::DecodeRow(pinned_.view(), row).has_value());
  }

  storage::TemporaryDirectory directory_;
  ManualClock clock_;
  RetentionRule retention_{clock_, Micros(0)};
  const RowMergeRule merge_rule_{&retention_};
  storage::EngineResources resources_;
  std::unique_ptr<storage::Engine> engine_;
  storage::PinnedValue pinned_;
  std::string key_;
};

TEST_F(RowMergeRuleTest, RowsThatAreWrittenAllTheTimeDoNotGrow) {
  constexpr int kRounds = 100;
  for (int i = 0; i < kRounds; ++i) {
    Change("e" + std::to_string(i + 1), "e" + std::to_string(i));
    clock_.Advance(seconds(1));
    ASSERT_TRUE(engine_->Flush().has_value());
    if (i % 3 == 0) ASSERT_TRUE(engine_->Compact("", "").has_value());
  }
  ASSERT_TRUE(engine_->Compact("", "").has_value());
  model::Row row;
  ReadInto(row);
  EXPECT_LE(row.cells.size(), 15u) << "one lives, ten died within the grace";
  EXPECT_GE(row.cells.size(), 10u) << "those may still meet older writes";
  EXPECT_TRUE(std::ranges::any_of(row.cells, [](const model::Cell& cell) {
    return cell.kind == model::CellKind::kValue && cell.path == "e100";
  }));
}

TEST_F(RowMergeRuleTest, ChangesOfUnknownRowsForgetNothing) {
  Change("a", "b");
  clock_.Advance(kMergeGrace + seconds(2));
  const auto value = engine_->Get(key_, pinned_);
  ASSERT_TRUE(value.has_value() && *value);
  const std::string change(pinned_.view());
  std::string merged;
  model::Row row;
  ASSERT_TRUE(merge_rule_.Merge(key_, std::nullopt, {change, change}, /*partial=*/true, merged));
  ASSERT_TRUE(model::DecodeRow(merged, row).has_value());
  EXPECT_EQ(row.cells.size(), 2u) << "what it is for may lie below";
  ASSERT_TRUE(merge_rule_.Merge(key_, std::nullopt, {change, change}, /*partial=*/false, merged));
  ASSERT_TRUE(model::DecodeRow(merged, row).has_value());
  EXPECT_EQ(row.cells.size(), 1u);
}

}  // namespace
}  // namespace orrery::item
