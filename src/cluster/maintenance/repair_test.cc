// Disks that fail and come back: what was stopped takes writes again, without a restart.
#include "cluster/maintenance/repair.h"

#include "cluster/node_testing.h"
#include "storage/ballast.h"

namespace orrery::cluster {
namespace {

using storage::Fault;
using storage::FaultFileSystem;
using storage::FileCall;

class RepairTest : public NodeTest {
 protected:
  void SetUp() override {
    NodeTest::SetUp();
    SetLogLevel(LogLevel::kOff);
  }
  Status Put(const std::string& pk) {
    return Write(OperationKind::kUpsert, pk, R"({"id":"id","pk":")" + pk + R"("})");
  }
  // A round of maintenance and all it started.
  void Round() {
    clock_.Advance(RetrySchedule::kPauseMax);
    node_->Maintain();
    node_->WaitForBackground();
  }
  Code CodeOfPut(const std::string& pk) {
    const Status status = Put(pk);
    EXPECT_FALSE(status.has_value());
    return status.has_value() ? Code::kInternal : status.error().code();
  }
  double Metric(const std::string& line) {
    const std::string text = metrics_.Render();
    const size_t at = text.find("\n" + line + " ");
    return at == text.npos ? -1 : std::stod(text.substr(at + line.size() + 2));
  }
};

TEST_F(RepairTest, APartitionIsReopenedAfterAFailedWrite) {
  CreateOwn(1);
  Fill(20);
  const PartitionId before = Ids().front();
  faults_.Fail(FileCall::kSync, Fault::kIoError, 0, 1);
  EXPECT_EQ(CodeOfPut("doubtful"), Code::kUnavailable);
  EXPECT_EQ(CodeOfPut("refused"), Code::kUnavailable);
  EXPECT_TRUE(Has("key7")) << "reads go on";
  Round();
  ASSERT_TRUE(Put("after").has_value());
  EXPECT_TRUE(Has("key7"));
  EXPECT_FALSE(Has("refused"));
  const PartitionId now = Ids().front();
  EXPECT_NE(now, before);
  EXPECT_EQ(node_->topology()->Find(now)->record()->parents, std::vector{before});
  EXPECT_EQ(Metric(R"(orrery_reopenings_total{outcome="ok"})"), 1);
  Round();
  EXPECT_EQ(Ids().front(), now) << "once is enough";
  EXPECT_EQ(Metric("orrery_partitions_stopped"), 0);
  Close();
  faults_.Crash();
  faults_.Restart();
  Open();
  EXPECT_TRUE(Has("key7"));
  EXPECT_TRUE(Has("after"));
  EXPECT_EQ(Directories(), 1U);
}

TEST_F(RepairTest, AFullDiskIsSaidAndWritesComeBackWithTheSpace) {
  CreateOwn(1);
  Fill(20);
  faults_.Fail(FileCall::kAppend, Fault::kNoSpace);
  const Status refused = Put("more");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), Code::kResourceExhausted);
  EXPECT_NE(refused.error().message().find("disk is full"), std::string::npos);
  for (int round = 0; round < 3; ++round) {
    Round();
    EXPECT_EQ(CodeOfPut("more"), Code::kResourceExhausted);
    EXPECT_TRUE(Has("key3")) << "reads go on";
  }
  EXPECT_GE(Metric(R"(orrery_reopenings_total{outcome="failed"})"), 2);
  faults_.ClearFaults();
  Round();
  ASSERT_TRUE(Put("more").has_value());
  EXPECT_TRUE(Has("key3"));
  Close();
  EXPECT_EQ(Directories(), 1U) << "failed attempts leave nothing";
}

TEST_F(RepairTest, AfterALongTimeWithoutRoomItTakesASecondToComeBack) {
  CreateOwn(1);
  Fill(5);
  const PartitionId before = Ids().front();
  faults_.Fail(FileCall::kAppend, Fault::kNoSpace);
  EXPECT_EQ(CodeOfPut("more"), Code::kResourceExhausted);
  const auto second = [&] {
    clock_.Advance(std::chrono::seconds(1));
    node_->Maintain();
    node_->WaitForBackground();
  };
  for (int i = 0; i < 60; ++i) second();
  EXPECT_EQ(Ids().front(), before);
  EXPECT_EQ(Directories(), 1U);
  faults_.ClearFaults();
  second();
  EXPECT_TRUE(Put("more").has_value());
}

