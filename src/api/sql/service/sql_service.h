// The SQL API of Azure Cosmos DB: takes HTTP requests, finds out what they ask for and whether they
// may, and gives them to the handler that does it.
//
// Thread-safe. Must outlive the HTTP server that calls it.
#pragma once

#include <string>

#include "api/sql/handler/handler_table.h"
#include "api/sql/handler/parts.h"
#include "api/sql/handler/script/script_query_runner.h"
#include "api/sql/http/refusal.h"
#include "api/sql/list/list_query.h"
#include "api/sql/service/activity_ids.h"
#include "api/sql/service/authorizer.h"
#include "base/clock.h"
#include "gateway/gateway.h"
#include "net/http/http_message.h"
#include "net/http/http_responder.h"
#include "script/engine.h"
#include "script/worker_pool.h"

namespace orrery::sql {

struct SqlOptions {
  bool require_tls = false;  // requests that came in the clear are refused
  // What a container gets that is created without throughput, in a database that shares none.
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
  };
  SqlService(SqlOptions options, const Parts& parts);

  // Answers one request. Never blocks: for an event loop.
  void Handle(net::HttpRequest request, net::HttpResponder responder);

  // Ends scripts; what waits for one is answered. Before the gateway's I/O pool stops. Idempotent.
  void Stop();

 private:
  // Fills in what the call asks for, and finds who does it.
  Answered<const Handler*> Admit(Call& call);

  const SqlOptions options_;
  const Clock& clock_;
  const ListQueries queries_;
  const FunctionRegistry functions_;
  const QueryEngine engine_;
  ScriptSets script_sets_;
  // Procedures wait for queries, and queries for functions: no pool waits for itself.
  script::WorkerPool function_pool_;
  script::WorkerPool procedure_pool_;
  ScriptQueryRunner script_queries_;
  ScriptExecutor executor_;
  Mutex container_changes_;
  Authorizer authorizer_;
  ActivityIds activity_ids_;
  HandlerTable handlers_;
};

}  // namespace orrery::sql
