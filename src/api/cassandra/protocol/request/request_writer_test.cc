#include "api/cassandra/protocol/request/request_writer.h"

#include <gtest/gtest.h>

#include "api/cassandra/protocol/protocol_testing.h"
#include "api/cassandra/protocol/request/request_decoder.h"
#include "api/cassandra/protocol/test_bytes.h"

namespace orrery::cassandra {
namespace {

// A message that a server reads out of what a client wrote. The bytes stay alive with the message.
struct RoundTrip {
  std::string bytes;
  EnvelopeHeader header;
  RequestMessage message;
};

RoundTrip Travel(ProtocolVersion version, RequestMessage message) {
  RoundTrip trip;
  WriteRequest(trip.bytes, {version, 7}, message);
  const auto envelope = DecodeEnvelope(trip.bytes, {});
  EXPECT_TRUE(envelope.has_value() && envelope->has_value());
  if (!envelope.has_value() || !envelope->has_value()) return trip;
  trip.header = (*envelope)->header;
  EXPECT_EQ((*envelope)->size(), trip.bytes.size());
  auto decoded = DecodeRequest(**envelope);
  EXPECT_TRUE(decoded.has_value()) << decoded.error().message();
  if (decoded.has_value()) trip.message = *std::move(decoded);
  return trip;
}

template <typename T>
T TravelAs(ProtocolVersion version, T request, RoundTrip& trip) {
  trip = Travel(version, {std::move(request), {}, false});
  return std::get<T>(trip.message.request);
}

void ExpectSame(const StatementContext& a, const StatementContext& b) {
  EXPECT_EQ(a.consistency, b.consistency);
  EXPECT_EQ(a.serial_consistency, b.serial_consistency);
  EXPECT_EQ(a.timestamp_us, b.timestamp_us);
  EXPECT_EQ(a.keyspace, b.keyspace);
  EXPECT_EQ(a.now_in_seconds, b.now_in_seconds);
}

void ExpectSame(const QueryParameters& a, const QueryParameters& b) {
  ExpectSame(a.context, b.context);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.names, b.names);
  EXPECT_EQ(a.page_rows, b.page_rows);
  EXPECT_EQ(a.paging_state, b.paging_state);
  EXPECT_EQ(a.skip_metadata, b.skip_metadata);
}

QueryParameters FullParameters(ProtocolVersion version) {
  QueryParameters parameters;
  parameters.context = {Consistency::kLocalQuorum, Consistency::kLocalSerial, 1'234, {}, {}};
  if (version >= kV5) {
    parameters.context.keyspace = "ks";
    parameters.context.now_in_seconds = 9;
  }
  parameters.values = {{BoundValue::State::kValue, "a"}, {BoundValue::State::kNull, {}}};
  if (version >= kV4) parameters.values.push_back({BoundValue::State::kUnset, {}});
  parameters.page_rows = 100;
  parameters.paging_state = "there";
  parameters.skip_metadata = true;
  return parameters;
}

TEST(RequestWriterTest, TheBytesOfAQuery) {
  std::string bytes;
  WriteRequest(bytes, {kV4, 5}, {QueryRequest{"Q", {}}, {}, false});
  EXPECT_EQ(bytes, Hex("04 00 0005 07 00000008  00000001 51 0001 00"));
}

TEST(RequestWriterTest, HandshakeRequests) {
  for (const ProtocolVersion version : kAllVersions) {
    RoundTrip trip;
    const auto startup = TravelAs(
        version, StartupRequest{{{"CQL_VERSION", "3.4.5"}, {"DRIVER_NAME", "bench"}}}, trip);
    EXPECT_EQ(startup.Find("DRIVER_NAME"), "bench");
    EXPECT_EQ(trip.header.stream, 7);
    EXPECT_EQ(trip.header.version, version);
    TravelAs(version, OptionsRequest{}, trip);
    EXPECT_EQ(trip.header.opcode, Opcode::kOptions);
    EXPECT_EQ(TravelAs(version, AuthResponseRequest{"token"}, trip).token, "token");
    EXPECT_EQ(TravelAs(version, AuthResponseRequest{}, trip).token, std::nullopt);
    const auto events = TravelAs(version, RegisterRequest{true, false, true}, trip);
    EXPECT_TRUE(events.topology_changes && events.schema_changes && !events.status_changes);
  }
}

TEST(RequestWriterTest, StatementsWithEverything) {
  for (const ProtocolVersion version : kAllVersions) {
    RoundTrip trip;
    const QueryParameters parameters = FullParameters(version);
    const auto query = TravelAs(version, QueryRequest{"SELECT", parameters}, trip);
    EXPECT_EQ(query.query, "SELECT");
    ExpectSame(query.parameters, parameters);

    const std::string_view metadata_id = version >= kV5 ? "mid" : "";
    const auto execute = TravelAs(version, ExecuteRequest{"id", metadata_id, parameters}, trip);
    EXPECT_EQ(execute.id, "id");
    EXPECT_EQ(execute.result_metadata_id, metadata_id);
    ExpectSame(execute.parameters, parameters);
    std::string direct;
    WriteExecute(direct, {version, 7}, {"id", metadata_id, parameters});
    EXPECT_EQ(direct, trip.bytes);
  }
}

TEST(RequestWriterTest, NamedValues) {
  RoundTrip trip;
  QueryParameters parameters;
  parameters.values = {{BoundValue::State::kValue, "1"}, {BoundValue::State::kNull, {}}};
  parameters.names = {"one", "two"};
  ExpectSame(TravelAs(kV4, QueryRequest{"Q", parameters}, trip).parameters, parameters);
}

TEST(RequestWriterTest, Prepare) {
  for (const ProtocolVersion version : kAllVersions) {
    RoundTrip trip;
    EXPECT_EQ(TravelAs(version, PrepareRequest{"Q", {}}, trip).keyspace, std::nullopt);
  }
  RoundTrip trip;
  const auto prepare = TravelAs(kV5, PrepareRequest{"Q", "ks"}, trip);
  EXPECT_EQ(prepare.query, "Q");
  EXPECT_EQ(prepare.keyspace, "ks");
}

TEST(RequestWriterTest, Batch) {
  for (const ProtocolVersion version : kAllVersions) {
    BatchRequest request;
    request.type = BatchType::kUnlogged;
    request.values = {{BoundValue::State::kValue, "x"}, {BoundValue::State::kNull, {}}};
    request.statements = {{false, "INSERT", 0, 0}, {true, "id", 0, 2}};
    request.context = FullParameters(version).context;
    RoundTrip trip;
    const auto batch = TravelAs(version, request, trip);
    EXPECT_EQ(batch.type, BatchType::kUnlogged);
    ASSERT_EQ(batch.statements.size(), 2u);
    EXPECT_EQ(batch.statements[0].query_or_id, "INSERT");
    EXPECT_TRUE(batch.statements[1].prepared);
    EXPECT_EQ(batch.values, request.values);
    ExpectSame(batch.context, request.context);
  }
}

TEST(RequestWriterTest, PayloadAndTracing) {
  const RoundTrip trip = Travel(kV4, {QueryRequest{"Q", {}}, {{"k", "v"}, {"none", {}}}, true});
  EXPECT_TRUE(trip.message.tracing);
  EXPECT_EQ(trip.message.payload, (std::vector<PayloadEntry>{{"k", "v"}, {"none", {}}}));
}

}  // namespace
}  // namespace orrery::cassandra
