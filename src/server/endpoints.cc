#include "server/endpoints.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "cli/verb/version.h"
#include "net/http/url.h"
#include "portal/json/json_writer.h"

namespace orrery::server {
namespace {

uint16_t Either(uint16_t first, uint16_t second) { return first != 0 ? first : second; }

}  // namespace

std::string Endpoints::SqlUrl() const {
  return fmt::format("{}://{}/", only_tls ? "https" : "http", net::FormatHostPort({host, sql}));
}

std::string Endpoints::SqlConnectionString() const {
  return fmt::format("AccountEndpoint={};AccountKey={};", SqlUrl(), key);
}

std::string Endpoints::TableConnectionString() const {
  const std::string_view scheme = only_tls ? "https" : "http";
  return fmt::format(
      "DefaultEndpointsProtocol={};AccountName={};AccountKey={};TableEndpoint={}://{}/;", scheme,
      account, key, scheme, net::FormatHostPort({host, Either(table, table_storage)}));
}

std::string Endpoints::MongoUrl() const {
  const bool needs_login = !trusts_local || mongo == 0;
  const std::string login =
      needs_login ? fmt::format("{}:{}@", net::PercentEncode(account), net::PercentEncode(key))
                  : std::string();
  return fmt::format("mongodb://{}{}/?replicaSet=globaldb{}", login,
                     net::FormatHostPort({host, Either(mongo, mongo_cosmos)}),
                     only_tls ? "&tls=true" : "");
}

std::string Endpoints::GremlinUrl() const {
  return fmt::format("{}://{}/gremlin", only_tls ? "wss" : "ws",
                     net::FormatHostPort({host, Either(gremlin, gremlin_cosmos)}));
}

Endpoints EndpointsOf(const cli::ServerSettings& settings, const Server& server) {
  Endpoints endpoints;
  const bool everywhere = settings.listen_address == "0.0.0.0" || settings.listen_address == "::";
  endpoints.host = everywhere ? "localhost" : settings.listen_address;
  endpoints.has_tls = server.tls();
  endpoints.only_tls =
      server.tls() && !cli::IsLoopback(settings.listen_address) && !settings.allow_insecure;
  endpoints.trusts_local = cli::EffectiveAuth(settings) == cli::AuthMode::kLocal;
  endpoints.account = settings.keys.account;
  endpoints.key = settings.keys.primary;
  endpoints.datacenter = settings.cassandra_cluster.datacenter;
  endpoints.data_directory = server.data_directory();
  endpoints.sql = server.port();
  endpoints.sql_direct = server.sql_direct_port();
  endpoints.cassandra = server.cassandra_port();
  endpoints.cassandra_cosmos = server.cassandra_cosmos_port();
  endpoints.table = server.table_port();
  endpoints.table_storage = server.table_storage_port();
  endpoints.mongo = server.mongo_port();
  endpoints.mongo_cosmos = server.mongo_cosmos_port();
  endpoints.gremlin = server.gremlin_port();
  endpoints.gremlin_cosmos = server.gremlin_cosmos_port();
  endpoints.health = server.health_port();
  return endpoints;
}

std::vector<std::pair<std::string, std::string>> VariablesFor(const Endpoints& endpoints) {
  std::vector<std::pair<std::string, std::string>> variables = {
      {"ORRERY_URL", endpoints.SqlUrl()},
      {"ORRERY_KEY", endpoints.key},
      {"COSMOS_ENDPOINT", endpoints.SqlUrl()},
      {"COSMOS_KEY", endpoints.key},
      {"COSMOS_CONNECTION_STRING", endpoints.SqlConnectionString()},
  };
  const auto add = [&](std::string_view name, std::string value) {
    variables.emplace_back(name, std::move(value));
  };
  if (endpoints.has_cassandra()) {
    add("CASSANDRA_HOST", endpoints.host);
    add("CASSANDRA_PORT", std::to_string(Either(endpoints.cassandra, endpoints.cassandra_cosmos)));
    add("CASSANDRA_DATACENTER", endpoints.datacenter);
  }
  if (endpoints.has_mongo()) {
    add("MONGODB_URI", endpoints.MongoUrl());
    add("MONGO_URL", endpoints.MongoUrl());
  }
  if (endpoints.has_table()) {
    add("AZURE_STORAGE_CONNECTION_STRING", endpoints.TableConnectionString());
    add("AZURE_TABLES_CONNECTION_STRING", endpoints.TableConnectionString());
  }
  if (endpoints.has_gremlin()) add("GREMLIN_URL", endpoints.GremlinUrl());
  return variables;
}

std::string ReadyFileText(const Endpoints& endpoints) {
  portal::JsonWriter json;
  json.BeginObject()
      .Field("version", cli::Version())
      .Field("pid", getpid())
      .Field("host", endpoints.host)
      .Field("account", endpoints.account)
      .Field("key", endpoints.key)
      .Field("tls", endpoints.has_tls)
      .Field("data", endpoints.data_directory);
  const std::pair<std::string_view, uint16_t> ports[] = {
      {"sql", endpoints.sql},
      {"sqlDirect", endpoints.sql_direct},
      {"cassandra", endpoints.cassandra},
      {"cassandraCosmos", endpoints.cassandra_cosmos},
      {"table", endpoints.table},
      {"tableStorage", endpoints.table_storage},
      {"mongo", endpoints.mongo},
      {"mongoCosmos", endpoints.mongo_cosmos},
      {"gremlin", endpoints.gremlin},
      {"gremlinCosmos", endpoints.gremlin_cosmos},
      {"health", endpoints.health},
  };
  json.Key("ports").BeginObject();
  for (const auto& [name, port] : ports) {
    if (port != 0) json.Field(name, port);
  }
  json.EndObject();
  json.Key("endpoints").BeginObject();
  json.Field("sql", endpoints.SqlConnectionString());
  if (endpoints.has_cassandra()) {
    json.Field("cassandra",
               net::FormatHostPort(
                   {endpoints.host, Either(endpoints.cassandra, endpoints.cassandra_cosmos)}));
  }
  if (endpoints.has_table()) json.Field("table", endpoints.TableConnectionString());
  if (endpoints.has_mongo()) json.Field("mongo", endpoints.MongoUrl());
  if (endpoints.has_gremlin()) json.Field("gremlin", endpoints.GremlinUrl());
  json.EndObject();
  json.Key("variables").BeginObject();
  for (const auto& [name, value] : VariablesFor(endpoints)) json.Field(name, value);
  json.EndObject();
  json.EndObject();
  return std::move(json).Finish() + "\n";
}

Status WriteReadyFile(const std::string& path, const Endpoints& endpoints) {
  const auto refuse = [&] {
    return Fail(Code::kForbidden,
                fmt::format("the ready file '{}' cannot be written: {}; check its folder, or "
                            "choose another --ready-file",
                            path, std::strerror(errno)));
  };
  const std::string text = ReadyFileText(endpoints);
  const std::string temporary = fmt::format("{}.{}.new", path, getpid());
  const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return refuse();
  const bool is_written =
      write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const bool is_closed = close(file) == 0;
  if (!is_written || !is_closed || rename(temporary.c_str(), path.c_str()) != 0) {
    const auto error = refuse();
    unlink(temporary.c_str());
    return error;
  }
  return {};
}

}  // namespace orrery::server
