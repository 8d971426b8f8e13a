#include "net/http/http_server.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "net/http/http_connection.h"
#include "net/listener.h"

namespace orrery::net {
namespace {

std::array<Counter*, 5> ResponseCounters(MetricsRegistry& metrics, const std::string& listener) {
  std::array<Counter*, 5> counters;
  for (size_t i = 0; i < counters.size(); ++i) {
    counters[i] = &metrics.GetCounter(
        "orrery_http_requests_total", "HTTP requests answered, by class of status.",
        {{"listener", listener}, {"class", fmt::format("{}xx", i + 1)}});
  }
  return counters;
}

}  // namespace

// The listener is declared last, so that it is stopped before what its connections refer to ends.
struct HttpServer::Impl {
  HttpServerContext context;
  std::unique_ptr<Listener> listener;
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::Start(EventLoops& loops, HttpServerOptions options,
                                                      const TlsIdentity* tls, const Clock& clock,
                                                      MetricsRegistry& metrics,
                                                      HttpHandler handler) {
  const auto counters = ResponseCounters(metrics, options.listener.name);
  const ListenerOptions listener_options = options.listener;
  auto requests = std::make_shared<ByteBudget>(options.request_bytes_max);
  std::unique_ptr<Impl> impl(new Impl{
      {std::move(options), std::move(handler), clock, counters, std::move(requests)}, nullptr});
  ORRERY_ASSIGN(impl->listener, Listener::Open(loops, listener_options, tls, metrics,
                                               [context = &impl->context](Stream& stream) {
                                                 return ServeHttp(stream, *context);
                                               }));
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

uint16_t HttpServer::port() const { return impl_->listener->port(); }

size_t HttpServer::open_connections() const { return impl_->listener->open_connections(); }

void HttpServer::Stop(std::chrono::milliseconds grace) { impl_->listener->Stop(grace); }

}  // namespace orrery::net
