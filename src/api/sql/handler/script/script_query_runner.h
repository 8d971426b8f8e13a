// Queries of scripts, answered by the query engine over what the script sees: documents of one
// logical partition with its own uncommitted writes.
//
// Thread-safe. All must outlive it.
#pragma once

#include "api/sql/query/query_engine.h"
#include "api/sql/script/definition/script_sets.h"
#include "api/sql/script/transaction/script_queries.h"
#include "base/clock.h"
#include "script/worker_pool.h"

namespace orrery::sql {

class ScriptQueryRunner final : public ScriptQueries {
 public:
  // `functions` runs what queries call as udf.f(..). It must not be the pool of the scripts that
  // ask: they wait for it.
  ScriptQueryRunner(const QueryEngine& engine, ScriptSets& scripts, script::WorkerPool& functions,
                    const Clock& clock)
      : engine_(engine), scripts_(scripts), functions_(functions), clock_(clock) {}

  Result<ScriptQueryPage> Run(ScriptDocuments& documents, const ScriptQuery& query) override;

 private:
  const QueryEngine& engine_;
  ScriptSets& scripts_;
  script::WorkerPool& functions_;
  const Clock& clock_;
};

}  // namespace orrery::sql
