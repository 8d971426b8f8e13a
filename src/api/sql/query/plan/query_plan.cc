#include "api/sql/query/plan/query_plan.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/sql/function/argument.h"
#include "api/sql/parser/parser.h"
#include "api/sql/parser/print/print.h"
#include "api/sql/query/bind/grouping.h"
#include "api/sql/query/bind/order_direction.h"
#include "api/sql/query/bind/select_names.h"
#include "api/sql/query/bind/tree_walk.h"
#include "api/sql/query/condition/document_paths.h"
#include "api/sql/query/plan/hybrid_plan.h"
#include "api/sql/query/plan/plan_error.h"
#include "api/sql/query/plan/plan_ranges.h"
#include "api/sql/query/plan/query_info.h"
#include "api/sql/query/plan/query_rewriter.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

using model::Value;

constexpr int kPlanVersion = 2;

// Returns the count, which the bound query has checked already.
Value CountOf(const std::optional<ast::RowCount>& count, const Parameters& parameters) {
  if (!count.has_value()) return Value::Null();
  if (const auto* number = std::get_if<uint32_t>(&*count)) return FromInteger(*number);
  const auto value = parameters.Find(std::get<ast::Parameter>(*count).name);
  return value == nullptr ? Value::Null() : *value;
}

// Returns whether equal rows stand beside each other in the order that the query wants: ORDER BY
// begins with what a row is made of, in any order.
bool AreEqualRowsAdjacent(const ast::Query& query) {
  std::set<std::string> selected;
  if (std::holds_alternative<ast::SelectAll>(query.select.what)) return false;
  ForEachSelected(query.select, [&](const ast::Expression& value) {
    selected.insert(PrintExpressionInFull(value));
  });
  std::set<std::string> first;
  for (const ast::Ordering& ordering : query.order_by->orderings) {
    if (first.size() == selected.size()) break;
    first.insert(PrintExpressionInFull(ordering.value));
  }
  return first == selected;
}

class Planner {
 public:
  struct Parts {
    const BoundQuery& bound;
    const QueryBindContext& context;
    PlanFeatures features;
    bool is_of_one_key;  // all rows are of one partition
  };

  Planner(ast::Query tree, const Parts& parts)
      : tree_(std::move(tree)),
        bound_(parts.bound),
        context_(parts.context),
        features_(parts.features),
        is_of_one_key_(parts.is_of_one_key) {}

  Result<Value> Plan() {
    info_.has_select_value = std::holds_alternative<ast::SelectValue>(tree_.select.what);
    if (features_.count_distinct) {
      if (auto inner = TakeDistinctCounted(tree_, context_.text)) {
        info_.distinct = QueryInfo::Distinct::kUnordered;
        info_.distinct_count = std::move(inner->alias);
        info_.rewritten_query = PrintQueryInFull(*inner->query);
        return info_.ToValue();
      }
    }
    ORRERY_TRY(CheckFeatures());
    AddCounts();
    AddOrder();
    for (const ast::Expression& key : tree_.group_by)
      info_.group_by_expressions.push_back(PrintExpressionInFull(key));
    ORRERY_TRY(RewriteRows());
    RewriteCounts();
    if (is_rewritten_) info_.rewritten_query = PrintRewritten(tree_);
    return info_.ToValue();
  }

 private:
  // Checks that the client understands all features of the query.
  Status CheckFeatures() const {
    const auto is_list = [](const BoundAggregate& bound) {
      return bound.aggregate == Aggregate::kMakeList || bound.aggregate == Aggregate::kMakeSet;
    };
    const size_t orders = tree_.order_by.has_value() ? tree_.order_by->orderings.size() : 0;
    if (tree_.select.is_distinct && !features_.distinct) return NotUnderstood("Distinct");
    if (tree_.select.top.has_value() && !features_.top) return NotUnderstood("Top");
    if (tree_.offset_limit.has_value() && !features_.offset) return NotUnderstood("OffsetAndLimit");
    if (orders > 0 && !features_.order) return NotUnderstood("OrderBy");
    if (orders > 1 && !features_.several_orders) return NotUnderstood("MultipleOrderBy");
    if (!bound_.aggregates.empty() && !features_.aggregates) return NotUnderstood("Aggregate");
    const bool has_groups = !bound_.group_by.empty();
    const bool is_named = !has_groups && !bound_.aggregates.empty() && !info_.has_select_value;
    if (has_groups && !features_.groups) return NotUnderstood("GroupBy");
    if (is_named && !features_.named_aggregates) return NotUnderstood("NonValueAggregate");
    if (bound_.aggregates.size() > 1 && !features_.several_aggregates)
      return NotUnderstood("MultipleAggregates");
    if (!features_.lists && std::ranges::any_of(bound_.aggregates, is_list))
      return NotUnderstood("ListAndSetAggregate");
    return {};
  }

  // Rows of one partition are counted there.
  bool IsPassedThrough() const {
    return is_of_one_key_ && !bound_.is_grouped() && !tree_.select.is_distinct &&
           !tree_.order_by.has_value();
  }

  void AddCounts() {
    if (!IsPassedThrough() || !tree_.sources.empty())
      info_.top = CountOf(tree_.select.top, context_.parameters);
    if (IsPassedThrough() || !tree_.offset_limit.has_value()) return;
    info_.offset = CountOf(tree_.offset_limit->offset, context_.parameters);
    info_.limit = CountOf(tree_.offset_limit->limit, context_.parameters);
  }

