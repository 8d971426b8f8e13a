#include "api/sql/query/condition/grouping_finder.h"

#include <algorithm>
#include <utility>

#include "api/sql/query/bind/function_name.h"
#include "api/sql/query/bind/tree_walk.h"
#include "api/sql/query/condition/filter_finder.h"
#include "api/sql/query/condition/read_finder.h"

namespace orrery::sql {
namespace {

// Returns whether equal documents give equal values.
bool IsPure(const ast::Expression& expression, const ConditionContext& context) {
  if (const auto* call = expression.As<ast::FunctionCall>()) {
    const Function* function =
        call->is_user_defined ? nullptr : context.functions.Find(call->function.text);
    if (function == nullptr || function->purity != Function::Purity::kPure) return false;
  }
  bool is_pure = true;
  ForEachChild(
      expression,
      [&](const ast::Expression& child) { is_pure = is_pure && IsPure(child, context); },
      [&](const ast::Query&) { is_pure = false; });
  return is_pure;
}

std::optional<FoundGrouping> GroupsOf(const ast::Query& tree, const BoundQuery& bound,
                                      const ConditionContext& context) {
  const AliasPaths aliases = AliasPathsOf(tree);
  model::Grouping grouping;
  for (const ast::Expression& key : tree.group_by) {
    auto made = OwnerExpressionOf(key, aliases, context);
    if (!made.has_value()) return std::nullopt;
    grouping.keys.push_back(*std::move(made));
  }
  for (const BoundAggregate& aggregate : bound.aggregates) {
    const auto op = OwnerOperatorOf(aggregate.aggregate);
    if (!op.has_value()) return std::nullopt;
    auto made = OwnerExpressionOf(*aggregate.tree, aliases, context);
    if (!made.has_value() && aggregate.aggregate == Aggregate::kCount) {
      // COUNT(c): a document is never undefined.
      const auto path = PathOf(*aggregate.tree, aliases);
      if (path.has_value() && path->steps.empty())
        made = model::Expression::Literal(model::Value::Bool(true));
    }
    if (!made.has_value()) return std::nullopt;
    grouping.aggregates.push_back({.op = *op, .argument = *std::move(made)});
  }
  if (grouping.keys.size() + grouping.aggregates.size() > model::kGroupingPartsMax)
    return std::nullopt;
  return FoundGrouping{std::make_shared<const model::Grouping>(std::move(grouping)), std::nullopt};
}

std::optional<FoundGrouping> DistinctOf(const ast::Query& tree, const ConditionContext& context) {
  if (std::holds_alternative<ast::SelectAll>(tree.select.what)) return std::nullopt;
  const AliasPaths aliases = AliasPathsOf(tree);
  std::vector<query::DocumentPath> read;
  bool fits = true;
  ForEachClause(tree, [&](const ast::Expression& clause) {
    const bool is_where = tree.where.has_value() && &clause == &*tree.where;
    if (is_where || !fits) return;
    fits = IsPure(clause, context) && AddPathsRead(clause, aliases, context, read);
  });
  std::vector<model::Path> paths;
  for (const query::DocumentPath& path : read) {
    auto stored = StoredPathOf(path, context);
    fits = fits && stored.has_value();
    if (!fits) return std::nullopt;
    paths.push_back(*std::move(stored));
  }
  if (!fits || paths.empty()) return std::nullopt;
  // What is within another path comes with it.
  std::ranges::sort(paths, {}, &model::Path::steps);
  std::vector<model::Path> outer;
  for (model::Path& path : paths)
    if (outer.empty() || !outer.back().Contains(path)) outer.push_back(std::move(path));
  if (outer.size() > model::kGroupingPartsMax) return std::nullopt;
  model::Grouping grouping;
  for (const model::Path& path : outer) grouping.keys.push_back(model::Expression::Field(path));
  return FoundGrouping{std::make_shared<const model::Grouping>(std::move(grouping)),
                       std::move(outer)};
}

}  // namespace

std::optional<FoundGrouping> GroupingOf(const ast::Query& tree, const BoundQuery& bound,
                                        const ConditionContext& context) {
  if (!ReadsPlainly(tree) || bound.sources.size() != 1 ||
      bound.sources.front().kind != BoundSource::Kind::kDocuments || !bound.rank.empty())
    return std::nullopt;
  if (bound.is_grouped()) return GroupsOf(tree, bound, context);
  if (bound.is_distinct) return DistinctOf(tree, context);
  return std::nullopt;
}

}  // namespace orrery::sql
