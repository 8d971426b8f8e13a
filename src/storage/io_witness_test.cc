#include "storage/io_witness.h"

#include <gtest/gtest.h>
#include <rocksdb/io_status.h>

#include "storage/engine/engine_testing.h"
#include "storage/fault/fault_file_system.h"

namespace orrery::storage {
namespace {

using rocksdb::IOStatus;

TEST(IoWitnessTest, AnErrorIsKnownOfTheFilesDirectory) {
  IoWitness witness;
  const uint64_t before = witness.serial();
  witness.Note("/data/p1/7.sst", IOStatus::IOError("disk"));
  ASSERT_TRUE(witness.Since(before, "/data/p1").has_value());
  EXPECT_TRUE(witness.Since(before, "/data/p1/").has_value());
  EXPECT_EQ(witness.Since(before, "/data/p1")->code(), Code::kUnavailable);
  EXPECT_FALSE(witness.Since(before, "/data/p2").has_value());
  EXPECT_FALSE(witness.Since(witness.serial(), "/data/p1").has_value());
}

TEST(IoWitnessTest, WhatIsMissingIsNoError) {
  IoWitness witness;
  witness.Note("/p/x", IOStatus::OK());
  witness.Note("/p/x", IOStatus::NotFound());
  witness.Note("/p/x", IOStatus::PathNotFound());
  witness.Note("/p/x", IOStatus::NotSupported());
  EXPECT_EQ(witness.serial(), 0u);
}

TEST(AttemptTest, OnlyAnAccusationDuringAFaultIsJudgedAnew) {
  IoWitness witness;
  const std::string directory = "/p";
  witness.Note("/p/x", IOStatus::IOError("long ago"));
  const Attempt attempt(witness, directory);
  EXPECT_EQ(attempt.Judge(Error(Code::kCorruption, "bad block")).code(), Code::kCorruption);
  witness.Note("/p/x", IOStatus::NoSpace("now"));
  EXPECT_EQ(attempt.Judge(Error(Code::kCorruption, "bad block")).code(), Code::kResourceExhausted);
  EXPECT_EQ(attempt.Judge(Error(Code::kInvalidArgument, "bad")).code(), Code::kResourceExhausted);
  EXPECT_EQ(attempt.Judge(Error(Code::kWouldBlock, "cold")).code(), Code::kWouldBlock);
  EXPECT_TRUE(attempt.Judge(Status()).has_value());
}

TEST(AttemptTest, EveryKindOfCallIsWitnessed) {
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
