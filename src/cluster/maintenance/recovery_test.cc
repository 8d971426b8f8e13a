// Tests of start-up with damaged records, with leftovers, and on a disk that fails.
#include "cluster/maintenance/recovery.h"

#include <fstream>

#include "cluster/node_testing.h"

namespace orrery::cluster {
namespace {

class RecoveryTest : public NodeTest {
 protected:
  // Two partitions, then their records as `edit` leaves them; what the next start says.
  void Damage(const std::function<void(std::vector<PartitionRecord>&)>& edit) {
    CreateOwn(2);
    Fill(10);
    std::vector<PartitionRecord> records;
    for (const PartitionId id : Ids()) records.push_back(*node_->topology()->Find(id)->record());
    node_.reset();
    SystemStore::Change change;
    for (const PartitionRecord& record : records) change.Delete(PartitionRecordKey(record.id));
    edit(records);
    for (const PartitionRecord& record : records)
      change.Put(PartitionRecordKey(record.id), EncodePartitionRecord(record));
    ASSERT_TRUE(system_->Commit(std::move(change)).has_value());
    system_.reset();
  }
  void ExpectRefused(const std::string& said) {
    const auto node = TryOpen();
    ASSERT_FALSE(node.has_value());
    EXPECT_EQ(node.error().code(), Code::kCorruption);
    EXPECT_NE(node.error().message().find(said), std::string::npos) << node.error().message();
    EXPECT_NE(node.error().message().find("backup"), std::string::npos);
    EXPECT_EQ(Directories(), 2U) << "files were removed on a damaged record's word";
  }
};

TEST_F(RecoveryTest, OverlappingRangesAreRefused) {
  Damage([](auto& records) { records[1].slices[0].range = partition::HashRange(); });
  ExpectRefused("overlaps");
}

TEST_F(RecoveryTest, AMissingRecordIsRefused) {
  Damage([](auto& records) { records.pop_back(); });
  ExpectRefused("nobody has container 1");
}

TEST_F(RecoveryTest, AnUnknownContainerIsRefused) {
  Damage([](auto& records) {
    records[0].slices.push_back({ContainerId(99), partition::HashRange()});
  });
  ExpectRefused("container 99");
}

TEST_F(RecoveryTest, AContainerTwiceInOnePartitionIsRefused) {
  Damage([](auto& records) { records[0].slices.push_back(records[1].slices[0]); });
  ExpectRefused("twice");
}

TEST_F(RecoveryTest, ARecordUnderAnothersKeyIsRefused) {
  CreateOwn(2);
  const PartitionId first = Ids()[0];
  const auto record = *node_->topology()->Find(Ids()[1])->record();
  node_.reset();
  SystemStore::Change change;
  change.Put(PartitionRecordKey(first), EncodePartitionRecord(record));
  ASSERT_TRUE(system_->Commit(std::move(change)).has_value());
  system_.reset();
  ExpectRefused("pt/" + std::to_string(first.value()));
}

TEST_F(RecoveryTest, LeftoversOfAnInterruptedChangeAreRemoved) {
  CreateOwn(1);
  Close();
  std::filesystem::create_directories(directory_ / "partitions/77/deeper");
  std::ofstream(directory_ / "partitions/77/deeper/file") << "x";
  std::filesystem::create_directories(directory_ / "partitions/78.tmp");
  Open();
  EXPECT_EQ(Directories(), 1U);
}

TEST_F(RecoveryTest, AListingThatFailsIsAnErrorNotAnEmptyDirectory) {
  CreateOwn(1);
  Close();
  system_ = *SystemStore::Open(resources_, directory_ / "system");
  system_.reset();
  faults_.Before(storage::FileCall::kList, [this](const std::string& path) {
    if (path.ends_with("/partitions"))
      faults_.Fail(storage::FileCall::kList, storage::Fault::kIoError, 0, 1);
  });
  const auto node = TryOpen();
  faults_.Before(storage::FileCall::kList, nullptr);
  ASSERT_FALSE(node.has_value());
  EXPECT_EQ(node.error().code(), Code::kUnavailable);
}

// Else a power cut could take the directory away with durable partitions in it.
TEST_F(RecoveryTest, TheDirectoryOfPartitionsIsDurable) {
  Close();
  faults_.Crash();
  faults_.Restart();
  EXPECT_TRUE(std::filesystem::is_directory(directory_ / "partitions"));
}

}  // namespace
}  // namespace orrery::cluster
