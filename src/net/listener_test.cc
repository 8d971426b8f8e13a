#include "net/listener.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <thread>
#include <vector>

#include "net/raw_socket_for_test.h"

namespace orrery::net {
namespace {

using ::testing::HasSubstr;

boost::asio::awaitable<void> EchoBytes(Stream& stream) {
  std::array<char, 64> buffer;
  while (true) {
    const auto size = co_await stream.ReadSome(buffer);
    if (!size || *size == 0) co_return;
    if (!co_await stream.Write(std::string_view(buffer.data(), *size))) co_return;
  }
}

class ListenerTest : public ::testing::Test {
 protected:
  Result<std::unique_ptr<Listener>> Open(EventLoops& loops, ListenerOptions options,
                                         Listener::Protocol protocol = EchoBytes) {
    return Listener::Open(loops, std::move(options), nullptr, metrics_, std::move(protocol));
  }

  MetricsRegistry metrics_;
  EventLoops one_loop_{1};
  EventLoops loops_{3};
};

TEST_F(ListenerTest, EveryLoopServes) {
  std::array<std::atomic<int>, 3> served{};
  auto listener = Open(loops_, {}, [&](Stream& stream) -> boost::asio::awaitable<void> {
    for (size_t i = 0; i < loops_.size(); ++i) {
      if (stream.executor() == loops_.context(i).get_executor()) ++served[i];
    }
    co_await stream.Write("!");
    co_await stream.Close(Stream::CloseMode::kLinger);
  });
  ASSERT_TRUE(listener.has_value());
  EXPECT_NE((*listener)->port(), 0);
  // The kernel chooses by a hash of the client's port: after enough connections each had one.
  constexpr int kTries = 1000;
  for (int i = 0;
       i < kTries && std::ranges::any_of(served, [](const auto& n) { return n == 0; }); ++i) {
    RawSocket client((*listener)->port());
    client.Send("?");
    client.FinishSending();
    EXPECT_EQ(client.ReadAll(), "!");
  }
  for (const auto& count : served) EXPECT_GT(count, 0);
}

TEST_F(ListenerTest, SecondListenerOnAPortIsToldWhatToDo) {
  for (EventLoops* first : {&one_loop_, &loops_}) {
    auto listener = Open(*first, {});
    ASSERT_TRUE(listener.has_value());
    const uint16_t port = (*listener)->port();
    for (EventLoops* second : {&one_loop_, &loops_}) {
      const auto refused = Open(*second, {.port = port, .port_option = "--sql-port"});
      ASSERT_FALSE(refused.has_value());
      EXPECT_EQ(refused.error().code(), Code::kAlreadyExists);
      EXPECT_EQ(refused.error().message(),
                "port " + std::to_string(port) +
                    " is taken by another program; choose another with --sql-port");
    }
  }
}

TEST_F(ListenerTest, PortIsFreeAgainAfterStop) {
  auto first = Open(loops_, {});
  ASSERT_TRUE(first.has_value());
  const uint16_t port = (*first)->port();
  RawSocket client(port);
  client.Send("x");
  EXPECT_EQ(client.ReadUntil("x"), "x");
  (*first)->Stop(std::chrono::seconds(10));
  EXPECT_EQ(client.ReadAll(), "");
  const auto second = Open(loops_, {.port = port});
  EXPECT_TRUE(second.has_value()) << second.error().ToString();
}

TEST_F(ListenerTest, ChoosesAPortThatNoOutgoingConnectionGets) {
  constexpr uint16_t kFirstOfTheKernel = 32'768;
  const auto listener = Open(loops_, {});
  ASSERT_TRUE(listener.has_value());
  EXPECT_LT((*listener)->port(), kFirstOfTheKernel);
  EXPECT_GE((*listener)->port(), 1'024);
}

TEST_F(ListenerTest, AddressesThatCannotBeUsedAreExplained) {
  for (const char* address : {"", "localhost", "1.2.3", "300.0.0.1", "198.51.100.7"}) {
    const auto refused = Open(one_loop_, {.address = address});
    ASSERT_FALSE(refused.has_value()) << address;
    EXPECT_EQ(refused.error().code(), Code::kInvalidArgument) << refused.error().ToString();
    EXPECT_THAT(refused.error().message(), HasSubstr(address));
  }
}

TEST_F(ListenerTest, ProtocolThatThrowsEndsOnlyItsConnection) {
  auto listener = Open(one_loop_, {}, [](Stream& stream) -> boost::asio::awaitable<void> {
    std::array<char, 1> byte;
    const auto size = co_await stream.ReadSome(byte);
    if (size && byte[0] == 't') throw std::runtime_error("a library's exception");
    co_await stream.Write("fine");
  });
  ASSERT_TRUE(listener.has_value());
  RawSocket throwing((*listener)->port());
  throwing.Send("t");
  EXPECT_EQ(throwing.ReadAll(), "");
  RawSocket other((*listener)->port());
  other.Send("x");
  EXPECT_EQ(other.ReadAll(), "fine");
}

TEST_F(ListenerTest, TlsClientIsToldThatTlsIsOff) {
  auto listener = Open(one_loop_, {});
  ASSERT_TRUE(listener.has_value());
  RawSocket client((*listener)->port());
  client.Send(std::string_view("\x16\x03\x01\x02\x00", 5));  // the header of a client's hello
  EXPECT_EQ(client.ReadAll(), std::string("\x15\x03\x01\x00\x02\x02\x28", 7));
  EXPECT_THAT(metrics_.Render(), HasSubstr("orrery_tls_refused_total{listener=\"http\"} 1\n"));
}

}  // namespace
}  // namespace orrery::net
