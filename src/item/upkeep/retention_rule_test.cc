#include "item/upkeep/retention_rule.h"

#include <gtest/gtest.h>

#include "item/layout/entry_codec.h"
#include "item/layout/feed_codec.h"
#include "item/layout/record_codec.h"
#include "item/row/partition_head.h"
#include "model/row/row_codec.h"

namespace orrery::item {
namespace {

constexpr ContainerId kContainer{7};
constexpr Micros kGrace = std::chrono::hours(1);
constexpr Micros kRetention = std::chrono::hours(24);
const std::string kDocument{"\5\0\0\0\0", 5};

class RetentionRuleTest : public testing::Test {
 protected:
  RetentionRuleTest() {
    auto slices = std::make_shared<RetainedSlices>();
    (*slices)[kContainer] = {
        .ranges = {partition::HashRange::Inclusive({100, 0}, {199, UINT64_MAX})},
        .feed_retention = kRetention};
    rule_.SetSlices(slices);
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
  RetentionRule rule_{clock_, kGrace};
};

TEST_F(RetentionRuleTest, KeepsEverythingBeforeItKnowsTheSlices) {
  const RetentionRule fresh(clock_, kGrace);
  EXPECT_TRUE(fresh.Keep(DataKey(kContainer, At(5)), Record(Micros(1))));
}

TEST_F(RetentionRuleTest, DropsWhatIsOutsideTheSlices) {
  std::string key;
  EXPECT_TRUE(rule_.Keep(DataKey(kContainer, At(150)), Record(std::nullopt)));
  EXPECT_FALSE(rule_.Keep(DataKey(kContainer, At(200)), Record(std::nullopt)));
  EXPECT_FALSE(rule_.Keep(DataKey(kContainer.Next(), At(150)), Record(std::nullopt)));
  WriteIndexKey(key, kContainer, IndexId(1), "v", At(99));
  EXPECT_FALSE(rule_.Keep(key, std::string(1, '\0')));
  WriteExpiryKey(key, kContainer, clock_.Now(), At(99));
  EXPECT_FALSE(rule_.Keep(key, "\1\1\1"));
  EXPECT_FALSE(rule_.Keep(FeedKey(kContainer, Lsn(4), {99, 0}, 0), FeedValue(false, clock_.Now())));
}

TEST_F(RetentionRuleTest, DropsTheExpiredAfterTheGrace) {
  const Micros expiry = clock_.Now() + std::chrono::seconds(1);
  const std::string data = DataKey(kContainer, At(150));
  std::string index;
  std::string index_entry;
  std::string unique;
  std::string holder;
  std::string expiry_key;
  WriteIndexKey(index, kContainer, IndexId(1), "v", At(150));
  WriteIndexEntry(index_entry, {expiry, false});
  WriteUniqueKey(unique, kContainer, {150, 0}, "pk", 0, "v");
  WriteUniqueEntry(holder, {expiry, "rk"});
  WriteExpiryKey(expiry_key, kContainer, expiry, At(150));

  clock_.Advance(kGrace);
  EXPECT_TRUE(rule_.Keep(data, Record(expiry)));
  EXPECT_TRUE(rule_.Keep(index, index_entry));
  EXPECT_TRUE(rule_.Keep(unique, holder));
  clock_.Advance(std::chrono::seconds(1));
  EXPECT_FALSE(rule_.Keep(data, Record(expiry)));
  EXPECT_FALSE(rule_.Keep(index, index_entry));
  EXPECT_FALSE(rule_.Keep(unique, holder));
  EXPECT_TRUE(rule_.Keep(expiry_key, "\1\1\1"));
}

TEST_F(RetentionRuleTest, DropsSupersededChangesPastRetention) {
  const std::string key = FeedKey(kContainer, Lsn(4), {150, 0}, 0);
  const Micros then = clock_.Now();
  clock_.Advance(kRetention - Micros(1));
  EXPECT_TRUE(rule_.Keep(key, FeedValue(true, then)));
  clock_.Advance(Micros(1));
  EXPECT_FALSE(rule_.Keep(key, FeedValue(true, then)));
  EXPECT_TRUE(rule_.Keep(key, FeedValue(false, then)));
}

TEST_F(RetentionRuleTest, DropsDeadRowsButNotWhatHidesOthers) {
  constexpr ContainerId kTable{8};
  constexpr ContainerId kClustered{9};
  auto slices = std::make_shared<RetainedSlices>();
  (*slices)[kTable] = {.ranges = {partition::HashRange()}, .deletion_grace = kGrace};
  (*slices)[kClustered] = {
      .ranges = {partition::HashRange()}, .deletion_grace = kGrace, .clustered = true};
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
  std::string head;
  std::string cleared;
  WriteRowKey(table_row, kTable, {Hash128{1, 0}, "pk", ""});
  WriteRowKey(clustered_row, kClustered, {Hash128{1, 0}, "pk", "ck"});
  WriteRowKey(head, kClustered, {Hash128{1, 0}, "pk", ""});
  WriteClearedKey(cleared, kClustered, {Hash128{1, 0}, "pk", "ck"});
  std::string range;
  WriteClearedValue(range, {"ck", std::nullopt, row.deletion});

  EXPECT_TRUE(rule_.Keep(table_row, deleted));
  EXPECT_TRUE(rule_.Keep(clustered_row, deleted));
  clock_.Advance(kGrace + std::chrono::seconds(1));
  EXPECT_FALSE(rule_.Keep(table_row, deleted));
  EXPECT_FALSE(rule_.Keep(clustered_row, deleted));
  EXPECT_TRUE(rule_.Keep(head, deleted));
  EXPECT_TRUE(rule_.Keep(head, MarkCleared(row.deletion)));
  EXPECT_TRUE(rule_.Keep(cleared, range));
  // Until what it hides was swept.
  const auto due = rule_.hidden_rows().TakeDue();
  ASSERT_EQ(due.size(), 1u);
  rule_.hidden_rows().Swept(due[0], now_s);
  EXPECT_TRUE(rule_.Keep(cleared, range));
  rule_.hidden_rows().Swept(due[0], now_s + 1);
  EXPECT_FALSE(rule_.Keep(cleared, range));
  EXPECT_TRUE(rule_.Keep(head, deleted));
}

TEST_F(RetentionRuleTest, KeepsWhatItDoesNotUnderstand) {
  EXPECT_TRUE(rule_.Keep(std::string_view("\0seq", 4), "x"));
  EXPECT_TRUE(rule_.Keep("", ""));
  EXPECT_TRUE(rule_.Keep(DataKey(kContainer, At(150)), "damaged"));
}

}  // namespace
}  // namespace orrery::item
