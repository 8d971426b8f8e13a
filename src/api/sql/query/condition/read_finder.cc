#include "api/sql/query/condition/read_finder.h"

#include <utility>

#include "api/sql/function/aggregate/accumulator.h"
#include "api/sql/query/bind/select_names.h"
#include "api/sql/query/bind/tree_walk.h"
#include "api/sql/query/condition/conjunction.h"
#include "api/sql/query/condition/document_paths.h"

namespace orrery::sql {
namespace {

using query::DocumentPath;

std::string AliasOf(const ast::Source& source) {
  if (source.alias.has_value()) return source.alias->text;
  return std::string(ImpliedAlias(std::get<ast::Expression>(source.collection)));
}

// MIN or MAX of a path, alone.
std::optional<query::Reads::Extreme> ExtremeOf(const ast::Query& query, const AliasPaths& aliases) {
  const auto* selected = std::get_if<ast::SelectValue>(&query.select.what);
  const ast::Expression* value = selected == nullptr ? nullptr : &selected->value;
  if (const auto* list = std::get_if<ast::SelectList>(&query.select.what);
      list != nullptr && list->items.size() == 1)
    value = &list->items.front().value;
  if (value == nullptr || !query.group_by.empty()) return std::nullopt;
  const auto* call = value->As<ast::FunctionCall>();
  if (call == nullptr || call->is_user_defined || call->arguments.size() != 1) return std::nullopt;
  auto path = PathOf(call->arguments.front(), aliases);
  const auto aggregate = FindAggregate(call->function.text);
  if (!path.has_value() || (aggregate != Aggregate::kMin && aggregate != Aggregate::kMax))
    return std::nullopt;
  return query::Reads::Extreme{*std::move(path), aggregate == Aggregate::kMax};
}

}  // namespace

bool AddPathsRead(const ast::Expression& expression, const AliasPaths& aliases,
                  const ConditionContext& context, std::vector<DocumentPath>& paths) {
  if (auto path = PathOf(expression, aliases)) {
    if (context.IsComputed(*path)) return false;
    paths.push_back(*std::move(path));
    return true;
  }
  if (expression.As<ast::Identifier>() != nullptr) return false;
  if (const auto* call = expression.As<ast::FunctionCall>();
      call != nullptr && call->is_user_defined)
    return false;
  bool has_all = true;
  ForEachChild(
      expression,
      [&](const ast::Expression& child) {
        has_all = has_all && AddPathsRead(child, aliases, context, paths);
      },
      [&](const ast::Query&) { has_all = false; });
  return has_all;
}

bool ReadsPlainly(const ast::Query& query) {
  if (query.sources.size() != 1 || query.sources.front().is_iterated) return false;
  const auto* collection = std::get_if<ast::Expression>(&query.sources.front().collection);
  return collection != nullptr && collection->As<ast::Identifier>() != nullptr;
}

std::optional<FoundReads> ReadsOf(const ast::Query& query, const ConditionContext& context) {
  const ast::Query* reader = ReaderOf(query);
  if (reader == nullptr || !ReadsPlainly(*reader)) return std::nullopt;
  const AliasPaths aliases = AliasPathsOf(*reader);
  FoundReads found{.reads = {}, .conjuncts = {}, .alias = AliasOf(reader->sources.front())};
  ForEachCondition(*reader, [&](const ast::Expression& condition) {
    std::vector<DocumentPath> paths;
    if (!AddPathsRead(condition, aliases, context, paths)) return;
    found.reads.conjuncts.push_back(std::move(paths));
    found.conjuncts.push_back(&condition);
  });
  if (reader != &query || std::holds_alternative<ast::SelectAll>(query.select.what)) return found;
  std::vector<DocumentPath> all;
  bool has_all = true;
  ForEachClause(query, [&](const ast::Expression& clause) {
    has_all = has_all && AddPathsRead(clause, aliases, context, all);
  });
  if (!has_all) return found;
  found.reads.all = std::move(all);
  found.reads.extreme = ExtremeOf(query, aliases);
  return found;
}

}  // namespace orrery::sql
