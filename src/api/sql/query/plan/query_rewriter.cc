#include "api/sql/query/plan/query_rewriter.h"

#include <memory>
#include <utility>

#include "api/sql/document/document_form.h"
#include "api/sql/parser/parser.h"
#include "api/sql/parser/print/print.h"
#include "api/sql/query/bind/select_names.h"
#include "api/sql/query/bind/tree_walk.h"

namespace orrery::sql {
namespace {

using ast::Expression;

constexpr std::string_view kFilter = "documentdb-formattableorderbyquery-filter";

Expression Make(Expression::Node node) { return {.node = std::move(node)}; }

Expression Alias(std::string_view name) { return Make(ast::Identifier{std::string(name)}); }

Expression Property(Expression object, std::string_view name) {
  return Make(
      ast::PropertyAccess{std::make_unique<Expression>(std::move(object)), std::string(name)});
}

Expression Object(std::string_view name, Expression value) {
  ast::ObjectConstructor object;
  object.properties.push_back({std::string(name), std::move(value)});
  return Make(std::move(object));
}

ast::SelectItem Item(Expression value, std::string_view alias) {
  return {.value = std::move(value), .alias = ast::Name{std::string(alias)}};
}

// The same expression again, by way of its text, which always parses to the same tree.
Expression Copy(const Expression& expression) {
  const ParserLimits limits{.query_characters_max = SIZE_MAX, .nesting_max = 2'000};
  Parsed<Expression> copy = ParseExpression(PrintExpression(expression), limits);
  return copy.has_value() ? *std::move(copy) : Make(ast::Undefined());
}

// [{"item": value}, ..]
Expression Items(std::vector<Expression> values) {
  ast::ArrayConstructor items;
  for (Expression& value : values) items.elements.push_back(Object("item", std::move(value)));
  return Make(std::move(items));
}

Expression Call(std::string_view function, const Expression& argument) {
  ast::FunctionCall call;
  call.function.text = function;
  call.arguments.push_back(Copy(argument));
  return Make(std::move(call));
}

Expression Pair(std::string_view first_name, Expression first, std::string_view second_name,
                Expression second) {
  ast::ObjectConstructor object;
  object.properties.push_back({std::string(first_name), std::move(first)});
  object.properties.push_back({std::string(second_name), std::move(second)});
  return Make(std::move(object));
}

// Joins a condition to WHERE by AND.
void AddCondition(ast::Query& query, Expression condition) {
  if (!query.where.has_value()) {
    query.where = std::move(condition);
    return;
  }
  ast::Logical both;
  both.op = ast::LogicalOperator::kAnd;
  both.operands.push_back(*std::move(query.where));
  both.operands.push_back(std::move(condition));
  query.where = Make(std::move(both));
}

// {"item": ..}: a part of an aggregate's value.
Expression PartOf(Aggregate aggregate, Expression call) {
  const Expression& argument = call.As<ast::FunctionCall>()->arguments.front();
  switch (aggregate) {
    case Aggregate::kAverage:
      return Object("item", Pair("sum", Call("SUM", argument), "count", Call("COUNT", argument)));
    case Aggregate::kMin:
    case Aggregate::kMax: {
      const bool is_min = aggregate == Aggregate::kMin;
      Expression both = Pair(is_min ? "min" : "max", Call(is_min ? "MIN" : "MAX", argument),
                             "count", Call("COUNT", argument));
      return Pair("item", std::move(call), "item2", std::move(both));
    }
    default:
      return Object("item", std::move(call));
  }
}

std::optional<Aggregate> AggregateOf(const Expression& expression) {
  const auto* call = expression.As<ast::FunctionCall>();
  if (call == nullptr || call->is_user_defined || call->arguments.size() != 1) return std::nullopt;
  return FindAggregate(call->function.text);
}

bool HasAggregateCall(const Expression& expression) {
  bool found = AggregateOf(expression).has_value();
  ForEachChild(
      expression, [&](const Expression& child) { found = found || HasAggregateCall(child); },
      [](const ast::Query&) {});
  return found;
}

// Returns what the client merges of one value of SELECT; nullopt when it cannot.
std::optional<Expression> MergeableOf(Expression value, GroupedItem& item) {
  item.aggregate = AggregateOf(value);
  if (item.aggregate.has_value()) return PartOf(*item.aggregate, std::move(value));
  if (HasAggregateCall(value)) return std::nullopt;
  return value;
}

// The name that COUNT of a constant goes by: empty for SELECT VALUE. Nothing when SELECT is
// another.
std::optional<std::string> NameOfCount(const ast::Select& select, std::string_view text) {
  const auto is_count = [](const Expression& value) {
    return AggregateOf(value) == Aggregate::kCount &&
           value.As<ast::FunctionCall>()->arguments.front().As<ast::Number>() != nullptr;
  };
  if (select.is_distinct || select.top.has_value()) return std::nullopt;
  if (const auto* value = std::get_if<ast::SelectValue>(&select.what))
    return is_count(value->value) ? std::optional<std::string>("") : std::nullopt;
  const auto* list = std::get_if<ast::SelectList>(&select.what);
  if (list == nullptr || list->items.size() != 1 || !is_count(list->items.front().value))
    return std::nullopt;
  return SelectNames(*list, text)->front();
}

}  // namespace

std::optional<std::string> DocumentAlias(const ast::Query& query) {
  if (query.sources.empty()) return std::nullopt;
  const ast::Source& source = query.sources.front();
  const auto* collection = std::get_if<Expression>(&source.collection);
  if (collection == nullptr || collection->As<ast::Identifier>() == nullptr || source.is_iterated)
    return std::nullopt;
  return source.alias.has_value() ? source.alias->text : std::string(ImpliedAlias(*collection));
}

Expression TakePayload(ast::Query& query) {
  ast::Select& select = query.select;
  if (auto* value = std::get_if<ast::SelectValue>(&select.what)) return std::move(value->value);
  auto* list = std::get_if<ast::SelectList>(&select.what);
  if (list == nullptr) return Alias(*DocumentAlias(query));
  ast::ObjectConstructor payload;
  const Parsed<std::vector<std::string>> names = SelectNames(*list, {});
  for (size_t i = 0; i < list->items.size(); ++i)
    payload.properties.push_back({(*names)[i], std::move(list->items[i].value)});
  return Make(std::move(payload));
}

std::optional<DistinctCount> TakeDistinctCounted(ast::Query& query, std::string_view text) {
  if (query.sources.size() != 1 || query.where.has_value() || !query.group_by.empty() ||
      query.order_by.has_value() || query.offset_limit.has_value())
    return std::nullopt;
  auto* inner = std::get_if<ast::QueryPtr>(&query.sources.front().collection);
  if (inner == nullptr || query.sources.front().is_iterated) return std::nullopt;
  const ast::Query& counted = **inner;
  if (!counted.select.is_distinct || counted.select.top.has_value() || !counted.group_by.empty() ||
      counted.order_by.has_value() || counted.offset_limit.has_value() ||
      !DocumentAlias(counted).has_value())
    return std::nullopt;
  auto name = NameOfCount(query.select, text);
  if (!name.has_value()) return std::nullopt;
  return DistinctCount{*std::move(name), std::move(*inner)};
}

void RequireDefinedValue(ast::Query& query) {
  if (const auto* value = std::get_if<ast::SelectValue>(&query.select.what))
    AddCondition(query, Call("IS_DEFINED", value->value));
}

bool RewriteOrderBy(ast::Query& query) {
  const std::optional<std::string> alias = DocumentAlias(query);
  if (!alias.has_value()) return false;
  std::vector<Expression> values;
  for (const ast::Ordering& ordering : query.order_by->orderings)
    values.push_back(Copy(ordering.value));
  AddCondition(query, Make(ast::Placeholder{std::string(kFilter)}));
  RequireDefinedValue(query);

  ast::SelectList list;
  list.items.push_back({.value = Property(Alias(*alias), kRidProperty)});
  list.items.push_back(Item(Items(std::move(values)), "orderByItems"));
  list.items.push_back(Item(TakePayload(query), "payload"));
  query.select.what = std::move(list);
  return true;
}

std::optional<std::vector<GroupedItem>> RewriteGroups(ast::Query& query,
                                                      const std::vector<std::string>& names) {
  std::vector<GroupedItem> items;
  Expression payload;
  const auto* as_value = std::get_if<ast::SelectValue>(&query.select.what);
  if (as_value != nullptr) {
    auto part = MergeableOf(std::move(std::get<ast::SelectValue>(query.select.what).value),
                            items.emplace_back());
    if (!part.has_value()) return std::nullopt;
    payload = *std::move(part);
    if (items.front().aggregate.has_value()) {
      ast::ArrayConstructor parts;
      parts.elements.push_back(std::move(payload));
      payload = Make(std::move(parts));
    }
  } else {
    ast::ObjectConstructor object;
    auto& list = std::get<ast::SelectList>(query.select.what);
    for (size_t i = 0; i < list.items.size(); ++i) {
      items.push_back({names[i], {}});
      auto part = MergeableOf(std::move(list.items[i].value), items.back());
      if (!part.has_value()) return std::nullopt;
      object.properties.push_back({names[i], *std::move(part)});
    }
    payload = Make(std::move(object));
  }
  if (as_value != nullptr && query.group_by.empty()) {
    query.select.what = ast::SelectValue{std::move(payload)};
    return items;
  }
  ast::SelectList list;
  if (!query.group_by.empty()) {
    std::vector<Expression> keys;
    for (const Expression& key : query.group_by) keys.push_back(Copy(key));
    list.items.push_back(Item(Items(std::move(keys)), "groupByItems"));
  }
  list.items.push_back(Item(std::move(payload), "payload"));
  query.select.what = std::move(list);
  return items;
}

std::string PrintRewritten(const ast::Query& query) {
  std::string text = PrintQueryInFull(query);
  const std::string placeholder = "{" + std::string(kFilter) + "}";
  const size_t at = text.find(placeholder);
  if (at != std::string::npos) text.replace(at, placeholder.size(), "(" + placeholder + ")");
  return text;
}

}  // namespace orrery::sql
