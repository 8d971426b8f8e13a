#include "api/cassandra/service/cassandra_api.h"

#include <arpa/inet.h>

#include <cstring>
#include <random>

#include "api/cassandra/access/access_control.h"
#include "api/cassandra/executor/statement/statement_executor.h"
#include "api/cassandra/function/native/native_functions.h"
#include "api/cassandra/function/uuid_source.h"
#include "api/cassandra/schema/ddl/schema_editor.h"
#include "api/cassandra/schema/schema_cache.h"
#include "api/cassandra/server/cql_server.h"
#include "api/cassandra/system/system_keyspaces.h"
#include "api/cassandra/system/trace_store.h"
#include "api/cassandra/user_function/user_function_library.h"
#include "net/port_reservation.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kClusterName = "Orrery";
constexpr size_t kLoginThreads = 2;
constexpr size_t kLoginQueueMax = 4'096;

uint64_t RandomBits() {
  std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

// What clients are told to connect to: an address of this machine even when all are listened on.
InetEndpoint Advertised(const std::string& address, uint16_t port) {
  InetEndpoint endpoint;
  endpoint.port = port;
  in_addr four{};
  in6_addr six{};
  if (inet_pton(AF_INET, address.c_str(), &four) == 1) {
    if (four.s_addr == 0) four.s_addr = htonl(INADDR_LOOPBACK);
    std::memcpy(endpoint.address.storage.data(), &four, sizeof(four));
    endpoint.address.size = sizeof(four);
  } else if (inet_pton(AF_INET6, address.c_str(), &six) == 1) {
    if (IN6_IS_ADDR_UNSPECIFIED(&six)) six = in6addr_loopback;
    std::memcpy(endpoint.address.storage.data(), &six, sizeof(six));
    endpoint.address.size = sizeof(six);
  }
  return endpoint;
}

// A door for the port, or none when it is closed. With port 0 a free one is reserved, because
// clients are told the port before anybody listens on it.
struct Door {
  std::optional<net::PortReservation> reservation;
  uint16_t port = 0;  // 0: closed
};

Result<Door> MakeDoor(const std::string& address, std::optional<uint16_t> port) {
  Door door;
  if (!port.has_value()) return door;
  door.port = *port;
  if (*port != 0) return door;
  ORRERY_ASSIGN(net::PortReservation reservation, net::PortReservation::Take(address));
  door.port = reservation.port();
  door.reservation.emplace(std::move(reservation));
  return door;
}

SystemFacts MakeFacts(const CassandraApiOptions& options, uint16_t port, const Clock& clock) {
  SystemFacts facts;
  facts.self.cluster_name = kClusterName;
  facts.self.host_id = options.host_id;
  facts.self.native =
      Advertised(options.address, port);
  facts.self.internal = facts.self.native;
  facts.self.started = clock.Now();
  for (const auto& [name, value] : options.settings) facts.settings.emplace(name, value);
  return facts;
}

}  // namespace


// In the order of their making; destroyed in the reverse order.
struct CassandraApi::Graph {
  Graph(const CassandraApiOptions& options, const Parts& parts)
      : uuids(parts.clock, RandomBits),
        write_clock(parts.clock),
        functions(NativeFunctions()),
        traces(parts.clock, RandomBits()),
        login_pool("login", kLoginThreads, kLoginQueueMax),
        user_functions(parts.clock) {
    static_cast<void>(options);
  }

  ServerUuids uuids;
  WriteClock write_clock;
  const FunctionLibrary functions;
  TraceStore traces;
  ThreadPool login_pool;
  EventHub events;
  UserFunctionLibrary user_functions;
  std::unique_ptr<AccessControl> access;
  std::unique_ptr<SchemaCache> schema;
  std::unique_ptr<SchemaEditor> editor;
  std::unique_ptr<StatementExecutor> statements;
  Door native;
  Door cosmos;
  std::unique_ptr<CqlServer> server;
};
