#include "api/cassandra/protocol/request/request_decoder.h"

#include <gtest/gtest.h>

#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/protocol/protocol_testing.h"
#include "api/cassandra/protocol/test_bytes.h"

namespace orrery::cassandra {
namespace {

Result<RequestMessage> Decode(Opcode opcode, ProtocolVersion version, std::string_view body,
                              uint8_t flags = 0) {
  return DecodeRequest({{version, flags, 1, opcode, static_cast<uint32_t>(body.size())}, body});
}

// The message's text, or nothing.
std::string Problem(Opcode opcode, ProtocolVersion version, std::string_view hex,
                    uint8_t flags = 0) {
  const std::string body = Hex(hex);
  const auto decoded = Decode(opcode, version, body, flags);
  return decoded.has_value() ? "" : decoded.error().message();
}

template <typename T>
T Take(Result<RequestMessage> decoded) {
  if (!decoded.has_value()) {
    ADD_FAILURE() << decoded.error().message();
    return {};
  }
  return std::get<T>(std::move(decoded->request));
}

// Every proper prefix of `body` must be an error.
void ExpectTruncationsFail(Opcode opcode, ProtocolVersion version, std::string_view body,
                           uint8_t flags = 0) {
  for (size_t size = 0; size < body.size(); ++size) {
    const auto decoded = Decode(opcode, version, body.substr(0, size), flags);
    ASSERT_FALSE(decoded.has_value()) << OpcodeName(opcode) << " cut at " << size;
    ASSERT_EQ(decoded.error().code(), Code::kInvalidArgument);
  }
}

TEST(RequestDecoderTest, Startup) {
  const std::string body = Hex(
      "0002 000b 43514c5f56455253494f4e 0005 332e302e30 000b 434f4d5052455353494f4e 0003 6c7a34");
  for (const ProtocolVersion version : kAllVersions) {
    const auto startup = Take<StartupRequest>(Decode(Opcode::kStartup, version, body));
    EXPECT_EQ(startup.Find("CQL_VERSION"), "3.0.0");
    EXPECT_EQ(startup.Find("compression"), "lz4");
    EXPECT_EQ(startup.Find("DRIVER_NAME"), std::nullopt);
    ExpectTruncationsFail(Opcode::kStartup, version, body);
  }
  EXPECT_EQ(Problem(Opcode::kStartup, kV4, "0000"), "Missing value CQL_VERSION in STARTUP message");
}

TEST(RequestDecoderTest, OptionsAndAuthResponse) {
  EXPECT_TRUE(Decode(Opcode::kOptions, kV4, "").has_value());
  const std::string body = Hex("00000004 00 61 00 62");
  EXPECT_EQ(Take<AuthResponseRequest>(Decode(Opcode::kAuthResponse, kV4, body)).token,
            std::string_view("\0a\0b", 4));
  ExpectTruncationsFail(Opcode::kAuthResponse, kV4, body);
  EXPECT_EQ(Take<AuthResponseRequest>(Decode(Opcode::kAuthResponse, kV5, Hex("ffffffff"))).token,
            std::nullopt);
}

TEST(RequestDecoderTest, Register) {
  std::string body;
  AppendStringList(body, std::vector<std::string>{"SCHEMA_CHANGE", "STATUS_CHANGE"});
  const auto request = Take<RegisterRequest>(Decode(Opcode::kRegister, kV4, body));
  EXPECT_TRUE(request.schema_changes && request.status_changes);
  EXPECT_FALSE(request.topology_changes);
  ExpectTruncationsFail(Opcode::kRegister, kV4, body);
  EXPECT_EQ(Problem(Opcode::kRegister, kV4, "0001 0001 58"), "Invalid value 'X' for an event type");
}

TEST(RequestDecoderTest, QueryWithoutParameters) {
  for (const ProtocolVersion version : kAllVersions) {
    const std::string body =
        Hex(version == kV5 ? "00000003 555345 0001 00000000" : "00000003 555345 0001 00");
    const auto query = Take<QueryRequest>(Decode(Opcode::kQuery, version, body));
    EXPECT_EQ(query.query, "USE");
    EXPECT_EQ(query.parameters.context.consistency, Consistency::kOne);
    EXPECT_EQ(query.parameters.context.serial_consistency, Consistency::kSerial);
    EXPECT_EQ(query.parameters.page_rows, std::nullopt);
    EXPECT_TRUE(query.parameters.values.empty());
    ExpectTruncationsFail(Opcode::kQuery, version, body);
  }
}

// All of v3 and v4: values, skip metadata, page size, paging state, serial, timestamp.
constexpr std::string_view kAllFields =
    "0003 00000001 61 ffffffff fffffffe"
    "00000064 00000002 7073 0009 0005a8f7c2d5e000";

void ExpectAllFields(const QueryParameters& parameters, bool unset) {
  ASSERT_EQ(parameters.values.size(), 3u);
  EXPECT_EQ(parameters.values[0].bytes, "a");
  EXPECT_TRUE(parameters.values[1].is_null());
  EXPECT_EQ(parameters.values[2].is_unset(), unset);
  EXPECT_TRUE(parameters.skip_metadata);
  EXPECT_EQ(parameters.page_rows, 100);
  EXPECT_EQ(parameters.paging_state, "ps");
  EXPECT_EQ(parameters.context.consistency, Consistency::kLocalQuorum);
  EXPECT_EQ(parameters.context.serial_consistency, Consistency::kLocalSerial);
  EXPECT_EQ(parameters.context.timestamp_us, 0x0005a8f7c2d5e000);
}

TEST(RequestDecoderTest, QueryWithEverything) {
  for (const ProtocolVersion version : {kV3, kV4}) {
    const std::string body = Hex("00000001 51 0006 3f" + std::string(kAllFields));
    const auto query = Take<QueryRequest>(Decode(Opcode::kQuery, version, body));
    ExpectAllFields(query.parameters, version == kV4);
    EXPECT_EQ(query.parameters.context.keyspace, std::nullopt);
    ExpectTruncationsFail(Opcode::kQuery, version, body);
  }
  const std::string body =
      Hex("00000001 51 0006 000001bf" + std::string(kAllFields) + "0002 6b73 00000539");
  const auto query = Take<QueryRequest>(Decode(Opcode::kQuery, kV5, body));
  ExpectAllFields(query.parameters, true);
  EXPECT_EQ(query.parameters.context.keyspace, "ks");
  EXPECT_EQ(query.parameters.context.now_in_seconds, 1337);
  ExpectTruncationsFail(Opcode::kQuery, kV5, body);
}

TEST(RequestDecoderTest, NamedValues) {
  const std::string body = Hex("00000001 51 0001 41 0002 0001 6b 00000001 31 0001 76 ffffffff");
  const auto query = Take<QueryRequest>(Decode(Opcode::kQuery, kV4, body));
  EXPECT_EQ(query.parameters.names, (std::vector<std::string_view>{"k", "v"}));
  ASSERT_EQ(query.parameters.values.size(), 2u);
  EXPECT_EQ(query.parameters.values[0].bytes, "1");
  ExpectTruncationsFail(Opcode::kQuery, kV4, body);
}

TEST(RequestDecoderTest, WrongParametersAreNamed) {
  EXPECT_EQ(Problem(Opcode::kQuery, kV4, "00000001 51 0001 20 8000000000000000"),
            "Out of bound timestamp, must be in [-9223372036854775807, 9223372036854775807] (got "
            "-9223372036854775808)");
  EXPECT_EQ(Problem(Opcode::kQuery, kV4, "00000001 51 0001 20 ffffffffffffffff"), "");
  EXPECT_EQ(Problem(Opcode::kQuery, kV4, "00000002 c328 0001 00"),
            "Cannot decode [long string] at byte 4 as UTF-8");
  EXPECT_EQ(Problem(Opcode::kQuery, kV4, "00000001 51 00ff 00"),
            "Unknown code 255 for a consistency level");
}

TEST(RequestDecoderTest, UnknownFlagsAreIgnored) {
  for (const std::string_view flags : {"80000200", "fffffe00"}) {
    const std::string body = Hex(std::string("00000001 51 0001 ") + std::string(flags));
    const auto query = Take<QueryRequest>(Decode(Opcode::kQuery, kV5, body));
    EXPECT_EQ(query.query, "Q");
    EXPECT_TRUE(query.parameters.values.empty());
    EXPECT_EQ(query.parameters.page_rows, std::nullopt);
    const auto batch = Take<BatchRequest>(
        Decode(Opcode::kBatch, kV5, Hex(std::string("00 0000 0001 ") + std::string(flags))));
    EXPECT_EQ(batch.context.timestamp_us, std::nullopt);
  }
  // Beside ones that are known.
  const auto paged =
      Take<QueryRequest>(Decode(Opcode::kQuery, kV5, Hex("00000001 51 0001 00010004 00000007")));
  EXPECT_EQ(paged.parameters.page_rows, 7);
}

// Cassandra reads the parameters of all versions alike, and those of batches as a query's.
TEST(RequestDecoderTest, FlagsOfOtherVersionsAndMessages) {
  for (const ProtocolVersion version : {kV3, kV4}) {
    const auto query =
        Take<QueryRequest>(Decode(Opcode::kQuery, version, Hex("00000001 51 0001 80 0002 6b73")));
    EXPECT_EQ(query.parameters.context.keyspace, "ks");
    EXPECT_FALSE(Problem(Opcode::kQuery, version, "00000001 51 0001 80").empty());
    const std::string batch_body =
        Hex("00 0000 0001 25 0001 00000001 78 00000064 0000000000000009");
    const auto batch = Take<BatchRequest>(Decode(Opcode::kBatch, version, batch_body));
    EXPECT_EQ(batch.context.timestamp_us, 9) << "behind values and a page size";
    EXPECT_TRUE(batch.values.empty());
    EXPECT_EQ(Problem(Opcode::kBatch, version, "00 0000 0001 40"), "");
  }
}

TEST(RequestDecoderTest, Prepare) {
  const auto v4 = Take<PrepareRequest>(Decode(Opcode::kPrepare, kV4, Hex("00000001 51")));
  EXPECT_EQ(v4.keyspace, std::nullopt);
  const std::string body = Hex("00000001 51 00000001 0002 6b73");
  const auto v5 = Take<PrepareRequest>(Decode(Opcode::kPrepare, kV5, body));
  EXPECT_EQ(v5.query, "Q");
  EXPECT_EQ(v5.keyspace, "ks");
  ExpectTruncationsFail(Opcode::kPrepare, kV5, body);
  EXPECT_EQ(Problem(Opcode::kPrepare, kV5, "00000001 51 80000002"), "") << "unknown flags";
}

TEST(RequestDecoderTest, Execute) {
  const std::string v4_body = Hex("0002 6964 0001 01 0001 00000004 00000007");
  const auto v4 = Take<ExecuteRequest>(Decode(Opcode::kExecute, kV4, v4_body));
  EXPECT_EQ(v4.id, "id");
  EXPECT_EQ(v4.result_metadata_id, "");
  ASSERT_EQ(v4.parameters.values.size(), 1u);
  EXPECT_EQ(v4.parameters.values[0].bytes, Hex("00000007"));
  ExpectTruncationsFail(Opcode::kExecute, kV4, v4_body);
  const std::string v5_body = Hex("0002 6964 0003 6d6964 0001 00000002");
  const auto v5 = Take<ExecuteRequest>(Decode(Opcode::kExecute, kV5, v5_body));
  EXPECT_EQ(v5.result_metadata_id, "mid");
  EXPECT_TRUE(v5.parameters.skip_metadata);
  ExpectTruncationsFail(Opcode::kExecute, kV5, v5_body);
}

constexpr std::string_view kTwoStatements =
    "01 0002"
    "00 00000001 51 0000"
    "01 0002 6964 0002 00000001 61 ffffffff"
    "0004";

void ExpectTwoStatements(const BatchRequest& batch) {
  EXPECT_EQ(batch.type, BatchType::kUnlogged);
  ASSERT_EQ(batch.statements.size(), 2u);
  EXPECT_FALSE(batch.statements[0].prepared);
  EXPECT_EQ(batch.statements[0].query_or_id, "Q");
  EXPECT_TRUE(batch.ValuesOf(batch.statements[0]).empty());
  EXPECT_TRUE(batch.statements[1].prepared);
  EXPECT_EQ(batch.statements[1].query_or_id, "id");
  const auto values = batch.ValuesOf(batch.statements[1]);
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0].bytes, "a");
  EXPECT_TRUE(values[1].is_null());
  EXPECT_EQ(batch.context.consistency, Consistency::kQuorum);
}

