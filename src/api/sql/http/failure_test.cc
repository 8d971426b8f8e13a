#include "api/sql/http/failure.h"

#include <gtest/gtest.h>

namespace orrery::sql {
namespace {

TEST(SqlFailure, EveryErrorHasItsStatus) {
  const std::pair<Code, int> expected[] = {
      {Code::kInvalidArgument, 400},    {Code::kUnauthorized, 401},
      {Code::kForbidden, 403},          {Code::kPartitionFull, 403},
      {Code::kNotFound, 404},           {Code::kAlreadyExists, 409},
      {Code::kPreconditionFailed, 412}, {Code::kTooLarge, 413},
      {Code::kThrottled, 429},          {Code::kMoved, 410},
      {Code::kOverloaded, 503},         {Code::kUnavailable, 503},
      {Code::kCorruption, 500},         {Code::kInternal, 500},
  };
  for (const auto& [code, status] : expected) {
    EXPECT_EQ(FailureOf(Error(code, "why")).status, status) << CodeName(code);
  }
}

TEST(SqlFailure, ABodyAlways) {
  const net::HttpResponse response =
      ToResponse(FailureOf(Error(Code::kNotFound, "no \"x\"")), "b1e5");
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.body, R"({"code":"NotFound","message":"no \"x\"\r\nActivityId: b1e5"})");
  EXPECT_EQ(response.headers.Find("x-ms-activity-id"), "b1e5");
  EXPECT_EQ(response.headers.Find("x-ms-substatus"), std::nullopt);
}

TEST(SqlFailure, ThrottledSaysWhenToComeBack) {
  const net::HttpResponse response = ToResponse(FailureOf(Error::Throttled("over", 17)), "a");
  EXPECT_EQ(response.status, 429);
  EXPECT_EQ(response.headers.Find("x-ms-substatus"), "3200");
  EXPECT_EQ(response.headers.Find("x-ms-retry-after-ms"), "17");
  EXPECT_EQ(FailureOf(Error::Throttled("over", 0)).retry_after_ms, 1u);
}

TEST(SqlFailure, SubstatusesThatClientsActOn) {
  EXPECT_EQ(FailureOf(Error(Code::kPartitionFull, "full")).substatus, Substatus::kPartitionFull);
  EXPECT_EQ(static_cast<int>(FailureOf(Error(Code::kMoved, "split")).substatus), 1002);
}

}  // namespace
}  // namespace orrery::sql
