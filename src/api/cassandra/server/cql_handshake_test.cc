// Tests of the beginning of connections: versions, options, compression, logging in.
#include <gmock/gmock.h>

#include "api/cassandra/server/cql_server_fixture_for_test.h"
#include "api/cassandra/server/session/session.h"

namespace orrery::cassandra {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class CqlHandshakeTest : public CqlServerFixture {
 protected:
  void SetUp() override { StartServer(); }
  CqlClient ConnectClosed(ProtocolVersion version = ProtocolVersion::kV4) const {
    return CqlClient(server_->port(1), version);
  }
};

constexpr ProtocolVersion kVersions[] = {ProtocolVersion::kV3, ProtocolVersion::kV4,
                                         ProtocolVersion::kV5};

TEST_F(CqlHandshakeTest, OptionsInEveryVersion) {
  for (const ProtocolVersion version : kVersions) {
    CqlClient client = Connect(version);
    const Answer supported = client.Ask(Opcode::kOptions, "", 5);
    ASSERT_EQ(supported.opcode(), Opcode::kSupported);
    EXPECT_EQ(supported.stream(), 5);
    EXPECT_EQ(supported.header.version, version);
    BodyReader reader(supported.message);
    const StringMultimap options = reader.ReadStringMultimap();
    ASSERT_EQ(options.size(), 3u);
    EXPECT_EQ(options[0].first, "CQL_VERSION");
    EXPECT_THAT(options[1].second, ::testing::UnorderedElementsAre("lz4", "snappy"));
    EXPECT_THAT(options[2].second, ::testing::ElementsAre("3/v3", "4/v4", "5/v5"));
  }
}

TEST_F(CqlHandshakeTest, UnknownVersionsAreRefusedInTheWordsThatDriversLookFor) {
  for (const unsigned char version : {1, 2, 6, 66, 65}) {
    net::RawSocket socket(server_->port(0));
    std::string bytes(9, '\0');
    bytes[0] = static_cast<char>(version);
    bytes[version < 3 ? 3 : 4] = 5;  // OPTIONS; headers of v1 and v2 are a byte shorter
    socket.Send(version < 3 ? bytes.substr(0, 8) : bytes);
    const std::string all = socket.ReadAll();
    ASSERT_GT(all.size(), 9u);
    EXPECT_EQ(static_cast<unsigned char>(all[0]), 0x85) << "the server's highest version";
    EXPECT_THAT(all,
                HasSubstr("Invalid or unsupported protocol version (" + std::to_string(version) +
                          "); the lowest supported version is 3 and the greatest is 5"));
  }
}

TEST_F(CqlHandshakeTest, EveryVersionAndCompressionCarriesQueries) {
  for (const ProtocolVersion version : kVersions) {
    for (const std::string_view compression : {"", "lz4", "snappy", "LZ4"}) {
      if (version == ProtocolVersion::kV5 && compression == "snappy") continue;
      SCOPED_TRACE(std::string(compression) + " v" + std::to_string(VersionNumber(version)));
      CqlClient client = ConnectReady(version, compression);
      // Long enough to be compressed both ways, and to be cut into several frames.
      for (const std::string_view query : {"rows 3", "rows 5000", "bytes 400000"}) {
        const std::string padded = std::string(query) + std::string(2000, ' ');
        const Answer rows = client.Query(padded, 7);
        ASSERT_EQ(rows.opcode(), Opcode::kResult);
        EXPECT_EQ(rows.Code(), 2);
        EXPECT_EQ(rows.stream(), 7);
      }
    }
  }
}

TEST_F(CqlHandshakeTest, WhatCannotBeAgreedOnIsAnErrorAndMayBeTriedAgain) {
  CqlClient client = Connect(ProtocolVersion::kV5);
  const Answer unknown = client.Start("zstd");
  ASSERT_TRUE(unknown.is_error());
  EXPECT_EQ(unknown.Code(), 0x000A);
  EXPECT_EQ(unknown.ErrorText(), "Unknown compression algorithm: zstd");
  EXPECT_TRUE(client.Start("snappy").is_error());
  EXPECT_EQ(client.Start("lz4").opcode(), Opcode::kReady);
  EXPECT_EQ(client.Query("void").Code(), 1);
}

TEST_F(CqlHandshakeTest, NothingButStartupAndOptionsBeforeIt) {
  CqlClient client = Connect();
  std::string execute = client.ExecuteBody(FakeStatements::kPreparedId, "", false);
  for (const auto& [opcode, body] :
       {std::pair(Opcode::kQuery, client.QueryBody("void")), std::pair(Opcode::kExecute, execute),
        std::pair(Opcode::kBatch, std::string(5, '\0')),
        std::pair(Opcode::kRegister, std::string(2, '\0')),
        std::pair(Opcode::kAuthResponse, std::string(4, '\0'))}) {
    const Answer refused = client.Ask(opcode, body, 3);
    ASSERT_TRUE(refused.is_error());
    EXPECT_EQ(refused.Code(), 0x000A);
    EXPECT_EQ(refused.stream(), 3);
    EXPECT_EQ(refused.ErrorText(), "Unexpected message " + std::string(OpcodeName(opcode)) +
                                       ", expecting STARTUP or OPTIONS");
  }
  EXPECT_EQ(client.Start().opcode(), Opcode::kReady);
  std::string again;
  AppendStringMap(again, {{"CQL_VERSION", "3.0.0"}});
  EXPECT_EQ(client.Ask(Opcode::kStartup, again).ErrorText(),
            "Unexpected message STARTUP, the connection is already initialized");
  EXPECT_EQ(client.Ask(Opcode::kOptions, "").opcode(), Opcode::kSupported);
}

TEST_F(CqlHandshakeTest, ThePortWithCredentialsAsksWhoItIs) {
  for (const ProtocolVersion version : kVersions) {
    CqlClient client = ConnectClosed(version);
    const Answer authenticate = client.Start();
    ASSERT_EQ(authenticate.opcode(), Opcode::kAuthenticate);
    EXPECT_EQ(BodyReader(authenticate.message).String(),
              "org.apache.cassandra.auth.PasswordAuthenticator");
    const Answer early = client.Query("void");
    ASSERT_TRUE(early.is_error());
    EXPECT_EQ(early.ErrorText(), "Unexpected message QUERY, expecting AUTH_RESPONSE");
    EXPECT_EQ(client.LogIn("theo", "wrong").Code(), 0x0100);
    EXPECT_EQ(client.LogIn("theo", "secret").opcode(), Opcode::kAuthSuccess);
    EXPECT_THAT(client.Query("client").message, HasSubstr("theo"));
  }
}

TEST_F(CqlHandshakeTest, WrongPasswordsEndTheConnection) {
  CqlClient client = ConnectClosed();
  client.Start();
  for (int i = 0; i < Session::kLoginsMax; ++i) {
    EXPECT_EQ(client.LogIn("theo", "guess").Code(), 0x0100);
  }
  EXPECT_TRUE(client.Receive().closed);
}

TEST_F(CqlHandshakeTest, WhoeverDoesNotFinishTheHandshakeIsGone) {
  server_.reset();
  options_.limits.handshake_timeout = std::chrono::milliseconds(1);
  StartServer();
  CqlClient client = ConnectClosed();
  client.Ask(Opcode::kOptions, "");
  EXPECT_TRUE(client.Receive().closed);
}

TEST_F(CqlHandshakeTest, ReadyClientsMayBeSilent) {
  server_.reset();
  options_.limits.handshake_timeout = std::chrono::milliseconds(200);
  StartServer();
  CqlClient silent = ConnectReady();
  // Another one's handshake runs out meanwhile.
  CqlClient slow = Connect();
  slow.Ask(Opcode::kOptions, "");
  EXPECT_TRUE(slow.Receive().closed);
  EXPECT_EQ(silent.Query("void").Code(), 1);
}

}  // namespace
}  // namespace orrery::cassandra
