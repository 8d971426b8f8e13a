// A BlockingSocket is a client's connection to one server, for programs that wait for each answer:
// TCP, or TLS over it.
//
// Every wait is bounded by the timeout. Not thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::net {

struct BlockingSocketOptions {
  std::string host = "127.0.0.1";  // a name or an IP address
  uint16_t port = 0;
  bool tls = false;
  bool verify = false;    // the server's certificate, by the system's authorities or by `ca_file`
  std::string ca_file{};  // PEM
  std::chrono::milliseconds timeout{30'000};  // for connecting, and for each wait
};

class BlockingSocket {
 public:
  // kUnavailable: no connection, and why; kInvalidArgument: the CA file cannot be used.
  static Result<BlockingSocket> Connect(const BlockingSocketOptions& options);
  ~BlockingSocket();
  BlockingSocket(BlockingSocket&&) noexcept;
  BlockingSocket& operator=(BlockingSocket&&) noexcept;

  // Sends everything. kUnavailable when the connection is gone.
  Status Send(std::string_view bytes);
  // Appends what comes next to `out`, at least one byte. kUnavailable when the server has closed or
  // nothing came in time.
  Status Receive(std::string& out);
  // Receives until `out` has `size` bytes.
  Status ReceiveUntil(std::string& out, size_t size);

 private:
  struct Impl;
  explicit BlockingSocket(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace orrery::net
