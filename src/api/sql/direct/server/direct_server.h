// The server of Direct mode: RNTBD on one port, over TLS as official clients speak it, or plain.
//
// Start and Stop from one thread; requests are handled on the event loops.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "api/sql/service/sql_service.h"
#include "base/clock.h"
#include "base/metrics.h"
#include "base/status.h"
#include "net/event_loops.h"
#include "net/framed/framed_limits.h"
#include "net/listener_options.h"
#include "net/tls/tls_identity.h"

namespace orrery::sql {

struct DirectServerOptions {
  net::ListenerOptions listener{.name = "sql_direct", .port_option = "--sql-direct-port"};
  net::FramedLimits limits{.idle_timeout = std::chrono::minutes(30),
                           .request_timeout = std::chrono::minutes(2)};  // as over HTTP
  // Of requests that are received in part or being answered, over all connections.
  size_t request_bytes_max = size_t{256} << 20;
  bool require_tls = false;  // connections in the clear are refused
  std::string version;       // of this program
};

class DirectServer {
 public:
  // All must outlive it.
  struct Parts {
    SqlService& service;
    const net::TlsIdentity* tls = nullptr;  // null: plain only
    const Clock& clock;
    MetricsRegistry& metrics;
  };

  // Errors as in net::Listener::Open.
  static Result<std::unique_ptr<DirectServer>> Start(net::EventLoops& loops,
                                                     DirectServerOptions options,
                                                     const Parts& parts);
  ~DirectServer();  // calls Stop(0)

  // The real one, also if the options left the choice to the system.
  uint16_t port() const;
  size_t open_connections() const;

  // As net::FramedServer::Stop.
  void Stop(std::chrono::milliseconds grace);

 private:
  struct Impl;
  explicit DirectServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace orrery::sql
