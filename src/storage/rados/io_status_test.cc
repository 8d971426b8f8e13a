#include <gtest/gtest.h>

#include <stdexcept>

#include "storage/rados/io_status.h"

namespace orrery::storage::rados {
namespace {

using rocksdb::IOStatus;

IOStatus Of(Code code, IoKind kind = IoKind::kWrite) {
  return ToIoStatus(Error(code, "why"), kind, "/path");
}

TEST(IoStatusTest, CodesAreToldApart) {
  EXPECT_TRUE(Of(Code::kNotFound).IsPathNotFound());
  EXPECT_TRUE(Of(Code::kFenced).IsIOFenced());
  EXPECT_TRUE(Of(Code::kResourceExhausted).IsNoSpace());
  EXPECT_TRUE(Of(Code::kCorruption).IsCorruption());
  EXPECT_TRUE(Of(Code::kUnsupported).IsNotSupported());
  EXPECT_TRUE(Of(Code::kInvalidArgument).IsInvalidArgument());
  for (const Code code : {Code::kUnavailable, Code::kForbidden, Code::kAlreadyExists,
                          Code::kPreconditionFailed, Code::kInternal}) {
    const IOStatus status = Of(code);
    EXPECT_TRUE(status.IsIOError()) << CodeName(code);
    EXPECT_FALSE(status.IsPathNotFound() || status.IsNotFound()) << CodeName(code);
    EXPECT_FALSE(status.GetRetryable()) << CodeName(code);
  }
  EXPECT_TRUE(ToIoStatus(Status(), IoKind::kRead, "/path").ok());
}

TEST(IoStatusTest, OnlyReadsThatWereNotAnsweredAreAskedForAgain) {
  EXPECT_TRUE(Of(Code::kUnavailable, IoKind::kRead).GetRetryable());
  EXPECT_FALSE(Of(Code::kForbidden, IoKind::kRead).GetRetryable());
}

TEST(IoStatusTest, SaysWhereAndWhy) {
  EXPECT_NE(Of(Code::kCorruption).ToString().find("/path: why"), std::string::npos);
}

TEST(IoStatusTest, ExceptionsBecomeErrors) {
  const IOStatus status =
      Guarded(IoKind::kRead, "/path", []() -> Status { throw std::runtime_error("of a library"); });
  EXPECT_TRUE(status.IsIOError());
  EXPECT_NE(status.ToString().find("of a library"), std::string::npos);
}

}  // namespace
}  // namespace orrery::storage::rados
