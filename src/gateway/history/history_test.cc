#include "gateway/history/history.h"

#include <gtest/gtest.h>

namespace orrery::gateway {
namespace {

constexpr int64_t kFirst = 1'700'000'000;
constexpr ContainerId kOrders{7};

std::shared_ptr<const cluster::PartitionRecord> RecordOf(PartitionId id) {
  auto record = std::make_shared<cluster::PartitionRecord>();
  record->id = id;
  record->slices = {{kOrders, partition::HashRange(), ""}};
  return record;
}

PartitionSample SampleOf(uint64_t id, float used, double rate = 1'000) {
  PartitionSample sample;
  sample.id = PartitionId(id);
  sample.row = {.used = used, .used_highest = used, .throttled = 0, .bytes = 100};
  sample.rate = rate;
  sample.record = RecordOf(sample.id);
  return sample;
}

TEST(HistoryTest, PartitionsAreBornAndDie) {
  History history(1 << 20);
  EXPECT_FALSE(history.since().has_value());
  history.Add(kFirst, {SampleOf(1, 5)});
  history.NoteChange({PartitionId(1)}, {PartitionId(2), PartitionId(3)});
  history.Add(kFirst + 1, {SampleOf(2, 3), SampleOf(3, 4)});
  history.Add(kFirst + 2, {SampleOf(2, 3, 2'000), SampleOf(3, 4)});
  EXPECT_EQ(history.since(), kFirst);
  const auto pasts = history.Of(kOrders, 0, kFirst, kFirst + 3);
  ASSERT_EQ(pasts.size(), 3u);
  EXPECT_EQ(pasts[0].id, PartitionId(1));
  EXPECT_FALSE(pasts[0].born_ms.has_value());
  EXPECT_EQ(pasts[0].died_ms, (kFirst + 1) * 1'000);
  EXPECT_EQ(pasts[0].children, (std::vector{PartitionId(2), PartitionId(3)}));
  EXPECT_EQ(pasts[0].rows[0]->used, 5);
  EXPECT_FALSE(pasts[0].rows[1].has_value());
  EXPECT_EQ(pasts[1].parents, std::vector{PartitionId(1)});
  EXPECT_EQ(pasts[1].born_ms, (kFirst + 1) * 1'000);
  EXPECT_FALSE(pasts[1].died_ms.has_value());
  EXPECT_EQ(pasts[1].rates, (std::vector<std::pair<int64_t, double>>{
                                {(kFirst + 1) * 1'000, 1'000}, {(kFirst + 2) * 1'000, 2'000}}));
  EXPECT_TRUE(history.Of(ContainerId(8), 0, kFirst, kFirst + 3).empty());
  // Only those that were there then.
  EXPECT_EQ(history.Of(kOrders, 0, kFirst + 2, kFirst + 3).size(), 2u);
  EXPECT_EQ(history.HighestOf(PartitionId(2)), 3);
}

TEST(HistoryTest, TheDeadAreForgottenAfterAWeek) {
  History history(1 << 20);
  history.Add(kFirst, {SampleOf(1, 5), SampleOf(2, 5)});
  history.Add(kFirst + 1, {SampleOf(2, 5)});
  const size_t before = history.bytes();
  history.Add(kFirst + 2 + 7 * 24 * 3'600, {SampleOf(2, 5)});
  EXPECT_LT(history.bytes(), before);
}

TEST(HistoryTest, TenThousandPartitionsStayWithinTheBound) {
  constexpr size_t kBound = 32 << 20;
  History history(kBound);
  for (int64_t second = 0; second < 150; ++second) {
    std::vector<PartitionSample> samples;
    for (uint64_t id = 1; id <= 10'000; ++id)
      samples.push_back(
          SampleOf(id, static_cast<float>(id % 97 + static_cast<uint64_t>(second) % 3)));
    history.Add(kFirst + second, samples);
    ASSERT_LE(history.bytes(), kBound) << second;
  }
  // The finest tier of those that did least went first; the busiest has it still.
  const auto pasts = history.Of(kOrders, 0, kFirst, kFirst + 150);
  ASSERT_EQ(pasts.size(), 10'000u);
  size_t fine = 0;
  for (const PartitionPast& past : pasts)
    if (past.rows[100].has_value()) ++fine;
  EXPECT_GT(fine, 0u);
  EXPECT_LT(fine, 10'000u);
  EXPECT_TRUE(pasts[95].rows[100].has_value());  // of 96 RU
  // And all have something coarser.
  const auto coarse = history.Of(kOrders, 1, kFirst, kFirst + 140);
  for (const PartitionPast& past : coarse) EXPECT_TRUE(past.rows[5].has_value());
}

TEST(HistoryTest, NothingIsKeptWithoutMemory) {
  History history(0);
  history.Add(kFirst, {SampleOf(1, 5)});
  EXPECT_FALSE(history.since().has_value());
  EXPECT_EQ(history.bytes(), 0u);
}

}  // namespace
}  // namespace orrery::gateway
