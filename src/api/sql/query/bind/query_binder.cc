#include "api/sql/query/bind/query_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "api/sql/evaluate/bind_error.h"
#include "api/sql/evaluate/binder.h"
#include "api/sql/evaluate/node/nodes.h"
#include "api/sql/function/argument.h"
#include "api/sql/query/bind/grouping.h"
#include "api/sql/query/bind/order_direction.h"
#include "api/sql/query/bind/query_error_codes.h"
#include "api/sql/query/bind/select_names.h"
#include "api/sql/query/bind/tree_walk.h"
#include "api/sql/query/computed/computed_binder.h"
#include "api/sql/query/rank/rank_binder.h"
#include "api/sql/query/subquery/subquery_expression.h"

namespace orrery::sql {
namespace {

using Names = std::set<std::string, std::less<>>;

std::string_view NameOf(CountClause clause) {
  switch (clause) {
    case CountClause::kTop:
      return "TOP";
    case CountClause::kOffset:
      return "OFFSET";
    case CountClause::kLimit:
      break;
  }
  return "LIMIT";
}

// The position of a query: only the outermost one and those in its FROM read the container.
enum class QueryPlace : uint8_t { kOutermost, kFrom, kExpression };

class QueryBinder final : public SubqueryBinder {
 public:
  explicit QueryBinder(const QueryBindContext& context)
      : context_(context), errors_(context.text), computed_(context.computed, context.functions) {}

  Parsed<BoundQuery> BindOutermost(const ast::Query& query) {
    Parsed<BoundQuery> bound = Bind(query, Scope(), QueryPlace::kOutermost);
    if (bound.has_value()) bound->slot_count = slot_count_;
    return bound;
  }

  Parsed<BoundExpressionPtr> BindSubquery(const ast::Subquery& subquery,
                                          const Scope& scope) override {
    Parsed<BoundQuery> bound = Bind(*subquery.query, scope, QueryPlace::kExpression);
    if (!bound.has_value()) return std::unexpected(std::move(bound).error());
    return SubqueryExpression(subquery.kind, *std::move(bound), context_.limits);
  }

 private:
  // Takes the aggregates of one query.
  class Aggregates final : public AggregateSink {
   public:
    Aggregates(BoundQuery& query, uint32_t& slot_count) : query_(query), slot_count_(slot_count) {}
    uint32_t Add(Aggregate aggregate, BoundExpressionPtr argument,
                 const ast::Expression& tree) override {
      query_.aggregates.push_back({aggregate, std::move(argument), slot_count_, &tree});
      return slot_count_++;
    }

   private:
    BoundQuery& query_;
    uint32_t& slot_count_;
  };

  Parsed<BoundQuery> Bind(const ast::Query& query, const Scope& outer, QueryPlace place);
  Parsed<void> BindSources(const ast::Query& query, QueryPlace place, Scope& scope, Names& aliases,
                           BoundQuery& bound);
  Parsed<void> BindSource(const ast::Source& source, QueryPlace place, const Scope& scope,
                          BoundQuery& bound);
  Parsed<void> BindClauses(const ast::Query& query, const Scope& outer, const BindContext& rows,
                           const Names& aliases, BoundQuery& bound);
  Parsed<BoundExpressionPtr> BindSelect(const ast::Query& query, const BindContext& context,
                                        const BoundQuery& bound);
  Parsed<void> BindRowCounts(const ast::Query& query, BoundQuery& bound);
  Parsed<uint64_t> BindRowCount(const ast::RowCount& count, CountClause clause);

  BindContext ContextOf(const Scope& scope) {
    return {.text = context_.text,
            .scope = scope,
            .parameters = context_.parameters,
            .functions = context_.functions,
            .subqueries = this,
            .properties = &computed_};
  }
  std::unexpected<QueryError> Refuse(SourceRange range, std::string_view code,
                                     std::string message) const {
    return std::unexpected(ErrorAt(context_.text, range, code, std::move(message)));
  }

