// The MongoDB API as one piece of a server: builds what a command goes through, from the ports to
// the gateway, and takes it down again.
//
// Start and Stop from one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/metrics.h"
#include "base/status.h"
#include "gateway/account/accounts.h"
#include "gateway/fault/fault_plan.h"
#include "gateway/gateway.h"
#include "gateway/program/program_registry.h"
#include "net/client_budget.h"
#include "net/event_loops.h"
#include "net/tls/tls_identity.h"
#include "query/runner/query_runner.h"
#include "script/engine.h"

namespace orrery::mongo {

struct MongoApiOptions {
  std::string address = "127.0.0.1";
  // MongoDB's and Cosmos DB's. None: closed; 0: the system chooses.
  std::optional<uint16_t> port = 27'017;
  std::optional<uint16_t> cosmos_port = 10'255;
  bool or_free = false;  // a free port instead of one that is taken
  // Whoever reaches the first port may come in without credentials. The second always asks.
  bool trust_local = false;
  bool require_tls = false;
  std::string advertise;  // the address that clients are told; empty: where they connected to
  gateway::AccountKeys keys;
  std::string version;               // of this program
  bool strict_cosmos = false;        // refuse what Azure Cosmos DB for MongoDB refuses
  std::string spill_directory = {};  // for rows that memory does not hold; empty: none
};

class MongoApi {
 public:
  // All must outlive it; `tls` may be null.
  struct Parts {
    gateway::Gateway& gateway;
    net::EventLoops& loops;
    const net::TlsIdentity* tls = nullptr;
    const Clock& clock;
    MetricsRegistry& metrics;
    script::Engine* scripts = nullptr;                     // null: no JavaScript
    std::shared_ptr<net::ClientBudget> clients = nullptr;  // null: only its own limits hold
    gateway::FaultPlan* faults = nullptr;                  // null: there are none on demand
  };

  // The kinds of programs that its writes are made of.
  static void RegisterPrograms(gateway::ProgramRegistry& registry);

  // Errors as in net::Listener::Open.
  static Result<std::unique_ptr<MongoApi>> Start(const MongoApiOptions& options,
                                                 const Parts& parts);
  ~MongoApi();  // calls Stop(0)

  // 0 when closed.
  uint16_t port() const;
  uint16_t cosmos_port() const;

  // Runs commands for the explorer; lives as long as this.
  query::QueryRunner& query_runner();

  // Does what is due now and then: closes cursors that nobody uses, deletes expired documents.
  void Maintain();

  // No new requests; those under way have `grace` to be answered. Idempotent. The I/O pool may
  // still run commands, to nobody: stop it before this object goes.
  void Stop(std::chrono::milliseconds grace);

 private:
  struct Graph;
  explicit MongoApi(std::unique_ptr<Graph> graph);
  std::unique_ptr<Graph> graph_;
};

}  // namespace orrery::mongo
