#include "storage/log/log_repair.h"

#include <gtest/gtest.h>
#include <rocksdb/file_system.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "storage/engine/engine_testing.h"
#include "storage/fault/fault_file_system.h"
#include "storage/log/log_testing.h"

namespace orrery::storage {
namespace {

class LogRepairTest : public testing::Test {
 protected:
  LogRepairTest() {
    SetLogLevel(LogLevel::kOff);
    Need(4);
  }

  // A MANIFEST that needs the logs from `number` on.
  void Need(char number) {
    LogBuilder manifest;
    manifest.Add(std::string({'\x02', '\x01', '\x03', '\x09'}));
    manifest.Add(std::string({'\x02', number, '\x03', '\x09'}));
    Put("MANIFEST-000001", manifest.bytes());
    Put("CURRENT", "MANIFEST-000001\n");
  }

  // A log of `count` writes of one change each, from `sequence` on.
  std::string Log(uint64_t sequence, int count) {
    LogBuilder log;
    for (int i = 0; i < count; ++i) log.AddBatch(sequence + static_cast<uint64_t>(i), 1, 50);
    return log.bytes();
  }
  void Put(const std::string& name, const std::string& bytes) {
    std::ofstream(directory_ / name, std::ios::binary) << bytes;
  }
  std::string Get(const std::string& name) {
    std::ostringstream bytes;
    bytes << std::ifstream(directory_ / name, std::ios::binary).rdbuf();
    return bytes.str();
  }
  Status Repair(LogPromise promise) {
    return RepairWriteAheadLogs(*faults_.AsFileSystem(), directory_.path(), promise);
  }

  TemporaryDirectory directory_;
  TemporaryDirectory scratch_;
  FaultFileSystem faults_{scratch_.path()};
};

TEST_F(LogRepairTest, SoundLogsAreLeftAlone) {
  Put("000004.log", Log(1, 3));
  Put("000007.log", Log(4, 2));
  Put("000009.log", "");
  for (const LogPromise promise : {LogPromise::kSynced, LogPromise::kUnsynced}) {
    ASSERT_OK(Repair(promise));
    EXPECT_EQ(Get("000004.log"), Log(1, 3));
    EXPECT_EQ(Get("000007.log"), Log(4, 2));
  }
  EXPECT_EQ(faults_.calls(FileCall::kOpenToWrite), 0u);
}

TEST_F(LogRepairTest, ATornEndIsCutOff) {
  for (const LogPromise promise : {LogPromise::kSynced, LogPromise::kUnsynced}) {
    Put("000004.log", Log(1, 3) + std::string(40, 'x'));
    ASSERT_OK(Repair(promise));
    EXPECT_EQ(Get("000004.log"), Log(1, 3));
  }
}

TEST_F(LogRepairTest, DamageToSyncedWritesIsRefusedAndLeft) {
  std::string bytes = Log(1, 3);
  bytes[80] ^= 1;
  Put("000004.log", bytes);
  EXPECT_EQ(CodeOf(Repair(LogPromise::kSynced)), Code::kCorruption);
  EXPECT_EQ(Get("000004.log"), bytes);
}

TEST_F(LogRepairTest, AfterLostUnsyncedWritesNothingIsKept) {
  std::string bytes = Log(1, 3);
  bytes[80] ^= 1;  // in the second
  Put("000004.log", bytes);
  Put("000010.log", Log(4, 2));
  Put("000011.log", "");
  ASSERT_OK(Repair(LogPromise::kUnsynced));
  EXPECT_EQ(Get("000004.log"), Log(1, 1));
  EXPECT_EQ(Get("000010.log"), "");
}

// The first log lost its end exactly between two records: only their positions tell.
TEST_F(LogRepairTest, AGapBetweenLogsIsFound) {
  Put("000004.log", Log(1, 2));
  Put("000010.log", Log(4, 2));
  ASSERT_OK(Repair(LogPromise::kUnsynced));
  EXPECT_EQ(Get("000004.log"), Log(1, 2));
  EXPECT_EQ(Get("000010.log"), "");
}

TEST_F(LogRepairTest, ALogThatLostAllIsAGapToo) {
  Put("000004.log", "");
  Put("000010.log", Log(4, 2));
  ASSERT_OK(Repair(LogPromise::kUnsynced));
  EXPECT_EQ(Get("000010.log"), "");
}

// RocksDB has not deleted it yet, or a power cut brought it back.
TEST_F(LogRepairTest, ALogThatIsNoLongerNeededSaysNothingAboutLaterOnes) {
  Need(10);
  Put("000004.log", "");
  Put("000005.log", Log(1, 1) + "torn");
  Put("000010.log", Log(4, 2));
  ASSERT_OK(Repair(LogPromise::kUnsynced));
  EXPECT_EQ(Get("000010.log"), Log(4, 2));
}

TEST_F(LogRepairTest, InterruptedAnywhereItComesToTheSameEnd) {
  for (uint64_t call = 0; call < 60; ++call) {
    SCOPED_TRACE(call);
    // The file system knows of what it wrote: each round begins with files that it never saw.
    for (const char* name : {"000004.log", "000005.log", "000006.log"})
      std::filesystem::remove(directory_ / name);
    Put("000004.log", Log(1, 3) + "torn");
    Put("000005.log", Log(4, 3));
    Put("000006.log", Log(7, 3));
    faults_.CrashAfter(call);
    static_cast<void>(Repair(LogPromise::kUnsynced));
    faults_.Crash();
    faults_.Restart();
    ASSERT_OK(Repair(LogPromise::kUnsynced));
    EXPECT_EQ(Get("000004.log"), Log(1, 3));
    EXPECT_EQ(Get("000005.log"), "");
    EXPECT_EQ(Get("000006.log"), "");
  }
}

TEST_F(LogRepairTest, AnErrorOfTheDiskIsTold) {
  Put("000004.log", Log(1, 3) + "torn");
  faults_.Fail(FileCall::kRead, Fault::kIoError);
  EXPECT_EQ(CodeOf(Repair(LogPromise::kSynced)), Code::kUnavailable);
  faults_.ClearFaults();
  faults_.Fail(FileCall::kRename, Fault::kNoSpace);
  EXPECT_EQ(CodeOf(Repair(LogPromise::kSynced)), Code::kResourceExhausted);
}

}  // namespace
}  // namespace orrery::storage
