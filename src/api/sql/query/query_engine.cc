#include "api/sql/query/query_engine.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "api/sql/evaluate/node/nodes.h"
#include "api/sql/parser/parser.h"
#include "api/sql/query/bind/query_binder.h"
#include "api/sql/query/index/access_path.h"
#include "api/sql/query/plan/query_plan.h"
#include "api/sql/query/position/query_token.h"
#include "api/sql/query/query_hash.h"
#include "api/sql/query/query_random.h"
#include "api/sql/query/run/page_run.h"
#include "api/sql/query/source/gateway_source.h"
#include "api/sql/query/source/scan_plan.h"
#include "gateway/position/session_token.h"

namespace orrery::sql {
namespace {

struct Compiled {
  ast::Query tree;
  BoundQuery query;
};

std::expected<Compiled, QueryFailure> Compile(const QueryBindContext& context) {
  Parsed<ast::Query> tree = ParseQuery(context.text);
  if (!tree.has_value()) return std::unexpected(QueryFailure(std::move(tree).error()));
  Parsed<BoundQuery> bound = BindQuery(*tree, context);
  if (!bound.has_value()) return std::unexpected(QueryFailure(std::move(bound).error()));
  return Compiled{*std::move(tree), *std::move(bound)};
}

std::vector<partition::HashRange> PartitionsOf(const gateway::Gateway& gateway,
                                               const gateway::ContainerEntry& container) {
  std::vector<partition::HashRange> ranges;
  const auto topology = gateway.node().topology();
  for (const auto& entry : topology->map->Ranges(container.id)) ranges.push_back(entry.range);
  return ranges;
}

std::string SessionText(const std::vector<gateway::SessionPosition>& positions) {
  std::string text;
  for (const gateway::SessionPosition& position : positions)
    gateway::AppendSessionPosition(text, position);
  return text;
}

// One Run, after the query is compiled.
class QueryRun {
 public:
  QueryRun(gateway::Gateway& gateway, const FunctionRegistry& functions, const Clock& clock,
           const QueryLimits& limits, const QueryRequest& request, const Compiled& compiled)
      : gateway_(gateway), limits_(limits), request_(request), compiled_(compiled), clock_(clock) {
    path_ = ChooseAccessPath(compiled.tree, *request.container->schema, request.partition_key,
                             {.text = request.text,
                              .parameters = request.parameters,
                              .functions = functions,
                              .order = request.container->schema->order});
    kind_ = RunKindOf(compiled.query, path_.is_ordered);
    rows_max_ = request.max_items <= 0 ? limits.page_rows_default
                                       : std::min<size_t>(static_cast<size_t>(request.max_items),
                                                          limits.page_rows_max);
  }

  Result<QueryPage> Run() {
    const uint64_t hash = HashOf(request_);
    std::optional<QueryToken> token;
    if (!request_.continuation.empty()) {
      ORRERY_ASSIGN(token, DecodeQueryToken(request_.continuation, hash));
    }
    std::unique_ptr<GatewaySource> source;
    if (ReaderOf(compiled_.tree) != nullptr) {
      ORRERY_ASSIGN(source, OpenSource(token));
    }
    QueryRandom random(clock_.Now());
    const CallContext calls{clock_, random, clock_.Now()};
    const std::vector<const model::Value*> slots(compiled_.query.slot_count, &node::kUndefined);
    const Frame frame{slots, calls, request_.user_functions};
    ORRERY_ASSIGN(PageOfRows rows, MakePage({.query = compiled_.query,
                                             .frame = frame,
                                             .documents = source.get(),
                                             .limits = limits_,
                                             .rows_max = rows_max_,
                                             .query_hash = hash},
                                            token));
    QueryPage page;
    page.metrics.output_rows = rows.rows.size();
    page.metrics.output_bytes = rows.bytes;
    page.metrics.used_index = path_.uses_index();
    page.rows = std::move(rows.rows);
    if (rows.next.has_value()) page.continuation = EncodeQueryToken(*rows.next);
    if (source != nullptr) {
      const SourceMetrics& metrics = source->metrics();
      page.charge = metrics.charge;
      page.session = SessionText(metrics.session);
      page.metrics.looked_at = metrics.looked_at;
      page.metrics.retrieved_documents = metrics.documents;
      page.metrics.retrieved_bytes = metrics.bytes;
    }
    return page;
  }

