// Runs statements: the StatementService behind every connection.
//
// Reads of what is in memory and writes that need no look at the disk begin on the caller's thread,
// an event loop. Everything that may block (changes of the schema and of roles, functions that
// users wrote) runs in the I/O pool.
//
// Thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/cassandra/executor/access_policy.h"
#include "api/cassandra/executor/read/select_executor.h"
#include "api/cassandra/executor/schema_listener.h"
#include "api/cassandra/executor/statement/planned_statement.h"
#include "api/cassandra/executor/statement/prepared_statements.h"
#include "api/cassandra/executor/statement/request_trace.h"
#include "api/cassandra/executor/statement/statement_planner.h"
#include "api/cassandra/executor/statement/throttle_retry.h"
#include "api/cassandra/executor/statement_service.h"
#include "api/cassandra/executor/write/write_run.h"
#include "api/cassandra/schema/ddl/schema_editor.h"
#include "api/cassandra/schema/describe/describe.h"
#include "api/cassandra/schema/schema_cache.h"
#include "gateway/fault/fault_plan.h"

namespace orrery::cassandra {

class StatementExecutor final : public StatementService {
 public:
  // All must outlive it; `views` may be null.
  struct Parts {
    const SchemaCache& schema;
    SchemaEditor& editor;
    gateway::RowGateway& rows;
    AccessPolicy& access;
    const FunctionLibrary& functions;
    const UserFunctions& user_functions;
    UuidSource& uuids;
    WriteClock& write_clock;
    const ViewPlanner* views = nullptr;
    std::function<void()> fill_views;  // those that are not built, in the background; may be empty
    SchemaListener& listener;
    TraceStore& traces;
    std::function<DescribedCluster()> cluster;
    std::shared_ptr<ByteBudget> answers = nullptr;  // where results are counted; null: nowhere
    // The time for which throttled statements are retried here; 0: the client is told to.
    std::chrono::milliseconds throttle_retry_max{0};
    gateway::FaultPlan* faults = nullptr;  // null: there are none on demand
  };
  explicit StatementExecutor(const Parts& parts);

  void Query(const QueryRequest& request, const MessageContext& context, Done done) override;
  CqlResult<PreparedInfo> Prepare(const PrepareRequest& request,
                                  const MessageContext& context) override;
  void Execute(const ExecuteRequest& request, const MessageContext& context, Done done) override;
  void Batch(const BatchRequest& request, const MessageContext& context, Done done) override;
  std::string PreparedText(std::string_view id) override {
    const PreparedStatements::EntryPtr entry = prepared_.Find(id);
    return entry == nullptr ? std::string() : entry->text;
  }

  // Lets go of throttled statements that wait; before the gateway stops.
  void Stop() {
    retry_.Stop();
    waits_.Stop();
  }

  const PreparedStatements& prepared() const { return prepared_; }
  // Forgets prepared statements about tables that are gone. After tables or keyspaces were dropped.
  void ForgetDropped() { prepared_.RemoveDropped(*parts_.schema.Current()); }
  // Since the start.
  uint64_t prepared_executed() const { return prepared_executed_.value(); }
  uint64_t plain_executed() const { return plain_executed_.value(); }

 private:
  // Reads and parts of writes that wait for the provisioned rate.
  static constexpr size_t kWaitingMax = 16'384;

  CqlResult<PlannedPtr> Plan(std::string_view text, std::string_view keyspace) const;
  // The same for a client; of a large statement access is checked before it is planned.
  CqlResult<PlannedPtr> PlanFor(const Client& client, std::string_view text,
                                std::string_view keyspace) const;
  // Query and Batch on a thread that may be busy for long.
  void QueryHere(const QueryRequest& request, const MessageContext& context, Done done);
  void BatchHere(const BatchRequest& request, const MessageContext& context, Done done);
  CqlResult<PreparedInfo> PrepareAllowed(const PrepareRequest& request,
                                         const MessageContext& context);
  // The plan of a prepared statement, made anew when the schema has changed.
  CqlResult<PlannedPtr> Refresh(PreparedStatements::Entry& entry);
  // Checks access and values, then runs.
  void Start(const PlannedPtr& planned, bool is_prepared, const QueryParameters& parameters,
             const MessageContext& context, Done done);
  // REQUIRES: the values are in the order of the markers.
  void Run(const PlannedPtr& planned, const QueryParameters& parameters,
           const MessageContext& context, Done done);
  void RunSelect(const SelectPlanPtr& select, const PlannedStatement& planned,
                 const QueryParameters& parameters, const MessageContext& message, Done done);
  void RunModification(const PlannedPtr& planned, const ModificationPlanPtr& plan,
                       const QueryParameters& parameters, Done done);
  void RunBatch(const PlannedPtr& planned, const std::shared_ptr<const BatchPlan>& plan,
                const QueryParameters& parameters, Done done);
  CqlResult<std::vector<WrittenStatement>> BindBatch(const BatchPlan& plan,
                                                     std::span<const BoundValue> values) const;
  // One statement of a BATCH message, and where its values are among those of all.
  struct BatchPart {
    PlannedPtr planned;
    size_t values_begin = 0;
    size_t values_count = 0;
  };
  CqlResult<std::vector<BatchPart>> PlanBatch(const BatchRequest& request,
                                              const MessageContext& context);
  CqlResult<std::vector<WrittenStatement>> BindBatch(WriteKind kind,
                                                     std::span<const BatchPart> parts,
                                                     std::span<const BoundValue> values) const;
  CqlResult<WrittenStatement> Bind(ModificationPlanPtr plan,
                                   std::span<const BoundValue> values) const;
  void Write(WriteKind kind, CqlResult<std::vector<WrittenStatement>> statements,
             const StatementContext& context, Done done) const;

  // Statements that run from their trees (tree_statements.cc).
  void RunTree(const PlannedPtr& planned, const ClientPtr& client,
               std::span<const PayloadEntry> payload, Done done);
  Outcome RunSchema(const ast::Statement& statement, const PlannedStatement& planned,
                    const Client& client, std::span<const PayloadEntry> payload);
  // Waits a little for the indexes of a table to be built.
  void AwaitIndex(const SchemaChange& change) const;
  Outcome RunTruncate(const ast::Truncate& truncate, const PlannedStatement& planned);
  Outcome RunUse(const ast::Use& use, const PlannedStatement& planned) const;
  Outcome RunDescribe(const ast::Describe& describe, const PlannedStatement& planned) const;
  // In the I/O pool; kOverloaded when that is full.
  void InPool(std::move_only_function<Outcome()> work, Done done) const;

  bool may_meet_faults() const { return parts_.faults != nullptr && parts_.faults->armed(); }
  int64_t NowMillis() const;

  const Parts parts_;
  const StatementPlanner planner_;
  DelayQueue waits_;
  const SelectExecutor selects_;
  const WriteRunner writes_;
  PreparedStatements prepared_;
  Counter prepared_executed_;
  Counter plain_executed_;
  mutable ThrottleRetry retry_;  // last: what waits in it uses all of the above
};

}  // namespace orrery::cassandra
