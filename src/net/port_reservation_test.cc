#include "net/port_reservation.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/raw_socket_for_test.h"

namespace orrery::net {
namespace {

// A socket that listens on a port of this machine, as a Listener does it; below 0 when refused.
int Listen(uint16_t port, bool reuse) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  if (reuse) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      listen(fd, 1) == 0) {
    return fd;
  }
  close(fd);
  return -1;
}

TEST(PortReservation, TakesAFreePortThatNobodyListensOn) {
  const auto reserved = PortReservation::Take("127.0.0.1");
  ASSERT_TRUE(reserved.has_value()) << reserved.error().message();
  EXPECT_NE(reserved->port(), 0);
  EXPECT_FALSE(RawSocket(reserved->port()).connected());
}

TEST(PortReservation, TwoAreNeverTheSame) {
  const auto first = PortReservation::Take("127.0.0.1");
  const auto second = PortReservation::Take("127.0.0.1");
  ASSERT_TRUE(first.has_value() && second.has_value());
  EXPECT_NE(first->port(), second->port());
}

TEST(PortReservation, KeepsThePortFromOthersButNotFromItsListener) {
  const auto reserved = PortReservation::Take("127.0.0.1");
  ASSERT_TRUE(reserved.has_value());
  EXPECT_LT(Listen(reserved->port(), /*reuse=*/false), 0);
  const int listening = Listen(reserved->port(), /*reuse=*/true);
  ASSERT_GE(listening, 0);
  EXPECT_TRUE(RawSocket(reserved->port()).connected());
  close(listening);
}

TEST(PortReservation, MovesWithItsPort) {
  auto first = PortReservation::Take("127.0.0.1");
  ASSERT_TRUE(first.has_value());
  const uint16_t port = first->port();
  const PortReservation moved = *std::move(first);
  EXPECT_EQ(moved.port(), port);
  EXPECT_LT(Listen(port, /*reuse=*/false), 0);
}

TEST(PortReservation, NeedsAnAddressOfThisMachine) {
  EXPECT_EQ(PortReservation::Take("localhost").error().code(), Code::kInvalidArgument);
  EXPECT_EQ(PortReservation::Take("").error().code(), Code::kInvalidArgument);
  EXPECT_EQ(PortReservation::Take("192.0.2.1").error().code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace orrery::net
