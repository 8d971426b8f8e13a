#include "storage/error_map.h"

#include <gtest/gtest.h>
#include <rocksdb/io_status.h>

namespace orrery::storage {
namespace {

using rocksdb::IOStatus;
using RocksStatus = rocksdb::Status;

TEST(ErrorMapTest, EachStatusTellsTheCallerWhatToDo) {
  const auto code = [](const RocksStatus& status) { return MapError(status, "x").code(); };
  EXPECT_EQ(code(RocksStatus::NotFound("")), Code::kNotFound);
  EXPECT_EQ(code(RocksStatus::Corruption("")), Code::kCorruption);
  EXPECT_EQ(code(RocksStatus::NotSupported("")), Code::kUnsupported);
  EXPECT_EQ(code(RocksStatus::InvalidArgument("")), Code::kInvalidArgument);
  EXPECT_EQ(code(RocksStatus::Incomplete("")), Code::kWouldBlock);
  EXPECT_EQ(code(RocksStatus::IOError("")), Code::kUnavailable);
  EXPECT_EQ(code(RocksStatus::Busy("")), Code::kUnavailable);
  EXPECT_EQ(code(RocksStatus::TimedOut("")), Code::kUnavailable);
  EXPECT_EQ(code(RocksStatus::Aborted("")), Code::kUnavailable);
  EXPECT_EQ(code(RocksStatus::TryAgain("")), Code::kUnavailable);
  EXPECT_EQ(code(RocksStatus::ShutdownInProgress("")), Code::kUnavailable);
  EXPECT_EQ(code(RocksStatus::NoSpace("")), Code::kResourceExhausted);
  EXPECT_EQ(code(RocksStatus::SpaceLimit()), Code::kResourceExhausted);
  EXPECT_EQ(code(RocksStatus::MemoryLimit("")), Code::kResourceExhausted);
  EXPECT_EQ(code(RocksStatus::PathNotFound("")), Code::kNotFound);
  EXPECT_EQ(code(RocksStatus::ColumnFamilyDropped()), Code::kInternal);
  EXPECT_EQ(code(IOStatus::NoSpace("")), Code::kResourceExhausted);
  EXPECT_EQ(code(IOStatus::IOFenced()), Code::kFenced);
}

TEST(ErrorMapTest, AMissingFileOfTheEngineIsCorruption) {
  EXPECT_EQ(MapEngineError(RocksStatus::PathNotFound("7.sst"), "x").code(), Code::kCorruption);
  EXPECT_EQ(MapEngineError(RocksStatus::IOError("7.sst"), "x").code(), Code::kUnavailable);
}

TEST(ErrorMapTest, TheTextSaysWhatAndWhere) {
  EXPECT_TRUE(MapStatus(RocksStatus::OK(), "flushing", "/p").has_value());
  EXPECT_EQ(MapStatus(RocksStatus::IOError("disk"), "flushing", "/p").error().message(),
            "flushing '/p': IO error: disk");
  EXPECT_NE(MapError(RocksStatus::NoSpace("x"), "writing").message().find("disk is full"),
            std::string::npos);
}

}  // namespace
}  // namespace orrery::storage
