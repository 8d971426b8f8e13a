// TLS and plain on the same port.
#include <gtest/gtest.h>

#include "api/cassandra/server/cql_server_fixture_for_test.h"
#include "net/tls_socket_for_test.h"

namespace orrery::cassandra {
namespace {

class CqlTlsTest : public CqlServerFixture {
 protected:
  void SetUp() override {
    MakeTlsIdentity();
    options_.limits.unsent_bytes_max = size_t{64} << 20;
    StartServer();
  }
};

TEST_F(CqlTlsTest, BothAreServed) {
  CqlClient plain = ConnectReady();
  net::TlsSocket secret(server_->port(0));
  ASSERT_TRUE(secret.connected());
  std::string startup;
  AppendStringMap(startup, {{"CQL_VERSION", "3.0.0"}});
  secret.Send(plain.Encode(Opcode::kStartup, startup));
  EXPECT_EQ(secret.ReadExactly(9).size(), 9u);
  EXPECT_EQ(plain.Query("void").Code(), 1);

  // More than the kernel buffers: the server reads on while it waits for the client to read.
  constexpr size_t kLarge = 24 << 20;
  secret.Send(plain.Encode(Opcode::kQuery, plain.QueryBody("bytes " + std::to_string(kLarge)), 1));
  secret.Send(plain.Encode(Opcode::kQuery, plain.QueryBody("hold"), 2));
  statements_.WaitForHeld(1);
  statements_.Release(1);
  std::string answers = secret.ReadExactly(kLarge);
  std::vector<int16_t> streams;
  while (streams.size() < 2) {
    answers += secret.ReadSome();
    MessageDecoder decoder(Direction::kResponse);
    std::string_view input = answers;
    streams.clear();
    for (auto next = decoder.Next(input); next.value().has_value(); next = decoder.Next(input)) {
      streams.push_back((*next)->header.stream);
    }
  }
  EXPECT_EQ(streams, (std::vector<int16_t>{1, 2}));
}

}  // namespace
}  // namespace orrery::cassandra
