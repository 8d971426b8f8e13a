#include "storage/io_error_tracker.h"

#include <gtest/gtest.h>
#include <rocksdb/io_status.h>

#include "storage/engine/engine_testing.h"
#include "storage/fault/fault_file_system.h"

namespace orrery::storage {
namespace {

using rocksdb::IOStatus;

TEST(IoErrorTrackerTest, AnErrorIsKnownOfTheFilesDirectory) {
  IoErrorTracker tracker;
  const uint64_t before = tracker.serial();
  tracker.Note("/data/p1/7.sst", IOStatus::IOError("disk"));
  ASSERT_TRUE(tracker.Since(before, "/data/p1").has_value());
  EXPECT_TRUE(tracker.Since(before, "/data/p1/").has_value());
  EXPECT_EQ(tracker.Since(before, "/data/p1")->code(), Code::kUnavailable);
  EXPECT_FALSE(tracker.Since(before, "/data/p2").has_value());
  EXPECT_FALSE(tracker.Since(tracker.serial(), "/data/p1").has_value());
}

TEST(IoErrorTrackerTest, WhatIsMissingIsNoError) {
  IoErrorTracker tracker;
  tracker.Note("/p/x", IOStatus::OK());
  tracker.Note("/p/x", IOStatus::NotFound());
  tracker.Note("/p/x", IOStatus::PathNotFound());
  tracker.Note("/p/x", IOStatus::NotSupported());
  EXPECT_EQ(tracker.serial(), 0u);
}

TEST(AttemptTest, OnlyAnAccusationDuringAFaultIsJudgedAnew) {
  IoErrorTracker tracker;
  const std::string directory = "/p";
  tracker.Note("/p/x", IOStatus::IOError("long ago"));
  const Attempt attempt(tracker, directory);
  EXPECT_EQ(attempt.Judge(Error(Code::kCorruption, "bad block")).code(), Code::kCorruption);
  tracker.Note("/p/x", IOStatus::NoSpace("now"));
  EXPECT_EQ(attempt.Judge(Error(Code::kCorruption, "bad block")).code(), Code::kResourceExhausted);
  EXPECT_EQ(attempt.Judge(Error(Code::kInvalidArgument, "bad")).code(), Code::kResourceExhausted);
  EXPECT_EQ(attempt.Judge(Error(Code::kWouldBlock, "cold")).code(), Code::kWouldBlock);
  EXPECT_TRUE(attempt.Judge(Status()).has_value());
}

TEST(AttemptTest, EveryKindOfCallIsTracked) {
  TemporaryDirectory directory;
  TemporaryDirectory scratch;
  FaultFileSystem faults(scratch.path());
  EngineResources resources(ResourceOptions{.file_system = faults.AsFileSystem()});
  SetLogLevel(LogLevel::kOff);
  {
    ASSERT_OK(PutOne(**Engine::Open(resources, {.path = directory / "e"}), "k", "v"));
  }
  for (size_t kind = 0; kind < kFileCallKinds; ++kind) {
    faults.Fail(static_cast<FileCall>(kind), Fault::kIoError);
    const auto opened = Engine::Open(resources, {.path = directory / "e"});
    if (!opened.has_value()) {
      EXPECT_EQ(opened.error().code(), Code::kUnavailable) << opened.error().ToString();
    }
    faults.ClearFaults();
  }
}

}  // namespace
}  // namespace orrery::storage
