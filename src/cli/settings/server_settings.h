// Everything that can be said about a server before it starts, with its defaults.
//
// Plain data: setting_table.h says how each is named and read, settings_loader.h where the values
// come from, server/server.h what is done with them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/log_format.h"
#include "base/request_log.h"
#include "gateway/account/accounts.h"
#include "partition/limits.h"
#include "partition/rate/throughput.h"
#include "storage/engine/engine.h"

namespace orrery::cli {

// The policy for requests without a key. kLocal: what a local server of this kind shows to its own
// machine (/metrics) is open. kRequired: everything but /_health needs a key.
enum class AuthMode { kLocal, kRequired };

struct TlsSettings {
  enum class Mode { kAuto, kOff, kFiles };
  Mode mode = Mode::kAuto;  // kAuto: a certificate of our own, kept in the data directory
  std::string certificate_file;
  std::string key_file;
};

// The ports of the Cassandra API: Cassandra's own, and Cosmos DB's, which asks everybody for
// credentials.
struct CassandraPorts {
  std::optional<uint16_t> native = 9042;  // none: closed; 0: any free port, told at the start
  std::optional<uint16_t> cosmos = 10'350;

  friend bool operator==(const CassandraPorts&, const CassandraPorts&) = default;
};

// The ports of the MongoDB API: MongoDB's own, and Cosmos DB's, which asks everybody for
// credentials.
struct MongoPorts {
  std::optional<uint16_t> native = 27'017;  // none: closed; 0: any free port, told at the start
  std::optional<uint16_t> cosmos = 10'255;
  bool or_free = true;  // a free port instead of one that is taken

  friend bool operator==(const MongoPorts&, const MongoPorts&) = default;
};

// The ports of the Gremlin API: TinkerPop's, and Cosmos DB's, which asks everybody for credentials.
struct GremlinPorts {
  std::optional<uint16_t> native = 8'182;  // none: closed; 0: any free port, told at the start
  std::optional<uint16_t> cosmos = 8'901;
  bool or_free = true;  // a free port instead of one that is taken

  friend bool operator==(const GremlinPorts&, const GremlinPorts&) = default;
};

// Settings of the Cassandra API: what it tells clients of the cluster, and how it takes their
// schemas.
struct CassandraSettings {
  std::string datacenter = "datacenter1";
  std::string cluster_name = "Orrery";
  // CREATE FUNCTION .. LANGUAGE java: kept, but never run; else refused.
  bool skip_java_functions = false;
};

// The port of the SQL API's Direct mode. Clients are told it with every address, so any will do
// where no firewall or port mapping needs to know it beforehand.
struct SqlDirectPort {
  std::optional<uint16_t> port = 10'251;  // none: closed; 0: any free port, told at the start
  bool or_free = true;                    // when that port is taken, any free one

  friend bool operator==(const SqlDirectPort&, const SqlDirectPort&) = default;
};

// The ports of the Table API: that of Cosmos DB's emulator, and that of Azurite, which follows
// Azure Storage where the two differ.
struct TablePorts {
  std::optional<uint16_t> cosmos = 8'902;  // none: closed; 0: any free port, told at the start
  std::optional<uint16_t> storage = 10'002;
  bool or_free = true;  // when a port is taken, any free one

