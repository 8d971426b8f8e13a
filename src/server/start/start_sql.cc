#include "api/sql/direct/server/direct_server.h"
#include "api/sql/service/sql_service.h"
#include "cli/verb/version.h"
#include "server/random_bits.h"
#include "server/request_classifier.h"
#include "server/start/http_limits.h"
#include "server/start/start_apis.h"
#include "server/start/start_options.h"

namespace orrery::server {
namespace {

constexpr size_t kBodyBytesMax = 4 << 20;
// Connections for health checks and administrators when all others are taken.
constexpr size_t kConnectionsReserve = 32;

// REQUIRES: the settings have a port.
Result<std::unique_ptr<sql::DirectServer>> StartDirect(const cli::ServerSettings& settings,
                                                       net::EventLoops& loops,
                                                       std::shared_ptr<net::ClientBudget> clients,
                                                       const sql::DirectServer::Parts& parts) {
  sql::DirectServerOptions options;
  options.require_tls = RequiresTls(settings);
  options.version = cli::Version();
  options.listener.address = settings.listen_address;
  options.listener.port = *settings.sql_direct_port.port;
  options.listener.clients = std::move(clients);
  auto server = sql::DirectServer::Start(loops, options, parts);
  const bool taken = !server.has_value() && server.error().code() == Code::kAlreadyExists;
  if (!taken || !settings.sql_direct_port.or_free) return server;
  options.listener.port = 0;
  return sql::DirectServer::Start(loops, options, parts);
}

}  // namespace

void MakeSql(const cli::ServerSettings& settings, ServerParts& parts) {
  parts.sql = std::make_unique<sql::SqlService>(
      sql::SqlOptions{.require_tls = RequiresTls(settings),
                      .default_throughput = settings.sql_default_throughput,
                      .clients_merge = settings.sql_clients_merge},
      sql::SqlService::Parts{.gateway = parts.core->gateway(),
                             .scripts = *parts.scripts,
                             .clock = parts.clock,
                             .metrics = parts.metrics,
                             .random = RandomBits,
                             .cluster = parts.member.get(),
                             .client_clock = &parts.machine,
                             .faults = parts.faults.get()});
  parts.runners.Add(parts.sql->query_runner());
}

Status StartHttp(const cli::ServerSettings& settings, ServerParts& parts) {
  net::HttpServerOptions options;
  options.listener.name = "sql";
  options.listener.address = settings.listen_address;
  options.listener.port = settings.sql_port;
  options.listener.port_option = "--sql-port";
  options.listener.clients = parts.clients;
  options.listener.connections_reserve = kConnectionsReserve;
  options.limits.body_bytes_max = kBodyBytesMax;
  options.host_rule = HostRuleOf(settings);
  options.request_timeout = kRequestTimeout;
  options.admission = [&portal = *parts.portal, &sql = *parts.sql](const net::HttpRequest& head) {
    return IsForSqlApi(head) ? sql.Refusal(head) : portal.Refusal(head);
  };
  ORRERY_ASSIGN(parts.http,
                net::HttpServer::Start(
                    *parts.loops, options, parts.tls.get(), parts.clock, parts.metrics,
                    [&portal = *parts.portal, &sql = *parts.sql](auto request, auto responder) {
                      if (IsForSqlApi(request)) {
                        sql.Handle(std::move(request), std::move(responder));
                      } else {
                        portal.Handle(std::move(request), std::move(responder));
                      }
                    }));
  return {};
}

Status StartSqlDirect(const cli::ServerSettings& settings, ServerParts& parts) {
  // Official clients speak TLS only.
  if (!settings.sql_direct_port.port.has_value() || parts.tls == nullptr) return {};
  ORRERY_ASSIGN(parts.sql_direct, StartDirect(settings, *parts.loops, parts.clients,
                                              {.service = *parts.sql,
                                               .tls = parts.tls.get(),
                                               .clock = parts.clock,
                                               .metrics = parts.metrics}));
  parts.sql->ServeDirect(parts.sql_direct->port());
  return {};
}

}  // namespace orrery::server
