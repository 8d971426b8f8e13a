#include <string_view>
#include <utility>
#include <vector>

#include "api/table/service/table_service.h"
#include "server/start/http_limits.h"
#include "server/start/start_apis.h"
#include "server/start/start_options.h"

namespace orrery::server {
namespace {

// The service itself refuses what is past 4 MB, in its own words.
constexpr size_t kTableBodyBytesMax = 8 << 20;

// Says whether the account with Azurite's published key is there beside the server's own.
bool HasStorageEmulator(const cli::ServerSettings& settings) {
  return cli::IsLoopback(settings.listen_address) || cli::IsOpenToAll(settings);
}

// One port of the Table API. REQUIRES: the settings have it.
struct TablePort {
  std::string_view name;
  uint16_t port = 0;
  table::Dialect dialect;
  std::shared_ptr<net::ClientBudget> clients;
};

Result<std::unique_ptr<net::HttpServer>> StartTablePort(
    const cli::ServerSettings& settings, const TablePort& port, table::TableService& service,
    net::EventLoops& loops, const net::TlsIdentity* tls, const Clock& clock,
    MetricsRegistry& metrics) {
  net::HttpServerOptions options;
  options.listener.name = port.name;
  options.listener.address = settings.listen_address;
  options.listener.port = port.port;
  options.listener.port_option = "--table-port";
  options.listener.clients = port.clients;
  options.limits.body_bytes_max = kTableBodyBytesMax;
  options.host_rule = HostRuleOf(settings);
  options.request_timeout = kRequestTimeout;
  options.admission = [&service, dialect = port.dialect](const net::HttpRequest& head) {
    return service.Refusal(head, dialect);
  };
  const auto start = [&] {
    return net::HttpServer::Start(loops, options, tls, clock, metrics,
                                  [&service, dialect = port.dialect](auto request, auto responder) {
                                    service.Handle(std::move(request), std::move(responder),
                                                   dialect);
                                  });
  };
  auto server = start();
  const bool taken = !server.has_value() && server.error().code() == Code::kAlreadyExists;
  if (!taken || !settings.table.or_free) return server;
  options.listener.port = 0;
  return start();
}

}  // namespace

Status StartTable(const cli::ServerSettings& settings, ServerParts& parts) {
  if (!settings.table.cosmos.has_value() && !settings.table.storage.has_value()) return {};
  std::vector<const gateway::Accounts*> table_accounts = {&parts.accounts};
  if (HasStorageEmulator(settings) && parts.accounts.name() != table::kStorageEmulatorAccount) {
    ORRERY_ASSIGN(parts.emulator, gateway::Accounts::Create(table::StorageEmulatorKeys()));
    table_accounts.push_back(&*parts.emulator);
  }
  parts.table = std::make_unique<table::TableService>(
      table::TableOptions{.require_tls = RequiresTls(settings)},
      table::TableService::Parts{parts.core->gateway(), parts.clock, parts.machine,
                                 std::move(table_accounts), &parts.metrics,
                                 parts.faults.get()});
  parts.runners.Add(parts.table->query_runner());
  const auto start = [&](const TablePort& port) {
    return StartTablePort(settings, port, *parts.table, *parts.loops, parts.tls.get(), parts.clock,
                          parts.metrics);
  };
  if (settings.table.cosmos.has_value()) {
    ORRERY_ASSIGN(parts.table_cosmos,
                  start({"table", *settings.table.cosmos, table::Dialect::kCosmos, parts.clients}));
  }
  if (settings.table.storage.has_value()) {
    ORRERY_ASSIGN(parts.table_storage, start({"table_storage", *settings.table.storage,
                                              table::Dialect::kStorage, parts.clients}));
  }
  return {};
}

}  // namespace orrery::server
