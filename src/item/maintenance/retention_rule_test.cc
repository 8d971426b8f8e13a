#include "item/maintenance/retention_rule.h"

#include <gtest/gtest.h>

#include "item/layout/entry_codec.h"
#include "item/layout/feed_codec.h"
#include "item/layout/record_codec.h"
#include "item/row/static_row.h"
#include "model/row/row_codec.h"

namespace orrery::item {
namespace {

constexpr ContainerId kRetainedContainer{7};
constexpr Micros kDeletionGrace = std::chrono::hours(1);
constexpr Micros kRetention = std::chrono::hours(24);
const std::string kDocument{"\5\0\0\0\0", 5};

class RetentionRuleTest : public testing::Test {
 protected:
  RetentionRuleTest() {
    auto slices = std::make_shared<RetainedSlices>();
    (*slices)[kRetainedContainer] = {
        .ranges = {partition::HashRange::Inclusive({100, 0}, {199, UINT64_MAX})},
        .feed_retention = kRetention};
    rule_.SetSlices(slices);
  }

  static bool Keeps(const RetentionRule& rule, std::string_view key, std::string_view value) {
    std::string rest;
    return rule.Decide(key, value, rest) == storage::Fate::kStays;
  }
  static ItemKey At(uint64_t high) { return {Hash128{high, 0}, "pk", "rk"}; }
  std::string Record(std::optional<Micros> expiry) const {
    return EncodeRecord({Lsn(1), clock_.Now(), expiry, 0}, kDocument);
  }
  std::string FeedValue(bool superseded, Micros time) const {
    std::string value;
    WriteChange(value,
                {.superseded = superseded, .time = time, .partition_key = "pk", .row_key = "rk"});
    return value;
  }

