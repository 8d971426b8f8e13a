// EVENT messages to clients that registered.
#include <gmock/gmock.h>

#include <latch>
#include <thread>

#include "api/cassandra/server/cql_server_fixture_for_test.h"
#include "api/cassandra/server/session/mailbox.h"

namespace orrery::cassandra {
namespace {

class CqlEventsTest : public CqlServerFixture {
 protected:
  void SetUp() override { StartServer(); }

  static Answer Register(CqlClient& client, std::initializer_list<std::string_view> kinds) {
    std::string body;
    AppendStringList(body, std::span(kinds.begin(), kinds.size()));
    return client.Ask(Opcode::kRegister, body);
  }
  static std::string KindOf(const Answer& event) {
    EXPECT_EQ(event.opcode(), Opcode::kEvent);
    EXPECT_EQ(event.stream(), -1);
    return std::string(BodyReader(event.message).String());
  }

  const SchemaChange change_{.keyspace = "ks", .name = "", .argument_types = {}};
  const InetEndpoint node_{};
};

TEST_F(CqlEventsTest, EachClientGetsWhatItAskedFor) {
  for (const ProtocolVersion version :
       {ProtocolVersion::kV3, ProtocolVersion::kV4, ProtocolVersion::kV5}) {
    CqlClient all = ConnectReady(version);
    CqlClient schema = ConnectReady(version);
    CqlClient none = ConnectReady(version);
    EXPECT_EQ(Register(all, {"TOPOLOGY_CHANGE", "STATUS_CHANGE", "SCHEMA_CHANGE"}).opcode(),
              Opcode::kReady);
    Register(schema, {"SCHEMA_CHANGE"});
    events_.TopologyChanged(TopologyChange::kNewNode, node_);
    events_.StatusChanged(NodeStatus::kUp, node_);
    events_.SchemaChanged(change_);
    EXPECT_EQ(KindOf(all.Receive()), "TOPOLOGY_CHANGE");
    EXPECT_EQ(KindOf(all.Receive()), "STATUS_CHANGE");
    EXPECT_EQ(KindOf(all.Receive()), "SCHEMA_CHANGE");
    EXPECT_EQ(KindOf(schema.Receive()), "SCHEMA_CHANGE");
    EXPECT_EQ(none.Query("void").opcode(), Opcode::kResult);
  }
}

TEST_F(CqlEventsTest, UnknownKindsAreRefused) {
  CqlClient client = ConnectReady();
  EXPECT_EQ(Register(client, {"WEATHER_CHANGE"}).Code(), 0x000A);
}

TEST_F(CqlEventsTest, ClientsThatLeftAreForgotten) {
  {
    CqlClient client = ConnectReady();
    Register(client, {"SCHEMA_CHANGE"});
  }
  while (server_->open_connections() > 0) std::this_thread::yield();
  events_.SchemaChanged(change_);
  CqlClient client = ConnectReady();
  EXPECT_EQ(client.Query("void").opcode(), Opcode::kResult);
}

TEST_F(CqlEventsTest, ABurstThatIsTooLongEndsTheConnection) {
  CqlClient client = ConnectReady();
  Register(client, {"SCHEMA_CHANGE"});
  // Its loop is kept busy, so that nothing leaves the mailbox meanwhile.
  std::latch busy(2);
  std::latch go_on(1);
  for (size_t i = 0; i < loops_.size(); ++i) {
    loops_.Post(i, [&] {
      busy.count_down();
      go_on.wait();
    });
  }
  busy.wait();
  for (size_t i = 0; i <= Mailbox::kNoticesMax; ++i) events_.SchemaChanged(change_);
  go_on.count_down();
  size_t events = 0;
  while (!client.Receive().closed) ++events;
  EXPECT_LE(events, Mailbox::kNoticesMax);
}

}  // namespace
}  // namespace orrery::cassandra
