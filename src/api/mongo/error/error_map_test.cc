#include "api/mongo/error/error_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery::mongo {
namespace {

int32_t CodeFor(Code code) { return ToMongoError(Error(code, "text")).code; }

TEST(MongoErrorMapTest, EveryCodeHasItsNumber) {
  EXPECT_EQ(CodeFor(Code::kInvalidArgument), 2);
  EXPECT_EQ(CodeFor(Code::kNotFound), 26);
  EXPECT_EQ(CodeFor(Code::kAlreadyExists), 11000);
  EXPECT_EQ(CodeFor(Code::kPreconditionFailed), 112);
  EXPECT_EQ(CodeFor(Code::kTooLarge), 10334);
  EXPECT_EQ(CodeFor(Code::kPartitionFull), 14031);
  EXPECT_EQ(CodeFor(Code::kThrottled), 16500);
  EXPECT_EQ(CodeFor(Code::kOverloaded), 16500);
  EXPECT_EQ(CodeFor(Code::kWouldBlock), 189);
  EXPECT_EQ(CodeFor(Code::kMoved), 189);
  EXPECT_EQ(CodeFor(Code::kUnauthorized), 13);
  EXPECT_EQ(CodeFor(Code::kForbidden), 13);
  EXPECT_EQ(CodeFor(Code::kUnavailable), 6);
  EXPECT_EQ(CodeFor(Code::kCorruption), 1);
  EXPECT_EQ(CodeFor(Code::kResourceExhausted), 14031);
  EXPECT_EQ(CodeFor(Code::kFenced), 189);
  EXPECT_EQ(CodeFor(Code::kUnsupported), 115);
  EXPECT_EQ(CodeFor(Code::kCancelled), 11601);
  EXPECT_EQ(CodeFor(Code::kInternal), 1);
}

TEST(MongoErrorMapTest, ThrottlingSaysWhenToTryAgain) {
  const MongoError error = ToMongoError(Error::Throttled("slow down", 8));
  EXPECT_THAT(error.message, testing::HasSubstr("RetryAfterMs=8,"));
  EXPECT_THAT(error.labels, testing::ElementsAre("SystemOverloadedError", "RetryableError"));
}

}  // namespace
}  // namespace orrery::mongo
