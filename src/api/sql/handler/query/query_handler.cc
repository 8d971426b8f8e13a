#include "api/sql/handler/query/query_handler.h"

#include <chrono>
#include <utility>

#include "api/sql/container/container_form.h"
#include "api/sql/document/container_names.h"
#include "api/sql/handler/finder.h"
#include "api/sql/handler/query/client_merge.h"
#include "api/sql/handler/query/continuation_text.h"
#include "api/sql/handler/query/index_metrics.h"
#include "api/sql/handler/query/query_error_response.h"
#include "api/sql/range/request_range.h"
#include "api/sql/request/partition_key_text.h"
#include "api/sql/script/function/query_functions.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

constexpr std::string_view kDisabled =
    "Cross partition query is required but disabled. Please set "
    "x-ms-documentdb-query-enablecrosspartition to true, specify x-ms-documentdb-partitionkey, or "
    "revise your query to avoid this exception.";

// Of one page; clients wait as long, by default. Pages that can be cut end before (RunLimits).
constexpr std::chrono::seconds kPageTimeout{60};

class Queries {
 public:
  explicit Queries(const HandlerParts& parts) : parts_(parts) {}

  SqlResult<Reply> Run(const Call& call) const {
    const VisitTally::Scope visits(call.visits);
    SQL_ASSIGN(const auto found,
               Finder(parts_.gateway.catalog()).Container(call.path, call.headers));
    SQL_ASSIGN(QueryRequest request, RequestOf(call, found.container));
    if (parts_.clients_merge) SQL_TRY(CheckMerge(call.headers, request));
    SQL_ASSIGN(const ScriptSetRef scripts, parts_.scripts.Of(*found.container));
    QueryFunctions functions(parts_.functions, parts_.clock, found.container, scripts, {});
    request.user_functions = &functions;
    auto page = parts_.engine.Run(request);
    if (!page.has_value()) return std::unexpected(ErrorResponseOf(page.error()));
    if (!request.partition_key.has_value() && !request.range.has_value())
      page->continuation = WholeContinuation(page->continuation);
    return PageReply(call, *found.container, *std::move(page));
  }

  SqlResult<Reply> Plan(const Call& call) const {
    SQL_ASSIGN(const auto found,
               Finder(parts_.gateway.catalog()).Container(call.path, call.headers));
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(const QueryText query, QueryTextFrom(body));
    auto plan = parts_.engine.Plan({.text = query.text,
                                    .parameters = query.parameters,
                                    .computed = ComputedPropertiesOf(*found.container),
                                    .container = *found.container,
                                    .features = PlanFeatures::From(call.headers.plan_features),
                                    .vectors = VectorDefaultsOf(*found.container)});
    if (!plan.has_value()) return std::unexpected(ErrorResponseOf(plan.error()));
    Reply reply{.body = *std::move(plan)};
    AddOwner(reply, *found.container);
    return reply;
  }

 private:
  // Refuses, with the plan, what a client has to merge.
  SqlResult<void> CheckMerge(const RequestHeaders& headers, const QueryRequest& request) const {
    if (request.partition_key.has_value() || request.range.has_value()) return {};
    auto plan = parts_.engine.Plan({.text = request.text,
                                    .parameters = request.parameters,
                                    .computed = request.computed,
                                    .container = *request.container,
                                    .features = {.hybrid_search = true},
                                    .vectors = request.vectors});
    if (!plan.has_value()) return std::unexpected(ErrorResponseOf(plan.error()));
    SQL_ASSIGN(const model::Value json, model::ValueFromJson(*plan));
    if (IsOfOneKey(json)) return {};
    if (!headers.cross_partition) return Refuse(400, std::string(kDisabled));
    if (!NeedsMerge(json)) return {};
    return std::unexpected<ErrorResponse>(
        Failure{.status = 400,
                .substatus = Substatus::kCrossPartitionQueryNotServable,
                .message = "Cross partition query only supports rows that are one partition's "
                           "after the other's. The provided cross partition query can not be "
                           "directly served by the gateway: its rows must be merged by the "
                           "client, as its plan says.",
                .plan = *std::move(plan)});
  }

  SqlResult<QueryRequest> RequestOf(const Call& call,
                                    const gateway::ContainerRef& container) const {
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(QueryText query, QueryTextFrom(body));
    QueryRequest request{.container = container,
                         .text = std::move(query.text),
                         .parameters = std::move(query.parameters),
                         .computed = ComputedPropertiesOf(*container),
                         .vectors = VectorDefaultsOf(*container),
                         .continuation = TokenOfContinuation(call.headers.continuation),
                         .session = call.headers.session,
                         .wants_index_use = call.headers.index_metrics != IndexMetrics::kNone,
                         .context = call.context().Until(call.received + Micros(kPageTimeout))};
    if (call.headers.items_max.has_value())
      request.max_items = static_cast<int64_t>(*call.headers.items_max);
    // A partition key says more than a range, and may be all that the bearer of a token may see.
    if (call.headers.partition_key.has_value()) {
      if (call.headers.partition_key->empty() && container->settings.partition_key_paths.size() > 1)
        return Refuse(400, "The first values of a hierarchical partition key are one at least");
      request.partition_key = KeyFor(*container, *call.headers.partition_key);
      return request;
    }
    SQL_ASSIGN(request.range, RangeOfRequest(parts_.gateway, *container, call.headers));
    return request;
  }

  static Reply PageReply(const Call& call, const gateway::ContainerEntry& container,
                         QueryPage page) {
    FeedWriter writer(ContainerNames(container).rid(), "Documents");
    for (const std::string& row : page.rows) writer.Next() += row;
    Reply reply = std::move(writer).Finish();
    reply.charge = page.charge;
    reply.session = std::move(page.session);
    reply.continuation = std::move(page.continuation);
    AddOwner(reply, container);
    if (call.headers.query_metrics)
      reply.headers.Add("x-ms-documentdb-query-metrics", page.metrics.ToText());
    if (call.headers.index_metrics != IndexMetrics::kNone)
      reply.headers.Add("x-ms-cosmos-index-utilization",
                        IndexMetricsText(page.indexes, call.headers.index_metrics));
    return reply;
  }

  const HandlerParts parts_;
};

}  // namespace

void AddQueryHandlers(HandlerTable& table, const HandlerParts& parts) {
  const Queries queries(parts);
  ThreadPool& pool = parts.gateway.io_pool();
  table.AddBlocking(pool, ResourceType::kDocument, Action::kQuery,
                    [=](const Call& call) { return queries.Run(call); });
  table.AddBlocking(pool, ResourceType::kDocument, Action::kQueryPlan,
                    [=](const Call& call) { return queries.Plan(call); });
}

}  // namespace orrery::sql
