// The ScriptExecutor runs stored procedures, and writes with triggers, on the script threads.
//
// Both are transactions of one logical partition: everything they write is committed at once, or,
// when a script throws, takes too long or uses too much, nothing is.
//
// Thread-safe. `done` is called exactly once, on a script thread, or on the caller's when there is
// no room in the queue.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/sql/http/failure.h"
#include "api/sql/script/definition/script_definition.h"
#include "api/sql/script/definition/script_set.h"
#include "api/sql/script/run/run_script.h"
#include "base/request_units.h"
#include "gateway/requests.h"
#include "model/document/document.h"
#include "script/worker_pool.h"

namespace orrery::sql {

struct ProcedureCall {
  gateway::ContainerRef container;
  gateway::KeyValues partition_key;
  ScriptSetRef scripts;
  std::string id;           // 404 when there is none of that name
  std::string arguments;    // a JSON array; empty: no arguments
  model::Fields headers{};  // what getRequest().getValue can see
  bool logging = false;     // whether console.log is kept
};

struct ProcedureAnswer {
  // The body that the script set, as JSON; empty when it set none.
  std::expected<std::string, Failure> body;
  std::string log;  // also of a run that failed
  RequestUnits charge;
  std::string session;
};

// A create, upsert, replace or delete with triggers.
struct TriggeredWrite {
  gateway::ContainerRef container;
  gateway::KeyValues partition_key;
  ScriptSetRef scripts;
  TriggerOperation operation = TriggerOperation::kCreate;
  std::string id{};                           // of a replace and a delete
  std::optional<model::Document> document{};  // as the client sent it; not of a delete
  std::optional<Lsn> if_match{};
  std::vector<std::string> before{};  // ids of pre-triggers, in order
  std::vector<std::string> after{};
  model::Fields headers{};
};

struct TriggeredResult {
  bool created = false;  // of an upsert: there was none
  // As it was written; none after a delete. Its LSN is the committed one.
  std::optional<ScriptDocuments::Document> document{};
  // The body that a post-trigger set, as JSON.
  std::optional<std::string> body{};
};

struct TriggeredAnswer {
  std::expected<TriggeredResult, Failure> written;
  RequestUnits charge;
  std::string session;
};

class ScriptExecutor {
 public:
  // `pool` and what `parts` names must outlive it. Its threads wait for the gateway, and for
  // user-defined functions in queries of scripts: those need a pool of their own
  // (function/query_functions.h).
  ScriptExecutor(script::WorkerPool& pool, const ScriptParts& parts) : pool_(pool), parts_(parts) {}

  void Run(ProcedureCall call, std::move_only_function<void(ProcedureAnswer)> done);
  void Write(TriggeredWrite write, std::move_only_function<void(TriggeredAnswer)> done);

 private:
  script::WorkerPool& pool_;
  const ScriptParts parts_;
};

// Run on the thread of the sandbox. Block.
ProcedureAnswer RunProcedure(const ScriptParts& parts, script::Sandbox& sandbox,
                             const ProcedureCall& call);
TriggeredAnswer WriteWithTriggers(const ScriptParts& parts, script::Sandbox& sandbox,
                                  const TriggeredWrite& write);

}  // namespace orrery::sql
