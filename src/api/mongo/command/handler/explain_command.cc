// explain of find, count, distinct, aggregate, update, delete and findAndModify.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/mongo/command/aggregate_run.h"
#include "api/mongo/command/command_table.h"
#include "api/mongo/command/explain.h"
#include "api/mongo/command/explain_plan.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/find_arguments.h"
#include "api/mongo/command/query_arguments.h"
#include "api/mongo/command/write_reply.h"
#include "api/mongo/language/pipeline/pipeline.h"

namespace orrery::mongo {
namespace {

enum class Verbosity : uint8_t { kPlanner, kStats, kAllPlans };

Answer<Verbosity> ReadVerbosity(const Fields& fields) {
  MONGO_ASSIGN(const std::optional<std::string> text, fields.Text("verbosity"));
  if (!text.has_value() || *text == "allPlansExecution") return Verbosity::kAllPlans;
  if (*text == "executionStats") return Verbosity::kStats;
  if (*text == "queryPlanner") return Verbosity::kPlanner;
  return Refuse(ErrorCode::kBadValue,
                fmt::format("Enumeration value '{}' for field 'explain.verbosity' is not a valid "
                            "value.",
                            *text));
}

// Reads all rows and counts them.
Outcome Consume(CommandContext& context, RowSource& rows, const std::shared_ptr<RunState>& state,
                ExplainRun& run) {
  const Micros started = context.services.clock.Monotonic();
  while (true) {
    MONGO_ASSIGN(const std::optional<Row> row, rows.Next());
    if (!row.has_value()) break;
    ++run.returned;
  }
  run.duration_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                        context.services.clock.Monotonic() - started)
                        .count();
  run.state = *state;
  context.charge += state->charge;
  return {};
}

std::shared_ptr<RunState> NewState(const CommandContext& context) {
  auto state = std::make_shared<RunState>();
  Attach(*state, context);
  return state;
}

Answer<ExplainRun> RunFind(CommandContext& context, const FindRequest& request) {
  ExplainRun run;
  if (request.collection == nullptr) return run;
  const std::shared_ptr<RunState> state = NewState(context);
  const std::unique_ptr<RowSource> rows = OpenFind(context.services.gateway, request, state);
  MONGO_TRY(Consume(context, *rows, state, run));
  return run;
}

// The part of every answer that is Orrery's own: the partitions that are read, and what running it
// cost.
void AppendOrrery(model::DocumentBuilder& reply, const ExplainPlan& plan, const ExplainRun* run) {
  reply.OpenObject("orrery");
  AppendCount(reply, "partitions", static_cast<int64_t>(plan.partitions()));
  if (run != nullptr) reply.AppendDouble("requestCharge", run->state.charge.ToDouble());
  reply.Close();
}

void AppendTail(const CommandContext& context, model::DocumentView command,
                model::DocumentBuilder& reply) {
  reply.AppendDocument("command", command);
  reply.OpenObject("serverInfo").AppendString("host", context.client->local);
  reply.AppendString("version", kMongoVersion);
  reply.AppendString("gitVersion", "orrery-" + context.services.options.server_version).Close();
}

CommandReply ExplainQuery(CommandContext& context, model::DocumentView command,
                          const ExplainedQuery& query, Verbosity verbosity,
                          const std::optional<ExplainRun>& run) {
  const ExplainPlan plan(context.services.gateway, query);
  model::DocumentBuilder reply;
  reply.AppendString("explainVersion", "1");
  plan.AppendPlanner(reply);
  if (run.has_value()) plan.AppendStats(reply, *run, verbosity == Verbosity::kAllPlans);
  AppendOrrery(reply, plan, run.has_value() ? &*run : nullptr);
  AppendTail(context, command, reply);
  return reply;
}

std::optional<model::DocumentView> ObjectIn(model::DocumentView body, std::string_view name) {
  const auto found = body.Find(name);
  if (!found.has_value() || found->kind() != model::Kind::kObject || found->AsDocument().empty())
    return std::nullopt;
  return found->AsDocument();
}

Answer<Namespace> CollectionNamed(const CommandContext& context, model::DocumentView command) {
  const model::ElementView target = *command.begin();
  if (target.kind() != model::Kind::kString) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("collection name has invalid type {}", TypeNameOf(target)));
  }
  Namespace name{context.database(), std::string(target.AsString())};
  MONGO_TRY(CheckCollectionName(name));
  return name;
}

