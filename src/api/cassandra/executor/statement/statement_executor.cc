#include "api/cassandra/executor/statement/statement_executor.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/cassandra/executor/kept_values.h"
#include "api/cassandra/executor/statement/batch_rules.h"
#include "api/cassandra/executor/statement/bound_values.h"
#include "api/cassandra/executor/statement/kept_request.h"
#include "api/cassandra/executor/statement/statement_access.h"
#include "api/cassandra/executor/statement/statement_faults.h"

namespace orrery::cassandra {
namespace {

CqlStatus CheckReadConsistency(Consistency consistency) {
  if (consistency != Consistency::kAny) return {};
  return Invalid(fmt::format("{} ConsistencyLevel is only supported for writes",
                             ConsistencyName(consistency)));
}

CqlStatus CheckWriteConsistency(const StatementContext& context, bool conditional) {
  if (!conditional) {
    if (IsSerial(context.consistency))
      return Invalid("You must use conditional updates for serializable writes");
    return {};
  }
  if (IsSerial(context.consistency)) {
    return Invalid(fmt::format(
        "{} is not supported as conditional update commit consistency. Use ANY if you mean \"make "
        "sure it is accepted but I don't care how many replicas commit it for non-SERIAL reads\"",
        ConsistencyName(context.consistency)));
  }
  if (!IsSerial(context.serial_consistency)) {
    return Invalid(
        "Invalid consistency for conditional update. Must be one of SERIAL or LOCAL_SERIAL");
  }
  return {};
}

WriteKind KindOf(ast::BatchKind kind) {
  switch (kind) {
    case ast::BatchKind::kLogged:
      return WriteKind::kLoggedBatch;
    case ast::BatchKind::kUnlogged:
      return WriteKind::kUnloggedBatch;
    case ast::BatchKind::kCounter:
      return WriteKind::kCounterBatch;
  }
  return WriteKind::kLoggedBatch;
}

WriteKind KindOf(BatchType type) {
  switch (type) {
    case BatchType::kLogged:
      return WriteKind::kLoggedBatch;
    case BatchType::kUnlogged:
      return WriteKind::kUnloggedBatch;
    case BatchType::kCounter:
      return WriteKind::kCounterBatch;
  }
  return WriteKind::kLoggedBatch;
}

CqlError Unprepared(std::string_view id) {
  return {
      ErrorCode::kUnprepared,
      fmt::format("Prepared query with ID {} not found (either the query was not prepared on "
                  "this host (maybe the host has been restarted?) or you have prepared too many "
                  "queries and it has been evicted from the internal cache)",
                  ToHex(id)),
      UnpreparedDetails{std::string(id)}, 0};
}

// Texts that an event loop parses; longer ones are parsed in the pool.
constexpr size_t kInlineTextBytes = size_t{64} << 10;
constexpr size_t kInlineBatchStatements = 512;
// Of these access is checked before they are planned.
constexpr size_t kLargeTextBytes = size_t{4} << 10;
// PREPARE is answered by the event loop.
constexpr size_t kPreparedTextBytesMax = size_t{256} << 10;

bool IsLarge(const BatchRequest& request) {
  if (request.statements.size() > kInlineBatchStatements) return true;
  size_t bytes = 0;
  for (const BatchStatement& each : request.statements) {
    if (!each.prepared) bytes += each.query_or_id.size();
  }
  return bytes > kInlineTextBytes;
}

// The context that statements are bound to.
struct Binding {
  std::span<const BoundValue> values;
  const StatementContext& context;
  bool calls_functions;  // that users wrote: they may take their time, so not on an event loop
  PlannedPtr keeper{};   // of what the caller's `write` points to; only when it calls functions
};

CqlError Busy() { return {ErrorCode::kOverloaded, "The server is busy: try again", {}, 0}; }

// Calls `write` with the values, the context and `done`: now, or in the pool with copies of them.
template <typename Write>
void RunBound(ThreadPool& pool, const Binding& binding, const Write& write,
              StatementService::Done done) {
  if (!binding.calls_functions) return write(binding.values, binding.context, std::move(done));
  auto kept = std::make_shared<KeptValues>(binding.values);
  StatementContext context = binding.context;
  context.keyspace.reset();
  auto shared = std::make_shared<StatementService::Done>(std::move(done));
  if (!pool.Submit([write, kept, context, shared, keeper = binding.keeper] {
        write(kept->values(), context, std::move(*shared));
      })) {
    (*shared)(Outcome::Failed(Busy()));
  }
}

}  // namespace

StatementExecutor::StatementExecutor(const Parts& parts)
    : parts_(parts),
      planner_(parts.functions, parts.user_functions),
      waits_("cql-waits", kWaitingMax),
      selects_({parts.rows, parts.uuids, parts.answers, &waits_}),
      writes_(parts.rows, parts.write_clock, parts.views, &waits_),
      retry_(parts.throttle_retry_max, parts.rows.clock()) {}

int64_t StatementExecutor::NowMillis() const {
  return std::chrono::floor<std::chrono::milliseconds>(parts_.rows.clock().Now()).count();
}

CqlResult<PlannedPtr> StatementExecutor::Plan(std::string_view text,
                                              std::string_view keyspace) const {
  return planner_.Plan(text, parts_.schema.Current(), keyspace, NowMillis());
}

CqlResult<PlannedPtr> StatementExecutor::PlanFor(const Client& client, std::string_view text,
                                                 std::string_view keyspace) const {
  if (text.size() < kLargeTextBytes) return Plan(text, keyspace);
  const SchemaPtr schema = parts_.schema.Current();
  return planner_.Plan(text, schema, keyspace, NowMillis(), [&](const ast::Statement& statement) {
    return RequireTables(parts_.access, client, statement, *schema, keyspace);
  });
}

CqlResult<PlannedPtr> StatementExecutor::Refresh(PreparedStatements::Entry& entry) {
  PlannedPtr former = entry.planned.Load();
  // A catalog has one schema only; to ask for the catalog is cheaper.
  if (parts_.rows.catalog().IsNewest(*former->schema->source)) return former;
  auto planned = Plan(entry.text, entry.keyspace);
  const auto same = [](const ColumnShapePtr& a, const ColumnShapePtr& b) {
    return a == nullptr || b == nullptr ? a == b : a->id() == b->id();
  };
  if (!planned.has_value() || !same(former->result, (*planned)->result) ||
      !same(former->variables, (*planned)->variables)) {
    prepared_.Remove(entry.id);
    return std::unexpected(Unprepared(entry.id));
  }
  entry.planned.Store(*planned);
  return planned;
}

void StatementExecutor::Query(const QueryRequest& request, const MessageContext& context,
                              Done done) {
  if (request.query.size() <= kInlineTextBytes) return QueryHere(request, context, std::move(done));
  const auto kept = std::make_shared<KeptQuery>(request, context);
  const auto shared = std::make_shared<Done>(std::move(done));
  const bool is_taken = parts_.rows.io_pool().Submit([this, kept, shared] {
    if (const Status wanted = kept->context().request.Check(); !wanted.has_value())
      return (*shared)(Outcome::Failed(ToCqlError(wanted.error())));
    QueryHere(kept->request(), kept->context(), std::move(*shared));
  });
  if (!is_taken) (*shared)(Outcome::Failed(Busy()));
}

void StatementExecutor::QueryHere(const QueryRequest& request, const MessageContext& context,
                                  Done done) {
  const RequestTrace trace(parts_.traces, parts_.rows.clock(), context,
                           {"QUERY", "Execute CQL3 query", request.query,
                            &request.parameters.context, request.parameters.page_rows});
  done = trace.Ending(std::move(done));
  trace.Event("Parsing and planning the statement");
  auto planned = PlanFor(*context.client, request.query,
                         request.parameters.context.keyspace.value_or(context.client->keyspace));
  if (!planned.has_value()) return done(Outcome::Failed(std::move(planned).error()));
  trace.Event("Executing the statement");
  Start(*planned, /*is_prepared=*/false, request.parameters, context, std::move(done));
}

CqlResult<PreparedInfo> StatementExecutor::Prepare(const PrepareRequest& request,
                                                   const MessageContext& context) {
  const RequestTrace trace(parts_.traces, parts_.rows.clock(), context,
                           {"QUERY", "Preparing CQL3 query", request.query, nullptr, std::nullopt});
  trace.Event("Parsing and planning the statement");
  CqlResult<PreparedInfo> prepared = PrepareAllowed(request, context);
  trace.End(prepared.has_value() ? "Prepared"
                                 : fmt::format("Refused: {}", prepared.error().message));
  return prepared;
}

CqlResult<PreparedInfo> StatementExecutor::PrepareAllowed(const PrepareRequest& request,
                                                          const MessageContext& context) {
  const std::string_view keyspace = request.keyspace.value_or(context.client->keyspace);
  if (request.query.size() > kPreparedTextBytesMax) {
    return Invalid(
        fmt::format("A statement to be prepared may have at most {} bytes: bind its values instead "
                    "of writing them",
                    kPreparedTextBytesMax));
  }
  CQL_ASSIGN(const PlannedPtr planned, PlanFor(*context.client, request.query, keyspace));
  CQL_TRY(RequireAccess(parts_.access, *context.client, *planned));
  const auto entry = prepared_.Put(request.query, keyspace, planned);
  return PreparedInfo{entry->id, planned->variables, planned->partition_key_indexes,
                      planned->result};
}

void StatementExecutor::Execute(const ExecuteRequest& request, const MessageContext& context,
                                Done done) {
  const auto entry = prepared_.Find(request.id);
  if (entry == nullptr) return done(Outcome::Failed(Unprepared(request.id)));
  const RequestTrace trace(parts_.traces, parts_.rows.clock(), context,
                           {"QUERY", "Execute CQL3 prepared query", entry->text,
                            &request.parameters.context, request.parameters.page_rows});
  done = trace.Ending(std::move(done));
  auto planned = Refresh(*entry);
  if (!planned.has_value()) return done(Outcome::Failed(std::move(planned).error()));
  trace.Event("Executing the prepared statement");
  Start(*planned, /*is_prepared=*/true, request.parameters, context, std::move(done));
}

void StatementExecutor::Start(const PlannedPtr& planned, bool is_prepared,
                              const QueryParameters& parameters, const MessageContext& context,
                              Done done) {
  (is_prepared ? prepared_executed_ : plain_executed_).Add();
  if (auto allowed = RequireAccess(parts_.access, *context.client, *planned); !allowed.has_value())
    return done(Outcome::Failed(std::move(allowed).error()));
  if (may_meet_faults()) {
    const auto* batch = std::get_if<std::shared_ptr<const BatchPlan>>(&planned->plan);
    auto told = MeetFault(
        *parts_.faults,
        {.planned = *planned,
         .is_logged_batch = batch != nullptr && (*batch)->kind == ast::BatchKind::kLogged,
         .consistency = parameters.context.consistency},
        std::move(done));
    if (!told.has_value()) return;
    done = *std::move(told);
  }
  std::vector<BoundValue> reordered;
  auto values = ArrangeValues(parameters.values, parameters.names, planned->variable_names,
                              is_prepared, reordered);
  if (!values.has_value()) return done(Outcome::Failed(std::move(values).error()));
  if (parameters.names.empty()) return Run(planned, parameters, context, std::move(done));
  QueryParameters arranged = parameters;
  arranged.values = std::move(reordered);
  arranged.names.clear();
  Run(planned, arranged, context, std::move(done));
}

void StatementExecutor::Run(const PlannedPtr& planned, const QueryParameters& parameters,
                            const MessageContext& context, Done done) {
  if (const auto* select = std::get_if<SelectPlanPtr>(&planned->plan)) {
    if (auto fits = CheckReadConsistency(parameters.context.consistency); !fits.has_value())
      return done(Outcome::Failed(std::move(fits).error()));
    return RunSelect(*select, *planned, parameters, context, std::move(done));
  }
  if (const auto* plan = std::get_if<ModificationPlanPtr>(&planned->plan))
    return RunModification(planned, *plan, parameters, std::move(done));
  if (const auto* batch = std::get_if<std::shared_ptr<const BatchPlan>>(&planned->plan))
    return RunBatch(planned, *batch, parameters, std::move(done));
  RunTree(planned, context.client, context.payload, std::move(done));
}

void StatementExecutor::RunSelect(const SelectPlanPtr& select, const PlannedStatement& planned,
                                  const QueryParameters& parameters, const MessageContext& message,
                                  Done done) {
  if (!retry_.enabled()) {
    return selects_.Run(
        {select, planned.result, planned.schema, message.client, parameters, message.request},
        std::move(done));
  }
  auto kept = std::make_shared<KeptParameters>(parameters);
  retry_.Run(
      [this, select, shape = planned.result, schema = planned.schema, client = message.client,
       context = message.request, kept](Done tried) {
        selects_.Run({select, shape, schema, client, kept->parameters(), context},
                     std::move(tried));
      },
      {.is_write = false, .consistency = parameters.context.consistency}, std::move(done));
}

CqlResult<WrittenStatement> StatementExecutor::Bind(ModificationPlanPtr plan,
                                                    std::span<const BoundValue> values) const {
  FunctionContext functions{parts_.rows.clock().Now(), parts_.uuids};
  Evaluation evaluation;
  evaluation.values = values;
  evaluation.functions = &functions;
  CQL_ASSIGN(BoundModification bound, BindModification(*plan, evaluation));
  return WrittenStatement{std::move(plan), std::move(bound), std::nullopt};
}

void StatementExecutor::RunModification(const PlannedPtr& planned, const ModificationPlanPtr& plan,
                                        const QueryParameters& parameters, Done done) {
  // The plan is the planned statement's: a copy would cost every thread that runs it at once.
  const auto write = [this, plan = &plan](std::span<const BoundValue> values,
                                          const StatementContext& context, Done finished) {
    CqlResult<std::vector<WrittenStatement>> statements;
    auto bound = Bind(*plan, values);
    if (bound.has_value()) {
      statements->push_back(*std::move(bound));
    } else {
      statements = std::unexpected(std::move(bound).error());
    }
    Write(WriteKind::kStatement, std::move(statements), context, std::move(finished));
  };
  const bool calls_functions = !planned->called.empty();
  RunBound(
      parts_.rows.io_pool(),
      {parameters.values, parameters.context, calls_functions, calls_functions ? planned : nullptr},
      write, std::move(done));
}

CqlResult<std::vector<WrittenStatement>> StatementExecutor::BindBatch(
    const BatchPlan& plan, std::span<const BoundValue> values) const {
  CQL_TRY(CheckBatch(KindOf(plan.kind), plan.statements, plan.attributes.timestamp != nullptr,
                     plan.attributes.ttl != nullptr));
  std::vector<WrittenStatement> statements;
  for (const ModificationPlanPtr& each : plan.statements) {
    CQL_ASSIGN(WrittenStatement statement, Bind(each, values));
    statements.push_back(std::move(statement));
  }
  return statements;
}

void StatementExecutor::RunBatch(const PlannedPtr& planned,
                                 const std::shared_ptr<const BatchPlan>& plan,
                                 const QueryParameters& parameters, Done done) {
  const auto write = [this, plan](std::span<const BoundValue> values, StatementContext context,
                                  Done finished) {
    Evaluation evaluation;
    evaluation.values = values;
    auto attributes = BindAttributes(plan->attributes, evaluation);
    if (!attributes.has_value()) return finished(Outcome::Failed(std::move(attributes).error()));
    if (attributes->timestamp_us.has_value()) context.timestamp_us = attributes->timestamp_us;
    Write(KindOf(plan->kind), BindBatch(*plan, values), context, std::move(finished));
  };
  RunBound(parts_.rows.io_pool(), {parameters.values, parameters.context, !planned->called.empty()},
           write, std::move(done));
}

CqlResult<std::vector<StatementExecutor::BatchPart>> StatementExecutor::PlanBatch(
    const BatchRequest& request, const MessageContext& context) {
  const std::string_view keyspace = request.context.keyspace.value_or(context.client->keyspace);
  std::vector<BatchPart> parts;
  parts.reserve(request.statements.size());
  for (const BatchStatement& each : request.statements) {
    BatchPart part{nullptr, each.values_begin, each.values_count};
    if (each.prepared) {
      const auto entry = prepared_.Find(each.query_or_id);
      if (entry == nullptr) return std::unexpected(Unprepared(each.query_or_id));
      CQL_ASSIGN(part.planned, Refresh(*entry));
    } else {
      CQL_ASSIGN(part.planned, PlanFor(*context.client, each.query_or_id, keyspace));
    }
    if (!std::holds_alternative<ModificationPlanPtr>(part.planned->plan)) {
      return Invalid(
          "Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.");
    }
    CQL_TRY(RequireAccess(parts_.access, *context.client, *part.planned));
    std::vector<BoundValue> reordered;  // nothing: values of a batch have no names
    CQL_TRY(ArrangeValues(request.ValuesOf(each), {}, part.planned->variable_names, each.prepared,
                          reordered));
    parts.push_back(std::move(part));
  }
  return parts;
}

CqlResult<std::vector<WrittenStatement>> StatementExecutor::BindBatch(
    WriteKind kind, std::span<const BatchPart> parts, std::span<const BoundValue> values) const {
  std::vector<ModificationPlanPtr> plans;
  std::vector<WrittenStatement> statements;
  for (const BatchPart& part : parts) {
    plans.push_back(std::get<ModificationPlanPtr>(part.planned->plan));
    CQL_ASSIGN(WrittenStatement statement,
               Bind(plans.back(), values.subspan(part.values_begin, part.values_count)));
    statements.push_back(std::move(statement));
  }
  CQL_TRY(CheckBatch(kind, plans, /*with_timestamp=*/false, /*with_ttl=*/false));
  return statements;
}

void StatementExecutor::Batch(const BatchRequest& request, const MessageContext& context,
                              Done done) {
  if (!IsLarge(request)) return BatchHere(request, context, std::move(done));
  const auto kept = std::make_shared<KeptBatch>(request, context);
  const auto shared = std::make_shared<Done>(std::move(done));
  const bool is_taken = parts_.rows.io_pool().Submit([this, kept, shared] {
    if (const Status wanted = kept->context().request.Check(); !wanted.has_value())
      return (*shared)(Outcome::Failed(ToCqlError(wanted.error())));
    BatchHere(kept->request(), kept->context(), std::move(*shared));
  });
  if (!is_taken) (*shared)(Outcome::Failed(Busy()));
}

void StatementExecutor::BatchHere(const BatchRequest& request, const MessageContext& context,
                                  Done done) {
  const RequestTrace trace(parts_.traces, parts_.rows.clock(), context,
                           {"QUERY", "Execute batch of CQL3 queries", {}, &request.context, {}});
  done = trace.Ending(std::move(done));
  auto parts = PlanBatch(request, context);
  if (!parts.has_value()) return done(Outcome::Failed(std::move(parts).error()));
  if (may_meet_faults() && !parts->empty()) {
    auto told = MeetFault(*parts_.faults,
                          {.planned = *parts->front().planned,
                           .is_batch = true,
                           .is_logged_batch = request.type == BatchType::kLogged,
                           .consistency = request.context.consistency},
                          std::move(done));
    if (!told.has_value()) return;
    done = *std::move(told);
  }
  const bool calls_functions = std::ranges::any_of(
      *parts, [](const BatchPart& part) { return !part.planned->called.empty(); });
  const auto write = [this, kind = KindOf(request.type), parts = *std::move(parts)](
                         std::span<const BoundValue> values, const StatementContext& given,
                         Done finished) {
    Write(kind, BindBatch(kind, parts, values), given, std::move(finished));
  };
  RunBound(parts_.rows.io_pool(), {request.values, request.context, calls_functions}, write,
           std::move(done));
}

void StatementExecutor::Write(WriteKind kind, CqlResult<std::vector<WrittenStatement>> statements,
                              const StatementContext& context, Done done) const {
  if (!statements.has_value()) return done(Outcome::Failed(std::move(statements).error()));
  if (statements->empty()) return done(Outcome{});
  bool conditional = false;
  for (const WrittenStatement& each : *statements)
    conditional = conditional || each.plan->is_conditional();
  auto fits = CheckWriteConsistency(context, conditional);
  if (fits.has_value() && conditional) fits = CheckConditions(*statements);
  if (!fits.has_value()) return done(Outcome::Failed(std::move(fits).error()));
  WriteContext write;
  write.consistency = context.consistency;
  write.timestamp_us = context.timestamp_us;
  if (context.now_in_seconds.has_value())
    write.now_s = static_cast<uint32_t>(*context.now_in_seconds);
  if (!retry_.enabled()) return writes_.Run(kind, *std::move(statements), write, std::move(done));
  retry_.Run([this, kind, kept = *std::move(statements),
              write](Done tried) { writes_.Run(kind, kept, write, std::move(tried)); },
             {.is_write = true, .consistency = context.consistency}, std::move(done));
}

}  // namespace orrery::cassandra
