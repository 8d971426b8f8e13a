// From a relation as written to what it says of which columns: looks names up, checks that the
// operator suits the type, plans the values. Pure; Cassandra's rules and texts.
#pragma once

#include "api/cassandra/parser/ast/restriction.h"
#include "api/cassandra/planner/restriction/column_restriction.h"
#include "api/cassandra/planner/term/term_planner.h"
#include "api/cassandra/planner/term/variables.h"
#include "api/cassandra/schema/table.h"

namespace orrery::cassandra {

class RelationPlanner {
 public:
  // All must outlive it; the table also what it plans.
  RelationPlanner(const Table& table, TermPlanner& terms, Variables& variables)
      : table_(table), terms_(terms), variables_(variables) {}

  // REQUIRES: the left side is a column, an entry of one, or a tuple of columns, and the operator
  // is neither != nor IS NOT NULL, and LIKE for a column only, as the grammar has it.
  CqlResult<ColumnRestriction> Plan(const ast::Relation& relation);

 private:
  CqlResult<ColumnRestriction> PlanColumn(const ast::Name& name, const ast::Relation& relation);
  CqlResult<ColumnRestriction> PlanEntry(const ast::MapEntry& entry, const ast::Relation& relation);
  CqlResult<ColumnRestriction> PlanTuple(const ast::ColumnTuple& tuple,
                                         const ast::Relation& relation);
  CqlResult<ColumnRestriction> Finish(ColumnRestriction restriction, const ast::Relation& relation);
  CqlResult<ColumnRestriction> FinishIn(ColumnRestriction restriction,
                                        const ast::Relation& relation);
  CqlResult<ComparedValue> PlanCompared(const ColumnRestriction& restriction,
                                        const ast::Term& term);
  // Tells the variables which marker is which partition key column: clients route by them.
  void NotePartitionKey(const ColumnRestriction& restriction);

  const Table& table_;
  TermPlanner& terms_;
  Variables& variables_;
};

// The column of a WHERE clause, or "Undefined column name x in table ks.t".
CqlResult<const Column*> RequireColumn(const Table& table, const ast::Name& name);

}  // namespace orrery::cassandra
