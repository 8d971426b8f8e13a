#include "net/listener.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
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
  for (int i = 0; i < 6; ++i) {
    RawSocket client((*listener)->port());
    client.Send("?");
    client.FinishSending();
    EXPECT_EQ(client.ReadAll(), "!");
  }
  for (const auto& count : served) EXPECT_GT(count, 0);
}

TEST_F(ListenerTest, ConnectionsAreSpreadEvenly) {
  const auto listener = Open(loops_, {});
  ASSERT_TRUE(listener.has_value());
  std::vector<RawSocket> clients;
  for (size_t i = 0; i < 12; ++i) {
    clients.emplace_back((*listener)->port());
    while ((*listener)->open_connections() != clients.size()) std::this_thread::yield();
  }
  for (size_t i = 0; i < loops_.size(); ++i) EXPECT_EQ((*listener)->open_connections(i), 4u);
}

TEST_F(ListenerTest, NobodyElseCanListenOnThePort) {
  const auto listener = Open(loops_, {});
  ASSERT_TRUE(listener.has_value());
  const int other = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  ASSERT_EQ(setsockopt(other, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes), 0);
  sockaddr_in address{.sin_family = AF_INET,
                      .sin_port = htons((*listener)->port()),
                      .sin_addr = {htonl(INADDR_LOOPBACK)},
                      .sin_zero = {}};
  EXPECT_NE(bind(other, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(errno, EADDRINUSE);
  close(other);
}

TEST_F(ListenerTest, ConnectionsBeyondTheBudgetAreRefusedButForTheReserve) {
  const auto clients = std::make_shared<ClientBudget>(
      ClientLimits{.connections_max = 4, .connections_of_address_max = 2});
  const auto plain = Open(one_loop_, {.name = "plain", .clients = clients});
  const auto admin =
      Open(one_loop_, {.name = "admin", .clients = clients, .connections_reserve = 1});
  ASSERT_TRUE(plain.has_value() && admin.has_value());
  const RawSocket first((*plain)->port());
  const RawSocket second((*plain)->port());
  RawSocket refused((*plain)->port());
  EXPECT_EQ(refused.ReadAll(), "");
  EXPECT_THAT(metrics_.Render(),
              HasSubstr("orrery_connections_refused_total{listener=\"plain\"} 1\n"));
  RawSocket reserve((*admin)->port());
  reserve.Send("x");
  EXPECT_EQ(reserve.ReadUntil("x"), "x");
  RawSocket beyond((*admin)->port());
  EXPECT_EQ(beyond.ReadAll(), "");
}

TEST_F(ListenerTest, WhoHasAskedLeastGivesWay) {
  const auto clients = std::make_shared<ClientBudget>(
      ClientLimits{.connections_max = 1000, .connections_of_address_max = 16});
  const auto listener =
      Open(one_loop_, {.clients = clients, .sweep_interval = std::chrono::milliseconds(200)},
           [](Stream& stream) -> boost::asio::awaitable<void> {
             std::array<char, 1> byte;
             while (true) {
               const auto size = co_await stream.ReadSome(byte);
               if (!size || *size == 0) co_return;
               stream.CountRequest();
               co_await stream.Write(std::string_view(byte.data(), 1));
             }
           });
  ASSERT_TRUE(listener.has_value());
  RawSocket busy((*listener)->port());
  busy.Send("x");
  EXPECT_EQ(busy.ReadUntil("x"), "x");
  std::vector<RawSocket> silent;
  for (int i = 0; i < 15; ++i) silent.emplace_back((*listener)->port());
  // Two are above seven eighths: they give way soon, and not the one that goes on asking.
  do {
    busy.Send("y");
    ASSERT_EQ(busy.ReadUntil("y"), "y");
  } while (!metrics_.Render().contains("orrery_connections_gave_way_total{listener=\"http\"} 2\n"));
  EXPECT_EQ(clients->connections(), 14u);
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
