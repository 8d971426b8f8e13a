#include "api/cassandra/planner/select/point_plan.h"

#include <algorithm>

#include "api/cassandra/planner/select/select_plan.h"

namespace orrery::cassandra {
namespace {

// Returns whether a key column's stored value always has the bytes that it was asked for with:
// types whose equal values may differ in bytes are stored in a normal form.
bool HasOneForm(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kBoolean:
    case TypeKind::kDecimal:
    case TypeKind::kDouble:
    case TypeKind::kFloat:
    case TypeKind::kVarint:
      return false;
    default:
      return type.is_native();
  }
}

}  // namespace

// A row may have nothing but cells of columns that were dropped, and is none then: rows of tables
// with such columns are examined as a whole.
std::optional<PointPlan> MakePointPlan(const SelectPlan& plan) {
  const Table& table = *plan.table;
  const Restrictions& restrictions = *plan.restrictions;
  if (!restrictions.names_one_row() || !restrictions.filtered().empty() || plan.is_aggregate() ||
      plan.is_json || plan.is_distinct || plan.is_feed() || plan.nearest.has_value() ||
      plan.limit != nullptr || plan.per_partition_limit != nullptr || table.source != nullptr ||
      plan.calls_user_functions || !table.dropped.empty()) {
    return std::nullopt;
  }
  PointPlan point;
  point.partition_key = restrictions.PartitionKeyTerms();
  point.clustering = restrictions.ClusteringTerms();
  if (point.clustering.size() != table.clustering_count) return std::nullopt;
  // A bound set or map may come in any order.
  for (const Column& column : table.columns) {
    if (column.is_key() && !column.type->is_native()) return std::nullopt;
  }
  for (size_t i = 0; i < plan.selection.size(); ++i) {
    if (!plan.selection[i].place.has_value()) return std::nullopt;
    const Column& column = table.columns[*plan.selection[i].place];
    if (column.type->is_multi_cell() || column.hides_cells()) return std::nullopt;
    if (column.is_clustering() && !HasOneForm(*column.type)) return std::nullopt;
    point.columns.push_back({column.kind, column.position});
    if (column.is_key()) continue;
    auto& cells = column.is_static() ? point.statics : point.regular;
    cells.push_back({column.id, static_cast<uint32_t>(i)});
  }
  std::ranges::sort(point.regular, {}, &PointPlan::Cell::column);
  std::ranges::sort(point.statics, {}, &PointPlan::Cell::column);
  return point;
}

}  // namespace orrery::cassandra
