#include "api/sql/query/query_engine.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "api/sql/evaluate/node/nodes.h"
#include "api/sql/parser/print/print.h"
#include "api/sql/query/bind/grouping.h"
#include "api/sql/query/bind/order_direction.h"
#include "api/sql/query/bind/query_binder.h"
#include "api/sql/query/index/access_path.h"
#include "api/sql/query/position/query_token.h"
#include "api/sql/query/query_hash.h"
#include "api/sql/query/query_random.h"
#include "api/sql/query/run/page_run.h"
#include "api/sql/query/source/gateway_source.h"
#include "api/sql/query/source/key_gathering.h"
#include "api/sql/query/source/scan_plan.h"
#include "gateway/position/session_token.h"

namespace orrery::sql {
namespace {

// A page is begun again when a partition split under it; more often in a row is no accident.
constexpr int kRunsMax = 3;

bool IsMoved(const Result<QueryPage>& page) {
  return !page.has_value() && page.error().code() == Code::kMoved;
}

// Of such a query documents without a vector are wanted, too.
bool OrdersByVectorDistance(const ast::Query& query) {
  return query.order_by.has_value() && query.order_by->orderings.size() == 1 &&
         IsVectorDistance(query.order_by->orderings.front().value);
}

struct Compiled {
  ast::Query tree;
  BoundQuery query;
};

std::expected<Compiled, QueryFailure> Compile(const QueryBindContext& context,
                                              const item::ContainerSchema& schema) {
  Parsed<ast::Query> tree = ParseQueryWith(context.text, context.vectors);
  if (!tree.has_value()) return std::unexpected(QueryFailure(std::move(tree).error()));
  DropOrderOfOneRow(*tree, context.functions);
  Parsed<BoundQuery> bound = BindQuery(*tree, context);
  if (!bound.has_value()) return std::unexpected(QueryFailure(std::move(bound).error()));
  bound->orders_undefined =
      OrdersByVectorDistance(*tree) || OrdersUndefined(*tree, schema,
                                                       {.text = context.text,
                                                        .parameters = context.parameters,
                                                        .functions = context.functions,
                                                        .order = schema.order,
                                                        .computed = context.computed,
                                                        .schema = &schema});
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

// What the path says of documents that are in no order but their own.
QueryEngine::Wanted WantedBy(const AccessPath& path) {
  QueryEngine::Wanted wanted;
  if (path.row_key.has_value() && path.row_key->kind() == model::Kind::kString)
    wanted.id = path.row_key->AsString();
  if (path.index.has_value() && path.index->ranges.size() == 1 &&
      path.index->IsOneValue(path.index->ranges.front())) {
    const ValueRange& range = path.index->ranges.front();
    wanted.index = item::IndexRange{.index = path.index->index,
                                    .lower = range.lower,
                                    .upper = range.upper,
                                    .descending = false};
  }
  return wanted;
}

// One page, after the query is compiled.
class QueryRun {
 public:
  struct Parts {
    gateway::Gateway& gateway;
    const FunctionRegistry& functions;
    const Clock& clock;
    const QueryLimits& limits;
    const QueryRequest& request;
    const Compiled& compiled;
    const QueryEngine::OpenDocuments* open;  // null: through the gateway
  };

  explicit QueryRun(const Parts& parts) : parts_(parts), schema_(*parts.request.container->schema) {
    const QueryRequest& request = parts_.request;
    path_ = ChooseAccessPath(parts_.compiled.tree, schema_, request.partition_key, Predicates());
    if (parts_.open != nullptr) {
      wanted_ = WantedBy(path_);
      path_ = {};
    }
    // What is gathered to be put in order is documents.
    if (TiesAreByRid()) path_.entries.reset();
    kind_ = RunKindOf(parts_.compiled.query, path_.is_ordered);
    rows_max_ = request.max_items <= 0
                    ? parts_.limits.page_rows_default
                    : std::min(static_cast<size_t>(request.max_items), parts_.limits.page_rows_max);
  }

  Result<QueryPage> Run() {
    const uint64_t hash = QueryHash();
    std::optional<QueryToken> token;
    if (!parts_.request.continuation.empty()) {
      ORRERY_ASSIGN(token, DecodeQueryToken(parts_.request.continuation, hash));
      // What was sorted so far can be sorted further, whatever index there is now.
      if (IsInOrder() && std::holds_alternative<SortState>(token->state)) kind_ = RunKind::kSorted;
      if (!IsOfKind(token->state)) return ForeignToken();
    }
    QueryRandom random(parts_.clock.Now());
    const CallContext calls{parts_.clock, random, parts_.clock.Now()};
    std::optional<EntryJudge> judge;
    if (path_.entries.has_value()) judge.emplace(*path_.entries, schema_, Predicates(), calls);
    if (ReaderOf(parts_.compiled.tree) != nullptr)
      ORRERY_TRY(OpenSource(token, judge.has_value() ? &*judge : nullptr));

    const BoundQuery& query = parts_.compiled.query;
    const std::vector<const model::Value*> slots(query.slot_count, &node::kUndefined);
    const Frame frame{slots, calls, parts_.request.user_functions};
    const PageContext context{.query = query,
                              .frame = frame,
                              .documents = source_.get(),
                              .limits = parts_.limits,
                              .rows_max = rows_max_,
                              .query_hash = hash,
                              .is_merged = parts_.request.range.has_value()};
    ORRERY_ASSIGN(PageOfRows rows, RunPage(kind_, context, token));
    return PageOf(std::move(rows));
  }

 private:
  PredicateContext Predicates() const {
    return {.text = parts_.request.text,
            .parameters = parts_.request.parameters,
            .functions = parts_.functions,
            .order = schema_.order,
            .computed = parts_.request.computed,
            .schema = &schema_};
  }
  // A client that asks for one range merges it with others, and leaves out what it has had by value
  // and rid.
  bool TiesAreByRid() const {
    return parts_.request.range.has_value() && path_.is_ordered && path_.read_index() != nullptr;
  }
  // Whether tokens name a place in the order of ORDER BY.
  bool IsInOrder() const {
    return !parts_.compiled.query.order_by.empty() &&
           (kind_ == RunKind::kSorted || kind_ == RunKind::kDocuments);
  }
  // What a token must be of. A place among documents is one for every part of the ring: when a
  // partition splits, clients go on in each part from where the whole was. And one in the order is
  // for every WHERE: clients that merge partitions go on with a narrower one.
  uint64_t QueryHash() const {
    const QueryRequest& request = parts_.request;
    if (IsInOrder()) return HashOf(request, PrintQueryWithoutFilter(parts_.compiled.tree));
    return kind_ == RunKind::kDocuments ? HashOf(request, request.text)
                                        : HashWithRange(request, request.text);
  }
  bool IsOfKind(const decltype(QueryToken::state)& state) const {
    return (kind_ == RunKind::kDocuments && std::holds_alternative<DocumentState>(state)) ||
           (kind_ == RunKind::kSorted && std::holds_alternative<SortState>(state)) ||
           (kind_ == RunKind::kAggregate && std::holds_alternative<AggregateState>(state)) ||
           (kind_ == RunKind::kWhole && std::holds_alternative<WholeState>(state));
  }
  // An index may have come or gone since the token was made.
  static std::unexpected<Error> ForeignToken() {
    return Fail(Code::kInvalidArgument,
                "the continuation token cannot be used: the query is executed in another way now");
  }

  // Whether the first entry of an index is all that the query needs.
  bool HasOneEntry() const { return path_.entries.has_value() && path_.entries->is_one_entry; }

  Status OpenSource(const std::optional<QueryToken>& token, const EntryJudge* judge) {
    std::string_view position;
    if (token.has_value() && kind_ == RunKind::kDocuments)
      position = std::get<DocumentState>(token->state).position;
    if (token.has_value() && kind_ == RunKind::kAggregate)
      position = std::get<AggregateState>(token->state).position;
    if (parts_.open != nullptr) {
      ORRERY_ASSIGN(source_, (*parts_.open)(position, wanted_));
      return {};
    }
    std::optional<ScanPosition> resume;
    if (!position.empty()) {
      ORRERY_ASSIGN(resume, DecodePosition(position));
    }
    const QueryRequest& request = parts_.request;
    ORRERY_ASSIGN(std::vector<ScanStream> streams,
                  PlanScans(path_,
                            {.partition_key = request.partition_key,
                             .range = request.range,
                             .session = request.session,
                             .ties_by_rid = TiesAreByRid()},
                            schema_, PartitionsOf(parts_.gateway, *request.container), resume));
    GatewaySource::Parts parts = PartsOf(streams.size(), judge);
    if (!path_.any_of.empty()) {
      for (ScanStream& stream : streams) {
        ORRERY_ASSIGN(auto found, NarrowToFound(path_, stream, parts_.gateway, request.container,
                                                parts.rows_wanted, parts.before));
        if (!found.has_value()) {
          path_.any_of.clear();
          break;
        }
        stream = *std::move(found);
      }
    }
    auto source = std::make_unique<GatewaySource>(std::move(parts), std::move(streams));
    metrics_ = &source->metrics();
    source_ = std::move(source);
    return {};
  }

  GatewaySource::Parts PartsOf(size_t streams, const EntryJudge* judge) const {
    const BoundQuery& query = parts_.compiled.query;
    const uint64_t wanted =
        std::min<uint64_t>(rows_max_, query.limit.value_or(UINT64_MAX)) + query.offset;
    return {.gateway = parts_.gateway,
            .container = parts_.request.container,
            .path = path_,
            .seen = SeenPropertiesOf(parts_.compiled.tree, parts_.request.computed),
            .rows_wanted = HasOneEntry()                  ? 1
                           : kind_ == RunKind::kDocuments ? wanted
                                                          : SIZE_MAX,
            .looked_at_max = MayPause(kind_) ? parts_.limits.looked_at_max : 0,
            .debt_max = parts_.limits.debt_max,
            .bytes_per_scan = parts_.limits.page_bytes_max / std::max<size_t>(streams, 1) + 1,
            .ties_by_rid = TiesAreByRid(),
            .keys_by_rid = parts_.request.range.has_value(),
            .tie_bytes_max = parts_.limits.kept_bytes_max,
            .judge = judge};
  }

  // Documents of one partition key are found by it, as by an index.
  void AddKeyPaths(std::vector<std::string>& used) const {
    if (!parts_.request.partition_key.has_value()) return;
    const size_t given = parts_.request.partition_key->size();
    for (size_t i = 0; i < std::min(given, schema_.partition_key_paths.size()); ++i) {
      std::string path = schema_.partition_key_paths[i].ToString() + "/?";
      if (std::ranges::find(used, path) == used.end()) used.push_back(std::move(path));
    }
  }

  QueryPage PageOf(PageOfRows rows) const {
    QueryPage page;
    page.metrics.output_rows = rows.rows.size();
    page.metrics.output_bytes = rows.bytes;
    page.metrics.used_index =
        path_.uses_index() ||
        SeenPropertiesOf(parts_.compiled.tree, parts_.request.computed) == SeenProperties::kNothing;
    if (parts_.request.wants_index_use) {
      page.indexes = IndexUseOf(parts_.compiled.tree, path_, schema_, Predicates());
      AddKeyPaths(page.indexes.used);
    }
    page.rows = std::move(rows.rows);
    if (rows.next.has_value()) page.continuation = EncodeQueryToken(*rows.next);
    if (metrics_ == nullptr) return page;
    page.charge = metrics_->charge;
    page.session = SessionText(metrics_->session);
    page.metrics.looked_at = metrics_->looked_at;
    page.metrics.retrieved_documents = metrics_->documents;
    page.metrics.retrieved_bytes = metrics_->bytes;
    return page;
  }

  const Parts parts_;
  const item::ContainerSchema& schema_;
  AccessPath path_;
  QueryEngine::Wanted wanted_;  // of documents that are not the gateway's
  RunKind kind_ = RunKind::kWhole;
  size_t rows_max_ = 0;
  std::unique_ptr<DocumentSource> source_;
  const SourceMetrics* metrics_ = nullptr;  // the source's, when it is the gateway's
};

}  // namespace

std::expected<QueryPage, QueryFailure> QueryEngine::Run(const QueryRequest& request) const {
  return Execute(request, nullptr);
}

std::expected<QueryPage, QueryFailure> QueryEngine::RunOver(const QueryRequest& request,
                                                            const OpenDocuments& open) const {
  return Execute(request, &open);
}

std::expected<QueryPage, QueryFailure> QueryEngine::Execute(const QueryRequest& request,
                                                            const OpenDocuments* open) const {
  const Micros start = clock_.Monotonic();
  const auto compiled = Compile({.text = request.text,
                                 .parameters = request.parameters,
                                 .functions = functions_,
                                 .limits = limits_,
                                 .computed = request.computed,
                                 .vectors = request.vectors},
                                *request.container->schema);
  if (!compiled.has_value()) return std::unexpected(compiled.error());
  const Micros bound = clock_.Monotonic();
  const auto run = [&] {
    return QueryRun({.gateway = gateway_,
                     .functions = functions_,
                     .clock = clock_,
                     .limits = limits_,
                     .request = request,
                     .compiled = *compiled,
                     .open = open})
        .Run();
  };
  Result<QueryPage> page = run();
  for (int i = 1; i < kRunsMax && IsMoved(page); ++i) page = run();
  if (!page.has_value()) return std::unexpected(QueryFailure(std::move(page).error()));
  page->metrics.compile_time = bound - start;
  page->metrics.total_time = clock_.Monotonic() - start;
  return *std::move(page);
}

std::expected<std::string, QueryFailure> QueryEngine::Plan(const PlanRequest& request) const {
  Parameters parameters = request.parameters;
  parameters.AllowMissing();
  const QueryBindContext context{.text = request.text,
                                 .parameters = parameters,
                                 .functions = functions_,
                                 .limits = limits_,
                                 .computed = request.computed,
                                 .vectors = request.vectors};
  const item::ContainerSchema& schema = *request.container.schema;
  const auto compiled = Compile(context, schema);
  if (!compiled.has_value()) return std::unexpected(compiled.error());
  Result<std::string> plan = MakeQueryPlan(compiled->query, context, schema, request.features);
  if (!plan.has_value()) return std::unexpected(QueryFailure(std::move(plan).error()));
  return *std::move(plan);
}

}  // namespace orrery::sql
