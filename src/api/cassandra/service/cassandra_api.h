// The Cassandra API as one piece of a server: builds what a CQL statement goes through, from the
// ports to the row gateway, and takes it down again.
//
// Start and Stop from one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/cassandra/system/node_monitor.h"
#include "base/clock.h"
#include "base/metrics.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "gateway/account/accounts.h"
#include "gateway/fault/fault_plan.h"
#include "gateway/row/row_gateway.h"
#include "gateway/view/key_naming.h"
#include "gateway/view/ring.h"
#include "net/client_budget.h"
#include "net/event_loops.h"
#include "net/tls/tls_identity.h"
#include "query/runner/query_runner.h"
#include "script/engine.h"

namespace orrery::cassandra {

struct CassandraApiOptions {
  std::string address = "127.0.0.1";
  // Cassandra's and Cosmos DB's. None: closed; 0: the system chooses.
  std::optional<uint16_t> port = 9042;
  std::optional<uint16_t> cosmos_port = 10'350;
  // As Cassandra's own defaults: whoever reaches the first port may come in, and
  // cassandra/cassandra is let in wherever credentials are asked for. The second port always asks.
  bool trust_local = false;
  // The time for which the server itself retries throttled requests; 0: clients are told to.
  std::chrono::milliseconds throttle_retry_max{0};
  std::string datacenter = "datacenter1";
  std::string cluster_name = "Orrery";
  // CREATE FUNCTION .. LANGUAGE java is taken, for schemas of others; such a function cannot be
  // called. Else it is refused.
  bool skip_java_functions = false;
  std::string advertise;  // the address that clients are told; empty: that of `address`
  std::string host_id;    // a uuid, 16 bytes: this node's for ever
  // Shown in system_views.settings; no secrets.
  std::vector<std::pair<std::string, std::string>> settings;
};

class CassandraApi {
 public:
  // All must outlive it; `tls` may be null.
  struct Parts {
    gateway::RowGateway& rows;
    const gateway::Accounts& accounts;
    script::Engine& scripts;
    net::EventLoops& loops;
    const net::TlsIdentity* tls = nullptr;
    const Clock& clock;
    MetricsRegistry& metrics;
    gateway::RingSource* ring = nullptr;                   // null: this node is alone
    std::function<CacheFacts()> block_cache = nullptr;     // for system_views.caches
    std::shared_ptr<net::ClientBudget> clients = nullptr;  // null: only its own limits hold
    gateway::FaultPlan* faults = nullptr;                  // null: there are none on demand
  };

  // Errors as in net::Listener::Open, and those of reading what the catalog keeps for it.
  static Result<std::unique_ptr<CassandraApi>> Start(const CassandraApiOptions& options,
                                                     const Parts& parts);
  ~CassandraApi();  // calls Stop(0)

  // 0 when closed.
  uint16_t port() const;
  uint16_t cosmos_port() const;

  // Shows keys of tables as CQL has them; lives as long as this.
  const gateway::KeyNaming& key_naming() const;
  // Runs statements for the explorer; lives as long as this.
  query::QueryRunner& query_runner();

  // Tells clients what has changed of the ring, and of the schema by others than this API of this
  // node. Every half second or so, from one thread, while it runs.
  void FollowCluster();

  // No new requests; those under way have `grace` to be answered. Idempotent. The I/O pool may
  // still run statements, to nobody: stop it before this object goes.
  void Stop(std::chrono::milliseconds grace);

 private:
  struct Graph;
  explicit CassandraApi(std::unique_ptr<Graph> graph);
  std::unique_ptr<Graph> graph_;
};

}  // namespace orrery::cassandra
