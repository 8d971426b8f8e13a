#include "api/cassandra/schema/codec/row_rules.h"

#include "base/check.h"

namespace orrery::cassandra {
namespace {

using item::RowIndexTarget;

// Elements of a set and keys of a map are the paths of their cells; everything else that an index
// may be on is the value of one.
RowIndexTarget CellTarget(const Column& column, ast::IndexTargetKind target) {
  switch (target) {
    case ast::IndexTargetKind::kKeys:
      return RowIndexTarget::kPath;
    case ast::IndexTargetKind::kEntries:
      return RowIndexTarget::kEntry;
    case ast::IndexTargetKind::kValues:
      return column.type->kind() == TypeKind::kSet ? RowIndexTarget::kPath : RowIndexTarget::kValue;
    case ast::IndexTargetKind::kColumn:
    case ast::IndexTargetKind::kFull:
      break;
  }
  return RowIndexTarget::kValue;
}

item::RowIndex RuleOf(const Index& index, const Column& column) {
  item::RowIndex rule;
  rule.id = index.id;
  if (column.is_key()) {
    rule.target =
        column.is_clustering() ? RowIndexTarget::kClustering : RowIndexTarget::kPartitionKey;
    rule.component = column.position;
  } else {
    rule.target = CellTarget(column, index.target);
    rule.column = column.id;
  }
  return rule;
}

}  // namespace

item::RowRules RowRulesOf(const Table& table) {
  item::RowRules rules;
  rules.composite_key = table.partition_key_count > 1;
  for (const Column& column : table.clustering()) {
    rules.clustering.push_back(column.descending ? model::Direction::kDescending
                                                 : model::Direction::kAscending);
  }
  for (const Index& index : table.indexes) {
    const Column* column = table.Find(index.column);
    ORRERY_CHECK(column != nullptr);
    rules.indexes.push_back(RuleOf(index, *column));
  }
  rules.gc_grace_s = static_cast<uint32_t>(table.options.gc_grace_seconds);
  return rules;
}

}  // namespace orrery::cassandra
