// From assignments and deletions as written to operations: which column, which kind, which types
// the terms must have. Pure; Cassandra's rules and texts.
#pragma once

#include <vector>

#include "api/cassandra/parser/ast/modification.h"
#include "api/cassandra/planner/modification/column_operation.h"
#include "api/cassandra/planner/term/term_planner.h"

namespace orrery::cassandra {

class OperationPlanner {
 public:
  // Both must outlive it; the table also what it plans.
  OperationPlanner(const Table& table, TermPlanner& terms) : table_(table), terms_(terms) {}

  // SET c = v, c[k] = v, c.f = v, c = c + v ... Not of key columns.
  CqlResult<ColumnOperation> PlanAssignment(const ast::Assignment& assignment);
  // DELETE c, c[k], c.f. Likewise.
  CqlResult<ColumnOperation> PlanDeletion(const ast::Deletion& deletion);
  // INSERT (c) VALUES (v). REQUIRES: no key column.
  CqlResult<ColumnOperation> PlanInsertion(const Column& column, const ast::Term& value);

  // A value that a bind marker or literal gives for a column.
  CqlResult<ExpressionPtr> PlanColumnValue(const Column& column, const ast::Term& value);

 private:
  CqlResult<ColumnOperation> PlanSet(const Column& column, const ast::Assignment& assignment);
  CqlResult<ColumnOperation> PlanElement(const Column& column, const ast::Term& key,
                                         const ast::Assignment& assignment);
  CqlResult<ColumnOperation> PlanField(const Column& column, const ast::Name& field,
                                       const ast::Assignment& assignment);
  CqlResult<ColumnOperation> PlanChange(const Column& column, const ast::Assignment& assignment);

  const Table& table_;
  TermPlanner& terms_;
};

}  // namespace orrery::cassandra