TEST(RequestDecoderTest, Batch) {
  for (const ProtocolVersion version : {kV3, kV4}) {
    const std::string body = Hex(std::string(kTwoStatements) + "30 0008 0000000000000005");
    const auto batch = Take<BatchRequest>(Decode(Opcode::kBatch, version, body));
    ExpectTwoStatements(batch);
    EXPECT_EQ(batch.context.timestamp_us, 5);
    ExpectTruncationsFail(Opcode::kBatch, version, body);
  }
  const std::string body = Hex(std::string(kTwoStatements) + "00000180 0002 6b73 00000009");
  const auto batch = Take<BatchRequest>(Decode(Opcode::kBatch, kV5, body));
  ExpectTwoStatements(batch);
  EXPECT_EQ(batch.context.keyspace, "ks");
  EXPECT_EQ(batch.context.now_in_seconds, 9);
  ExpectTruncationsFail(Opcode::kBatch, kV5, body);
}

TEST(RequestDecoderTest, WrongBatchesAreNamed) {
  EXPECT_EQ(Problem(Opcode::kBatch, kV4, "03 0000 0001 00"), "Invalid BATCH message type 3");
  EXPECT_EQ(Problem(Opcode::kBatch, kV4, "00 0001 02 0000"),
            "Invalid query kind in BATCH messages. Must be 0 or 1 but got 2");
  EXPECT_FALSE(Problem(Opcode::kBatch, kV4, "00 ffff").empty());
}

