#include <gtest/gtest.h>

#include "api/table/protocol/error_response.h"

namespace orrery::table {
namespace {

TEST(ErrorMap, EveryCode) {
  struct Case {
    Code code;
    int status;
    std::string_view name;
  };
  const Case cases[] = {
      {Code::kInvalidArgument, 400, "InvalidInput"},
      {Code::kUnsupported, 400, "InvalidInput"},
      {Code::kUnauthorized, 403, "AuthenticationFailed"},
      {Code::kForbidden, 403, "AuthorizationFailure"},
      {Code::kPartitionFull, 403, "PartitionKeyReachedMaximumSize"},
      {Code::kNotFound, 404, "ResourceNotFound"},
      {Code::kAlreadyExists, 409, "EntityAlreadyExists"},
      {Code::kPreconditionFailed, 412, "UpdateConditionNotSatisfied"},
      {Code::kTooLarge, 400, "EntityTooLarge"},
      {Code::kThrottled, 429, "TooManyRequests"},
      {Code::kCancelled, 500, "OperationTimedOut"},
      {Code::kMoved, 503, "ServerBusy"},
      {Code::kOverloaded, 503, "ServerBusy"},
      {Code::kUnavailable, 503, "ServerBusy"},
      {Code::kFenced, 503, "ServerBusy"},
      {Code::kResourceExhausted, 503, "ServerBusy"},
      {Code::kWouldBlock, 500, "InternalError"},
      {Code::kCorruption, 500, "InternalError"},
      {Code::kInternal, 500, "InternalError"},
  };
  for (const Case& each : cases) {
    const ErrorResponse response(Error(each.code, "why"));
    EXPECT_EQ(response.status(), each.status) << each.name;
    EXPECT_EQ(FactsOf(response.code).name, each.name);
    EXPECT_FALSE(response.message.empty());
  }
}

TEST(ErrorMap, ThrottledSaysWhenToRetry) {
  EXPECT_EQ(ErrorResponse(Error::Throttled("", 250)).retry_after_ms, 250u);
  EXPECT_EQ(ErrorResponse(Error::Throttled("", 0)).retry_after_ms, 1u);
}

}  // namespace
}  // namespace orrery::table
