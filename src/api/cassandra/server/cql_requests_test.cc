// Statements over the wire: results, charges, tracing, metadata, streams.
#include <gmock/gmock.h>

#include <set>

#include "api/cassandra/server/cql_server_fixture_for_test.h"

namespace orrery::cassandra {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class CqlRequestsTest : public CqlServerFixture {
 protected:
  void SetUp() override { StartServer(); }

  static constexpr int32_t kVoid = 1, kRows = 2, kSetKeyspace = 3, kPrepared = 4, kSchemaChange = 5;
};

TEST_F(CqlRequestsTest, EveryKindOfOutcome) {
  CqlClient client = ConnectReady();
  EXPECT_EQ(client.Query("void").Code(), kVoid);
  EXPECT_EQ(client.Query("rows 2").Code(), kRows);
  EXPECT_EQ(client.Query("use ks").Code(), kSetKeyspace);
  EXPECT_EQ(client.Query("create").Code(), kSchemaChange);
  const Answer failed = client.Query("fail");
  EXPECT_TRUE(failed.is_error());
  EXPECT_EQ(failed.Code(), 0x2200);
  EXPECT_EQ(failed.ErrorText(), "as you wish");
  const Answer dropped = client.Query("drop");
  EXPECT_TRUE(dropped.is_error());
  EXPECT_EQ(dropped.Code(), 0x0000);
  const std::string metrics = metrics_.Render();
  EXPECT_THAT(metrics, HasSubstr("orrery_cql_requests_total{opcode=\"QUERY\"} 6\n"));
  EXPECT_THAT(metrics, HasSubstr("orrery_cql_errors_total{code=\"2200\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("orrery_cql_requests_in_flight 0\n"));
  EXPECT_THAT(metrics, HasSubstr("orrery_cql_request_bytes_in_flight 0\n"));
}

TEST_F(CqlRequestsTest, ChargesComeAsPayloadFromVersionFourOn) {
  CqlClient old = ConnectReady(ProtocolVersion::kV3);
  EXPECT_EQ(old.Query("void").charge, std::nullopt);
  for (const ProtocolVersion version : {ProtocolVersion::kV4, ProtocolVersion::kV5}) {
    CqlClient client = ConnectReady(version);
    EXPECT_EQ(client.Query("void").charge, 2.5);
    EXPECT_EQ(client.Query("rows 1").charge, 1.0);
    EXPECT_EQ(client.Query("fail").charge, 0.5);
    EXPECT_EQ(client.Query("drop").charge, std::nullopt) << "an error that cost nothing";
    EXPECT_EQ(client.Ask(Opcode::kPrepare, client.PrepareBody("x")).charge, 0.0);
    EXPECT_EQ(client.Ask(Opcode::kOptions, "").charge, std::nullopt);
  }
}

TEST_F(CqlRequestsTest, WarningsAndTracing) {
  CqlClient client = ConnectReady();
  const Answer warned = client.Query("warn");
  EXPECT_THAT(warned.warnings, ElementsAre("careful"));
  EXPECT_EQ(warned.charge, std::nullopt) << "Java's drivers cannot read both";
  const Answer traced = client.Query("warn", 0, kFlagTracing);
  EXPECT_THAT(traced.warnings, ElementsAre("careful"));
  EXPECT_TRUE(traced.tracing_id.has_value());
  EXPECT_EQ(traced.header.flags, kFlagTracing | kFlagWarnings);
  EXPECT_EQ(client.Query("void").tracing_id, std::nullopt);
  const Answer first = client.Query("void", 0, kFlagTracing);
  ASSERT_TRUE(first.tracing_id.has_value());
  EXPECT_EQ(first.tracing_id, statements_.last_tracing_id());
  EXPECT_NE(client.Query("void", 0, kFlagTracing).tracing_id, first.tracing_id);
}

TEST_F(CqlRequestsTest, UseHoldsForLaterRequestsOfTheConnection) {
  CqlClient client = ConnectReady();
  CqlClient other = ConnectReady();
  EXPECT_THAT(client.Query("keyspace").message, Not(HasSubstr("uprofile")));
  client.Query("use uprofile");
  EXPECT_THAT(client.Query("keyspace").message, HasSubstr("uprofile"));
  EXPECT_THAT(other.Query("keyspace").message, Not(HasSubstr("uprofile")));
}

TEST_F(CqlRequestsTest, PrepareAndExecute) {
  for (const ProtocolVersion version :
       {ProtocolVersion::kV3, ProtocolVersion::kV4, ProtocolVersion::kV5}) {
    CqlClient client = ConnectReady(version);
    const Answer prepared = client.Ask(Opcode::kPrepare, client.PrepareBody("select"));
    EXPECT_EQ(prepared.Code(), kPrepared);
    BodyReader reader(prepared.message);
    reader.Int();
    EXPECT_EQ(reader.ShortBytes(), FakeStatements::kPreparedId);
    const std::string metadata_id =
        version == ProtocolVersion::kV5 ? std::string(reader.ShortBytes()) : "";
    const Answer rows = client.Ask(
        Opcode::kExecute, client.ExecuteBody(FakeStatements::kPreparedId, metadata_id, true));
    BodyReader rows_reader(rows.message);
    EXPECT_EQ(rows_reader.Int(), kRows);
    EXPECT_EQ(rows_reader.Int(), 4) << "no metadata";
    EXPECT_TRUE(client.Ask(Opcode::kPrepare, client.PrepareBody("fail")).is_error());
  }
}

TEST_F(CqlRequestsTest, AnOutdatedDescriptionIsReplacedInVersionFive) {
  CqlClient client = ConnectReady(ProtocolVersion::kV5);
  for (const std::string_view stale : {"", "short", "0123456789abcdef", "01234567890123456789"}) {
    const Answer rows =
        client.Ask(Opcode::kExecute, client.ExecuteBody(FakeStatements::kPreparedId, stale, true));
    BodyReader reader(rows.message);
    EXPECT_EQ(reader.Int(), kRows);
    EXPECT_EQ(reader.Int(), 0x8 | 0x1) << "metadata changed, one table";
    EXPECT_EQ(reader.Int(), 1) << "columns";
    EXPECT_EQ(reader.ShortBytes(), FakeStatements::shape("text")->id());
  }
}

TEST_F(CqlRequestsTest, UnknownIdsAreToldBack) {
  CqlClient client = ConnectReady();
  const Answer answer =
      client.Ask(Opcode::kExecute, client.ExecuteBody("no such id here", "", false));
  ASSERT_TRUE(answer.is_error());
  EXPECT_EQ(answer.Code(), 0x2500);
  BodyReader reader(answer.message);
  reader.Int();
  reader.String();
  EXPECT_EQ(reader.ShortBytes(), "no such id here");
}

TEST_F(CqlRequestsTest, AnswersComeInTheOrderInWhichTheyAreReady) {
  for (const ProtocolVersion version : {ProtocolVersion::kV4, ProtocolVersion::kV5}) {
    CqlClient client = ConnectReady(version);
    client.SendEnvelopes(client.Encode(Opcode::kQuery, client.QueryBody("hold"), 1) +
                         client.Encode(Opcode::kQuery, client.QueryBody("hold"), 2) +
                         client.Encode(Opcode::kQuery, client.QueryBody("void"), 3));
    EXPECT_EQ(client.Receive().stream(), 3);
    statements_.Release(2);
    EXPECT_EQ(client.Receive().stream(), 2);
    EXPECT_EQ(client.Receive().stream(), 1);
  }
}

TEST_F(CqlRequestsTest, ThousandsOfStreamsAtOnce) {
  constexpr int16_t kStreams = 2000;
  for (const ProtocolVersion version : {ProtocolVersion::kV4, ProtocolVersion::kV5}) {
    CqlClient client = ConnectReady(version);
    // The server sees that its answers are small.
    for (int i = 0; i < 50; ++i) ASSERT_EQ(client.Query("void").Code(), 1);
    const size_t reads_before = client.reads();
    std::string requests;
    for (int16_t i = 0; i < kStreams; ++i) {
      requests += client.Encode(Opcode::kQuery, client.QueryBody("hold"), i);
    }
    ASSERT_TRUE(client.SendEnvelopes(requests));
    statements_.Release(kStreams);
    std::set<int16_t> streams;
    for (int16_t i = 0; i < kStreams; ++i) {
      const Answer answer = client.Receive();
      ASSERT_EQ(answer.opcode(), Opcode::kResult);
      streams.insert(answer.stream());
    }
    EXPECT_EQ(streams.size(), static_cast<size_t>(kStreams));
    EXPECT_LT(client.reads() - reads_before, 200u)
        << "responses of a burst are gathered into few writes";
  }
}

TEST_F(CqlRequestsTest, ABatchIsAStatementToo) {
  CqlClient client = ConnectReady();
  std::string body;
  AppendByte(body, 1);
  AppendShort(body, 1);
  AppendByte(body, 0);
  AppendLongString(body, "warn");
  AppendShort(body, 0);
  AppendConsistency(body, Consistency::kQuorum);
  AppendByte(body, 0);
  const Answer answer = client.Ask(Opcode::kBatch, body);
  EXPECT_EQ(answer.Code(), kVoid);
  EXPECT_THAT(answer.warnings, ElementsAre("careful"));
}

}  // namespace
}  // namespace orrery::cassandra
