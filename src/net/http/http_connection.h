// One connection of an HttpServer, from its first request to its last.
#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <memory>

#include "base/byte_budget.h"
#include "base/metrics.h"
#include "net/http/http_server.h"
#include "net/stream.h"

namespace orrery::net {

// The parts that all connections of a server share. Immutable.
struct HttpServerContext {
  HttpServerOptions options;
  HttpHandler handler;
  const Clock& clock;
  std::array<Counter*, 5> responses_by_class;  // 1xx to 5xx
  std::shared_ptr<ByteBudget> requests;        // of HttpServerOptions::request_bytes_max
};

// Serves until either side ends the connection. `context` must outlive the coroutine.
boost::asio::awaitable<void> ServeHttp(Stream& stream, const HttpServerContext& context);

}  // namespace orrery::net
