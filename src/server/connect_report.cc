#include "server/connect_report.h"

#include <cstdint>
#include <utility>

#include "server/endpoints.h"
#include "server/start/start_options.h"

namespace orrery::server {

portal::ConnectReport DescribeConnections(const cli::ServerSettings& settings,
                                          const ServerParts& parts, const std::string& host,
                                          bool with_key) {
  Endpoints endpoints;
  endpoints.host = host;
  endpoints.has_tls = parts.tls != nullptr;
  endpoints.only_tls = endpoints.has_tls && RequiresTls(settings);
  endpoints.trusts_local = TrustsLocal(settings);
  endpoints.account = settings.keys.account;
  endpoints.key = with_key ? settings.keys.primary : "ACCOUNT-KEY";
  endpoints.datacenter = settings.cassandra_cluster.datacenter;
  const auto port_of = [](const auto& server) -> uint16_t {
    return server == nullptr ? 0 : server->port();
  };
  const auto cosmos_port_of = [](const auto& server) -> uint16_t {
    return server == nullptr ? 0 : server->cosmos_port();
  };
  // The SQL port may be answering while the others are still being opened.
  const bool is_started = parts.is_started.load();
  if (is_started) {
    endpoints.sql = port_of(parts.http);
    endpoints.sql_direct = port_of(parts.sql_direct);
    endpoints.cassandra = port_of(parts.cassandra);
    endpoints.cassandra_cosmos = cosmos_port_of(parts.cassandra);
    endpoints.table = port_of(parts.table_cosmos);
    endpoints.table_storage = port_of(parts.table_storage);
    endpoints.mongo = port_of(parts.mongo);
    endpoints.mongo_cosmos = cosmos_port_of(parts.mongo);
    endpoints.gremlin = port_of(parts.gremlin);
    endpoints.gremlin_cosmos = cosmos_port_of(parts.gremlin);
  }
  portal::ConnectReport report{.has_tls = endpoints.has_tls,
                               .only_tls = endpoints.only_tls,
                               .account = endpoints.account,
                               .key = endpoints.key,
                               .datacenter = endpoints.datacenter,
                               .ports = {},
                               .strings = {}};
  const std::pair<const char*, uint16_t> ports[] = {{"sql", endpoints.sql},
                                                    {"sqlDirect", endpoints.sql_direct},
                                                    {"cassandra", endpoints.cassandra},
                                                    {"cassandraCosmos", endpoints.cassandra_cosmos},
                                                    {"table", endpoints.table},
                                                    {"tableStorage", endpoints.table_storage},
                                                    {"mongo", endpoints.mongo},
                                                    {"mongoCosmos", endpoints.mongo_cosmos},
                                                    {"gremlin", endpoints.gremlin},
                                                    {"gremlinCosmos", endpoints.gremlin_cosmos}};
  for (const auto& [name, port] : ports)
    if (port != 0) report.ports.emplace_back(name, port);
  if (endpoints.sql != 0) report.strings.emplace_back("sql", endpoints.SqlConnectionString());
  if (endpoints.has_table())
    report.strings.emplace_back("table", endpoints.TableConnectionString());
  if (endpoints.has_mongo()) report.strings.emplace_back("mongo", endpoints.MongoUrl());
  if (endpoints.has_gremlin()) report.strings.emplace_back("gremlin", endpoints.GremlinUrl());
  return report;
}

}  // namespace orrery::server
