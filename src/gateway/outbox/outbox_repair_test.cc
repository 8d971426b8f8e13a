#include "gateway/outbox/outbox_repair.h"

#include <gtest/gtest.h>

#include "gateway/outbox/outbox_testing.h"
#include "item/layout/key_layout.h"

namespace orrery::gateway {
namespace {

class OutboxRepairTest : public OutboxFixture {};

TEST_F(OutboxRepairTest, FindsAfterARestartWhatWasNotDelivered) {
  const ContainerRef base = MakeTable("base");
  const ContainerRef view = MakeOwnTable("view");
  const size_t writes = item::kOutboxPageEntriesMax + 2;
  for (size_t i = 0; i < writes; ++i) {
    WriteAndCrash(base, "b" + std::to_string(i),
                  SetWith("b", {Follow(view, "v" + std::to_string(i), "v")}));
  }
  EXPECT_EQ(Left(), writes);
  EXPECT_EQ(NameOf(view, "v0"), "-");
  server.Restart();
  server.rows->outbox().WaitUntilIdle();
  for (size_t i = 0; i < writes; ++i) {
    EXPECT_EQ(NameOf(view, "v" + std::to_string(i)), "v") << i;
  }
  EXPECT_EQ(Left(), 0u);
}

TEST_F(OutboxRepairTest, FindsNothingAfterACleanStop) {
  const ContainerRef base = MakeTable("base");
  const ContainerRef view = MakeTable("view");
  ASSERT_TRUE(Write(base, "k", SetWith("b", {Follow(view, "x", "1")})).status.has_value());
  server.Restart();
  EXPECT_EQ(Left(), 0u);
}

TEST_F(OutboxRepairTest, DeliversInAnyOrder) {
  const ContainerRef base = MakeTable("base");
  const ContainerRef view = MakeTable("view");
  WriteAndCrash(base, "k", SetWith("b", {Follow(view, "x", "old", 10)}));
  ASSERT_TRUE(Write(base, "k", SetWith("b", {Follow(view, "x", "new", 20)})).status.has_value());
  server.Restart();
  server.rows->outbox().WaitUntilIdle();
  EXPECT_EQ(NameOf(view, "x"), "new");
  EXPECT_EQ(Left(), 0u);
}

TEST_F(OutboxRepairTest, DeliversWhatCouldNotBeDelivered) {
  const ContainerRef base = MakeTable("base");
  const ContainerRef view = MakeOwnTable("view");
  StopWriting(view);
  const RowWriteResponse late = Write(base, "k", SetWith("b", {Follow(view, "x", "1")}));
  ASSERT_FALSE(late.status.has_value());
  EXPECT_EQ(late.status.error().code(), Code::kUnavailable);
  EXPECT_EQ(NameOf(base, "k"), "b") << "the write itself is stored";
  Round();
  EXPECT_EQ(NameOf(view, "x"), "-");
  EXPECT_EQ(Left(), 1u);
  Heal();
  EXPECT_EQ(NameOf(view, "x"), "1");
  EXPECT_EQ(Left(), 0u);
}

TEST_F(OutboxRepairTest, TriesAgainInPausesOnly) {
  const ContainerRef base = MakeTable("base");
  const ContainerRef view = MakeOwnTable("view");
  Round();
  StopWriting(view);
  ASSERT_FALSE(Write(base, "k", SetWith("b", {Follow(view, "x", "1")})).status.has_value());
  Round();  // at once, in vain
  // The view's partition works again, but it is not time yet.
  server.node->Maintain();
  server.node->WaitForBackground();
  Round();
  EXPECT_EQ(NameOf(view, "x"), "-");
  server.clock.Advance(cluster::RetrySchedule::kPauseFirst);
  Round();
  EXPECT_EQ(NameOf(view, "x"), "1");
}

TEST_F(OutboxRepairTest, RemovesWhatCouldNotBeRemoved) {
  const ContainerRef base = MakeOwnTable("base");
  const ContainerRef view = MakeTable("view");
  ASSERT_TRUE(Write(base, "k", SetWith("b", {Follow(view, "x", "1")})).status.has_value());
  StopWriting(base);
  Round();
  EXPECT_EQ(Left(), 1u);
  Heal();
  EXPECT_EQ(Left(), 0u);
  EXPECT_EQ(NameOf(view, "x"), "1");
}

TEST_F(OutboxRepairTest, EntriesStayWithTheirKeyInASplit) {
  const ContainerRef base = MakeOwnTable("base");
  const ContainerRef view = MakeTable("view");
  constexpr int kWrites = 40;
  for (int i = 0; i < kWrites; ++i) {
    WriteAndCrash(base, "b" + std::to_string(i),
                  SetWith("b", {Follow(view, "v" + std::to_string(i), "v")}));
  }
  ASSERT_TRUE(server.node->Split(PartitionsOf(base).front(), std::nullopt).has_value());
  ASSERT_EQ(PartitionsOf(base).size(), 2u);
  EXPECT_EQ(Left(), static_cast<size_t>(kWrites));
  server.node->WaitForBackground();  // trimmed
  EXPECT_EQ(Left(), static_cast<size_t>(kWrites));
  Round();
  for (int i = 0; i < kWrites; ++i) EXPECT_EQ(NameOf(view, "v" + std::to_string(i)), "v") << i;
  EXPECT_EQ(Left(), 0u);
}

TEST_F(OutboxRepairTest, EntriesComeAlongInAMerge) {
  const ContainerRef base = MakeOwnTable("base", 2);
  const ContainerRef view = MakeTable("view");
  constexpr int kWrites = 20;
  for (int i = 0; i < kWrites; ++i) {
    WriteAndCrash(base, "b" + std::to_string(i),
                  SetWith("b", {Follow(view, "v" + std::to_string(i), "v")}));
  }
  const auto partitions = PartitionsOf(base);
  ASSERT_EQ(partitions.size(), 2u);
  const auto merged = server.node->Merge(partitions[0], partitions[1]);
  ASSERT_TRUE(merged.has_value()) << merged.error().ToString();
  Round();
  for (int i = 0; i < kWrites; ++i) EXPECT_EQ(NameOf(view, "v" + std::to_string(i)), "v") << i;
  EXPECT_EQ(Left(), 0u);
}

TEST_F(OutboxRepairTest, ForgetsFollowersOfDroppedContainers) {
  const ContainerRef base = MakeTable("base");
  const ContainerRef view = MakeOwnTable("view");
  WriteAndCrash(base, "k", SetWith("b", {Follow(view, "x", "1")}));
  ASSERT_TRUE(server.catalog->DropContainer("db", "view").has_value());
  server.Restart();
  server.rows->outbox().WaitUntilIdle();
  EXPECT_EQ(Left(), 0u);
}

TEST_F(OutboxRepairTest, ForgetsEntriesOfDroppedContainers) {
  const ContainerRef base = MakeTable("base");
  const ContainerRef view = MakeTable("view");
  WriteAndCrash(base, "k", SetWith("b", {Follow(view, "x", "1")}));
  ASSERT_TRUE(server.catalog->DropContainer("db", "base").has_value());
  server.Restart();
  server.rows->outbox().WaitUntilIdle();
  EXPECT_EQ(NameOf(view, "x"), "-") << "of the write nothing is left either";
}

TEST_F(OutboxRepairTest, PassesOverDamagedEntries) {
  const ContainerRef base = MakeOwnTable("base");
  const ContainerRef view = MakeTable("view");
  const auto routed = RouteSerializedKey("k", server.limits);
  std::string key;
  item::WriteOutboxKey(key, base->id, routed->hash, Lsn(0));
  storage::Batch batch;
  batch.Put(key, "nonsense");
  const auto partition = server.node->topology()->Find(PartitionsOf(base).front());
  ASSERT_TRUE(partition->engine().Write(batch, storage::Durability::kOs).has_value());
  WriteAndCrash(base, "k", SetWith("b", {Follow(view, "x", "1")}));
  Round();
  EXPECT_EQ(NameOf(view, "x"), "1");
  EXPECT_EQ(Left(), 1u);
}

}  // namespace
}  // namespace orrery::gateway
