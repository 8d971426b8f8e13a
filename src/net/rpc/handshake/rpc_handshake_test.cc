// Tests of who is let in, who is not, and which errors they get.
#include "net/rpc/handshake/rpc_handshake.h"

#include <gmock/gmock.h>

#include "net/listener.h"
#include "net/raw_socket_for_test.h"
#include "net/rpc/link/stream_channel.h"
#include "net/rpc/rpc_fixture_for_test.h"
#include "net/rpc/rpc_puppet_for_test.h"

namespace orrery::net {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

class RpcHandshakeTest : public RpcFixture {
 protected:
  // Returns the error of a call with the client's current options.
  std::string WhyRefused() {
    // One attempt: when it has failed, the call has.
    client_options_.redial.first = 2 * kLong;
    StartClient();
    const auto outcome = PassUntil(Begin(1, ""));
    if (outcome) return "it was not";
    EXPECT_EQ(outcome.error().code(), Code::kMoved);
    return outcome.error().message();
  }
  bool GoesOn() {
    client_options_.identity = IdentityOf(kCallerNode);
    client_options_.callee = kCalleeNode;
    StartClient();
    return Call(1, "x").has_value();
  }
};

TEST_F(RpcHandshakeTest, AnotherSecretIsRefused) {
  StartServer();
  client_options_.identity.secret = "a guess that is long enough";
  EXPECT_THAT(WhyRefused(), HasSubstr("the caller does not know this cluster's secret"));
  EXPECT_TRUE(GoesOn());
}

TEST_F(RpcHandshakeTest, WhoHasNoSecretCallsNobodyAndIsNotCalled) {
  StartServer();
  client_options_.identity.secret = "";
  EXPECT_THAT(WhyRefused(), HasSubstr("a cluster's secret has at least 16 bytes"));
  server_options_.identity.secret = "";
  EXPECT_EQ(
      RpcServer::Start(loops_, server_options_, *tls_, clock_, metrics_, *handler_).error().code(),
      Code::kInvalidArgument);
}

TEST_F(RpcHandshakeTest, AnotherClusterIsRefused) {
  StartServer();
  client_options_.identity.cluster = "production";
  EXPECT_THAT(WhyRefused(), HasSubstr("this node is of another cluster than 'production'"));
  EXPECT_TRUE(GoesOn());
}

TEST_F(RpcHandshakeTest, AnotherVersionIsRefused) {
  StartServer();
  client_options_.identity.version = 9;
  EXPECT_THAT(WhyRefused(), HasSubstr("speaks version 1 of the protocol, the caller version 9"));
  EXPECT_TRUE(GoesOn());
}

TEST_F(RpcHandshakeTest, AnotherNodeIsRefused) {
  StartServer();
  client_options_.callee = NodeId(3);
  EXPECT_THAT(WhyRefused(), HasSubstr("this is another node: the caller looks for node 3"));
  EXPECT_TRUE(GoesOn());
}

// Somebody in the middle can pass every message on, but has to present a certificate of its own.
TEST_F(RpcHandshakeTest, WhatWasSaidInAnotherTlsSessionProvesNothing) {
  const RpcIdentity callee = IdentityOf(kCalleeNode);
  const std::string of_another = "the fingerprint of another certificate";
  auto listener = Listener::Open(loops_, {}, tls_.get(), metrics_,
                                 [&](Stream& stream) -> boost::asio::awaitable<void> {
                                   StreamChannel channel(stream);
                                   co_await Recognize(channel, callee, of_another);
                                   co_await stream.Close(Stream::CloseMode::kAtOnce);
                                 });
  ASSERT_TRUE(listener.has_value());
  client_options_.address.port = (*listener)->port();
  EXPECT_THAT(WhyRefused(), HasSubstr("does not know this cluster's secret"));
}

TEST_F(RpcHandshakeTest, ACalleeThatDoesNotKnowTheSecretGetsNoRequest) {
  auto listener = Listener::Open(
      loops_, {}, tls_.get(), metrics_, [&](Stream& stream) -> boost::asio::awaitable<void> {
        // Sends messages of the right form, whatever it hears.
        const std::string all = EncodeHandshake(Challenge()) + EncodeHandshake(Proof());
        std::array<char, 1'000> heard;
        co_await stream.ReadSome(heard);
        co_await stream.Write(all);
        size_t total = 0;
        for (Result<size_t> size = 1; size && *size > 0; total += size.value_or(0))
          size = co_await stream.ReadSome(heard);
        EXPECT_LE(total, EncodeHandshake(Proof()).size());
      });
  ASSERT_TRUE(listener.has_value());
  client_options_.address.port = (*listener)->port();
  EXPECT_THAT(WhyRefused(), HasSubstr("the peer does not know this cluster's secret"));
  client_->Stop();
  (*listener)->Stop(kLong);
}

TEST_F(RpcHandshakeTest, PlainConnectionsAreClosed) {
  StartServer();
  RawSocket socket(server_->port());
  ASSERT_TRUE(socket.Send("GET / HTTP/1.1\r\n\r\n"));
  EXPECT_EQ(socket.ReadAll(), "");
  EXPECT_TRUE(GoesOn());
}

TEST_F(RpcHandshakeTest, GarbageIsClosed) {
  StartServer();
  for (const std::string& garbage :
       {std::string("GET / HTTP/1.1\r\n\r\n"), std::string(10'000, '\xff'), std::string(600, '\0'),
        EncodeHandshake(Proof()), EncodeHandshake(Challenge()), EncodeHandshake(Rejection{"no"})}) {
    TlsSocket socket(server_->port());
    ASSERT_TRUE(socket.connected());
    ASSERT_TRUE(socket.Send(garbage));
    EXPECT_EQ(socket.ReadSome(), "");
  }
  EXPECT_TRUE(GoesOn());
}

TEST_F(RpcHandshakeTest, RequestsBeforeAProofAreNotRead) {
  std::atomic<int> served = 0;
  StartServer([&](NodeId, uint16_t, std::string, RpcHandler::Answer answer) {
    ++served;
    answer("");
  });
  const RpcFrame request{RpcFrameKind::kRequest, 1, 1, ""};
  RpcPuppet puppet(server_->port());
  EXPECT_TRUE(puppet.Send(request));
  EXPECT_EQ(puppet.socket().ReadSome(), "");
  EXPECT_EQ(served, 0);
}

TEST_F(RpcHandshakeTest, StrangersHaveLittleTime) {
  server_options_.limits.handshake_max = milliseconds(5);
  StartServer();
  TlsSocket socket(server_->port());
  ASSERT_TRUE(socket.connected());
  ASSERT_TRUE(socket.Send(EncodeHandshake(Challenge()).substr(0, 10)));
  EXPECT_EQ(socket.ReadSome(), "");
}

TEST_F(RpcHandshakeTest, ACalleeThatSaysNothingIsGivenUp) {
  auto listener = Listener::Open(loops_, {}, tls_.get(), metrics_,
                                 [&](Stream& stream) -> boost::asio::awaitable<void> {
                                   std::array<char, 1'000> heard;
                                   while (co_await stream.ReadSome(heard)) continue;
                                 });
  ASSERT_TRUE(listener.has_value());
  client_options_.address.port = (*listener)->port();
  client_options_.connect_max = milliseconds(3'000);
  EXPECT_THAT(WhyRefused(), HasSubstr("gave up"));
}

}  // namespace
}  // namespace orrery::net
