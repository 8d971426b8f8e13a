// Tests of how a node of a cluster follows the ownership of partitions.
#include "cluster/node_testing.h"
#include "cluster/record/ownership_record.h"

namespace orrery::cluster {
namespace {

constexpr NodeId kSelf(7);
constexpr NodeId kOther(8);

class ReconcileTest : public NodeTest {
 protected:
  void SetUp() override {
    self_ = kSelf;
    NodeTest::SetUp();
  }
  void GiveTo(PartitionId id, NodeId owner) {
    SystemStore::Change change;
    change.Put(OwnershipKey(id), EncodeOwner(owner));
    ASSERT_TRUE(system_->Commit(std::move(change)).has_value());
  }
  void Reconcile() {
    node_->Reconcile();
    node_->WaitForBackground();
  }
  NodeId OwnerOf(PartitionId id) {
    const auto topology = node_->topology();
    if (topology->Find(id) != nullptr) return kSelf;
    return topology->remote.at(id).owner;
  }
};

TEST_F(ReconcileTest, WhatANodeMakesIsItsOwn) {
  CreateOwn(2);
  Fill(50);
  for (const PartitionId id : Ids()) EXPECT_EQ(*system_->Get(OwnershipKey(id)), EncodeOwner(kSelf));
  Close();
  Open();
  node_->WaitForBackground();
  ExpectAll(50);
}

TEST_F(ReconcileTest, PartitionsOfOthersAreKnownAndNotOpened) {
  CreateOwn(2);
  const std::vector<PartitionId> ids = Ids();
  Close();
  system_ = *SystemStore::Open(resources_, directory_ / "system");
  GiveTo(ids[1], kOther);
  system_.reset();
  Open();
  node_->WaitForBackground();
  EXPECT_EQ(Ids(), ids) << "both are in the map";
  EXPECT_EQ(OwnerOf(ids[0]), kSelf);
  EXPECT_EQ(OwnerOf(ids[1]), kOther);
  EXPECT_EQ(node_->topology()->Records().size(), 2u);
}

TEST_F(ReconcileTest, APartitionGoesToAnotherAndComesBack) {
  CreateOwn(2);
  Fill(50);
  const PartitionId id = Ids()[0];
  GiveTo(id, kOther);
  Reconcile();
  EXPECT_EQ(OwnerOf(id), kOther);
  GiveTo(id, kSelf);
  Reconcile();
  EXPECT_EQ(OwnerOf(id), kSelf);
  ExpectAll(50);
}

TEST_F(ReconcileTest, AReleasedPartitionIsClosedAndNobodys) {
  CreateOwn(2);
  Fill(50);
  const PartitionId id = Ids()[0];
  ASSERT_TRUE(node_->Release(id).has_value());
  EXPECT_EQ(OwnerOf(id), NodeId());
  EXPECT_TRUE(storage::Engine::Open(
                  resources_, {.path = directory_ / ("partitions/" + std::to_string(id.value())),
                               .create_if_missing = false})
                  .has_value())
      << "its files are free for the next owner";
  EXPECT_EQ(node_->Release(id).error().code(), Code::kNotFound);
  Reconcile();
  EXPECT_EQ(node_->topology()->Find(id), nullptr) << "somebody is about to record the next owner";
  clock_.Advance(std::chrono::seconds(5));
  Reconcile();
  EXPECT_NE(node_->topology()->Find(id), nullptr) << "nobody did";
  ExpectAll(50);
}

TEST_F(ReconcileTest, RecordsThatOthersChangeAreFollowed) {
  CreateOwn(1);
  Fill(50);
  const PartitionId mine = Ids()[0];
  PartitionRecord record = *node_->topology()->RecordOf(mine);
  const auto [below, above] = record.slices[0].range.CutAt(record.slices[0].range.Midpoint());
  // As if another node had split a partition that is now half here and half there.
  SystemStore::Change change;
  record.slices = {{kContainer, below}};
  change.Put(PartitionRecordKey(mine), EncodePartitionRecord(record));
  PartitionRecord other = record;
  other.id = PartitionId(99);
  other.slices = {{kContainer, above}};
  change.Put(PartitionRecordKey(other.id), EncodePartitionRecord(other));
  change.Put(OwnershipKey(other.id), EncodeOwner(kOther));
  ASSERT_TRUE(system_->Commit(std::move(change)).has_value());
  Reconcile();
  EXPECT_EQ(Ids(), (std::vector<PartitionId>{mine, other.id}));
  EXPECT_EQ(*node_->topology()->RecordOf(mine), record);
  EXPECT_EQ(node_->topology()->Locate(kContainer, above.begin()).remote->owner, kOther);
  EXPECT_EQ(node_->topology()->Locate(kContainer, below.begin()).hosted->id(), mine);
}

TEST_F(ReconcileTest, WhatIsDroppedElsewhereIsClosedHereWithItsFiles) {
  CreateOwn(2);
  SystemStore::Change change;
  for (const PartitionId id : Ids()) {
    change.Delete(PartitionRecordKey(id));
    change.Delete(OwnershipKey(id));
  }
  ASSERT_TRUE(system_->Commit(std::move(change)).has_value());
  Reconcile();
  EXPECT_TRUE(node_->topology()->hosted.empty());
  EXPECT_EQ(node_->topology()->map->Ranges(kContainer).size(), 0u);
  node_->Stop();
  EXPECT_EQ(Directories(), 0u);
}

TEST_F(ReconcileTest, ACommitThatExpectsWhatIsNotSoChangesNothing) {
  CreateOwn(1);
  const PartitionId id = Ids()[0];
  // Another node has changed the record, and this one does not know yet.
  PartitionRecord record = *node_->topology()->RecordOf(id);
  record.epoch = record.epoch.Next();
  SystemStore::Change change;
  change.Put(PartitionRecordKey(id), EncodePartitionRecord(record));
  ASSERT_TRUE(system_->Commit(std::move(change)).has_value());
  EXPECT_EQ(node_->Split(id, std::nullopt).error().code(), Code::kPreconditionFailed);
  EXPECT_EQ(Ids(), std::vector<PartitionId>{id});
  Fill(10);
  Reconcile();
  ASSERT_TRUE(node_->Split(id, std::nullopt).has_value());
  node_->WaitForBackground();
  ExpectAll(10);
}

}  // namespace
}  // namespace orrery::cluster
