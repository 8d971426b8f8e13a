// A statement that is ready to run: parsed, looked up and planned for one schema. Immutable and
// shared by all its executions.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "api/cassandra/executor/access_policy.h"
#include "api/cassandra/executor/outcome.h"
#include "api/cassandra/parser/ast/statement.h"
#include "api/cassandra/planner/modification/modification_plan.h"
#include "api/cassandra/planner/select/select_plan.h"
#include "api/cassandra/schema/schema.h"

namespace orrery::cassandra {

using SelectPlanPtr = std::shared_ptr<const SelectPlan>;
using ModificationPlanPtr = std::shared_ptr<const ModificationPlan>;

// BEGIN BATCH ... APPLY BATCH.
struct BatchPlan {
  ast::BatchKind kind = ast::BatchKind::kLogged;
  Attributes attributes;
  std::vector<ModificationPlanPtr> statements;
};

struct PlannedStatement {
  // The kind of statement: rows are read or written by a plan; everything else runs from its tree.
  using Plan = std::variant<SelectPlanPtr, ModificationPlanPtr, std::shared_ptr<const BatchPlan>,
                            std::shared_ptr<const ast::Statement>>;

  SchemaPtr schema;
  std::string keyspace;  // the session's or request's when it was planned
  Plan plan;
  ColumnShapePtr variables;
  std::vector<std::string> variable_names;  // by which values may be given
  std::vector<uint16_t> partition_key_indexes;
  ColumnShapePtr result;  // null: no rows, or rows whose columns depend on the outcome
  // Functions that users wrote: they need a permission, and may be slow (not to be run on an event
  // loop).
  std::vector<FunctionPtr> called;
  std::vector<Requirement> requirements;  // what who runs it must hold
};
using PlannedPtr = std::shared_ptr<const PlannedStatement>;

}  // namespace orrery::cassandra
