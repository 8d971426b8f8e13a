#include <string>
#include <utility>

#include "server/start/start_apis.h"
#include "server/start/start_options.h"

namespace orrery::server {

// As Cosmos DB's emulator has it: /alive once the process runs, /ready when all ports answer.
Status StartHealth(const cli::ServerSettings& settings, ServerParts& parts) {
  if (!settings.health_port.has_value()) return {};
  net::HttpServerOptions options;
  options.listener.name = "health";
  options.listener.address = settings.listen_address;
  options.listener.port = *settings.health_port;
  options.listener.port_option = "--health-port";
  options.listener.clients = parts.clients;
  options.host_rule = HostRuleOf(settings);
  ORRERY_ASSIGN(
      parts.health,
      net::HttpServer::Start(
          *parts.loops, options, parts.tls.get(), parts.clock, parts.metrics,
          [&portal = *parts.portal](net::HttpRequest request, net::HttpResponder responder) {
            if (request.path == "/alive")
              return responder.Send(net::HttpResponse::Json(200, R"({"status":"alive"})"));
            if (request.path != "/ready" && request.path != "/status") {
              return responder.Send(net::HttpResponse::JsonError(
                  404, "not_found", "this port has /alive and /ready"));
            }
            request.path = "/_health";
            request.segments = {"_health"};
            portal.Handle(std::move(request), std::move(responder));
          }));
  return {};
}

}  // namespace orrery::server