TEST_F(RepairTest, FailedAttemptsWaitLongerAndLonger) {
  CreateOwn(1);
  Fill(5);
  faults_.Fail(FileCall::kAppend, Fault::kIoError);
  EXPECT_EQ(CodeOfPut("more"), Code::kUnavailable);
  for (int second = 0; second < 60; ++second) {
    clock_.Advance(std::chrono::seconds(1));
    node_->Maintain();
    node_->WaitForBackground();
  }
  // At 1, 2, 4, 8, 16, 32 seconds.
  EXPECT_EQ(Metric(R"(orrery_reopenings_total{outcome="failed"})"), 6);
}

TEST_F(RepairTest, NearlyFullDisksTakeDeletesOnly) {
  CreateOwn(1);
  Fill(10);
  faults_.SetFreeBytes(1 << 20);
  Round();
  const Status refused = Put("more");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), Code::kResourceExhausted);
  EXPECT_NE(refused.error().message().find("disk is full"), std::string::npos);
  EXPECT_TRUE(Write(OperationKind::kDelete, "key1").has_value());
  EXPECT_TRUE(Has("key2"));
  EXPECT_EQ(Metric("orrery_disk_low"), 1);
  faults_.SetFreeBytes(1 << 30);
  Round();
  EXPECT_TRUE(Put("more").has_value());
}

TEST_F(RepairTest, MemtablesCountAsRoomThatIsTaken) {
  CreateOwn(1);
  Fill(10);
  const uint64_t unflushed = resources_.memtable_used();
  ASSERT_GT(unflushed, 0U);
  faults_.SetFreeBytes(NodeOptions().disk_reserve_bytes + unflushed - 1);
  Round();
  EXPECT_EQ(CodeOfPut("more"), Code::kResourceExhausted);
}

TEST_F(RepairTest, ADiskThatFillsFastIsLowBeforeItIsFull) {
  CreateOwn(1);
  Fill(10);
  constexpr uint64_t kFalls = uint64_t{100} << 20;
  const uint64_t left = NodeOptions().disk_reserve_bytes + resources_.memtable_used() + kFalls / 2;
  faults_.SetFreeBytes(left + kFalls);
  Round();
  Round();  // it had the machine's disk before
  ASSERT_TRUE(Put("more").has_value());
  faults_.SetFreeBytes(left);
  Round();
  EXPECT_EQ(CodeOfPut("another"), Code::kResourceExhausted) << "the next round would be too late";
  Round();
  faults_.SetFreeBytes(2 * left);
  Round();
  EXPECT_TRUE(Put("more").has_value());
}

class BallastRepairTest : public RepairTest {
 protected:
  static constexpr uint64_t kBallast = 1 << 20;
  static constexpr uint64_t kPlenty = uint64_t{1} << 32;  // less than 8 GB

  void SetUp() override {
    faults_.SetFreeBytes(kPlenty);
    ballast_ = &made_;
    RepairTest::SetUp();
    CreateOwn(1);
  }
  void TearDown() override {
    Close();
    ballast_ = nullptr;
  }
  uint64_t FileBytes() const {
    std::error_code error;
    const auto size = std::filesystem::file_size(directory_ / "BALLAST", error);
    return error ? 0 : size;
  }
  void Rounds(int count) {
    for (int i = 0; i < count; ++i) Round();
  }

  storage::Ballast made_{directory_.path(), kBallast};
};

TEST_F(BallastRepairTest, IsMadeWhenTheServerHasLivedForSomeSeconds) {
  node_->Maintain();
  EXPECT_EQ(FileBytes(), 0U);
  Rounds(1);
  EXPECT_EQ(FileBytes(), kBallast);
}