  ManualClock clock_;
  RetentionRule rule_{clock_, kDeletionGrace};
};

TEST_F(RetentionRuleTest, KeepsEverythingBeforeItKnowsTheSlices) {
  const RetentionRule fresh(clock_, kDeletionGrace);
  EXPECT_TRUE(Keeps(fresh, DataKey(kRetainedContainer, At(5)), Record(Micros(1))));
}

TEST_F(RetentionRuleTest, DropsWhatIsOutsideTheSlices) {
  std::string key;
  EXPECT_TRUE(Keeps(rule_, DataKey(kRetainedContainer, At(150)), Record(std::nullopt)));
  EXPECT_FALSE(Keeps(rule_, DataKey(kRetainedContainer, At(200)), Record(std::nullopt)));
  EXPECT_FALSE(Keeps(rule_, DataKey(kRetainedContainer.Next(), At(150)), Record(std::nullopt)));
  WriteIndexKey(key, kRetainedContainer, IndexId(1), "v", At(99));
  EXPECT_FALSE(Keeps(rule_, key, std::string(1, '\0')));
  WriteExpiryKey(key, kRetainedContainer, clock_.Now(), At(99));
  EXPECT_FALSE(Keeps(rule_, key, "\1\1\1"));
  EXPECT_FALSE(Keeps(rule_, FeedKey(kRetainedContainer, Lsn(4), {99, 0}, 0),
                     FeedValue(false, clock_.Now())));
}

TEST_F(RetentionRuleTest, DropsTheExpiredAfterTheGrace) {
  const Micros expiry = clock_.Now() + std::chrono::seconds(1);
  const std::string data = DataKey(kRetainedContainer, At(150));
  std::string index;
  std::string index_entry;
  std::string unique;
  std::string holder;
  std::string expiry_key;
  WriteIndexKey(index, kRetainedContainer, IndexId(1), "v", At(150));
  WriteIndexEntry(index_entry, {expiry, false});
  WriteUniqueKey(unique, kRetainedContainer, {150, 0}, "pk", 0, "v");
  WriteUniqueEntry(holder, {expiry, "rk"});
  WriteExpiryKey(expiry_key, kRetainedContainer, expiry, At(150));

  clock_.Advance(kDeletionGrace);
  EXPECT_TRUE(Keeps(rule_, data, Record(expiry)));
  EXPECT_TRUE(Keeps(rule_, index, index_entry));
  EXPECT_TRUE(Keeps(rule_, unique, holder));
  clock_.Advance(std::chrono::seconds(1));
  EXPECT_FALSE(Keeps(rule_, data, Record(expiry)));
  EXPECT_FALSE(Keeps(rule_, index, index_entry));
  EXPECT_FALSE(Keeps(rule_, unique, holder));
  EXPECT_TRUE(Keeps(rule_, expiry_key, "\1\1\1"));
}

TEST_F(RetentionRuleTest, DropsReceiptsAfterTheirLifetime) {
  std::string key;
  std::string value;
  WriteReceiptKey(key, kRetainedContainer, At(150).hash, "pk", "name");
  WriteReceiptEntry(value, {.expiry = clock_.Now() + std::chrono::seconds(1), .bytes = "x"});
  EXPECT_TRUE(Keeps(rule_, key, value));
  clock_.Advance(kDeletionGrace);
  EXPECT_TRUE(Keeps(rule_, key, value));
  clock_.Advance(std::chrono::seconds(1));
  EXPECT_FALSE(Keeps(rule_, key, value));
  WriteReceiptKey(key, kRetainedContainer, At(200).hash, "pk", "name");
  WriteReceiptEntry(value, {.expiry = std::nullopt, .bytes = "x"});
  EXPECT_FALSE(Keeps(rule_, key, value)) << "outside the slices";
}

TEST_F(RetentionRuleTest, DropsSupersededChangesPastRetention) {
  const std::string key = FeedKey(kRetainedContainer, Lsn(4), {150, 0}, 0);
  const Micros then = clock_.Now();
  clock_.Advance(kRetention - Micros(1));
  EXPECT_TRUE(Keeps(rule_, key, FeedValue(true, then)));
  clock_.Advance(Micros(1));
  EXPECT_FALSE(Keeps(rule_, key, FeedValue(true, then)));
  EXPECT_TRUE(Keeps(rule_, key, FeedValue(false, then)));
}

TEST_F(RetentionRuleTest, DropsDeadRowsButNotWhatHidesOthers) {
  constexpr ContainerId kTable{8};
  constexpr ContainerId kClustered{9};
  auto slices = std::make_shared<RetainedSlices>();
  (*slices)[kTable] = {.ranges = {partition::HashRange()}, .deletion_grace = kDeletionGrace};
  (*slices)[kClustered] = {
      .ranges = {partition::HashRange()}, .deletion_grace = kDeletionGrace, .clustered = true};
  rule_.SetSlices(slices);
  clock_.Advance(std::chrono::hours(1'000));
  const auto now_s =
      static_cast<uint32_t>(std::chrono::duration_cast<std::chrono::seconds>(clock_.Now()).count());
  model::Row row;
  row.deletion = {5, now_s};
  std::string deleted;
  model::EncodeRow(deleted, row);
  std::string table_row;
  std::string clustered_row;
  std::string static_row;
  std::string tombstone;
  WriteRowKey(table_row, kTable, {Hash128{1, 0}, "pk", ""});
  WriteRowKey(clustered_row, kClustered, {Hash128{1, 0}, "pk", "ck"});
  WriteRowKey(static_row, kClustered, {Hash128{1, 0}, "pk", ""});
  WriteRangeTombstoneKey(tombstone, kClustered, {Hash128{1, 0}, "pk", "ck"});
  std::string range;
  WriteRangeTombstoneValue(range, {"ck", std::nullopt, row.deletion});

  EXPECT_TRUE(Keeps(rule_, table_row, deleted));
  EXPECT_TRUE(Keeps(rule_, clustered_row, deleted));
  clock_.Advance(kDeletionGrace + std::chrono::seconds(1));
  EXPECT_FALSE(Keeps(rule_, table_row, deleted));
  EXPECT_FALSE(Keeps(rule_, clustered_row, deleted));
  EXPECT_TRUE(Keeps(rule_, static_row, deleted));
  EXPECT_TRUE(Keeps(rule_, static_row, MarkRangeTombstones(row.deletion)));
  EXPECT_TRUE(Keeps(rule_, tombstone, range));
  // Until what it hides was swept.
  const auto due = rule_.shadowed_rows().TakeDue();
  ASSERT_EQ(due.size(), 1u);
  rule_.shadowed_rows().Swept(due[0], now_s);
  EXPECT_TRUE(Keeps(rule_, tombstone, range));
  rule_.shadowed_rows().Swept(due[0], now_s + 1);
  EXPECT_FALSE(Keeps(rule_, tombstone, range));
  EXPECT_TRUE(Keeps(rule_, static_row, deleted));
}

TEST_F(RetentionRuleTest, LivingRowsForgetWhatIsDeadInThem) {
  auto slices = std::make_shared<RetainedSlices>();
  (*slices)[kRetainedContainer] = {
      .ranges = {partition::HashRange()}, .deletion_grace = kDeletionGrace, .clustered = true};
  rule_.SetSlices(slices);
  clock_.Advance(std::chrono::hours(1'000));
  const auto now_s =
      static_cast<uint32_t>(std::chrono::duration_cast<std::chrono::seconds>(clock_.Now()).count());
  const auto element = [](std::string_view path, model::CellKind kind, uint32_t expiry_s) {
    return model::Cell{.column = 1,
                       .has_path = true,
                       .kind = kind,
                       .timestamp = 5,
                       .expiry_s = expiry_s,
                       .path = path,
                       .value = {}};
  };
  model::Row row;
  row.liveness = model::Liveness{.timestamp = 5};
  row.column_deletions = {{1, {4, now_s}}};
  row.cells = {element("a", model::CellKind::kTombstone, now_s),
               element("b", model::CellKind::kValue, 0),
               element("c", model::CellKind::kTombstone, now_s + 3600)};
  std::string stored;
  model::EncodeRow(stored, row);
  std::string key;
  WriteRowKey(key, kRetainedContainer, {Hash128{1, 0}, "pk", "ck"});
  std::string rest;
  EXPECT_EQ(rule_.Decide(key, stored, rest), storage::Fate::kStays);
  clock_.Advance(kDeletionGrace + std::chrono::seconds(1));
  EXPECT_EQ(rule_.Decide(key, stored, rest), storage::Fate::kShrinks);
  model::Row kept;
  ASSERT_TRUE(model::DecodeRow(rest, kept).has_value());
  EXPECT_EQ(kept.liveness, row.liveness);
  EXPECT_TRUE(kept.column_deletions.empty());
  EXPECT_EQ(kept.cells, (std::vector{row.cells[1], row.cells[2]}));
  EXPECT_EQ(rule_.Decide(key, rest, stored), storage::Fate::kStays) << "it has done so already";

  // A static row that hides other rows is kept, whatever becomes of its own cells.
  std::string static_row;
  WriteRowKey(static_row, kRetainedContainer, {Hash128{1, 0}, "pk", ""});
  row.deletion = {3, now_s};
  model::EncodeRow(stored, row);
  EXPECT_EQ(rule_.Decide(static_row, stored, rest), storage::Fate::kShrinks);
  ASSERT_TRUE(model::DecodeRow(rest, kept).has_value());
  EXPECT_EQ(kept.deletion, row.deletion);
  EXPECT_EQ(kept.column_deletions, row.column_deletions);
  EXPECT_EQ(kept.cells, (std::vector{row.cells[1], row.cells[2]}));
}

TEST_F(RetentionRuleTest, KeepsWhatItDoesNotUnderstand) {
  EXPECT_TRUE(Keeps(rule_, std::string_view("\0seq", 4), "x"));
  EXPECT_TRUE(Keeps(rule_, "", ""));
  EXPECT_TRUE(Keeps(rule_, DataKey(kRetainedContainer, At(150)), "damaged"));
}

}  // namespace
}  // namespace orrery::item
