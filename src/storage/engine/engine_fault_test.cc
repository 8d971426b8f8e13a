// Errors of the disk that pass or stay: the caller hears of them with the right code, and what was
// acknowledged is there after reopening.
#include <fmt/core.h>

#include "storage/engine/engine_testing.h"
#include "storage/fault/fault_file_system.h"

namespace orrery::storage {
namespace {

class EngineFaultTest : public testing::Test {
 protected:
  EngineFaultTest() { SetLogLevel(LogLevel::kOff); }

  Result<std::unique_ptr<Engine>> Open() {
    return Engine::Open(resources_, {.path = directory_ / "engine", .merge_rule = &sum_});
  }
  Status WriteOne(Engine& engine, int i) {
    Batch batch;
    batch.Put(NumberedKey(i), "value");
    batch.Merge("count", "1");
    return engine.Write(batch, Durability::kDurable);
  }
  // Opens without faults, after a power cut: the acknowledged keys are there, and each key was
  // counted once.
  void VerifyAfterReopening(const std::vector<int>& acknowledged) {
    faults_.Crash();
    faults_.Restart();
    auto engine = Open();
    ASSERT_TRUE(engine.has_value()) << engine.error().ToString();
    const Content content = ContentOf(**engine);
    for (const int i : acknowledged)
      EXPECT_TRUE(content.contains(NumberedKey(i))) << NumberedKey(i) << " is lost";
    if (!content.empty()) EXPECT_EQ(content.at("count"), std::to_string(content.size() - 1));
    ASSERT_OK(WriteOne(**engine, 999));
  }