TEST_F(BallastRepairTest, IsNotMadeWhereItIsALargePartOfTheDisk) {
  Close();
  storage::Ballast large(directory_.path(), uint64_t{1} << 30);
  ballast_ = &large;
  Open();
  Rounds(3);
  EXPECT_EQ(FileBytes(), 0U);
  EXPECT_TRUE(Put("more").has_value());
  Close();
}

TEST_F(BallastRepairTest, GrowthIsRefusedUntilThereIsRoomForWhatWasGivenUp) {
  Rounds(1);
  ASSERT_TRUE(Put("before").has_value());
  ASSERT_TRUE(made_.GiveUp());
  Fill(5);
  // Room for the reserve, but not for the ballast as well.
  const uint64_t reserve = NodeOptions().disk_reserve_bytes + resources_.memtable_used();
  faults_.SetFreeBytes(reserve + kBallast / 2);
  Rounds(2);
  EXPECT_EQ(CodeOfPut("more"), Code::kResourceExhausted);
  EXPECT_TRUE(Write(OperationKind::kDelete, "before").has_value());
  EXPECT_EQ(FileBytes(), 0U);
  faults_.SetFreeBytes(kPlenty);
  Rounds(2);
  EXPECT_EQ(FileBytes(), kBallast);
  EXPECT_EQ(made_.owed(), 0U);
  EXPECT_TRUE(Put("more").has_value());
}

TEST_F(BallastRepairTest, ANodeThatOpensOnAFullDiskRefusesGrowthFromItsFirstRequest) {
  Fill(5);
  Close();
  faults_.SetFreeBytes(1 << 20);
  Open();
  EXPECT_EQ(CodeOfPut("more"), Code::kResourceExhausted);
  EXPECT_TRUE(Write(OperationKind::kDelete, "key1").has_value());
}

TEST_F(RepairTest, TheSystemStoreIsReopenedAndKnowsWhatItKnew) {
  CreateOwn(1);
  Fill(30);
  const auto before = Ids();
  // The split's own commit is the first sync in the system store's log.
  faults_.Before(FileCall::kSync, [this](const std::string& path) {
    if (path.find("/system/") != path.npos) faults_.Fail(FileCall::kSync, Fault::kIoError, 0, 1);
  });
  const auto split = node_->Split(before.front(), std::nullopt);
  faults_.Before(FileCall::kSync, nullptr);
  ASSERT_FALSE(split.has_value());
  EXPECT_EQ(split.error().code(), Code::kUnavailable);
  EXPECT_EQ(Ids(), before);
  EXPECT_EQ(CodeOfPut("more"), Code::kUnavailable);
  EXPECT_TRUE(Has("key7")) << "reads go on";
  Round();  // the store
  Round();  // the partition
  ASSERT_TRUE(Put("more").has_value());
  ASSERT_TRUE(node_->Split(Ids().front(), std::nullopt).has_value());
  node_->WaitForBackground();
  Close();
  faults_.Crash();
  faults_.Restart();
  Open();
  EXPECT_EQ(Ids().size(), 2U);
  EXPECT_TRUE(Has("key7"));
  EXPECT_TRUE(Has("more"));
}

TEST_F(RepairTest, AMarkForTrimmingGoesAlong) {
  CreateOwn(1);
  Fill(60);
  const auto split = node_->Split(Ids().front(), std::nullopt);
  ASSERT_TRUE(split.has_value());
  node_->WaitForBackground();
  SystemStore::Change change;
  change.Put("tr/" + PartitionRecordKey(split->children[0]).substr(3), "");
  ASSERT_TRUE(system_->Commit(std::move(change)).has_value());
  faults_.Fail(FileCall::kAppend, Fault::kIoError, 0, 1);
  int refused = 0;
  for (int i = 0; i < 60 && refused == 0; ++i)
    refused += Put("key" + std::to_string(i)).has_value() ? 0 : 1;
  EXPECT_EQ(refused, 1);
  Round();
  Round();
  Round();
  ExpectAll(60);
  int marks = 0;
  ASSERT_TRUE(system_
                  ->ForEach("tr/",
                            [&](auto, auto) -> Status {
                              ++marks;
                              return {};
                            })
                  .has_value());
  EXPECT_EQ(marks, 0);
}

}  // namespace
}  // namespace orrery::cluster
