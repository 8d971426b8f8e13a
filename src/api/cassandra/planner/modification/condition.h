// A Condition stands after IF: a test on the row as it is when the write's turn comes.
//
// Immutable after planning; the table must outlive it.
#pragma once

#include <string>
#include <vector>

#include "api/cassandra/parser/ast/modification.h"
#include "api/cassandra/planner/term/row_values.h"
#include "api/cassandra/planner/term/term_planner.h"
#include "api/cassandra/schema/table.h"

namespace orrery::cassandra {

struct Condition {
  const Column* column = nullptr;
  ast::RelationOperator op = ast::RelationOperator::kEqual;
  ExpressionPtr element;              // c[k]: the key or index
  std::optional<size_t> field;        // c.f
  TypePtr type;                       // of what is compared
  std::vector<ExpressionPtr> values;  // one, or those of IN
  ExpressionPtr in_marker;            // IN ?
};

CqlResult<Condition> PlanCondition(const Table& table, const ast::Condition& condition,
                                   TermPlanner& terms);

struct BoundCondition {
  const Condition* condition = nullptr;
  TermValue element;
  std::vector<TermValue> values;

  // Returns whether it holds for a row, of which `row` has this column's value. An absent row has
  // none.
  CqlResult<bool> Holds(const std::optional<std::string_view>& column_value) const;
};

CqlResult<std::vector<BoundCondition>> BindConditions(const std::vector<Condition>& conditions,
                                                      const Evaluation& evaluation);

}  // namespace orrery::cassandra
