#include "net/port_reservation.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace orrery::net {

Result<PortReservation> PortReservation::Take(const std::string& address) {
  sockaddr_storage bound{};
  socklen_t size = 0;
  auto* four = reinterpret_cast<sockaddr_in*>(&bound);
  auto* six = reinterpret_cast<sockaddr_in6*>(&bound);
  if (inet_pton(AF_INET, address.c_str(), &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    size = sizeof(*four);
  } else if (inet_pton(AF_INET6, address.c_str(), &six->sin6_addr) == 1) {
    six->sin6_family = AF_INET6;
    size = sizeof(*six);
  } else {
    return Fail(Code::kInvalidArgument, fmt::format("'{}' is not an IP address", address));
  }
  const int fd = socket(bound.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  PortReservation reservation(fd, 0);
  const int yes = 1;
  if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) != 0 ||
      bind(fd, reinterpret_cast<sockaddr*>(&bound), size) != 0 ||
      getsockname(fd, reinterpret_cast<sockaddr*>(&bound), &size) != 0) {
    return Fail(Code::kInvalidArgument,
                fmt::format("cannot take a port on {}: {}", address, std::strerror(errno)));
  }
  reservation.port_ = ntohs(bound.ss_family == AF_INET ? four->sin_port : six->sin6_port);
  return reservation;
}

PortReservation::~PortReservation() {
  if (socket_ >= 0) close(socket_);
}

}  // namespace orrery::net