  friend bool operator==(const TablePorts&, const TablePorts&) = default;
};

// The place of partitions: this machine's disk, or a pool of a Ceph cluster, for a cluster of
// nodes.
enum class StoreKind { kLocal, kRados };

struct RadosSettings {
  std::string conf = "/etc/ceph/ceph.conf";
  std::string user = "orrery";  // without "client."
  std::string pool = "orrery";
  std::string name_space;     // one for each Orrery cluster in the pool
  bool fewer_copies = false;  // a pool with less than Orrery's replica sets is accepted
  // The time that other nodes wait for a silent node before they take its partitions over.
  std::chrono::seconds lease{5};
};

// As the data directory: throw-away data, in memory where there is room.
inline constexpr std::string_view kMemoryData = "memory";

struct ServerSettings {
  std::string data_directory = "./orrery-data";
  StoreKind store = StoreKind::kLocal;
  RadosSettings rados;
  uint16_t peer_port = 7077;  // where other nodes reach this one; 0: any free port
  std::string advertise;      // the address that others are told; empty: that of `listen_address`
  std::string listen_address = "127.0.0.1";
  uint16_t sql_port = 8081;  // 0: any free port, told at the start
  SqlDirectPort sql_direct_port;
  CassandraPorts cassandra;
  CassandraSettings cassandra_cluster;
  TablePorts table;
  MongoPorts mongo;
  bool mongo_strict = false;  // what Azure Cosmos DB for MongoDB refuses is refused
  GremlinPorts gremlin;
  TlsSettings tls;
  bool allow_insecure = false;

  std::optional<AuthMode> auth;  // not said: kLocal on loopback, else kRequired
  gateway::AccountKeys keys;
  std::vector<std::string> allowed_hosts;   // names that HTTP clients may call the server by
  bool explorer = true;                     // the page at /_explorer/
  std::string explorer_origin;              // that browsers see behind a reverse proxy; empty: none
  size_t history_bytes = size_t{32} << 20;  // for the past of partitions; 0: none is kept

  storage::Durability durability = storage::Durability::kDurable;
  bool accept_lost_writes = false;  // data whose logs are missing or cut is served without the rest
  size_t cache_bytes = size_t{256} << 20;
  size_t memtable_bytes = size_t{256} << 20;
  size_t ballast_bytes = size_t{64} << 20;  // on disk, given up when that is full; 0: none
  size_t io_threads = 4;
  bool allow_reset = false;     // tests may replace all data, and advance the clock
  bool allow_faults = false;    // tests may have requests fail on demand
  std::string seed_directory;   // loaded before the server is ready; empty: none
  bool seed_continues = false;  // files and items that cannot be loaded do not stop the start
  std::string ready_file;       // where the ports are told once the server is ready; empty: nowhere
  // Of /alive and /ready alone; none: closed; 0: any free one.
  std::optional<uint16_t> health_port;
  bool announces_as_emulators = false;  // the start prints the lines that test libraries wait for
  LogLevel log_level = LogLevel::kInfo;
  LogFormat log_format = LogFormat::kText;
  RequestLogLimits request_log;  // which requests are logged by themselves
  bool statements = true;        // requests are counted by their statements

  bool burst = false;
  // The time for which the server itself retries CQL requests over their rate; 0: clients are told
  // to.
  std::chrono::seconds cassandra_retry{0};
  // Of containers that SQL clients create without any; none: they are not metered.
  partition::ThroughputSettings sql_default_throughput = partition::ThroughputSettings::Manual(400);
  // Says whether SQL clients merge the rows of several partitions, or the server does.
  bool sql_clients_merge = false;
  partition::Limits limits;
};

// Returns the settings that users may see: names as in setting_table.h, no secrets.
std::vector<std::pair<std::string, std::string>> ShownSettings(const ServerSettings& settings);

// Returns whether only this machine can reach `address`: 127.0.0.0/8, ::1 or "localhost".
bool IsLoopback(const std::string& address);

// Returns whether everybody who reaches the ports has all rights: other machines can, with the key
// that everybody knows, because --allow-insecure accepts it.
bool IsOpenToAll(const ServerSettings& settings);

// Returns the policy in force: kRequired on any address that others can reach.
AuthMode EffectiveAuth(const ServerSettings& settings);

// Refuses, with what to do instead, what does not go together: a cluster whose writes are not
// durable, or whose nodes tell each other an address that is none.
Status CheckStore(const ServerSettings& settings);

// Refuses, with what to do instead, to be reached from other machines with the key that everybody
// knows, without TLS, or with --auth=local. --allow-insecure lets the first two pass; with the key
// that everybody knows the third as well, as it gives nobody more than the key does.
Status CheckExposure(const ServerSettings& settings);

}  // namespace orrery::cli