TEST(RequestDecoderTest, CustomPayloadAndTracing) {
  const std::string body = Hex("0001 0001 6b 00000001 76 00000001 51 0001 00");
  const auto decoded = Decode(Opcode::kQuery, kV4, body, kFlagCustomPayload | kFlagTracing);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_TRUE(decoded->tracing);
  EXPECT_EQ(decoded->payload, (std::vector<PayloadEntry>{{"k", "v"}}));
  EXPECT_EQ(std::get<QueryRequest>(decoded->request).query, "Q");
  ExpectTruncationsFail(Opcode::kQuery, kV4, body, kFlagCustomPayload);
  EXPECT_EQ(Problem(Opcode::kQuery, kV3, "0000 00000001 51 0001 00", kFlagCustomPayload),
            "Received frame with CUSTOM_PAYLOAD flag for native protocol version < 4");
}

TEST(RequestDecoderTest, BytesBehindAMessageAreIgnored) {
  EXPECT_EQ(Problem(Opcode::kOptions, kV4, "0102"), "");
  EXPECT_EQ(Problem(Opcode::kQuery, kV4, "00000001 51 0001 00 ffff"), "");
}

TEST(RequestDecoderTest, ResponsesAreNoRequests) {
  EXPECT_EQ(Problem(Opcode::kResult, kV4, "00000001"), "RESULT is no request");
}

}  // namespace
}  // namespace orrery::cassandra
