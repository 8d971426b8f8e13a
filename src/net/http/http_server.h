// An HTTP/1.1 server on one port, TLS and plain.
//
// Reads requests (http_request_parser.h says what is refused), calls the handler, writes its
// responses. Connections are kept alive; pipelined requests are answered one after the other, in
// order. Errors of the protocol itself are answered here, as JSON: 400, 408, 413, 417, 431, 501,
// 503 (no memory for the body), 505, after which the connection is closed. A request whose client
// hangs up is cancelled (HttpRequest::context); its answer goes nowhere.
//
// Start and Stop from one thread; the handler runs on the event loops.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "base/metrics.h"
#include "base/status.h"
#include "net/event_loops.h"
#include "net/http/host_rule.h"
#include "net/http/http_request_parser.h"
#include "net/http/http_responder.h"
#include "net/listener_options.h"
#include "net/tls/tls_identity.h"

namespace orrery::net {

struct HttpServerOptions {
  ListenerOptions listener{};
  HttpParserLimits limits{};
  std::chrono::milliseconds idle_timeout{120'000};  // from one request to the next
  // The minimum rate of a request, from its first byte to its last: arrival_deadline.h.
  std::chrono::milliseconds read_timeout{30'000};
  size_t read_bytes_per_second_min = 16 << 10;
  std::chrono::milliseconds write_timeout{60'000};  // for one response
  // For a request to be answered, told to the handler as the deadline of its context. 0: none.
  std::chrono::milliseconds request_timeout{0};
  // Bodies of requests that are received in part or being answered, over all connections: what does
  // not fit is refused.
  size_t request_bytes_max = size_t{256} << 20;
  // Requests that call the server by another name are refused with 421.
  HostRule host_rule{};
};

class HttpServer {
 public:
  // Binds and serves. Errors as in Listener::Open. `tls` may be null: plain only. Everything
  // referred to must outlive the server.
  static Result<std::unique_ptr<HttpServer>> Start(EventLoops& loops, HttpServerOptions options,
                                                   const TlsIdentity* tls, const Clock& clock,
                                                   MetricsRegistry& metrics, HttpHandler handler);
  ~HttpServer();  // calls Stop(0)

  uint16_t port() const;
  size_t open_connections() const;

  // Stops accepting, closes idle connections, and gives requests in flight `grace` to be answered.
  // When it returns, the handler is not running on any loop and will not be called again; a
  // responder that is still held may be used and dropped safely. Idempotent.
  // REQUIRES: the loops still run. Not from a loop.
  void Stop(std::chrono::milliseconds grace);

 private:
  struct Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace orrery::net
