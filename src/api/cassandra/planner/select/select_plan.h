// SELECT, planned: where its rows come from, what is kept of them, and what is made of each.
//
// Plan once, run for each execution (executor/read). Immutable after planning, so thread-safe;
// keeps its table alive.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/cassandra/function/function.h"
#include "api/cassandra/parser/ast/select.h"
#include "api/cassandra/planner/restriction/restrictions.h"
#include "api/cassandra/planner/select/point_plan.h"
#include "api/cassandra/planner/term/term_planner.h"
#include "api/cassandra/protocol/response/result_columns.h"
#include "api/cassandra/schema/table.h"

namespace orrery::cassandra {

// A value of each result row: a column as it is, or something computed.
struct SelectedValue {
  std::optional<size_t> place;  // in Table::columns
  ExpressionPtr expression;     // null for a column
  TypePtr type;
  std::string json_name;  // in JSON: the member's
};

// The rows that make one result row.
struct Grouping {
  enum class Kind : uint8_t { kEach, kAll, kPrefix };
  Kind kind = Kind::kEach;
  // kPrefix: rows of one partition that agree in so many clustering columns ...
  size_t clustering = 0;
  // ... the last of them after this function of it, unless null.
  ExpressionPtr last;
};

// ORDER BY v ANN OF target: by similarity, the nearest first.
struct NearestOrder {
  size_t place = 0;
  ExpressionPtr target;
  std::shared_ptr<const ScalarFunction> similarity;  // a float of two vectors
};

struct SelectPlan {
  TablePtr table;
  std::optional<Restrictions> restrictions;  // always set
  std::vector<ColumnSpec> result;            // as clients are told
  std::vector<SelectedValue> selection;      // in JSON: the members of the one result column
  std::vector<AggregateCall> aggregates;
  bool is_json = false;
  bool is_distinct = false;
  Grouping grouping;
  bool reversed = false;     // rows of a partition come in the reverse of their order
  std::vector<size_t> sort;  // columns to sort by in memory: IN on the partition key
  std::optional<NearestOrder> nearest;
  ExpressionPtr limit;  // an int; null: none
  ExpressionPtr per_partition_limit;

  // The columns that are used, by place in Table::columns: by the selection, filters, order and
  // groups.
  std::vector<ColumnUse> uses;
  bool reads_statics = false;
  // A partition that has static values but no row gives one.
  bool statics_alone = false;
  bool calls_user_functions = false;

  // Set when it is the simplest read there is.
  std::optional<PointPlan> point;

  bool is_aggregate() const { return grouping.kind != Grouping::Kind::kEach; }
  // COSMOS_CHANGEFEED_START_TIME(): rows come from the change feed.
  bool is_feed() const { return restrictions->feed_start() != nullptr; }
};

// `scope` must be that of the table's keyspace. Fills `variables`.
CqlResult<SelectPlan> PlanSelect(const ast::Select& select, TablePtr table, const TermScope& scope,
                                 Variables& variables);

}  // namespace orrery::cassandra
