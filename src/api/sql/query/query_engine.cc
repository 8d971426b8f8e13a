#include "api/sql/query/query_engine.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "api/sql/parser/print/print.h"
#include "api/sql/query/bind/grouping.h"
#include "api/sql/query/bind/order_direction.h"
#include "api/sql/query/bind/query_binder.h"
#include "api/sql/query/condition/condition_finder.h"
#include "api/sql/query/condition/document_paths.h"
#include "api/sql/query/condition/order_finder.h"
#include "api/sql/query/query_hash.h"
#include "api/sql/query/query_random.h"
#include "api/sql/query/run/operator_plan_maker.h"
#include "api/sql/query/run/owner_work.h"
#include "api/sql/query/run/page_session.h"
#include "api/sql/query/run/row_json.h"
#include "api/sql/query/source/entry_condition.h"
#include "api/sql/query/source/rid_order.h"
#include "api/sql/query/source/seen_properties.h"
#include "gateway/account/key_maker.h"
#include "gateway/view/partition_ranges.h"
#include "query/access/access_path.h"
#include "query/position/query_token.h"
#include "query/run/page_run.h"
#include "query/run/row_keeper.h"
#include "query/source/cancellable_source.h"
#include "query/source/gateway_source.h"
#include "query/source/group_shaper.h"
#include "query/source/index_union.h"
#include "query/source/scan_plan.h"

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
      OrdersByVectorDistance(*tree) ||
      query::OrdersUndefined(WantedOrderOf(*tree, {.text = context.text,
                                                   .parameters = context.parameters,
                                                   .functions = context.functions,
                                                   .order = schema.order,
                                                   .computed = context.computed,
                                                   .schema = &schema}),
                             schema);
  return Compiled{*std::move(tree), *std::move(bound)};
}

