#include "api/sql/query/run/operator_plan_maker.h"

#include <memory>

#include "api/sql/function/identity.h"
#include "api/sql/function/json_type.h"
#include "api/sql/query/rank/ranking.h"

namespace orrery::sql {
namespace {

query::SourceStep::Kind KindOf(BoundSource::Kind kind) {
  switch (kind) {
    case BoundSource::Kind::kDocuments:
      return query::SourceStep::Kind::kDocuments;
    case BoundSource::Kind::kQuery:
      return query::SourceStep::Kind::kQuery;
    case BoundSource::Kind::kValue:
      break;
  }
  return query::SourceStep::Kind::kValue;
}

// No index has others, so they are not among rows that are ordered by one value.
bool IsOrdered(const model::Value& value) { return IsPrimitive(TypeOf(value)); }

}  // namespace

query::OperatorPlan OperatorPlanOf(const BoundQuery& query) {
  query::OperatorPlan plan;
  plan.rules = {
      .order = model::Order::kSql, .append_identity = &AppendIdentity, .has_place = &IsOrdered};
  for (const BoundSource& source : query.sources) {
    plan.sources.push_back({.kind = KindOf(source.kind),
                            .value = source.value.get(),
                            .query = nullptr,
                            .is_iterated = source.is_iterated,
                            .slot = source.slot});
    if (source.query != nullptr)
      plan.sources.back().query =
          std::make_shared<const query::OperatorPlan>(OperatorPlanOf(*source.query));
  }
  plan.where = query.where.get();
  for (const BoundGroupKey& key : query.group_by)
    plan.group_by.push_back({key.value.get(), key.slot});
  for (const BoundAggregate& aggregate : query.aggregates)
    plan.aggregates.push_back(
        {&AggregateFunctionOf(aggregate.aggregate), aggregate.argument.get(), aggregate.slot});
  plan.select = query.select.get();
  for (const BoundOrdering& ordering : query.order_by)
    plan.order_by.push_back({ordering.value.get(), ordering.descending});
  plan.orders_undefined = query.orders_undefined;
  for (const BoundRank& rank : query.rank) plan.rank.push_back(rank.value.get());
  plan.ranking = RankingOf(query.rank);
  plan.is_distinct = query.is_distinct;
  plan.offset = query.offset;
  plan.limit = query.limit;
  plan.slot_count = query.slot_count;
  return plan;
}

}  // namespace orrery::sql
