// Tables made by hand, and statements planned for them, for tests of planners and executors.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/cassandra/function/native/native_functions.h"
#include "api/cassandra/parser/parser.h"
#include "api/cassandra/planner/select/select_plan.h"
#include "api/cassandra/planner/term/term_planner.h"
#include "api/cassandra/planner/term/token_of_table.h"
#include "api/cassandra/schema/schema.h"

namespace orrery::cassandra::testing {

// Columns must come in the order of their kinds.
class TableBuilder {
 public:
  explicit TableBuilder(std::string name = "t") {
    table_.keyspace = "ks";
    table_.name = std::move(name);
    table_.id = std::string(16, 'i');
  }

  TableBuilder& Key(std::string name, TypePtr type) {
    return Add(std::move(name), std::move(type), ColumnKind::kPartitionKey);
  }
  TableBuilder& Clustering(std::string name, TypePtr type, bool descending = false) {
    Add(std::move(name), std::move(type), ColumnKind::kClustering);
    table_.columns.back().descending = descending;
    return *this;
  }
  TableBuilder& Static(std::string name, TypePtr type) {
    return Add(std::move(name), std::move(type), ColumnKind::kStatic);
  }
  TableBuilder& Regular(std::string name, TypePtr type) {
    return Add(std::move(name), std::move(type), ColumnKind::kRegular);
  }
  TableBuilder& IndexOn(std::string column,
                        ast::IndexTargetKind target = ast::IndexTargetKind::kColumn,
                        bool built = true) {
    Index index;
    index.name = column + "_idx";
    index.id = static_cast<uint32_t>(table_.indexes.size() + 1);
    index.target = target;
    index.column = std::move(column);
    index.built = built;
    table_.indexes.push_back(std::move(index));
    return *this;
  }
  TableBuilder& Compact() {
    table_.is_compact = true;
    return *this;
  }
  TableBuilder& DefaultTtl(int32_t seconds) {
    table_.options.default_time_to_live = seconds;
    return *this;
  }
  TableBuilder& ViewOn(std::string base_table) {
    table_.view.emplace();
    table_.view->base_table = std::move(base_table);
    return *this;
  }
  TableBuilder& In(gateway::ContainerRef container) {
    table_.container = std::move(container);
    return *this;
  }
  TableBuilder& From(std::shared_ptr<const VirtualTable> source) {
    table_.source = std::move(source);
    return *this;
  }

  TablePtr Build() const { return std::make_shared<Table>(table_); }

 private:
  TableBuilder& Add(std::string name, TypePtr type, ColumnKind kind) {
    Column column;
    column.name = std::move(name);
    column.type = std::move(type);
    column.kind = kind;
    uint32_t unused = 0;
    uint32_t& count = kind == ColumnKind::kPartitionKey ? table_.partition_key_count
                      : kind == ColumnKind::kClustering ? table_.clustering_count
                      : kind == ColumnKind::kStatic     ? table_.static_count
                                                        : unused;
    column.position = count++;
    if (!column.is_key()) column.id = ++table_.highest_column_id;
    if (column.is_counter()) table_.is_counter = true;
    table_.columns.push_back(std::move(column));
    return *this;
  }

  Table table_;
};

// The context in which statements of one table are planned. `user_functions` are those of the
// keyspace.
class PlanningScope {
 public:
  explicit PlanningScope(const Table& table, std::vector<FunctionPtr> user_functions = {})
      : library_(NativeFunctions()),
        functions_{.native = library_,
                   .keyspace = "ks",
                   .token = TokenOf(table),
                   .user_functions = Overloads(std::move(user_functions))},
        terms_{.schema = schema_, .keyspace = keyspace_, .functions = functions_, .now_ms = 0} {
    keyspace_.name = "ks";
  }

  const TermScope& terms() const { return terms_; }

 private:
  using UserFunctions = decltype(FunctionScope::user_functions);
  static UserFunctions Overloads(std::vector<FunctionPtr> functions) {
    return [functions = std::move(functions)](const FunctionName& name) {
      std::vector<FunctionPtr> found;
      for (const FunctionPtr& function : functions) {
        if (function->name() == name) found.push_back(function);
      }
      return found;
    };
  }

  Schema schema_;
  Keyspace keyspace_;
  FunctionLibrary library_;
  FunctionScope functions_;
  TermScope terms_;
};

template <typename Plan>
struct Planned {
  std::shared_ptr<const Plan> plan;  // null when refused
  std::string error;
  std::vector<std::string> variables;  // names of the markers' receivers
  std::vector<uint16_t> partition_key_indexes;
};
using PlannedSelect = Planned<SelectPlan>;

// Plans the statement by `planner`: CqlResult<Plan>(ast::Statement, TermScope, Variables&).
template <typename Plan, typename Planner>
Planned<Plan> PlanParsed(const TablePtr& table, std::string_view text,
                         std::vector<FunctionPtr> user_functions, Planner planner) {
  Planned<Plan> planned;
  auto parsed = ParseStatement(text);
  EXPECT_TRUE(parsed.has_value()) << text;
  if (!parsed.has_value()) return planned;
  const PlanningScope scope(*table, std::move(user_functions));
  Variables variables(parsed->markers);
  CqlResult<Plan> plan = planner(parsed->statement, scope.terms(), variables);
  if (!plan.has_value()) {
    planned.error = plan.error().message;
    return planned;
  }
  planned.plan = std::make_shared<const Plan>(*std::move(plan));
  for (size_t i = 0; i < variables.size(); ++i) planned.variables.push_back(variables.NameOf(i));
  planned.partition_key_indexes = variables.PartitionKeyIndexes(table->partition_key_count);
  return planned;
}

inline PlannedSelect PlanText(const TablePtr& table, std::string_view text,
                              std::vector<FunctionPtr> user_functions = {}) {
  return PlanParsed<SelectPlan>(
      table, text, std::move(user_functions),
      [&](const ast::Statement& statement, const TermScope& scope, Variables& variables) {
        return PlanSelect(std::get<ast::Select>(statement), table, scope, variables);
      });
}

}  // namespace orrery::cassandra::testing
