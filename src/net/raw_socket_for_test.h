// A blocking client socket that sends whatever a test wants, however malformed.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace orrery::net {

class RawSocket {
 public:
  // Connects to 127.0.0.1. connected() tells whether that worked.
  explicit RawSocket(uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ =
        ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    // A test that waits for bytes which never come fails instead of hanging.
    const timeval timeout{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    // Small pieces leave at once, one after the other.
    const int no_delay = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof no_delay);
  }
  ~RawSocket() { Close(); }
  RawSocket(RawSocket&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)), connected_(other.connected_) {}

  bool connected() const { return connected_; }
  int descriptor() const { return socket_; }

  // False when the peer has closed.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }
  void FinishSending() { ::shutdown(socket_, SHUT_WR); }

  // All that comes until `text` has been seen or the peer closes.
  std::string ReadUntil(std::string_view text) {
    std::string seen;
    char byte;
    while (seen.find(text) == std::string::npos && ::recv(socket_, &byte, 1, 0) == 1)
      seen.push_back(byte);
    return seen;
  }
  // Returns the next bytes, at least one; empty when the peer has closed.
  std::string ReadSome() {
    std::string seen(64 << 10, '\0');
    const ssize_t size = ::recv(socket_, seen.data(), seen.size(), 0);
    seen.resize(size > 0 ? static_cast<size_t>(size) : 0);
    return seen;
  }
  // All that comes until the peer closes.
  std::string ReadAll() {
    std::string seen;
    char buffer[4096];
    for (ssize_t size; (size = ::recv(socket_, buffer, sizeof buffer, 0)) > 0;) {
      seen.append(buffer, static_cast<size_t>(size));
    }
    return seen;
  }
  void Close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }

 private:
  int socket_;
  bool connected_ = false;
};

}  // namespace orrery::net