// Returns what the path says of documents that are in no order but their own.
QueryEngine::Wanted WantedBy(const query::AccessPath& path) {
  QueryEngine::Wanted wanted;
  if (path.row_key.has_value() && path.row_key->kind() == model::Kind::kString)
    wanted.id = path.row_key->AsString();
  if (path.index.has_value() && path.index->ranges.size() == 1 &&
      path.index->IsOneValue(path.index->ranges.front())) {
    const query::ValueRange& range = path.index->ranges.front();
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
    query::CursorRegistry* kept;             // null: nothing is kept
  };

  explicit QueryRun(const Parts& parts)
      : parts_(parts),
        context_(parts.request.context),
        schema_(*parts.request.container->schema),
        shaper_(*parts.request.container, SeenPartOf(parts.compiled.tree, parts.request.computed)),
        plan_(OperatorPlanOf(parts.compiled.query)) {
    const QueryRequest& request = parts_.request;
    if (!request.partition_key.has_value() && parts_.open == nullptr) {
      scope_ = {.range = request.range.value_or(partition::HashRange()),
                .is_merged = request.range.has_value()};
    }
    found_ = FindConditions(parts_.compiled.tree, Conditions());
    ChoosePath(request.partition_key);
    rows_max_ = request.max_items <= 0
                    ? parts_.limits.page_rows_default
                    : std::min(static_cast<size_t>(request.max_items), parts_.limits.page_rows_max);
  }

  Result<QueryPage> Run() {
    std::optional<query::QueryToken> token;
    if (!parts_.request.continuation.empty()) {
      ORRERY_ASSIGN(token, ReadToken());
      // A sort that was begun can be continued, whatever index there is now.
      if (IsInOrder() && std::holds_alternative<query::SortState>(token->state))
        kind_ = query::RunKind::kSorted;
      if (!IsOfKind(token->state)) return ForeignToken();
      ORRERY_TRY(GoOnScanning(*token));
      if (kind_ == query::RunKind::kAggregate && parts_.open == nullptr) {
        const bool is_of_groups = query::IsGroupPosition(PositionOf(*token));
        if (!is_of_groups) SendWork(/*may_group=*/false);
        if (is_of_groups && !work_.groups.has_value()) return ForeignToken();
      }
    }
    QueryRandom random(parts_.clock.Now());
    StopCheck stop(parts_.request.context);
    const CallContext calls{parts_.clock, random, parts_.clock.Now(), &stop};
    const std::vector<const model::Value*> slots(plan_.slot_count, &query::kUndefined);
    const FrameContext frame_context(calls, parts_.request.user_functions);
    const Frame frame{slots, frame_context};
    JsonRows rows;
    query::PageContext context{
        .plan = plan_,
        .frame = frame,
        .documents = nullptr,
        .writer = rows,
        .limits = parts_.limits,
        .api = query::Api::kSql,
        .rows_max = rows_max_,
        .query_hash = QueryHash(),
        .is_merged = IsMerged(),
        .keeps_rows = parts_.kept != nullptr && parts_.open == nullptr && !IsOfWiderToken()};
    std::optional<query::RowKeeper> keeper;
    if (context.keeps_rows && !query::MayPause(kind_))
      keeper.emplace(*parts_.kept, IdentityOf(parts_.request), parts_.request.session);
    if (keeper.has_value() && token.has_value()) {
      if (const auto page = keeper->Find(context, *token)) {
        QueryPage found = PageOf(*page, std::move(rows.rows));
        found.session = SessionOfPage(keeper->seen(), IsOfOneKey());
        return found;
      }
      rows.rows.clear();
    }

    if (path_.index_only.has_value() && !work_.groups.has_value())
      filter_.emplace(*path_.index_only, schema_,
                      EntryConditionOf(*path_.index_only, *found_->reads, Conditions(), calls));
    if (query::MayPause(kind_))
      context_.set_cut_from(parts_.clock.Monotonic() + Micros(parts_.limits.page_time_max));
    if (found_.has_value()) ORRERY_TRY(OpenSource(token));
    std::optional<query::CancellableSource> documents;
    if (source_ != nullptr)
      context.documents =
          &documents.emplace(*source_, context_, query::MayPause(kind_) && !plan_.merges_groups);
    ORRERY_ASSIGN(query::Page page, query::RunPage(kind_, context, token));
    if (keeper.has_value() && metrics_ != nullptr) keeper->Keep(page, metrics_->session);
    return PageOf(page, std::move(rows.rows));
  }

 private:
  // Lets the owners of partitions do what they can of the query, by the access path chosen last.
  void SendWork(bool may_group) {
    plan_ = OperatorPlanOf(parts_.compiled.query);
    work_ = OwnerWorkOf({.tree = parts_.compiled.tree,
                         .bound = parts_.compiled.query,
                         .context = Conditions(),
                         .path = path_,
                         .gathers_ties = TiesAreByRid(),
                         .pauses = query::MayPause(kind_),
                         .may_group = may_group});
    if (work_.is_filtered) plan_.where = nullptr;
    group_shaper_.reset();
    if (!work_.groups.has_value()) return;
    const bool reads_document = shaper_.reads_document();
    if (const auto& paths = work_.groups->distinct_paths; paths.has_value()) {
      group_shaper_ = std::make_unique<query::GroupKeyShaper>(*paths, reads_document);
    } else {
      group_shaper_ = std::make_unique<query::GroupShaper>(reads_document);
      plan_.merges_groups = true;
    }
  }

  ConditionContext Conditions() const {
    return {.text = parts_.request.text,
            .parameters = parts_.request.parameters,
            .functions = parts_.functions,
            .order = schema_.order,
            .computed = parts_.request.computed,
            .schema = &schema_};
  }
  // Chooses the access path and the kind of run; `key` is the partition key of all documents.
  void ChoosePath(const std::optional<gateway::KeyValues>& key) {
    if (found_.has_value()) path_ = query::ChooseAccessPath(found_->conditions, schema_, key);
    if (parts_.open != nullptr) {
      wanted_ = WantedBy(path_);
      path_ = {};
    }
    // Documents are collected to be sorted.
    if (TiesAreByRid()) path_.index_only.reset();
    kind_ = query::RunKindOf(plan_, path_.is_ordered);
    if (found_.has_value() && parts_.open == nullptr) SendWork(/*may_group=*/true);
  }

  // Reads the token of the page before, which is one of this query or, where there is a partition
  // key, of the same query over a part of the container that has all of the key.
  Result<query::QueryToken> ReadToken() {
    const QueryRequest& request = parts_.request;
    ORRERY_ASSIGN(query::QueryToken token,
                  query::DecodeQueryToken(request.continuation, query::Api::kSql));
    if (request.partition_key.has_value() && token.scope.has_value() && parts_.open == nullptr) {
      ORRERY_TRY(GoOnWithin(token));
    } else if (token.query != QueryHash()) {
      return query::TokenOfAnotherQuery();
    } else if (token.scope.has_value() && scope_.has_value() &&
               !token.scope->range.Contains(scope_->range)) {
      return OfAnotherPart();
    }
    token.scope.reset();
    return token;
  }
  // Continues with the documents of the partition key that lie behind the token's position, in the
  // order of that position: they are found as if no key were asked for.
  Status GoOnWithin(const query::QueryToken& token) {
    scope_ = token.scope;
    ChoosePath(std::nullopt);
    if (!query::MayNarrow(token.state, plan_) || path_.nearest.has_value()) {
      return Fail(Code::kInvalidArgument,
                  "the continuation token was made for several partition keys, and counts or "
                  "compares rows of all of them; begin the query anew with the partition key");
    }
    // Pages behind the first within the key have tokens of their own.
    if (token.query == QueryHash()) return {};
    if (token.query != HashOfAnyKey(parts_.request, HashedText()))
      return query::TokenOfAnotherQuery();
    ORRERY_ASSIGN(const partition::HashRange range,
                  gateway::RangeOfKey(schema_, *parts_.request.partition_key));
    if (!scope_->range.Contains(range)) return OfAnotherPart();
    return {};
  }
  // Goes on without an index where the token's position is one of a scan in ring order: the index
  // is younger than the token.
  Status GoOnScanning(const query::QueryToken& token) {
    const std::string_view bytes = PositionOf(token);
    if (bytes.empty() || query::IsGroupPosition(bytes) || path_.read_index() == nullptr ||
        parts_.open != nullptr)
      return {};
    ORRERY_ASSIGN(const query::ScanPosition position, query::DecodePosition(bytes));
    if (!position.value.empty()) return {};
    if (path_.is_ordered) return ForeignToken();
    path_.index.reset();
    path_.index_only.reset();
    SendWork(/*may_group=*/work_.groups.has_value());
    return {};
  }
  static std::unexpected<Error> OfAnotherPart() {
    return Fail(Code::kInvalidArgument,
                "the continuation token was made for another part of the container: give the "
                "feed range, partition key range or partition key that it was made for, or one "
                "within it");
  }
  // Returns whether the token was made for more than the partition key that is asked for.
  bool IsOfWiderToken() const {
    return scope_.has_value() && parts_.request.partition_key.has_value();
  }
  // Returns whether a client merges the rows with those of other ranges, and skips what it has had
  // by value and rid.
  bool IsMerged() const { return scope_.has_value() && scope_->is_merged; }
  bool TiesAreByRid() const {
    return IsMerged() && path_.is_ordered && path_.read_index() != nullptr;
  }
  // Returns whether tokens name a position in the order of ORDER BY.
  bool IsInOrder() const {
    return !parts_.compiled.query.order_by.empty() &&
           (kind_ == query::RunKind::kSorted || kind_ == query::RunKind::kDocuments);
  }
  // Returns the hash that a token must have. A position among documents is valid for every part of
  // the ring: when a partition splits, clients go on in each part from where the whole was. And one
  // in the order is valid for every WHERE: clients that merge partitions go on with a narrower one.
  uint64_t QueryHash() const {
    const QueryRequest& request = parts_.request;
    return IsInOrder() || kind_ == query::RunKind::kDocuments
               ? HashOf(request, HashedText())
               : HashWithRange(request, HashedText());
  }
  std::string HashedText() const {
    return IsInOrder() ? PrintQueryWithoutFilter(parts_.compiled.tree) : parts_.request.text;
  }
  bool IsOfKind(const decltype(query::QueryToken::state)& state) const {
    return (kind_ == query::RunKind::kDocuments &&
            std::holds_alternative<query::DocumentState>(state)) ||
           (kind_ == query::RunKind::kSorted && std::holds_alternative<query::SortState>(state)) ||
           (kind_ == query::RunKind::kAggregate &&
            std::holds_alternative<query::AggregateState>(state)) ||
           (kind_ == query::RunKind::kWhole && std::holds_alternative<query::WholeState>(state));
  }
  // An index may have come or gone since the token was made.
  static std::unexpected<Error> ForeignToken() {
    return Fail(Code::kInvalidArgument,
                "the continuation token cannot be used: the query is executed in another way now");
  }

  // Returns whether the first entry of an index is all that the query needs.
  bool HasOneEntry() const {
    return path_.index_only.has_value() && path_.index_only->is_one_entry;
  }

  // Returns the position among documents that a token has; "" if it has none.
  std::string_view PositionOf(const query::QueryToken& token) const {
    if (const auto* state = std::get_if<query::DocumentState>(&token.state)) return state->position;
    const auto* state = std::get_if<query::AggregateState>(&token.state);
    return state == nullptr ? std::string_view() : state->position;
  }
  query::ScanScope::Streams StreamsOfGroups() const {
    using Streams = query::ScanScope::Streams;
    if (!plan_.merges_groups) return Streams::kAsNeeded;
    return query::MayPause(kind_) ? Streams::kOne : Streams::kOneOfEachPartition;
  }

  Status OpenSource(const std::optional<query::QueryToken>& token) {
    const std::string_view position = token.has_value() ? PositionOf(*token) : "";
    if (parts_.open != nullptr) {
      ORRERY_ASSIGN(source_, (*parts_.open)(position, wanted_));
      return {};
    }
    std::optional<query::ScanPosition> resume;
    const bool goes_on_in_group = plan_.merges_groups && !position.empty();
    if (!position.empty() && !goes_on_in_group) {
      ORRERY_ASSIGN(resume, query::DecodePosition(position));
    }
    const QueryRequest& request = parts_.request;
    ORRERY_ASSIGN(
        std::vector<query::ScanStream> streams,
        query::PlanScans(path_,
                         {.partition_key = request.partition_key,
                          .range = request.range,
                          .session = request.session,
                          .ties = TiesAreByRid() ? &rid_order_ : nullptr,
                          .streams = StreamsOfGroups()},
                         schema_, gateway::PartitionRanges(parts_.gateway, *request.container),
                         resume));
    query::GatewaySource::Parts parts = PartsOf(streams.size());
    if (!path_.index_union.empty()) {
      for (query::ScanStream& stream : streams) {
        ORRERY_ASSIGN(auto found,
                      query::NarrowToUnion(path_, stream, parts_.gateway, request.container,
                                           parts.rows_wanted, parts.before));
        if (!found.has_value()) {
          path_.index_union.clear();
          break;
        }
        stream = *std::move(found);
      }
    }
    auto source = std::make_unique<query::GatewaySource>(std::move(parts), std::move(streams));
    if (goes_on_in_group) ORRERY_TRY(source->GoOnFrom(position));
    metrics_ = &source->metrics();
    source_ = std::move(source);
    return {};
  }

  query::GatewaySource::Parts PartsOf(size_t streams) const {
    const BoundQuery& query = parts_.compiled.query;
    const uint64_t wanted =
        std::min<uint64_t>(rows_max_, query.limit.value_or(UINT64_MAX)) + query.offset;
    return {.gateway = parts_.gateway,
            .container = parts_.request.container,
            .path = path_,
            .shaper = group_shaper_ != nullptr ? *group_shaper_ : shaper_,
            .rows_wanted = HasOneEntry()                         ? 1
                           : kind_ == query::RunKind::kDocuments ? wanted
                                                                 : SIZE_MAX,
            .examined_max = query::MayPause(kind_) ? parts_.limits.examined_max : 0,
            .debt_max = parts_.limits.debt_max,
            .bytes_per_scan = parts_.limits.page_bytes_max / std::max<size_t>(streams, 1) + 1,
            .ties = TiesAreByRid() ? &rid_order_ : nullptr,
            .keys = IsMerged() ? &rid_order_ : nullptr,
            .tie_bytes_max = parts_.limits.kept_bytes_max,
            .filter = filter_.has_value() ? &*filter_ : nullptr,
            .where = work_.filter,
            .projection = work_.projection,
            .is_exact = work_.is_filtered && !work_.groups.has_value() && plan_.sources.size() == 1,
            .grouping = work_.groups.has_value() ? work_.groups->grouping : nullptr,
            .entry_path = work_.entry_path,
            .context = context_};
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

  bool IsOfOneKey() const {
    const auto& key = parts_.request.partition_key;
    return key.has_value() && key->size() >= schema_.partition_key_paths.size();
  }

  QueryPage PageOf(const query::Page& made, std::vector<std::string> rows) const {
    QueryPage page;
    page.metrics.output_rows = made.rows;
    page.metrics.output_bytes = made.bytes;
    page.metrics.used_index = path_.uses_index() || !shaper_.reads_document();
    if (parts_.request.wants_index_use) {
      if (found_.has_value()) page.indexes = query::IndexUseOf(found_->conditions, path_, schema_);
      AddKeyPaths(page.indexes.used);
    }
    page.rows = std::move(rows);
    if (made.next.has_value()) {
      query::QueryToken next = *made.next;
      next.scope = scope_;
      page.continuation = query::EncodeQueryToken(next);
    }
    if (metrics_ == nullptr) return page;
    page.charge = metrics_->charge;
    page.session = SessionOfPage(metrics_->session, IsOfOneKey());
    page.metrics.examined = metrics_->examined;
    page.metrics.retrieved_documents = metrics_->documents;
    page.metrics.retrieved_bytes = metrics_->bytes;
    return page;
  }

  const Parts parts_;
  RequestContext context_;  // the request's, with the time of the page where that may be cut
  const item::ContainerSchema& schema_;
  const SeenShaper shaper_;
  const RidOrder rid_order_;
  std::optional<FoundConditions> found_;  // none when the query reads no documents
  query::AccessPath path_;
  std::optional<query::EntryFilter> filter_;
  std::optional<query::TokenScope> scope_;  // that tokens have
  QueryEngine::Wanted wanted_;              // of documents that are not the gateway's
  query::OperatorPlan plan_;
  OwnerWork work_;
  std::unique_ptr<const query::DocumentShaper> group_shaper_;  // when owners make groups
  query::RunKind kind_ = query::RunKind::kWhole;
  size_t rows_max_ = 0;
  std::unique_ptr<query::DocumentSource> source_;
  const query::SourceMetrics* metrics_ = nullptr;  // the source's, when it is the gateway's
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
                     .open = open,
                     .kept = kept_})
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