 private:
  Result<std::unique_ptr<GatewaySource>> OpenSource(const std::optional<QueryToken>& token) const {
    std::optional<ScanPosition> resume;
    if (token.has_value() && kind_ == RunKind::kDocuments) {
      const auto* state = std::get_if<DocumentState>(&token->state);
      if (state == nullptr) return ForeignToken();
      ORRERY_ASSIGN(resume, DecodePosition(state->position));
    }
    ORRERY_ASSIGN(std::vector<ScanStream> streams,
                  PlanScans(path_,
                            {.partition_key = request_.partition_key,
                             .range = request_.range,
                             .session = request_.session},
                            *request_.container->schema,
                            PartitionsOf(gateway_, *request_.container), resume));
    const bool may_pause = kind_ == RunKind::kDocuments;
    const uint64_t limit = compiled_.query.limit.value_or(UINT64_MAX);
    const size_t wanted = std::min<uint64_t>(rows_max_, limit) + compiled_.query.offset;
    return std::make_unique<GatewaySource>(
        GatewaySource::Parts{
            .gateway = gateway_,
            .container = request_.container,
            .path = path_,
            .seen = SeenPropertiesOf(compiled_.tree),
            .rows_wanted = may_pause ? wanted : SIZE_MAX,
            .looked_at_max = may_pause ? limits_.looked_at_max : 0,
            .bytes_per_scan = limits_.page_bytes_max / std::max<size_t>(streams.size(), 1) + 1},
        std::move(streams));
  }

  Result<PageOfRows> MakePage(const PageContext& context,
                              const std::optional<QueryToken>& token) const {
    switch (kind_) {
      case RunKind::kDocuments:
        return RunDocuments(context, token);
      case RunKind::kSorted:
        if (token.has_value() && !std::holds_alternative<SortState>(token->state))
          return ForeignToken();
        return RunSorted(context, token);
      case RunKind::kWhole:
        break;
    }
    if (token.has_value() && !std::holds_alternative<WholeState>(token->state))
      return ForeignToken();
    return RunWhole(context, token);
  }

  // An index may have come or gone since the token was made.
  static std::unexpected<Error> ForeignToken() {
    return Fail(Code::kInvalidArgument,
                "the continuation token cannot be used: the query is executed in another way now");
  }

  gateway::Gateway& gateway_;
  const QueryLimits& limits_;
  const QueryRequest& request_;
  const Compiled& compiled_;
  const Clock& clock_;
  AccessPath path_;
  RunKind kind_ = RunKind::kWhole;
  size_t rows_max_ = 0;
};

}  // namespace

std::expected<QueryPage, QueryFailure> QueryEngine::Run(const QueryRequest& request) const {
  const Micros start = clock_.Monotonic();
  const auto compiled = Compile({.text = request.text,
                                 .parameters = request.parameters,
                                 .functions = functions_,
                                 .limits = limits_});
  if (!compiled.has_value()) return std::unexpected(compiled.error());
  const Micros bound = clock_.Monotonic();
  QueryRun run(gateway_, functions_, clock_, limits_, request, *compiled);
  Result<QueryPage> page = run.Run();
  if (!page.has_value()) return std::unexpected(QueryFailure(std::move(page).error()));
  page->metrics.compile_time = bound - start;
  page->metrics.total_time = clock_.Monotonic() - start;
  return *std::move(page);
}

std::expected<std::string, QueryFailure> QueryEngine::Plan(
    std::string_view text, const Parameters& parameters,
    const gateway::ContainerEntry& container) const {
  const QueryBindContext context{
      .text = text, .parameters = parameters, .functions = functions_, .limits = limits_};
  const auto compiled = Compile(context);
  if (!compiled.has_value()) return std::unexpected(compiled.error());
  Result<std::string> plan = MakeQueryPlan(text, compiled->query, context, *container.schema);
  if (!plan.has_value()) return std::unexpected(QueryFailure(std::move(plan).error()));
  return *std::move(plan);
}

}  // namespace orrery::sql
