// INSERT, UPDATE and DELETE, planned: which rows, what is done to them, and under which conditions.
//
// Plan once, Bind for each execution. Immutable after planning, so thread-safe; keeps its table
// alive. What it means in cells is executor/write's business.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/cassandra/parser/ast/modification.h"
#include "api/cassandra/planner/modification/attributes.h"
#include "api/cassandra/planner/modification/column_operation.h"
#include "api/cassandra/planner/modification/condition.h"
#include "api/cassandra/planner/restriction/restrictions.h"

namespace orrery::cassandra {

struct ModificationPlan {
  enum class Kind : uint8_t { kInsert, kUpdate, kDelete };

  TablePtr table;
  Kind kind = Kind::kInsert;

  // kInsert: one term for each key column; no clustering ones when only statics are set.
  std::vector<ExpressionPtr> partition_key;
  std::vector<ExpressionPtr> clustering;
  ExpressionPtr json;       // INSERT JSON: the text, instead of the terms and values above
  bool json_unset = false;  // columns it does not name stay as they are
  // The others.
  std::optional<Restrictions> restrictions;

  std::vector<ColumnOperation> static_operations;
  std::vector<ColumnOperation> row_operations;
  Attributes attributes;

  bool if_not_exists = false;
  bool if_exists = false;
  std::vector<Condition> conditions;

  bool is_conditional() const { return if_not_exists || if_exists || !conditions.empty(); }
  // DELETE without a list of columns.
  bool deletes_rows() const {
    return kind == Kind::kDelete && static_operations.empty() && row_operations.empty();
  }
  // Nothing but static columns changes, and the statement names no row.
  bool only_statics = false;
  // Returns whether its conditions are about the row that it names, not only about static columns.
  bool has_row_conditions() const;
  // Returns whether what it does depends on what is stored.
  bool reads() const;
};

// A statement with its values, ready to become cells. Points into its plan, which must outlive it.
struct BoundModification {
  const ModificationPlan* plan = nullptr;
  std::vector<std::string> partition_keys;
  // The rows, or what DELETE clears; nothing when only statics change. Of a table without
  // clustering columns: its one row.
  std::vector<ClusteringRange> rows;
  std::vector<BoundOperation> static_operations;
  std::vector<BoundOperation> row_operations;
  std::vector<BoundCondition> conditions;
  BoundAttributes attributes;
};

struct ModificationScope {
  const TermScope& terms;
  Variables& variables;
};

CqlResult<ModificationPlan> PlanInsert(const ast::Insert& insert, TablePtr table,
                                       const ModificationScope& scope);
CqlResult<ModificationPlan> PlanInsertJson(const ast::InsertJson& insert, TablePtr table,
                                           const ModificationScope& scope);
CqlResult<ModificationPlan> PlanUpdate(const ast::Update& update, TablePtr table,
                                       const ModificationScope& scope);
CqlResult<ModificationPlan> PlanDelete(const ast::Delete& deletion, TablePtr table,
                                       const ModificationScope& scope);

CqlResult<BoundModification> BindModification(const ModificationPlan& plan,
                                              const Evaluation& evaluation);

}  // namespace orrery::cassandra
