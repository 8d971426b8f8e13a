#include "api/gremlin/server/error_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery::gremlin {
namespace {

using ::testing::HasSubstr;

ErrorAnswer Of(Code code, Phase phase = Phase::kScript, StopReason stop = StopReason::kNone) {
  return ToAnswer(Error(code, "why"), phase, stop);
}

TEST(ErrorMapTest, EveryCodeHasOneOfCosmos) {
  const std::pair<Code, int64_t> expected[] = {{Code::kInvalidArgument, 1000},
                                               {Code::kNotFound, 404},
                                               {Code::kAlreadyExists, 409},
                                               {Code::kPreconditionFailed, 412},
                                               {Code::kTooLarge, 1000},
                                               {Code::kPartitionFull, 1000},
                                               {Code::kThrottled, 429},
                                               {Code::kOverloaded, 1008},
                                               {Code::kWouldBlock, 500},
                                               {Code::kMoved, 500},
                                               {Code::kUnauthorized, 401},
                                               {Code::kForbidden, 403},
                                               {Code::kUnavailable, 500},
                                               {Code::kCorruption, 500},
                                               {Code::kResourceExhausted, 1003},
                                               {Code::kFenced, 500},
                                               {Code::kUnsupported, 1004},
                                               {Code::kCancelled, 1007},
                                               {Code::kInternal, 500}};
  for (const auto& [code, cosmos] : expected)
    EXPECT_EQ(Of(code).cosmos_code, cosmos) << CodeName(code);
}

TEST(ErrorMapTest, TheStatusDependsOnWhenItFailed) {
  EXPECT_EQ(Of(Code::kInvalidArgument, Phase::kRequest).code, StatusCode::kInvalidArguments);
  EXPECT_EQ(Of(Code::kInvalidArgument, Phase::kCompile).code, StatusCode::kEvaluationError);
  EXPECT_EQ(Of(Code::kInvalidArgument, Phase::kCompile).cosmos_code, 1004);
  EXPECT_EQ(Of(Code::kInvalidArgument, Phase::kBytecode).code, StatusCode::kServerError);
  EXPECT_EQ(Of(Code::kUnsupported, Phase::kRequest).code, StatusCode::kMalformedRequest);
  EXPECT_EQ(Of(Code::kUnauthorized).code, StatusCode::kUnauthorized);
}

TEST(ErrorMapTest, ARequestThatTookTooLongIsATimeout) {
  const ErrorAnswer late = Of(Code::kCancelled, Phase::kScript, StopReason::kDeadline);
  EXPECT_EQ(late.code, StatusCode::kTimeout);
  EXPECT_EQ(late.cosmos_code, 1009);
  EXPECT_THAT(late.message, HasSubstr("evaluationTimeout"));
}

TEST(ErrorMapTest, ThrottledRequestsSayWhenToComeBack) {
  const ErrorAnswer answer =
      ToAnswer(Error::Throttled("slow", 3'950), Phase::kScript, StopReason::kNone);
  EXPECT_EQ(answer.code, StatusCode::kServerError);
  EXPECT_EQ(TimeSpanText(answer.retry_after_ms), "00:00:03.9500000");
  EXPECT_EQ(TimeSpanText(3'723'004), "01:02:03.0040000");
}

}  // namespace
}  // namespace orrery::gremlin
