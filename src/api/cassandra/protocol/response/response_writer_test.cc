#include "api/cassandra/protocol/response/response_writer.h"

#include <gtest/gtest.h>

#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/protocol/protocol_testing.h"
#include "api/cassandra/protocol/response/moved_event.h"
#include "api/cassandra/protocol/test_bytes.h"

namespace orrery::cassandra {
namespace {

template <typename Write>
std::string Written(Write write) {
  std::string out;
  write(out);
  EXPECT_EQ(AnnouncedEnvelopeBytes(out), out.size());
  return ToHex(out);
}

std::vector<ColumnSpec> Columns(std::string_view second_table) {
  ColumnSpec key{"k", "t", "a", {}};
  key.type.id = TypeId::kInt;
  ColumnSpec value{"k", std::string(second_table), "b", {}};
  return {key, value};
}

TEST(ResponseWriterTest, Handshake) {
  EXPECT_EQ(Written([](auto& out) { WriteReady(out, HeadOf(kV3)); }),
            "83"
            "00"
            "0001"
            "02"
            "00000000");
  EXPECT_EQ(Written([](auto& out) { WriteAuthenticate(out, HeadOf(kV4), "A"); }),
            "84"
            "00"
            "0001"
            "03"
            "00000003"
            "000141");
  EXPECT_EQ(Written([](auto& out) { WriteAuthChallenge(out, HeadOf(kV4), "c"); }),
            "84"
            "00"
            "0001"
            "0e"
            "00000005"
            "0000000163");
  EXPECT_EQ(Written([](auto& out) { WriteAuthSuccess(out, HeadOf(kV5), std::nullopt); }),
            "85"
            "00"
            "0001"
            "10"
            "00000004"
            "ffffffff");
  EXPECT_EQ(Written([](auto& out) { WriteSupported(out, HeadOf(kV4), {{"C", {"lz4"}}}); }),
            "84"
            "00"
            "0001"
            "06"
            "0000000c"
            "0001"
            "000143"
            "0001"
            "00036c7a34");
}

TEST(ResponseWriterTest, VoidAndSetKeyspace) {
  EXPECT_EQ(Written([](auto& out) { WriteVoid(out, HeadOf(kV4)); }),
            "84"
            "00"
            "0001"
            "08"
            "00000004"
            "00000001");
  EXPECT_EQ(Written([](auto& out) { WriteSetKeyspace(out, HeadOf(kV4), "ks"); }),
            "84"
            "00"
            "0001"
            "08"
            "00000008"
            "00000003"
            "00026b73");
}

std::string PreparedBody(ProtocolVersion version, const ResultColumns& variables,
                         const ResultColumns& result) {
  const uint16_t indexes[] = {0};
  return Written([&](auto& out) {
           WritePrepared(out, HeadOf(version), {"id", "mid", variables, indexes, result});
         })
      .substr(2 * kEnvelopeHeaderBytes);
}

TEST(ResponseWriterTest, PreparedDiffersByVersion) {
  const std::vector<ColumnSpec> columns = Columns("t");
  const ResultColumns variables(std::span(columns).first(1), kV4);
  const ResultColumns nothing;
  const std::string spec =
      "00016b"
      "000174"
      "000161"
      "0009";
  const std::string no_result =
      "00000004"
      "00000000";
  EXPECT_EQ(PreparedBody(kV3, variables, nothing),
            "00000004"
            "00026964"
            "00000001"
            "00000001" +
                spec + no_result);
  EXPECT_EQ(PreparedBody(kV4, variables, nothing),
            "00000004"
            "00026964"
            "00000001"
            "00000001"
            "00000001"
            "0000" +
                spec + no_result);
  EXPECT_EQ(PreparedBody(kV5, variables, nothing),
            "00000004"
            "00026964"
            "00036d6964"
            "00000001"
            "00000001"
            "00000001"
            "0000" +
                spec + no_result);
}

TEST(ResponseWriterTest, PreparedDescribesItsResult) {
  const ResultColumns nothing;
  const ResultColumns two_tables(Columns("u"), kV4);
  EXPECT_EQ(PreparedBody(kV4, nothing, two_tables),
            "00000004"
            "00026964"
            "00000000"
            "00000000"
            "00000001"
            "0000"
            "00000000"
            "00000002"
            "00016b"
            "000174"
            "000161"
            "0009"
            "00016b"
            "000175"
            "000162"
            "000d");
}

TEST(ResponseWriterTest, SchemaChanges) {
  const auto body = [](ProtocolVersion version, const SchemaChange& change) {
    return Written([&](auto& out) { WriteSchemaChange(out, HeadOf(version), change); })
        .substr(2 * kEnvelopeHeaderBytes);
  };
  EXPECT_EQ(body(kV4, {SchemaChangeKind::kCreated, SchemaTarget::kKeyspace, "k", "", {}}),
            "00000005" + StringHex("CREATED") + StringHex("KEYSPACE") + StringHex("k"));
  EXPECT_EQ(
      body(kV3, {SchemaChangeKind::kUpdated, SchemaTarget::kTable, "k", "t", {}}),
      "00000005" + StringHex("UPDATED") + StringHex("TABLE") + StringHex("k") + StringHex("t"));
  const SchemaChange function = {
      SchemaChangeKind::kDropped, SchemaTarget::kFunction, "k", "f", {"int"}};
  EXPECT_EQ(body(kV4, function), "00000005" + StringHex("DROPPED") + StringHex("FUNCTION") +
                                     StringHex("k") + StringHex("f") + "0001" + StringHex("int"));
  EXPECT_EQ(body(kV3, function),
            "00000005" + StringHex("UPDATED") + StringHex("KEYSPACE") + StringHex("k"));
}

TEST(ResponseWriterTest, EventsHaveAStreamOfTheirOwnAndNoHead) {
  ResponseHead head = HeadOf(kV4);
  const std::string warnings[] = {"w"};
  head.warnings = warnings;
  const InetEndpoint node{{{127, 0, 0, 1}, 4}, 9042};
  const std::string header =
      "84"
      "00"
      "ffff"
      "0c";
  const std::string status =
      Written([&](auto& out) { WriteStatusEvent(out, head, NodeStatus::kDown, node); });
  EXPECT_EQ(status, header + "0000001e" + StringHex("STATUS_CHANGE") + StringHex("DOWN") +
                        "047f00000100002352");
  const std::string topology =
      Written([&](auto& out) { WriteTopologyEvent(out, head, TopologyChange::kNewNode, node); });
  EXPECT_TRUE(topology.ends_with(StringHex("TOPOLOGY_CHANGE") + StringHex("NEW_NODE") +
                                 "047f00000100002352"));
  const std::string moved = Written([&](auto& out) { WriteMovedEvent(out, head, node); });
  EXPECT_TRUE(moved.ends_with(StringHex("TOPOLOGY_CHANGE") + StringHex("MOVED_NODE") +
                              "047f00000100002352"));
  const std::string schema = Written([&](auto& out) {
    WriteSchemaEvent(out, head, {SchemaChangeKind::kDropped, SchemaTarget::kType, "k", "t", {}});
  });
  EXPECT_TRUE(schema.starts_with(header));
  EXPECT_TRUE(schema.ends_with(StringHex("SCHEMA_CHANGE") + StringHex("DROPPED") +
                               StringHex("TYPE") + StringHex("k") + StringHex("t")));
}

}  // namespace
}  // namespace orrery::cassandra
