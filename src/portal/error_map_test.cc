#include "portal/error_map.h"

#include <gtest/gtest.h>

#include <utility>

namespace orrery::portal {
namespace {

TEST(ErrorMap, CodeByCode) {
  const std::pair<Code, int> expected[] = {
      {Code::kInvalidArgument, 400},   {Code::kNotFound, 404},
      {Code::kAlreadyExists, 409},     {Code::kPreconditionFailed, 412},
      {Code::kTooLarge, 413},          {Code::kPartitionFull, 403},
      {Code::kThrottled, 429},         {Code::kOverloaded, 503},
      {Code::kWouldBlock, 500},        {Code::kMoved, 503},
      {Code::kUnauthorized, 401},      {Code::kForbidden, 403},
      {Code::kUnavailable, 503},       {Code::kCorruption, 500},
      {Code::kResourceExhausted, 507}, {Code::kFenced, 503},
      {Code::kUnsupported, 501},       {Code::kCancelled, 503},
      {Code::kInternal, 500},
  };
  EXPECT_EQ(std::size(expected), static_cast<size_t>(Code::kInternal) + 1)
      << "a code is missing here";
  for (const auto& [code, status] : expected) EXPECT_EQ(HttpStatus(code), status) << CodeName(code);
}

TEST(ErrorMap, SaysCodeAndMessage) {
  const net::HttpResponse response = ErrorResponse(Error(Code::kNotFound, "no container \"x\""));
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.body, R"({"code":"not_found","message":"no container \"x\""})");
  EXPECT_FALSE(response.headers.Find("retry-after").has_value());
}

TEST(ErrorMap, ThrottledSaysWhenToComeBack) {
  const net::HttpResponse response = ErrorResponse(Error::Throttled("slow down", 1001));
  EXPECT_EQ(response.status, 429);
  EXPECT_EQ(response.headers.Find("retry-after-ms"), "1001");
  EXPECT_EQ(response.headers.Find("x-ms-retry-after-ms"), "1001");
  EXPECT_EQ(response.headers.Find("retry-after"), "2");
}

}  // namespace
}  // namespace orrery::portal
