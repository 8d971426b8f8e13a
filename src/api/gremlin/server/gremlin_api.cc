#include "api/gremlin/server/gremlin_api.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "api/gremlin/server/gremlin_http.h"
#include "api/gremlin/server/gremlin_query_runner.h"
#include "api/gremlin/server/gremlin_session.h"
#include "api/gremlin/store/document_store.h"
#include "net/framed/framed_metrics.h"
#include "net/http/http_server.h"
#include "net/websocket/websocket_server.h"

namespace orrery::gremlin {
namespace {

constexpr size_t kConnectionsMax = 32'768;  // on each port
constexpr size_t kRequestBytesMax = size_t{256} << 20;
constexpr size_t kMessageBytesMax = 4 << 20;
constexpr size_t kStrangerBytesMax = 256 << 10;
constexpr size_t kRequestsMax = 64;  // of one client, under way
constexpr size_t kQueuedMax = 4'096;
constexpr size_t kStandInsMax = 32;  // for traversals that take long
// Decoded vertices and edges that are kept in memory.
constexpr size_t kLookupBytesMax = size_t{256} << 20;
constexpr size_t kThreadsMin = 4;
constexpr size_t kThreadsMax = 16;

net::FramedLimits LimitsOfGremlin() {
  net::FramedLimits limits;
  limits.requests_max = kRequestsMax;
  limits.stranger_requests_max = kRequestsMax;
  limits.stranger_message_bytes_max = kStrangerBytesMax;
  // Drivers open connections long before they use them, and say who they are only when asked.
  limits.handshake_timeout = std::chrono::minutes(10);
  limits.idle_timeout = std::chrono::minutes(10);
  return limits;
}

size_t Threads() {
  return std::clamp<size_t>(2 * std::thread::hardware_concurrency(), kThreadsMin, kThreadsMax);
}

}  // namespace

// In the order of their making; destroyed in the reverse order.
struct GremlinApi::Graph {
  Graph(const GremlinApiOptions& options, const Parts& parts)
      : pool("gremlin", Threads(), kQueuedMax, ThreadPriority::kNormal, kStandInsMax),
        meter(parts.metrics, "gremlin"),
        lookups(kLookupBytesMax, parts.clock, parts.metrics, parts.gateway.limits().meters),
        runner({.gateway = parts.gateway,
                .clock = parts.clock,
                .random = parts.random,
                .meter = &meter,
                .faults = parts.faults,
                .lookups = &lookups}),
        query_runner(runner, parts.clock),
        requests(std::make_shared<ByteBudget>(kRequestBytesMax)),
        framed_metrics(parts.metrics, "gremlin", requests),
        require_tls(options.require_tls),
        native{.runner = runner,
               .accounts = parts.accounts,
               .pool = pool,
               .clock = parts.clock,
               .random = parts.random,
               .trusts = options.trust_local},
        cosmos{.runner = runner,
               .accounts = parts.accounts,
               .pool = pool,
               .clock = parts.clock,
               .random = parts.random,
               .is_cosmos = true},
        native_endpoint(Endpoint(parts, native)),
        cosmos_endpoint(Endpoint(parts, cosmos)) {}

  net::WebSocketEndpoint Endpoint(const Parts& parts, const SessionContext& context) {
    return {.context = {.limits = LimitsOfGremlin(),
                        .metrics = framed_metrics,
                        .clock = parts.clock,
                        .requests = requests},
            .options = {.limits = {.frame_bytes_max = kMessageBytesMax,
                                   .message_bytes_max = kMessageBytesMax},
                        .let_in = context.trusts}};
  }

  // Returns the answer to a request that is refused whatever its body says.
  std::optional<net::HttpResponse> Refusal(const SessionContext& context,
                                           const net::HttpRequest& request) const {
    const auto refuse = [&](std::string_view message) {
      return net::HttpResponse::JsonError(403, "Forbidden", message);
    };
    if (require_tls && !request.tls) return refuse("connections from other machines must use TLS");
    const std::string_view host = request.headers.Find("host").value_or("");
    const auto origin = request.headers.Find("origin");
    if (context.trusts && origin.has_value() && !net::IsSameOrigin(*origin, host))
      return refuse("pages of other origins may not use this port");
    if (net::WantsWebSocket(request)) return std::nullopt;
    return HttpRefusal(context, request);
  }