  const QueryBindContext& context_;
  const BindErrors errors_;
  ComputedBinder computed_;
  uint32_t slot_count_ = 0;
  bool container_is_named_ = false;
  size_t depth_ = 0;
};

Parsed<BoundQuery> QueryBinder::Bind(const ast::Query& query, const Scope& outer,
                                     QueryPlace place) {
  if (depth_ == context_.limits.subquery_depth_max)
    return Refuse({}, kLimitCode, "The query has too many subqueries within each other.");
  ++depth_;
  BoundQuery bound;
  Scope scope = outer;
  Names aliases;
  Parsed<void> done = BindSources(query, place, scope, aliases, bound);
  const BindContext rows = ContextOf(scope);
  if (done.has_value() && query.where.has_value()) {
    Parsed<BoundExpressionPtr> where = sql::Bind(*query.where, rows);
    if (!where.has_value()) return std::unexpected(std::move(where).error());
    bound.where = *std::move(where);
  }
  if (done.has_value()) done = BindClauses(query, outer, rows, aliases, bound);
  if (done.has_value()) done = BindRowCounts(query, bound);
  --depth_;
  if (!done.has_value()) return std::unexpected(std::move(done).error());
  return bound;
}

Parsed<void> QueryBinder::BindSources(const ast::Query& query, QueryPlace place, Scope& scope,
                                      Names& aliases, BoundQuery& bound) {
  if (query.sources.size() > context_.limits.joins_max + 1) {
    return Refuse({}, kTooManyJoinsCode,
                  fmt::format("The query exceeds the maximum number of joins. The maximum is {}.",
                              context_.limits.joins_max));
  }
  for (const ast::Source& source : query.sources) {
    Parsed<void> made = BindSource(source, place, scope, bound);
    if (!made.has_value()) return made;
    std::string alias;
    if (source.alias.has_value()) {
      alias = source.alias->text;
    } else if (const auto* collection = std::get_if<ast::Expression>(&source.collection)) {
      alias = ImpliedAlias(*collection);
    }
    if (alias.empty()) continue;
    scope.Add(alias, bound.sources.back().slot);
    if (!aliases.insert(alias).second) {
      return Refuse(source.alias.has_value() ? source.alias->range : SourceRange{},
                    kDuplicateNameCode,
                    fmt::format("The input alias '{}' is specified more than once in the FROM "
                                "clause.",
                                alias));
    }
  }
  return {};
}

Parsed<void> QueryBinder::BindSource(const ast::Source& source, QueryPlace place,
                                     const Scope& scope, BoundQuery& bound) {
  const bool may_read = bound.sources.empty() && place != QueryPlace::kExpression;
  if (const auto* query = std::get_if<ast::QueryPtr>(&source.collection)) {
    Parsed<BoundQuery> inner =
        Bind(**query, scope, may_read ? QueryPlace::kFrom : QueryPlace::kExpression);
    if (!inner.has_value()) return std::unexpected(std::move(inner).error());
    bound.sources.push_back({.kind = BoundSource::Kind::kQuery,
                             .query = std::make_shared<const BoundQuery>(*std::move(inner)),
                             .is_iterated = source.is_iterated,
                             .slot = slot_count_++});
    return {};
  }
  const auto& collection = std::get<ast::Expression>(source.collection);
  const ast::Identifier* root = RootOf(collection);
  Scope names = scope;
  if (may_read && root != nullptr && !container_is_named_ && !scope.Find(root->name).has_value()) {
    container_is_named_ = true;
    computed_.SetDocuments(slot_count_);
    bound.sources.push_back({.kind = BoundSource::Kind::kDocuments, .slot = slot_count_++});
    if (collection.As<ast::Identifier>() != nullptr && !source.is_iterated) return {};
    names.Add(root->name, bound.sources.back().slot);
  }
  Parsed<BoundExpressionPtr> value = sql::Bind(collection, ContextOf(names));
  if (!value.has_value()) return std::unexpected(std::move(value).error());
  bound.sources.push_back({.kind = BoundSource::Kind::kValue,
                           .value = *std::move(value),
                           .is_iterated = source.is_iterated,
                           .slot = slot_count_++});
  return {};
}

Parsed<void> QueryBinder::BindClauses(const ast::Query& query, const Scope& outer,
                                      const BindContext& rows, const Names& aliases,
                                      BoundQuery& bound) {
  bool is_grouped = !query.group_by.empty();
  ForEachSelected(query.select, [&](const ast::Expression& expression) {
    is_grouped = is_grouped || HasAggregate(expression, context_.functions);
  });
  GroupSlots groups(aliases, context_.text);
  for (const ast::Expression& key : query.group_by) {
    Parsed<BoundExpressionPtr> value = sql::Bind(key, rows);
    if (!value.has_value()) return std::unexpected(std::move(value).error());
    groups.Add(key, slot_count_);
    bound.group_by.push_back({*std::move(value), slot_count_++});
  }
  Aggregates aggregates(bound, slot_count_);
  BindContext grouped = ContextOf(outer);
  grouped.aggregates = &aggregates;
  grouped.slots = &groups;
  grouped.rows = &rows;

  const BindContext& clauses = is_grouped ? grouped : rows;
  Parsed<BoundExpressionPtr> select = BindSelect(query, clauses, bound);
  if (!select.has_value()) return std::unexpected(std::move(select).error());
  bound.select = *std::move(select);
  bound.is_distinct = query.select.is_distinct;
  if (!query.order_by.has_value()) return {};
  if (query.order_by->is_rank) {
    Parsed<std::vector<BoundRank>> rank = BindRank(*query.order_by, clauses);
    if (!rank.has_value()) return std::unexpected(std::move(rank).error());
    bound.rank = *std::move(rank);
    return {};
  }
  for (const ast::Ordering& ordering : query.order_by->orderings) {
    if (ordering.order.has_value() && IsWrittenVectorDistance(ordering.value)) {
      return std::unexpected(ErrorAt(clauses.text, ordering.value.range, kRankCode,
                                     "Specifying a sorting order (ASC or DESC) with VectorDistance "
                                     "function is not supported."));
    }
    Parsed<BoundExpressionPtr> value = sql::Bind(ordering.value, clauses);
    if (!value.has_value()) return std::unexpected(std::move(value).error());
    bound.order_by.push_back({*std::move(value), IsDescending(ordering)});
  }
  return {};
}

Parsed<BoundExpressionPtr> QueryBinder::BindSelect(const ast::Query& query,
                                                   const BindContext& context,
                                                   const BoundQuery& bound) {
  const auto& what = query.select.what;
  if (const auto* value = std::get_if<ast::SelectValue>(&what))
    return sql::Bind(value->value, context);
  if (const auto* list = std::get_if<ast::SelectList>(&what)) {
    Parsed<std::vector<std::string>> names = SelectNames(*list, context_.text);
    if (!names.has_value()) return std::unexpected(std::move(names).error());
    node::Nodes values;
    for (const ast::SelectItem& item : list->items) {
      Parsed<BoundExpressionPtr> value = sql::Bind(item.value, context);
      if (!value.has_value()) return std::unexpected(std::move(value).error());
      values.push_back(*std::move(value));
    }
    return node::Object(*std::move(names), std::move(values));
  }
  if (query.sources.empty())
    return Refuse({}, kSelectAllCode, "'SELECT *' is not valid if FROM clause is omitted.");
  if (query.sources.size() > 1)
    return Refuse({}, kSelectAllCode, "'SELECT *' is only valid with a single input set.");
  if (context.slots != nullptr)
    return Refuse({}, kSelectAllGroupedCode, "'SELECT *' is not allowed with GROUP BY.");
  return node::Slot(bound.sources.back().slot);
}

Parsed<void> QueryBinder::BindRowCounts(const ast::Query& query, BoundQuery& bound) {
  if (query.offset_limit.has_value()) {
    Parsed<uint64_t> offset = BindRowCount(query.offset_limit->offset, CountClause::kOffset);
    if (!offset.has_value()) return std::unexpected(std::move(offset).error());
    Parsed<uint64_t> limit = BindRowCount(query.offset_limit->limit, CountClause::kLimit);
    if (!limit.has_value()) return std::unexpected(std::move(limit).error());
    bound.offset = *offset;
    bound.limit = *limit;
  }
  if (!query.select.top.has_value()) return {};
  Parsed<uint64_t> top = BindRowCount(*query.select.top, CountClause::kTop);
  if (!top.has_value()) return std::unexpected(std::move(top).error());
  bound.limit = std::min(bound.limit.value_or(*top), *top);
  return {};
}

Parsed<uint64_t> QueryBinder::BindRowCount(const ast::RowCount& count, CountClause clause) {
  if (const auto* number = std::get_if<uint32_t>(&count)) return *number;
  const std::string& name = std::get<ast::Parameter>(count).name;
  const auto value = context_.parameters.Find(name);
  if (value == nullptr) return std::unexpected(errors_.MissingParameter({}, name));
  const auto number = IntegerOf(*value);
  const bool is_too_large = number.has_value() && *number > UINT32_MAX;
  if (is_too_large || (!number.has_value() && clause == CountClause::kTop))
    return std::unexpected(CountError(context_.text, {}, clause));
  if (!number.has_value() || *number < 0) {
    return Refuse({}, kRowCountCode,
                  fmt::format("The {} clause needs a non-negative integer.", NameOf(clause)));
  }
  return static_cast<uint64_t>(*number);
}

}  // namespace

Parsed<BoundQuery> BindQuery(const ast::Query& query, const QueryBindContext& context) {
  return QueryBinder(context).BindOutermost(query);
}

}  // namespace orrery::sql
