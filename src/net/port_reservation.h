// A free port, chosen by the system before anybody listens on it: for servers that must tell their
// port to others while they are being built.
//
// The port stays ours while this lives. A listener can still take it (SO_REUSEADDR), because this one
// never listens.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/status.h"

namespace orrery::net {

class PortReservation {
 public:
  // kInvalidArgument: the address is none of this machine.
  static Result<PortReservation> Take(const std::string& address);
  PortReservation(PortReservation&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)), port_(other.port_) {}
  PortReservation& operator=(PortReservation&& other) noexcept {
    std::swap(socket_, other.socket_);
    port_ = other.port_;
    return *this;
  }
  ~PortReservation();

  uint16_t port() const { return port_; }

 private:
  PortReservation(int socket, uint16_t port) : socket_(socket), port_(port) {}

  int socket_;
  uint16_t port_;
};

}  // namespace orrery::net
