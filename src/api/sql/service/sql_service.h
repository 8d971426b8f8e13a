// The SQL API of Azure Cosmos DB: takes HTTP requests, finds out what they ask for and whether they
// may, and gives them to the handler that does it. Requests of Direct mode come as calls that are
// read already (api/sql/direct) and go the same way from there.
//
// Thread-safe. Must outlive the servers that call it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "api/sql/handler/direct_endpoint.h"
#include "api/sql/handler/handler_table.h"
#include "api/sql/handler/parts.h"
#include "api/sql/handler/script/script_query_runner.h"
#include "api/sql/http/error_response.h"
#include "api/sql/list/list_query.h"
#include "api/sql/service/authorizer.h"
#include "api/sql/service/sql_query_runner.h"
#include "base/clock.h"
#include "base/metrics.h"
#include "base/request_meter.h"
#include "gateway/fault/fault_plan.h"
#include "gateway/gateway.h"
#include "net/http/dispatch/request_ids.h"
#include "net/http/http_message.h"
#include "net/http/http_responder.h"
#include "query/cursor/cursor_registry.h"
#include "script/engine.h"
#include "script/worker_pool.h"

namespace orrery::sql {

struct SqlOptions {
  bool require_tls = false;  // requests that came in the clear are refused
  // The throughput of a container that is created without any, in a database that shares none.
  partition::ThroughputSettings default_throughput;
  // Queries over several partitions whose rows have to be merged are refused, so that clients do it
  // by the query's plan, as on Azure.
  bool clients_merge = false;
};

class SqlService {
 public:
  // All must outlive it.
  struct Parts {
    gateway::Gateway& gateway;
    script::Engine& scripts;
    const Clock& clock;
    MetricsRegistry& metrics;
    // Returns 64 bits that nobody can guess. Called from any thread.
    std::function<uint64_t()> random;
    const gateway::ClusterView* cluster = nullptr;  // null on a single machine
    // By which the dates of signatures are judged; null: by `clock`. They differ where tests advance
    // the latter.
    const Clock* client_clock = nullptr;
    gateway::FaultPlan* faults = nullptr;  // null: there are none on demand
  };
  SqlService(SqlOptions options, const Parts& parts);

  // Answers one request. Never blocks: for an event loop.
  void Handle(net::HttpRequest request, net::HttpResponder responder);
  // Returns the answer to a request that is refused whatever its body says: by its headers, path
  // and signature.
  std::optional<net::HttpResponse> Refusal(const net::HttpRequest& head);
  // The same as Handle above for a call whose path, headers, action, body and responder are filled
  // in. `credentials` may be views of the call.
  void Handle(Call&& call, const Credentials& credentials);

  // Clients are told to connect to `port` for Direct mode from now on.
  void ServeDirect(uint16_t port) { direct_.port.store(port, std::memory_order_release); }
  const gateway::Gateway& gateway() const { return gateway_; }
  const DirectEndpoint& direct() const { return direct_; }
  // Runs queries for the explorer; lives as long as this.
  query::QueryRunner& query_runner() { return query_runner_; }

  // Drops what was kept for clients that did not come back for it. Call it every few seconds.
  void Maintain() { kept_rows_.Expire(); }

  // Ends scripts; what waits for one is answered. Before the gateway's I/O pool stops. Idempotent.
  void Stop();

 private:
  Call MakeCall(net::HttpRequest request, net::HttpResponder responder);
  // Returns who does what is asked, if the caller may.
  SqlResult<const Handler*> Admit(const Call& call, const Credentials& credentials);
  // Fills in what an HTTP request asks for.
  SqlResult<void> ReadRequest(Call& call) const;

  const SqlOptions options_;
  const gateway::Gateway& gateway_;
  const Clock& clock_;
  gateway::FaultPlan* const faults_;
  DirectEndpoint direct_;
  const ListQueries queries_;
  const FunctionRegistry functions_;
  query::CursorRegistry kept_rows_;
  const QueryEngine engine_;
  ScriptSets script_sets_;
  // Procedures wait for queries, and queries for functions: no pool waits for itself.
  script::WorkerPool function_pool_;
  script::WorkerPool procedure_pool_;
  ScriptQueryRunner script_queries_;
  SqlQueryRunner query_runner_;
  ScriptExecutor executor_;
  Mutex container_changes_;
  Authorizer authorizer_;
  net::RequestIds activity_ids_;
  RequestMeter meter_;
  HandlerTable handlers_;
};

}  // namespace orrery::sql
