#include "api/cassandra/executor/view/view_filter.h"

#include <algorithm>

#include "api/cassandra/parser/parser.h"

namespace orrery::cassandra {

CqlResult<ViewFilter> ViewFilter::Make(const Table& base, std::string_view where_clause,
                                       const TermScope& scope, const Evaluation& evaluation) {
  auto where = ParseWhere(where_clause);
  if (!where.has_value()) return Invalid(std::move(where).error().message);
  std::vector<std::string> not_null;
  std::erase_if(*where, [&](const ast::Restriction& restriction) {
    const auto* relation = std::get_if<ast::Relation>(&restriction);
    if (relation == nullptr || relation->op != ast::RelationOperator::kIsNotNull) return false;
    if (const auto* name = std::get_if<ast::Name>(&relation->left)) not_null.push_back(name->text);
    return true;
  });
  // Restrictions that an index serves are left out of the tests, so the table has no index here.
  auto unindexed = std::make_shared<Table>(base);
  unindexed->indexes.clear();
  Variables variables({});
  TermPlanner terms(scope, variables);
  const RestrictionRules rules{.statement = StatementKind::kSelect, .allow_filtering = true};
  CQL_ASSIGN(const Restrictions restrictions,
             PlanRestrictions(unindexed, *where, rules, terms, variables));
  CQL_ASSIGN(BoundKeys keys, restrictions.Bind(evaluation));
  CQL_ASSIGN(RowFilter tests, restrictions.BindFilter(evaluation));
  return ViewFilter(std::move(unindexed), std::move(keys), std::move(tests), std::move(not_null));
}

bool ViewFilter::Passes(const BaseKey& key) const {
  if (keys_.none) return false;
  if (keys_.partition_keys.has_value() &&
      std::ranges::find(*keys_.partition_keys, key.partition_key) == keys_.partition_keys->end())
    return false;
  const auto has_row = [&](const ClusteringRange& range) { return range.Contains(key.clustering); };
  if (base_->clustering_count != 0 && std::ranges::none_of(keys_.ranges, has_row)) return false;
  if (tests_.empty()) return true;
  RowValues row;
  row.values.assign(key.values.begin(), key.values.end());
  row.values.resize(base_->columns.size());
  return tests_.Matches(row);
}

}  // namespace orrery::cassandra