CommandReply ExplainStages(CommandContext& context, model::DocumentView command,
                           AggregateArguments arguments, Verbosity verbosity) {
  MONGO_ASSIGN(const PipelinePtr pipeline, Pipeline::Parse(arguments.pipeline, arguments.query));
  const PipelinePrefix& prefix = pipeline->prefix();
  ExplainedQuery query{.name = arguments.read_name};
  if (!pipeline->makes_its_input())
    query.request.collection = context.services.collections.Find(arguments.read_name);
  query.request.context = arguments.query;
  query.request.filter = prefix.filter;
  query.request.sort = prefix.sort;
  query.request.skip = static_cast<uint64_t>(prefix.skip);
  if (prefix.limit.has_value()) query.request.limit = static_cast<uint64_t>(*prefix.limit);
  query.request.hint = arguments.hint;
  if (prefix.filter != nullptr) query.filter = prefix.filter->filter();
  for (size_t i = 0; i < prefix.stages; ++i) {
    if (const auto sort = ObjectIn(arguments.pipeline[i], "$sort")) query.sort = sort;
  }
  std::optional<ExplainRun> run;
  if (verbosity != Verbosity::kPlanner) {
    if (pipeline->target().has_value()) {
      return Refuse(ErrorCode::kInvalidOptions,
                    "A pipeline that writes can only be explained with verbosity 'queryPlanner'");
    }
    MONGO_ASSIGN(run, RunFind(context, query.request));
  }
  if (prefix.stages == pipeline->size())
    return ExplainQuery(context, command, query, verbosity, run);
  const ExplainPlan plan(context.services.gateway, query);
  model::DocumentBuilder reply;
  reply.AppendString("explainVersion", "1").OpenArray("stages");
  reply.OpenObject("0").OpenObject("$cursor");
  plan.AppendPlanner(reply);
  if (run.has_value()) plan.AppendStats(reply, *run, verbosity == Verbosity::kAllPlans);
  reply.Close();
  if (run.has_value()) AppendCount(reply, "nReturned", run->returned);
  reply.Close();
  size_t number = 1;
  for (size_t i = prefix.stages; i < arguments.pipeline.size(); ++i)
    reply.AppendDocument(std::to_string(number++), arguments.pipeline[i]);
  reply.Close();
  AppendOrrery(reply, plan, run.has_value() ? &*run : nullptr);
  AppendTail(context, command, reply);
  return reply;
}

CommandReply ExplainFind(CommandContext& context, model::DocumentView command,
                         Verbosity verbosity) {
  MONGO_ASSIGN(const Namespace name, CollectionNamed(context, command));
  MONGO_ASSIGN(FindArguments arguments, ReadFind(context, command, name));
  if (arguments.view_pipeline.has_value()) {
    return ExplainStages(context, command,
                         {.name = name,
                          .read_name = arguments.read_name,
                          .pipeline = *std::move(arguments.view_pipeline),
                          .query = arguments.request.context},
                         verbosity);
  }
  ExplainedQuery query{.name = name, .request = std::move(arguments.request)};
  query.filter = ObjectIn(command, "filter").value_or(model::DocumentView());
  query.sort = ObjectIn(command, "sort");
  query.projection = ObjectIn(command, "projection");
  std::optional<ExplainRun> run;
  if (verbosity != Verbosity::kPlanner) {
    MONGO_ASSIGN(run, RunFind(context, query.request));
  }
  return ExplainQuery(context, command, query, verbosity, run);
}

// count and distinct: the query that they read by.
CommandReply ExplainRead(CommandContext& context, model::DocumentView command,
                         std::string_view top_stage, Verbosity verbosity) {
  MONGO_ASSIGN(const Namespace name, CollectionNamed(context, command));
  MONGO_TRY(context.services.collections.RefuseView(name));
  const Fields fields(command, "explain");
  ExplainedQuery query{.name = name};
  query.request.collection = context.services.collections.Find(name);
  MONGO_ASSIGN(query.request.context, ContextOf(context, fields, query.request.collection.get()));
  MONGO_ASSIGN(const auto filter, fields.Object("query"));
  MONGO_ASSIGN(query.request.filter, FilterOf(filter, query.request.context));
  MONGO_ASSIGN(query.request.hint, HintOf(command, query.request.collection.get()));
  if (top_stage == "COUNT") {
    MONGO_ASSIGN(const std::optional<int64_t> limit, fields.Integer("limit"));
    MONGO_ASSIGN(const std::optional<int64_t> skip, fields.Count("skip"));
    if (limit.value_or(0) != 0) query.request.limit = static_cast<uint64_t>(std::abs(*limit));
    query.request.skip = static_cast<uint64_t>(skip.value_or(0));
  }
  query.filter = filter.value_or(model::DocumentView());
  query.top_stage = top_stage;
  std::optional<ExplainRun> run;
  if (verbosity != Verbosity::kPlanner) {
    MONGO_ASSIGN(run, RunFind(context, query.request));
    if (top_stage == "COUNT") {
      model::DocumentBuilder fields_of_count;
      AppendCount(fields_of_count, "nCounted", run->returned);
      query.top_fields = std::move(fields_of_count).Finish();
      run->returned = 0;
    }
  }
  return ExplainQuery(context, command, query, verbosity, run);
}