  const SumRule sum_;
  TemporaryDirectory directory_;
  TemporaryDirectory scratch_;
  FaultFileSystem faults_{scratch_.path()};
  EngineResources resources_{ResourceOptions{.file_system = faults_.AsFileSystem()}};
};

TEST_F(EngineFaultTest, AWriteThatFailsIsReportedWithItsCause) {
  auto engine = *Open();
  ASSERT_OK(WriteOne(*engine, 0));
  faults_.Fail(FileCall::kSync, Fault::kIoError);
  EXPECT_EQ(CodeOf(WriteOne(*engine, 1)), Code::kUnavailable);
  EXPECT_EQ(Read(*engine, NumberedKey(0)), "value") << "reads go on";
  EXPECT_EQ(Read(*engine, NumberedKey(1)), std::nullopt) << "what was not logged must not be seen";
  engine.reset();
  VerifyAfterReopening({0});
}

TEST_F(EngineFaultTest, AFullDiskIsReportedAsSuch) {
  auto engine = *Open();
  ASSERT_OK(WriteOne(*engine, 0));
  faults_.Fail(FileCall::kAppend, Fault::kNoSpace);
  EXPECT_EQ(CodeOf(WriteOne(*engine, 1)), Code::kResourceExhausted);
  EXPECT_EQ(CodeOf(engine->Flush()), Code::kResourceExhausted);
  EXPECT_EQ(CodeOf(engine->CheckpointTo(directory_ / "child")), Code::kResourceExhausted);
  EXPECT_EQ(Read(*engine, NumberedKey(0)), "value");
  engine.reset();
  EXPECT_EQ(CodeOf(Open()), Code::kResourceExhausted);
  VerifyAfterReopening({0});
}

TEST_F(EngineFaultTest, AnUnusableDirectoryIsReportedAndLeftAlone) {
  ASSERT_OK(WriteOne(**Open(), 0));
  faults_.Fail(FileCall::kOpenToWrite, Fault::kDenied);
  const auto denied = Open();
  EXPECT_EQ(CodeOf(denied), Code::kUnavailable);
  EXPECT_NE(denied.error().message().find("Permission denied"), std::string::npos);
  faults_.ClearFaults();
  // An existence that cannot be told must never become a fresh engine over the old one.
  faults_.Fail(FileCall::kInspect, Fault::kIoError);
  EXPECT_EQ(CodeOf(Open()), Code::kUnavailable);
  VerifyAfterReopening({0});
}

TEST_F(EngineFaultTest, AReadThatFailsIsReportedAndTheNextOneWorks) {
  auto engine = *Open();
  ASSERT_OK(WriteOne(*engine, 0));
  ASSERT_OK(engine->Flush());
  engine.reset();
  engine = *Open();
  faults_.Fail(FileCall::kRead, Fault::kIoError);
  PinnedValue value;
  EXPECT_EQ(CodeOf(engine->Get(NumberedKey(0), value)), Code::kUnavailable);
  const auto it = engine->NewIterator({});
  it->SeekToFirst();
  EXPECT_EQ(CodeOf(it->status()), Code::kUnavailable);
  faults_.ClearFaults();
  EXPECT_EQ(Read(*engine, NumberedKey(0)), "value");
}

TEST_F(EngineFaultTest, AFailedCheckpointCanBeRepeated) {
  auto engine = *Open();
  for (const FileCall kind :
       {FileCall::kLink, FileCall::kRename, FileCall::kCreateDirectory, FileCall::kSyncDirectory}) {
    ASSERT_OK(WriteOne(*engine, static_cast<int>(kind)));
    ASSERT_OK(engine->Flush());
    faults_.Fail(kind, Fault::kIoError, /*skip=*/0, /*times=*/1);
    EXPECT_FALSE(engine->CheckpointTo(directory_ / "child").has_value());
    ASSERT_OK(Engine::Destroy(resources_, directory_ / "child"));
    ASSERT_OK(engine->CheckpointTo(directory_ / "child"));
    ASSERT_OK(Engine::Destroy(resources_, directory_ / "child"));
  }
}

TEST_F(EngineFaultTest, AFailedWriteStopsWritingAndASalvagedCopyGoesOn) {
  auto engine = *Open();
  ASSERT_OK(WriteOne(*engine, 0));
  ASSERT_OK(engine->Flush());
  ASSERT_OK(WriteOne(*engine, 1));
  EXPECT_FALSE(engine->WriteFailure().has_value());
  faults_.Fail(FileCall::kSync, Fault::kIoError, /*skip=*/0, /*times=*/1);
  EXPECT_EQ(CodeOf(WriteOne(*engine, 2)), Code::kUnavailable);
  EXPECT_EQ(CodeOf(WriteOne(*engine, 3)), Code::kUnavailable);
  ASSERT_TRUE(engine->WriteFailure().has_value());
  EXPECT_EQ(CodeOf(engine->CheckpointTo(directory_ / "copy")), Code::kUnavailable);
  ASSERT_OK(engine->SalvageTo(directory_ / "copy"));
  auto copy = Engine::Open(
      resources_, {.path = directory_ / "copy", .create_if_missing = false, .merge_rule = &sum_});
  ASSERT_TRUE(copy.has_value()) << copy.error().ToString();
  ASSERT_OK(WriteOne(**copy, 4));
  const Content content = ContentOf(**copy);
  for (const int i : {0, 1, 4}) EXPECT_TRUE(content.contains(NumberedKey(i))) << NumberedKey(i);
  EXPECT_FALSE(content.contains(NumberedKey(3))) << "refused, yet written";
  EXPECT_EQ(Read(*engine, NumberedKey(1)), "value") << "reads go on";
  EXPECT_EQ(content.at("count"), std::to_string(content.size() - 1));
}

TEST_F(EngineFaultTest, ASalvageThatFailsCanBeRepeated) {
  auto engine = *Open();
  ASSERT_OK(WriteOne(*engine, 0));
  ASSERT_OK(engine->Flush());
  for (const FileCall kind : {FileCall::kLink, FileCall::kCreateDirectory, FileCall::kOpenToWrite,
                              FileCall::kOpenToRead, FileCall::kAppend, FileCall::kSyncDirectory}) {
    faults_.Fail(kind, Fault::kNoSpace, /*skip=*/0, /*times=*/1);
    EXPECT_EQ(CodeOf(engine->SalvageTo(directory_ / "copy")), Code::kResourceExhausted);
    ASSERT_OK(Engine::Destroy(resources_, directory_ / "copy"));
    ASSERT_OK(engine->SalvageTo(directory_ / "copy"));
    ASSERT_OK(Engine::Destroy(resources_, directory_ / "copy"));
  }
}

TEST_F(EngineFaultTest, FailedBackgroundWorkIsKnownBeforeAWriteMeetsIt) {
  auto engine = *Open();
  ASSERT_OK(WriteOne(*engine, 0));
  faults_.Fail(FileCall::kOpenToWrite, Fault::kIoError, /*skip=*/0, /*times=*/1);
  EXPECT_EQ(CodeOf(engine->Flush()), Code::kUnavailable);
  EXPECT_TRUE(engine->WriteFailure().has_value());
}

// RocksDB prepares the deleted ranges of a memtable when it is replaced, asserts that it does so
// once, and is left half way when the next log cannot be made.
TEST_F(EngineFaultTest, NothingFollowsAFlushThatFailed) {
  auto engine = *Open();
  ASSERT_OK(WriteOne(*engine, 0));
  Batch batch;
  batch.DeleteRange(NumberedKey(5), NumberedKey(9));
  ASSERT_OK(engine->Write(batch, Durability::kDurable));
  faults_.Fail(FileCall::kOpenToWrite, Fault::kIoError, /*skip=*/0, /*times=*/1);
  EXPECT_EQ(CodeOf(engine->Compact("", "")), Code::kUnavailable);
  EXPECT_EQ(CodeOf(engine->Flush()), Code::kUnavailable);
  EXPECT_EQ(CodeOf(engine->CheckpointTo(directory_ / "child")), Code::kUnavailable);
  EXPECT_EQ(CodeOf(WriteOne(*engine, 1)), Code::kUnavailable);
  EXPECT_EQ(Read(*engine, NumberedKey(0)), "value") << "reads go on";
  engine.reset();
  VerifyAfterReopening({0});
}

// The same when another engine's writer wants its memory back.
TEST_F(EngineFaultTest, AMemtableThatCouldNotBeReclaimedIsLeftAlone) {
  constexpr size_t kBudget = 4 << 20;
  EngineResources small({.memtable_bytes_max = kBudget, .file_system = faults_.AsFileSystem()});
  auto large = *Engine::Open(small, {.path = directory_ / "large"});
  auto busy = *Engine::Open(small, {.path = directory_ / "busy"});
  Batch batch;
  batch.Put("key", std::string(kBudget / 8 * 7, 'x'));
  batch.DeleteRange(NumberedKey(5), NumberedKey(9));
  ASSERT_OK(large->Write(batch, Durability::kDurable));
  faults_.Fail(FileCall::kOpenToWrite, Fault::kIoError, /*skip=*/0, /*times=*/1);
  // Each of these finds the budget used up.
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(PutOne(*busy, NumberedKey(i), "value").has_value()) << i;
  EXPECT_TRUE(large->WriteFailure().has_value());
  EXPECT_EQ(CodeOf(PutOne(*large, "key", "newer")), Code::kUnavailable);
  EXPECT_EQ(Read(*large, "key")->size(), kBudget / 8 * 7) << "reads go on";
}

TEST_F(EngineFaultTest, StoppedWritingIsRefusedWithTheReason) {
  auto engine = *Open();
  engine->StopWriting(Error(Code::kUnavailable, "the reason"));
  const Status refused = WriteOne(*engine, 0);
  ASSERT_EQ(CodeOf(refused), Code::kUnavailable);
  EXPECT_NE(refused.error().message().find("the reason"), std::string::npos);
}

// After a failed write to the MANIFEST RocksDB would delete it, though CURRENT names it.
TEST_F(EngineFaultTest, TheManifestOutlivesAFailedWriteToIt) {
  auto engine = *Open();
  ASSERT_OK(WriteOne(*engine, 0));
  faults_.Fail(FileCall::kAppend, Fault::kNoSpace);
  engine->HoldCompactions(std::chrono::milliseconds(0)).reset();  // writes to the MANIFEST
  engine->PinLog().reset();                                       // clears obsolete files
  faults_.ClearFaults();
  engine.reset();
  VerifyAfterReopening({0});
}

// Each kind of call fails, once or for good, soon or late, under writes and a flush. Whatever the
// engine acknowledges must be there after reopening: also what it acknowledges after an error.
struct Trouble {
  FileCall kind;
  Fault fault;
  uint64_t skip;
  uint64_t times;
};

class EngineTroubleTest : public EngineFaultTest, public testing::WithParamInterface<Trouble> {};

TEST_P(EngineTroubleTest, WhatIsAcknowledgedStays) {
  const Trouble& trouble = GetParam();
  std::vector<int> acknowledged;
  {
    auto engine = *Open();
    for (int i = 0; i < 10; ++i) {
      if (i == 3) faults_.Fail(trouble.kind, trouble.fault, trouble.skip, trouble.times);
      if (WriteOne(*engine, i).has_value()) acknowledged.push_back(i);
      if (i == 6) (void)engine->Flush();
    }
  }
  EXPECT_GE(acknowledged.size(), 3u);
  VerifyAfterReopening(acknowledged);
}

std::vector<Trouble> AllTroubles() {
  std::vector<Trouble> troubles;
  for (const FileCall kind : {FileCall::kOpenToWrite, FileCall::kAppend, FileCall::kFlush,
                              FileCall::kSync, FileCall::kClose, FileCall::kOpenToRead,
                              FileCall::kRead, FileCall::kDelete, FileCall::kSyncDirectory}) {
    for (const uint64_t skip : {0, 2}) {
      troubles.push_back({kind, Fault::kIoError, skip, 1});
      troubles.push_back({kind, Fault::kNoSpace, skip, FaultFileSystem::kForever});
    }
  }
  return troubles;
}

INSTANTIATE_TEST_SUITE_P(AllTroubles, EngineTroubleTest, testing::ValuesIn(AllTroubles()));

}  // namespace
}  // namespace orrery::storage
