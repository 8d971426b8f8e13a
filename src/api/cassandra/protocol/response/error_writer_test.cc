#include "api/cassandra/protocol/response/error_writer.h"

#include <gtest/gtest.h>

#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/protocol/protocol_testing.h"
#include "api/cassandra/protocol/test_bytes.h"

namespace orrery::cassandra {
namespace {

constexpr ReplicaProgress kProgress = {Consistency::kQuorum, 1, 2};

// The body of the message, which has the text "m".
std::string Body(ProtocolVersion version, ErrorCode code, ErrorDetails details = {}) {
  ResponseHead head;
  head.version = version;
  head.stream = 3;
  std::string out;
  WriteError(out, head, {code, "m", std::move(details)});
  EXPECT_EQ(out[4], 0);
  EXPECT_EQ(AnnouncedEnvelopeBytes(out), out.size());
  return ToHex(out.substr(kEnvelopeHeaderBytes));
}

TEST(ErrorWriterTest, CodesWithoutFields) {
  for (const ErrorCode code :
       {ErrorCode::kServerError, ErrorCode::kProtocolError, ErrorCode::kBadCredentials,
        ErrorCode::kOverloaded, ErrorCode::kBootstrapping, ErrorCode::kTruncateError,
        ErrorCode::kSyntaxError, ErrorCode::kUnauthorized, ErrorCode::kInvalid,
        ErrorCode::kConfigError}) {
    std::string expected;
    AppendInt(expected, static_cast<int32_t>(code));
    for (const ProtocolVersion version : {kV3, kV4, kV5}) {
      EXPECT_EQ(Body(version, code), ToHex(expected) + "00016d");
    }
  }
}

TEST(ErrorWriterTest, Unavailable) {
  EXPECT_EQ(Body(kV4, ErrorCode::kUnavailable, UnavailableDetails{Consistency::kAll, 3, 2}),
            "00001000"
            "00016d"
            "0005"
            "00000003"
            "00000002");
  EXPECT_EQ(Body(kV4, ErrorCode::kUnavailable),
            "00001000"
            "00016d"
            "0001"
            "00000000"
            "00000000");
}

TEST(ErrorWriterTest, Timeouts) {
  const std::string write =
      "00001100"
      "00016d"
      "0004"
      "00000001"
      "00000002";
  const WriteTimeoutDetails cas{kProgress, WriteType::kCas, 7};
  EXPECT_EQ(Body(kV4, ErrorCode::kWriteTimeout, cas), write + StringHex("CAS"));
  EXPECT_EQ(Body(kV5, ErrorCode::kWriteTimeout, cas), write + StringHex("CAS") + "0007");
  EXPECT_EQ(Body(kV5, ErrorCode::kWriteTimeout,
                 WriteTimeoutDetails{kProgress, WriteType::kUnloggedBatch}),
            write + StringHex("UNLOGGED_BATCH"));
  EXPECT_EQ(Body(kV3, ErrorCode::kReadTimeout, ReadTimeoutDetails{kProgress, true}),
            "00001200"
            "00016d"
            "0004"
            "00000001"
            "00000002"
            "01");
}

TEST(ErrorWriterTest, FailuresAreCountedInV4AndExplainedInV5) {
  const std::vector<ReplicaFailure> failures = {{{{10, 0, 0, 1}, 4}, 5}};
  const std::string progress =
      "00016d"
      "0004"
      "00000001"
      "00000002";
  const ReadFailureDetails read{kProgress, failures, true};
  EXPECT_EQ(Body(kV4, ErrorCode::kReadFailure, read), "00001300" + progress +
                                                          "00000001"
                                                          "01");
  EXPECT_EQ(Body(kV5, ErrorCode::kReadFailure, read), "00001300" + progress +
                                                          "00000001"
                                                          "040a000001"
                                                          "0005"
                                                          "01");
  EXPECT_EQ(Body(kV3, ErrorCode::kReadFailure, read), "00001200" + progress + "01");
  const WriteFailureDetails write{kProgress, failures, WriteType::kSimple};
  EXPECT_EQ(Body(kV4, ErrorCode::kWriteFailure, write),
            "00001500" + progress + "00000001" + StringHex("SIMPLE"));
  EXPECT_EQ(Body(kV5, ErrorCode::kWriteFailure, write), "00001500" + progress +
                                                            "00000001"
                                                            "040a000001"
                                                            "0005" +
                                                            StringHex("SIMPLE"));
  EXPECT_EQ(Body(kV3, ErrorCode::kWriteFailure, write),
            "00001100" + progress + StringHex("SIMPLE"));
}

TEST(ErrorWriterTest, FunctionAndCdcFailures) {
  const FunctionFailureDetails details{"k", "f", {"int"}};
  EXPECT_EQ(Body(kV4, ErrorCode::kFunctionFailure, details),
            "00001400"
            "00016d"
            "00016b"
            "000166"
            "0001"
            "0003696e74");
  EXPECT_EQ(Body(kV3, ErrorCode::kFunctionFailure, details),
            "00002200"
            "00016d");
  EXPECT_EQ(Body(kV4, ErrorCode::kCdcWriteFailure),
            "00001600"
            "00016d");
  EXPECT_EQ(Body(kV3, ErrorCode::kCdcWriteFailure),
            "00002200"
            "00016d");
}

TEST(ErrorWriterTest, AnUnknownCasWriteIsATimeoutBelowV5) {
  const CasWriteUnknownDetails details{kProgress};
  EXPECT_EQ(Body(kV5, ErrorCode::kCasWriteUnknown, details),
            "00001700"
            "00016d"
            "0004"
            "00000001"
            "00000002");
  EXPECT_EQ(Body(kV4, ErrorCode::kCasWriteUnknown, details),
            "00001100"
            "00016d"
            "0004"
            "00000001"
            "00000002" +
                StringHex("CAS"));
}

TEST(ErrorWriterTest, AlreadyExistsAndUnprepared) {
  EXPECT_EQ(Body(kV4, ErrorCode::kAlreadyExists, AlreadyExistsDetails{"k", ""}),
            "00002400"
            "00016d"
            "00016b"
            "0000");
  EXPECT_EQ(Body(kV4, ErrorCode::kUnprepared, UnpreparedDetails{"id"}),
            "00002500"
            "00016d"
            "00026964");
}

TEST(ErrorWriterTest, DetailsOfAnotherCodeAreNotSent) {
  EXPECT_EQ(Body(kV4, ErrorCode::kInvalid, UnpreparedDetails{"id"}),
            "00002200"
            "00016d");
}

}  // namespace
}  // namespace orrery::cassandra