  void Handle(const SessionContext& context, const net::WebSocketEndpoint& endpoint,
              net::HttpRequest request, net::HttpResponder responder) const {
    if (auto refusal = Refusal(context, request)) return responder.Send(*std::move(refusal));
    if (!net::WantsWebSocket(request))
      return HandleHttp(context, std::move(request), std::move(responder));
    auto offer = net::ReadWebSocketOffer(request);
    if (!offer.has_value()) return responder.Send(std::move(offer.error()));
    responder.Send(net::AcceptWebSocket(
        *offer, {}, endpoint,
        [&context](std::shared_ptr<net::WebSocketChannel> channel, const net::FramedPeer& peer) {
          return std::make_unique<GremlinSession>(context, std::move(channel), peer.name);
        }));
  }

  ThreadPool pool;
  RequestMeter meter;
  KeptLookups lookups;
  const RequestRunner runner;
  GremlinQueryRunner query_runner;
  const std::shared_ptr<ByteBudget> requests;
  net::FramedMetrics framed_metrics;
  const bool require_tls;
  const SessionContext native;
  const SessionContext cosmos;
  const net::WebSocketEndpoint native_endpoint;
  const net::WebSocketEndpoint cosmos_endpoint;
  std::unique_ptr<net::HttpServer> native_server;  // null: closed
  std::unique_ptr<net::HttpServer> cosmos_server;
};

GremlinApi::GremlinApi(std::unique_ptr<Graph> graph) : graph_(std::move(graph)) {}
GremlinApi::~GremlinApi() { Stop(std::chrono::milliseconds(0)); }

Result<std::unique_ptr<GremlinApi>> GremlinApi::Start(const GremlinApiOptions& options,
                                                      const Parts& parts) {
  auto graph = std::make_unique<Graph>(options, parts);
  const auto open = [&](uint16_t port, std::string name, const SessionContext& context,
                        const net::WebSocketEndpoint& endpoint) {
    net::HttpServerOptions http;
    http.listener.name = std::move(name);
    http.listener.address = options.address;
    http.listener.port = port;
    http.listener.port_option = "--gremlin-port";
    http.listener.connections_max = kConnectionsMax;
    http.listener.clients = parts.clients;
    http.limits.body_bytes_max = kMessageBytesMax;
    http.host_rule = options.host_rule;
    http.admission = [&made = *graph, &context](const net::HttpRequest& head) {
      return made.Refusal(context, head);
    };
    return net::HttpServer::Start(
        parts.loops, http, parts.tls, parts.clock, parts.metrics,
        [&made = *graph, &context, &endpoint](auto request, auto responder) {
          made.Handle(context, endpoint, std::move(request), std::move(responder));
        });
  };
  const auto open_or_free = [&](uint16_t port, const std::string& name,
                                const SessionContext& context,
                                const net::WebSocketEndpoint& endpoint) {
    auto server = open(port, name, context, endpoint);
    const bool taken = !server.has_value() && server.error().code() == Code::kAlreadyExists;
    return taken && options.or_free ? open(0, name, context, endpoint) : std::move(server);
  };
  if (options.port.has_value()) {
    ORRERY_ASSIGN(graph->native_server,
                  open_or_free(*options.port, "gremlin", graph->native, graph->native_endpoint));
  }
  if (options.cosmos_port.has_value()) {
    ORRERY_ASSIGN(graph->cosmos_server, open_or_free(*options.cosmos_port, "gremlin_cosmos",
                                                     graph->cosmos, graph->cosmos_endpoint));
  }
  return std::unique_ptr<GremlinApi>(new GremlinApi(std::move(graph)));
}

uint16_t GremlinApi::port() const {
  return graph_->native_server == nullptr ? 0 : graph_->native_server->port();
}
uint16_t GremlinApi::cosmos_port() const {
  return graph_->cosmos_server == nullptr ? 0 : graph_->cosmos_server->port();
}

query::QueryRunner& GremlinApi::query_runner() { return graph_->query_runner; }

void GremlinApi::Stop(std::chrono::milliseconds grace) {
  if (graph_->native_server != nullptr) graph_->native_server->Stop(grace);
  if (graph_->cosmos_server != nullptr) graph_->cosmos_server->Stop(grace);
  graph_->pool.Stop();
}

}  // namespace orrery::gremlin
