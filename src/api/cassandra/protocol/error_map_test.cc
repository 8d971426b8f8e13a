// ToCqlError, code by code.
#include <gtest/gtest.h>

#include "api/cassandra/protocol/cql_result.h"

namespace orrery::cassandra {
namespace {

struct Mapped {
  Code core;
  ErrorCode wire;
};

class ErrorMap : public ::testing::TestWithParam<Mapped> {};

TEST_P(ErrorMap, EachCodeHasItsOwn) {
  const CqlError error = ToCqlError(Error(GetParam().core, "what happened"));
  EXPECT_EQ(error.code, GetParam().wire) << CodeName(GetParam().core);
  EXPECT_EQ(error.message, "what happened");
  EXPECT_EQ(error.retry_after_ms, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    All, ErrorMap,
    ::testing::Values(Mapped{Code::kInvalidArgument, ErrorCode::kInvalid},
                      Mapped{Code::kNotFound, ErrorCode::kInvalid},
                      Mapped{Code::kAlreadyExists, ErrorCode::kAlreadyExists},
                      Mapped{Code::kPreconditionFailed, ErrorCode::kWriteFailure},
                      Mapped{Code::kTooLarge, ErrorCode::kWriteFailure},
                      Mapped{Code::kPartitionFull, ErrorCode::kUnauthorized},
                      Mapped{Code::kThrottled, ErrorCode::kOverloaded},
                      Mapped{Code::kOverloaded, ErrorCode::kOverloaded},
                      Mapped{Code::kWouldBlock, ErrorCode::kServerError},
                      Mapped{Code::kMoved, ErrorCode::kUnavailable},
                      Mapped{Code::kUnauthorized, ErrorCode::kUnauthorized},
                      Mapped{Code::kForbidden, ErrorCode::kUnauthorized},
                      Mapped{Code::kUnavailable, ErrorCode::kUnavailable},
                      Mapped{Code::kCorruption, ErrorCode::kServerError},
                      Mapped{Code::kResourceExhausted, ErrorCode::kUnavailable},
                      Mapped{Code::kFenced, ErrorCode::kUnavailable},
                      Mapped{Code::kUnsupported, ErrorCode::kInvalid},
                      Mapped{Code::kCancelled, ErrorCode::kUnavailable},
                      Mapped{Code::kInternal, ErrorCode::kServerError}),
    [](const auto& each) { return std::string(CodeName(each.param.core)); });

TEST(ErrorMapping, ThrottlingSaysWhenToComeAgain) {
  const CqlError error = ToCqlError(Error::Throttled("slow down", 250));
  EXPECT_EQ(error.code, ErrorCode::kOverloaded);
  EXPECT_EQ(error.retry_after_ms, 250u);
}

TEST(ErrorMapping, ErrorsOfTheProtocolStayAsTheyAre) {
  const CqlError error =
      ToCqlError(CqlError{ErrorCode::kUnprepared, "?", UnpreparedDetails{"x"}, 0});
  EXPECT_EQ(error.code, ErrorCode::kUnprepared);
  EXPECT_EQ(std::get<UnpreparedDetails>(error.details).id, "x");
}

CqlResult<int> Half(int number) {
  if (number % 2 != 0) return Invalid("odd");
  return number / 2;
}
CqlResult<int> Quarter(int number) {
  CQL_ASSIGN(const int half, Half(number));
  CQL_TRY(half > 100 ? Status(Fail(Code::kTooLarge, "large")) : Status());
  return Half(half);
}

TEST(CqlResult, ErrorsOfBothKindsGoUp) {
  EXPECT_EQ(Quarter(8), 2);
  EXPECT_EQ(Quarter(3).error().message, "odd");
  EXPECT_EQ(Quarter(6).error().message, "odd");
  EXPECT_EQ(Quarter(1'000).error().code, ErrorCode::kWriteFailure);
}

}  // namespace
}  // namespace orrery::cassandra
