// The Gremlin API as one piece of a server: builds what a request goes through, from the ports to
// the gateway, and takes it down again.
//
// Start and Stop from one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/metrics.h"
#include "base/status.h"
#include "gateway/account/accounts.h"
#include "gateway/fault/fault_plan.h"
#include "gateway/gateway.h"
#include "net/client_budget.h"
#include "net/event_loops.h"
#include "net/http/host_rule.h"
#include "net/tls/tls_identity.h"
#include "query/runner/query_runner.h"

namespace orrery::gremlin {

struct GremlinApiOptions {
  std::string address = "127.0.0.1";
  // TinkerPop's and Cosmos DB's. None: closed; 0: the system chooses.
  std::optional<uint16_t> port = 8'182;
  std::optional<uint16_t> cosmos_port = 8'901;
  bool or_free = false;  // a free port instead of one that is taken
  // Whoever reaches the first port may come in without credentials. The second always asks.
  bool trust_local = false;
  bool require_tls = false;
  net::HostRule host_rule{};
};

class GremlinApi {
 public:
  // All must outlive it; `tls` may be null.
  struct Parts {
    gateway::Gateway& gateway;
    const gateway::Accounts& accounts;
    net::EventLoops& loops;
    const net::TlsIdentity* tls = nullptr;
    const Clock& clock;
    MetricsRegistry& metrics;
    std::function<uint64_t()> random;
    std::shared_ptr<net::ClientBudget> clients = nullptr;  // null: only its own limits hold
    gateway::FaultPlan* faults = nullptr;                  // null: there are none on demand
  };

  // Errors as in net::Listener::Open.
  static Result<std::unique_ptr<GremlinApi>> Start(const GremlinApiOptions& options,
                                                   const Parts& parts);
  ~GremlinApi();  // calls Stop(0)

  // 0 when closed.
  uint16_t port() const;
  uint16_t cosmos_port() const;

  // Runs traversals for the explorer; lives as long as this.
  query::QueryRunner& query_runner();

  // No new requests; those under way have `grace` to be answered. Idempotent.
  void Stop(std::chrono::milliseconds grace);

 private:
  struct Graph;
  explicit GremlinApi(std::unique_ptr<Graph> graph);
  std::unique_ptr<Graph> graph_;
};

}  // namespace orrery::gremlin