// update, delete and findAndModify: the query that finds what they would change. Nothing is.
CommandReply ExplainWrite(CommandContext& context, model::DocumentView command,
                          std::string_view name_of_command, Verbosity verbosity) {
  MONGO_ASSIGN(const Namespace name, CollectionNamed(context, command));
  MONGO_TRY(context.services.collections.RefuseView(name));
  model::DocumentView statement = command;
  std::string_view filter_field = "query";
  bool is_multi = false;
  const bool is_list = name_of_command != "findAndModify";
  if (is_list) {
    const auto list = command.Find(name_of_command == "update" ? "updates" : "deletes");
    if (!list.has_value() || list->kind() != model::Kind::kArray ||
        std::distance(list->AsDocument().begin(), list->AsDocument().end()) != 1 ||
        (*list->AsDocument().begin()).kind() != model::Kind::kObject) {
      return Refuse(ErrorCode::kInvalidLength, "explained write batches must be of size 1");
    }
    statement = (*list->AsDocument().begin()).AsDocument();
    filter_field = "q";
    const auto multi = statement.Find("multi");
    const auto limit = statement.Find("limit");
    is_multi = (multi.has_value() && AsFlag(*multi).value_or(false)) ||
               (limit.has_value() && AsWhole(*limit) == 0);
  }
  const Fields fields(statement, "explain", Fields::Of::kPart);
  ExplainedQuery query{.name = name};
  query.request.collection = context.services.collections.Find(name);
  MONGO_ASSIGN(query.request.context, ContextOf(context, fields, query.request.collection.get()));
  MONGO_ASSIGN(const auto filter, fields.Object(filter_field));
  MONGO_ASSIGN(query.request.filter, FilterOf(filter, query.request.context));
  MONGO_ASSIGN(query.request.hint, HintOf(statement, query.request.collection.get()));
  if (!is_list) {
    MONGO_ASSIGN(const auto sort, fields.Object("sort"));
    if (sort.has_value() && !sort->empty()) {
      MONGO_ASSIGN(query.request.sort, SortPattern::Parse(*sort));
      query.sort = sort;
    }
  }
  if (!is_multi) query.request.limit = 1;
  const auto removes = statement.Find("remove");
  const bool is_delete =
      name_of_command == "delete" || (removes.has_value() && AsFlag(*removes).value_or(false));
  query.top_stage = is_delete ? "DELETE" : "UPDATE";
  query.filter = filter.value_or(model::DocumentView());
  std::optional<ExplainRun> run;
  if (verbosity != Verbosity::kPlanner) {
    MONGO_ASSIGN(run, RunFind(context, query.request));
    model::DocumentBuilder counts;
    AppendCount(counts, is_delete ? "nWouldDelete" : "nMatched", run->returned);
    query.top_fields = std::move(counts).Finish();
    run->returned = 0;
  }
  return ExplainQuery(context, command, query, verbosity, run);
}

CommandReply Explain(CommandContext& context) {
  const Fields fields(context.body(), "explain");
  MONGO_TRY(fields.CheckKnown({"verbosity"}));
  MONGO_ASSIGN(const Verbosity verbosity, ReadVerbosity(fields));
  const model::ElementView target = context.command.target();
  if (target.kind() != model::Kind::kObject || target.AsDocument().empty()) {
    return Refuse(ErrorCode::kTypeMismatch,
                  fmt::format("BSON field 'explain.explain' is the wrong type '{}', expected type "
                              "'object'",
                              TypeNameOf(target)));
  }
  const model::DocumentView command = target.AsDocument();
  const std::string name((*command.begin()).name());
  if (name == "find") return ExplainFind(context, command, verbosity);
  if (name == "count") return ExplainRead(context, command, "COUNT", verbosity);
  if (name == "distinct") return ExplainRead(context, command, "", verbosity);
  if (name == "update" || name == "delete") return ExplainWrite(context, command, name, verbosity);
  if (name == "findAndModify" || name == "findandmodify")
    return ExplainWrite(context, command, "findAndModify", verbosity);
  if (name == "aggregate") {
    MONGO_ASSIGN(AggregateArguments arguments, ReadAggregate(context, command));
    return ExplainStages(context, command, std::move(arguments), verbosity);
  }
  return Refuse(ErrorCode::kCommandNotFound,
                fmt::format("Explain failed due to unknown command: {}", name));
}

}  // namespace

CommandReply ExplainAggregate(CommandContext& context, AggregateArguments arguments) {
  return ExplainStages(context, context.body(), std::move(arguments), Verbosity::kPlanner);
}

std::vector<CommandEntry> ExplainCommands() {
  return {{.name = "explain", .action = Action::kRead, .handler = Explain}};
}

}  // namespace orrery::mongo