  void AddOrder() {
    const bool is_ordered = tree_.order_by.has_value();
    if (tree_.select.is_distinct) {
      info_.distinct = is_ordered && AreEqualRowsAdjacent(tree_) ? QueryInfo::Distinct::kOrdered
                                                                 : QueryInfo::Distinct::kUnordered;
    }
    if (!is_ordered) return;
    for (const ast::Ordering& ordering : tree_.order_by->orderings) {
      info_.order_by.push_back(IsDescending(ordering));
      info_.order_by_expressions.push_back(PrintExpressionInFull(ordering.value));
    }
    info_.has_non_streaming_order_by = IsVectorDistance(tree_.order_by->orderings.front().value);
  }

  // Has partitions send what the client merges instead of rows.
  Status RewriteRows() {
    const bool reads_query = ReaderOf(tree_) != &tree_;
    if (bound_.is_grouped()) {
      if (reads_query && !tree_.sources.empty()) return OnlyHere("an aggregate over a subquery");
      if (tree_.order_by.has_value()) return OnlyHere("ORDER BY of groups");
      std::vector<std::string> names;
      if (const auto* list = std::get_if<ast::SelectList>(&tree_.select.what))
        names = *SelectNames(*list, context_.text);
      auto items = RewriteGroups(tree_, names);
      if (!items.has_value()) return CompositionOfAggregates();
      info_.grouped = *std::move(items);
      is_rewritten_ = true;
    } else if (tree_.order_by.has_value()) {
      if (!RewriteOrderBy(tree_))
        return OnlyHere("ORDER BY over a subquery or a part of documents");
      is_rewritten_ = true;
    }
    return {};
  }

  // Has each partition send as many rows as the client may need of it.
  void RewriteCounts() {
    // Groups, and rows that others are equal to, can only be counted when all partitions' are
    // there. Rows in order have their rids besides, so that partitions cannot tell equal ones.
    const bool is_merged = bound_.is_grouped() || tree_.select.is_distinct;
    if (is_merged) {
      const bool has_counts = tree_.select.top.has_value() || tree_.offset_limit.has_value();
      if (bound_.is_grouped() || tree_.order_by.has_value()) tree_.select.is_distinct = false;
      tree_.select.top.reset();
      tree_.offset_limit.reset();
      is_rewritten_ = is_rewritten_ || has_counts;
      return;
    }
    if (!tree_.offset_limit.has_value() || IsPassedThrough()) return;
    const uint64_t rows = bound_.offset + bound_.limit.value_or(0);
    tree_.select.top.reset();  // the limit is the less of both
    tree_.offset_limit = {.offset = 0u,
                          .limit = static_cast<uint32_t>(std::min<uint64_t>(rows, UINT32_MAX))};
    is_rewritten_ = true;
  }

  ast::Query tree_;
  const BoundQuery& bound_;
  const QueryBindContext& context_;
  const PlanFeatures features_;
  const bool is_of_one_key_;
  QueryInfo info_;
  bool is_rewritten_ = false;  // the query that is sent to partitions is another one
};

}  // namespace

PlanFeatures PlanFeatures::From(const std::vector<std::string>& names) {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  };
  PlanFeatures features{.count_distinct = has("DCount"), .hybrid_search = has("HybridSearch")};
  if (names.empty()) return features;
  features.groups = has("GroupBy");
  features.several_aggregates = has("MultipleAggregates");
  features.named_aggregates = has("NonValueAggregate");
  features.lists = has("ListAndSetAggregate");
  features.aggregates = has("Aggregate");
  features.distinct = has("Distinct");
  features.order = has("OrderBy");
  features.several_orders = has("MultipleOrderBy");
  features.top = has("Top");
  features.offset = has("OffsetAndLimit");
  return features;
}

Result<std::string> MakeQueryPlan(const BoundQuery& bound, const QueryBindContext& context,
                                  const item::ContainerSchema& schema, PlanFeatures features) {
  Parsed<ast::Query> tree = ParseQueryWith(context.text, context.vectors);
  if (!tree.has_value()) return Fail(tree.error().ToError());
  DropOrderOfOneRow(*tree, context.functions);
  const std::vector<PlanRange> ranges = PlanRangesOf(*tree, schema,
                                                     {.text = context.text,
                                                      .parameters = context.parameters,
                                                      .functions = context.functions,
                                                      .order = schema.order,
                                                      .computed = context.computed});
  Value info = Value::Null();
  Value hybrid = Value::Null();
  if (bound.rank.empty()) {
    Planner planner(*std::move(tree),
                    {.bound = bound,
                     .context = context,
                     .features = features,
                     .is_of_one_key = ranges.size() == 1 && ranges.front().is_point()});
    ORRERY_ASSIGN(info, planner.Plan());
  } else {
    if (!features.hybrid_search) return OnlyHere("ORDER BY RANK");
    ORRERY_ASSIGN(hybrid, HybridPlan(bound, context));
  }
  return model::ToJson(
      Value::Object({{"partitionedQueryExecutionInfoVersion", Value::Int32(kPlanVersion)},
                     {"queryInfo", std::move(info)},
                     {"hybridSearchQueryInfo", std::move(hybrid)},
                     {"queryRanges", ToValue(ranges)}}));
}

}  // namespace orrery::sql
