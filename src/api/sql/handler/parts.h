// The parts that handlers work with. All must outlive the handlers.
#pragma once

#include "api/sql/handler/direct_endpoint.h"
#include "api/sql/list/list_query.h"
#include "api/sql/query/query_engine.h"
#include "api/sql/script/definition/script_sets.h"
#include "api/sql/script/run/script_executor.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "gateway/gateway.h"
#include "script/worker_pool.h"

namespace orrery::sql {

// The number of attempts of a change of the catalog while other nodes are faster.
inline constexpr int kChangeAttemptsMax = 32;

struct HandlerParts {
  gateway::Gateway& gateway;
  const Clock& clock;
  const ListQueries& queries;
  const QueryEngine& engine;
  ScriptSets& scripts;
  ScriptExecutor& executor;
  script::WorkerPool& functions;  // for user-defined functions of queries
  Mutex& container_changes;       // held from reading a container's settings to changing them
  partition::ThroughputSettings default_throughput;  // of containers without
  bool clients_merge = false;  // rows of several partitions (query/client_merge.h)
  const DirectEndpoint& direct;
};

}  // namespace orrery::sql
