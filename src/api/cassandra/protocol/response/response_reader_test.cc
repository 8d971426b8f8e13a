#include "api/cassandra/protocol/response/response_reader.h"

#include <gtest/gtest.h>

#include "api/cassandra/protocol/protocol_testing.h"
#include "api/cassandra/protocol/response/error_writer.h"
#include "api/cassandra/protocol/response/response_writer.h"
#include "api/cassandra/protocol/response/rows_writer.h"
#include "api/cassandra/protocol/test_bytes.h"

namespace orrery::cassandra {
namespace {

Result<ResponseMessage> Decode(std::string_view bytes) {
  const auto envelope = DecodeEnvelope(bytes, {Direction::kResponse, std::nullopt, kBodyBytesMax});
  if (!envelope.has_value() || !envelope->has_value()) return Fail(Code::kInternal, "no envelope");
  return DecodeResponse(**envelope);
}

template <typename T>
T Take(std::string_view bytes) {
  auto decoded = Decode(bytes);
  if (!decoded.has_value() || !std::holds_alternative<T>(decoded->response)) {
    ADD_FAILURE() << (decoded.has_value() ? "another response" : decoded.error().message());
    return {};
  }
  return std::get<T>(std::move(decoded->response));
}

std::string Problem(Opcode opcode, std::string_view hex, uint8_t flags = 0) {
  const std::string body = Hex(hex);
  const auto decoded =
      DecodeResponse({{kV4, flags, 1, opcode, static_cast<uint32_t>(body.size())}, body});
  return decoded.has_value() ? "" : decoded.error().message();
}

// Every proper prefix of the body must be an error.
void ExpectTruncationsFail(const std::string& bytes) {
  const auto envelope = DecodeEnvelope(bytes, {Direction::kResponse, std::nullopt, kBodyBytesMax});
  ASSERT_TRUE(envelope.has_value() && envelope->has_value());
  for (size_t size = 0; size < (*envelope)->body.size(); ++size) {
    const auto decoded = DecodeResponse({(*envelope)->header, (*envelope)->body.substr(0, size)});
    ASSERT_FALSE(decoded.has_value()) << "cut at " << size;
    ASSERT_EQ(decoded.error().code(), Code::kInvalidArgument);
  }
}

ResultColumns TwoColumns(ProtocolVersion version, bool one_table) {
  ColumnSpec key{"ks", "t", "a", {}};
  key.type.id = TypeId::kInt;
  const ColumnSpec columns[] = {key, {"ks", one_table ? "t" : "u", "b", {}}};
  return {columns, version};
}

void ExpectTwoColumns(const std::vector<ColumnDescription>& columns, bool one_table) {
  ASSERT_EQ(columns.size(), 2u);
  EXPECT_EQ(columns[0].keyspace, "ks");
  EXPECT_EQ(columns[0].name, "a");
  EXPECT_EQ(columns[0].type.id, TypeId::kInt);
  EXPECT_EQ(columns[1].table, one_table ? "t" : "u");
  EXPECT_EQ(columns[1].type.id, TypeId::kVarchar);
}

TEST(ResponseReaderTest, Handshake) {
  for (const ProtocolVersion version : kAllVersions) {
    std::string ready, authenticate, challenge, success, supported;
    WriteReady(ready, HeadOf(version));
    Take<ReadyResponse>(ready);
    WriteAuthenticate(authenticate, HeadOf(version), "PasswordAuthenticator");
    EXPECT_EQ(Take<AuthenticateResponse>(authenticate).authenticator, "PasswordAuthenticator");
    ExpectTruncationsFail(authenticate);
    WriteAuthChallenge(challenge, HeadOf(version), "more");
    EXPECT_EQ(Take<AuthChallengeResponse>(challenge).token, "more");
    WriteAuthSuccess(success, HeadOf(version), std::nullopt);
    EXPECT_EQ(Take<AuthSuccessResponse>(success).token, std::nullopt);
    const StringMultimap options = {{"CQL_VERSION", {"3.4.5"}}, {"COMPRESSION", {"lz4", "snappy"}}};
    WriteSupported(supported, HeadOf(version), options);
    EXPECT_EQ(Take<SupportedResponse>(supported).options, options);
    ExpectTruncationsFail(supported);
  }
}

TEST(ResponseReaderTest, Errors) {
  for (const ProtocolVersion version : kAllVersions) {
    std::string bytes;
    WriteError(bytes, HeadOf(version),
               {ErrorCode::kWriteTimeout, "too slow", WriteTimeoutDetails{}});
    const auto error = Take<ErrorResponse>(bytes);
    EXPECT_EQ(error.code, ErrorCode::kWriteTimeout);
    EXPECT_EQ(error.message, "too slow");
    bytes.clear();
    WriteError(bytes, HeadOf(version), {ErrorCode::kUnprepared, "again", UnpreparedDetails{"id"}});
    EXPECT_EQ(Take<ErrorResponse>(bytes).unprepared_id, "id");
    ExpectTruncationsFail(bytes);
  }
  EXPECT_EQ(Problem(Opcode::kError, "00007777 0000"), "");
}

TEST(ResponseReaderTest, PlainResults) {
  for (const ProtocolVersion version : kAllVersions) {
    std::string none, keyspace, change;
    WriteVoid(none, HeadOf(version));
    Take<VoidResult>(none);
    WriteSetKeyspace(keyspace, HeadOf(version), "ks");
    EXPECT_EQ(Take<SetKeyspaceResult>(keyspace).keyspace, "ks");
    ExpectTruncationsFail(keyspace);
    WriteSchemaChange(change, HeadOf(version),
                      {SchemaChangeKind::kUpdated, SchemaTarget::kTable, "ks", "t", {}});
    EXPECT_EQ(Take<SchemaChangeResult>(change).change, "UPDATED");
    EXPECT_EQ(Take<SchemaChangeResult>(change).target, "TABLE");
    EXPECT_EQ(Take<SchemaChangeResult>(change).keyspace, "ks");
  }
}

TEST(ResponseReaderTest, Events) {
  std::string bytes;
  WriteStatusEvent(bytes, HeadOf(kV4), NodeStatus::kUp, {});
  EXPECT_EQ(Take<EventResponse>(bytes).kind, "STATUS_CHANGE");
}

TEST(ResponseReaderTest, Prepared) {
  for (const ProtocolVersion version : kAllVersions) {
    for (const bool one_table : {true, false}) {
      const ResultColumns columns = TwoColumns(version, one_table);
      const uint16_t indexes[] = {1, 0};
      std::string bytes;
      WritePrepared(bytes, HeadOf(version), {"id", "mid", columns, indexes, columns});
      const auto prepared = Take<PreparedResult>(bytes);
      EXPECT_EQ(prepared.id, "id");
      EXPECT_EQ(prepared.result_metadata_id, version == kV5 ? "mid" : "");
      ExpectTwoColumns(prepared.variables, one_table);
      ExpectTwoColumns(prepared.columns, one_table);
      EXPECT_EQ(prepared.partition_key_indexes.size(), version == kV3 ? 0u : 2u);
      ExpectTruncationsFail(bytes);
    }
  }
}

TEST(ResponseReaderTest, PreparedWithoutResult) {
  std::string bytes;
  WritePrepared(bytes, HeadOf(kV4), {"id", "", ResultColumns(), {}, ResultColumns()});
  const auto prepared = Take<PreparedResult>(bytes);
  EXPECT_TRUE(prepared.variables.empty());
  EXPECT_TRUE(prepared.columns.empty());
}

std::string TwoRows(ProtocolVersion version, const RowsOptions& options,
                    const std::optional<std::string_view>& paging_state) {
  std::string bytes;
  RowsWriter rows(bytes, HeadOf(version), TwoColumns(version, true), options);
  rows.AppendCell("x");
  AppendNullBytes(rows.buffer());
  rows.EndRow();
  rows.AppendCell("y");
  rows.AppendCell("");
  rows.EndRow();
  rows.Finish(paging_state);
  return bytes;
}

TEST(ResponseReaderTest, Rows) {
  const std::vector<std::optional<std::string_view>> cells = {"x", std::nullopt, "y", ""};
  for (const ProtocolVersion version : kAllVersions) {
    for (const bool skip_metadata : {true, false}) {
      const std::string bytes = TwoRows(version, {skip_metadata, std::nullopt}, "next");
      const auto rows = Take<RowsResult>(bytes);
      EXPECT_EQ(rows.row_count, 2u);
      EXPECT_EQ(rows.column_count, 2u);
      EXPECT_EQ(rows.cells, cells);
      EXPECT_EQ(rows.paging_state, "next");
      if (skip_metadata) {
        EXPECT_TRUE(rows.columns.empty());
      } else {
        ExpectTwoColumns(rows.columns, true);
      }
      ExpectTruncationsFail(bytes);
    }
  }
  const std::string changed = TwoRows(kV5, {true, "mid"}, std::nullopt);
  EXPECT_EQ(Take<RowsResult>(changed).new_metadata_id, "mid");
  EXPECT_EQ(Take<RowsResult>(changed).cells, cells);
}

TEST(ResponseReaderTest, WhatStandsBeforeTheMessage) {
  const std::string warnings[] = {"slow"};
  const PayloadEntry payload[] = {{"RequestCharge", "1"}};
  ResponseHead head = HeadOf(kV4);
  head.tracing_id = Uuid{1, 2};
  head.payload = payload;
  std::string bytes;
  WriteVoid(bytes, head);
  const auto charged = Decode(bytes);
  ASSERT_TRUE(charged.has_value());
  EXPECT_EQ(charged->tracing_id, (Uuid{1, 2}));
  EXPECT_EQ(charged->payload, (std::vector<PayloadEntry>{{"RequestCharge", "1"}}));
  ExpectTruncationsFail(bytes);
  head.warnings = warnings;
  bytes.clear();
  WriteVoid(bytes, head);
  const auto warned = Decode(bytes);
  ASSERT_TRUE(warned.has_value());
  EXPECT_EQ(warned->tracing_id, (Uuid{1, 2}));
  EXPECT_EQ(warned->warnings, (std::vector<std::string_view>{"slow"}));
  ExpectTruncationsFail(bytes);
}

// Other servers send both, in the order of the protocol's documents.
TEST(ResponseReaderTest, WarningsStandBeforeThePayload) {
  const std::string body =
      Hex("0001 0004 736c6f77"        // warnings: "slow"
          "0001 0001 6b 00000001 76"  // payload: k = "v"
          "00000001");                // void
  Envelope envelope;
  envelope.header.version = kV4;
  envelope.header.flags = kFlagWarnings | kFlagCustomPayload;
  envelope.header.opcode = Opcode::kResult;
  envelope.body = body;
  const auto decoded = DecodeResponse(envelope);
  ASSERT_TRUE(decoded.has_value()) << decoded.error().ToString();
  EXPECT_EQ(decoded->warnings, (std::vector<std::string_view>{"slow"}));
  EXPECT_EQ(decoded->payload, (std::vector<PayloadEntry>{{"k", "v"}}));
}

TEST(ResponseReaderTest, CountsThatCannotBe) {
  EXPECT_EQ(Problem(Opcode::kResult, "00000009"), "Unknown kind 9 of a RESULT");
  EXPECT_EQ(Problem(Opcode::kResult, "00000002 00000004 ffffffff"), "Invalid count -1 of columns");
  EXPECT_EQ(Problem(Opcode::kResult, "00000002 00000004 00000001 ffffffff"),
            "Invalid count -1 of rows");
  EXPECT_EQ(Problem(Opcode::kResult, "00000002 00000004 7fffffff 7fffffff"),
            "2147483647 rows of 2147483647 columns do not fit the message");
  EXPECT_EQ(Problem(Opcode::kResult, "00000004 0000 00000000 7fffffff"),
            "2147483647 variables do not fit the message");
  EXPECT_EQ(Problem(Opcode::kQuery, ""), "QUERY is no response");
}

}  // namespace
}  // namespace orrery::cassandra
