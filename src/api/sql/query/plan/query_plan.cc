#include "api/sql/query/plan/query_plan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/sql/function/argument.h"
#include "api/sql/parser/parser.h"
#include "api/sql/parser/print/print.h"
#include "api/sql/query/bind/order_direction.h"
#include "api/sql/query/bind/select_names.h"
#include "api/sql/query/index/access_path.h"
#include "api/sql/query/plan/query_rewriter.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

using model::Value;

constexpr int kPlanVersion = 2;

Value Text(std::string_view text) { return Value::String(std::string(text)); }

std::unexpected<Error> OnlyHere(std::string_view what) {
  return Fail(Code::kUnsupported,
              std::string(what) + " cannot be executed partition by partition by a client");
}

// What the bound query has of the count already, checked.
Value CountOf(const std::optional<ast::RowCount>& count, const Parameters& parameters) {
  if (!count.has_value()) return Value::Null();
  if (const auto* number = std::get_if<uint32_t>(&*count)) return FromInteger(*number);
  const auto value = parameters.Find(std::get<ast::Parameter>(*count).name);
  return value == nullptr ? Value::Null() : *value;
}

Value RangeOf(std::string min, std::string max, bool includes_max) {
  return Value::Object({{"min", Value::String(std::move(min))},
                        {"max", Value::String(std::move(max))},
                        {"isMinInclusive", Value::Bool(true)},
                        {"isMaxInclusive", Value::Bool(includes_max)}});
}

Result<Value> RangesOf(const std::optional<gateway::KeyValues>& key,
                       const item::ContainerSchema& schema) {
  if (!key.has_value() || key->empty()) return Value::Array({RangeOf("", "FF", false)});
  ORRERY_ASSIGN(const std::string epk, partition::EffectivePartitionKey(schema.hashing, *key));
  const bool is_whole = key->size() == schema.partition_key_paths.size();
  return Value::Array({RangeOf(epk, is_whole ? epk : epk + "FF", is_whole)});
}

class Planner {
 public:
  Planner(ast::Query tree, const BoundQuery& bound, const QueryBindContext& context)
      : tree_(std::move(tree)), bound_(bound), context_(context) {}

  Result<Value> QueryInfo() {
    Value info = Value::Object({});
    const bool is_ordered = tree_.order_by.has_value();
    const auto add = [&](std::string_view name, Value value) {
      info.MutableFields().push_back({std::string(name), std::move(value)});
    };
    add("distinctType", Text(!tree_.select.is_distinct ? "None"
                             : is_ordered              ? "Ordered"
                                                       : "Unordered"));
    add("top", CountOf(tree_.select.top, context_.parameters));
    const auto& page = tree_.offset_limit;
    const Value offset =
        CountOf(page ? std::optional(page->offset) : std::nullopt, context_.parameters);
    add("offset", offset);
    add("limit", CountOf(page ? std::optional(page->limit) : std::nullopt, context_.parameters));
    AddOrder(add);
    const bool has_value = std::holds_alternative<ast::SelectValue>(tree_.select.what);
    const bool is_non_streaming =
        is_ordered && IsVectorDistance(tree_.order_by->orderings.front().value);
    ORRERY_TRY(Rewrite());
    AddGroups(add);
    add("rewrittenQuery", Value::String(is_rewritten_ ? PrintRewritten(tree_) : ""));
    add("hasSelectValue", Value::Bool(has_value));
    add("hasNonStreamingOrderBy", Value::Bool(is_non_streaming));
    add("dCountInfo", Value::Null());
    return info;
  }

 private:
  template <typename Add>
  void AddOrder(const Add& add) const {
    model::Values directions;
    model::Values expressions;
    if (tree_.order_by.has_value()) {
      for (const ast::Ordering& ordering : tree_.order_by->orderings) {
        directions.push_back(Text(IsDescending(ordering) ? "Descending" : "Ascending"));
        expressions.push_back(Value::String(PrintExpression(ordering.value)));
      }
    }
    add("orderBy", Value::Array(std::move(directions)));
    add("orderByExpressions", Value::Array(std::move(expressions)));
  }

  template <typename Add>
  void AddGroups(const Add& add) const {
    model::Values keys;
    for (const ast::Expression& key : tree_.group_by)
      keys.push_back(Value::String(PrintExpression(key)));
    model::Values names;
    model::Values aggregates;
    model::Fields types;
    for (const GroupedItem& item : items_) {
      Value type = item.aggregate.has_value() ? Text(PlanNameOf(*item.aggregate)) : Value::Null();
      if (item.name.empty()) {
        if (item.aggregate.has_value()) aggregates.push_back(std::move(type));
        continue;
      }
      names.push_back(Value::String(item.name));
      types.push_back({item.name, std::move(type)});
    }
    add("groupByExpressions", Value::Array(std::move(keys)));
    add("groupByAliases", Value::Array(std::move(names)));
    add("aggregates", Value::Array(std::move(aggregates)));
    add("groupByAliasToAggregateType", Value::Object(std::move(types)));
  }

  Status Rewrite() {
    if (!bound_.rank.empty()) return OnlyHere("ORDER BY RANK");
    const bool reads_query = ReaderOf(tree_) != &tree_;
    if (bound_.is_grouped()) {
      if (reads_query && !tree_.sources.empty()) return OnlyHere("an aggregate over a subquery");
      if (tree_.order_by.has_value()) return OnlyHere("ORDER BY of groups");
      std::vector<std::string> names;
      if (const auto* list = std::get_if<ast::SelectList>(&tree_.select.what))
        names = *SelectNames(*list, context_.text);
      auto items = RewriteGroups(tree_, names);
      if (!items.has_value()) return OnlyHere("a value of several aggregates");
      items_ = *std::move(items);
      is_rewritten_ = true;
    } else if (tree_.order_by.has_value()) {
      if (!RewriteOrderBy(tree_))
        return OnlyHere("ORDER BY over a subquery or a part of documents");
      is_rewritten_ = true;
    }
    if (tree_.offset_limit.has_value()) {
      const uint64_t rows = bound_.offset + bound_.limit.value_or(0);
      tree_.offset_limit = {.offset = 0u,
                            .limit = static_cast<uint32_t>(std::min<uint64_t>(rows, UINT32_MAX))};
      is_rewritten_ = true;
    }
    return {};
  }

  ast::Query tree_;
  const BoundQuery& bound_;
  const QueryBindContext& context_;
  bool is_rewritten_ = false;
  std::vector<GroupedItem> items_;
};

}  // namespace

Result<std::string> MakeQueryPlan(std::string_view text, const BoundQuery& bound,
                                  const QueryBindContext& context,
                                  const item::ContainerSchema& schema) {
  Parsed<ast::Query> tree = ParseQuery(text);
  if (!tree.has_value()) return Fail(tree.error().ToError());
  const AccessPath path = ChooseAccessPath(*tree, schema, std::nullopt,
                                           {.text = text,
                                            .parameters = context.parameters,
                                            .functions = context.functions,
                                            .order = schema.order,
                                            .computed = context.computed});
  ORRERY_ASSIGN(Value ranges, RangesOf(path.partition_key, schema));
  ORRERY_ASSIGN(Value info, Planner(*std::move(tree), bound, context).QueryInfo());
  return model::ToJson(
      Value::Object({{"partitionedQueryExecutionInfoVersion", Value::Int32(kPlanVersion)},
                     {"queryInfo", std::move(info)},
                     {"hybridSearchQueryInfo", Value::Null()},
                     {"queryRanges", std::move(ranges)}}));
}

}  // namespace orrery::sql
