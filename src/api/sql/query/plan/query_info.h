// A QueryInfo is what a query plan says of one query that clients send to each partition: how its
// rows are merged. The properties are those that clients look for; every one is always there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/sql/query/plan/query_rewriter.h"
#include "model/value.h"

namespace orrery::sql {

struct QueryInfo {
  enum class Distinct : uint8_t { kNone, kOrdered, kUnordered };

  Distinct distinct = Distinct::kNone;
  model::Value top = model::Value::Null();
  model::Value offset = model::Value::Null();
  model::Value limit = model::Value::Null();
  std::vector<bool> order_by = {};  // whether descending
  std::vector<std::string> order_by_expressions = {};
  std::vector<std::string> group_by_expressions = {};
  std::vector<GroupedItem> grouped = {};  // the values of SELECT, where rows are grouped
  std::string rewritten_query = {};       // empty: the query as it is
  bool has_select_value = false;
  bool has_non_streaming_order_by = false;
  // Set: the client counts the distinct rows, and answers under this name; empty for VALUE.
  std::optional<std::string> distinct_count = {};

  model::Value ToValue() const;
};

}  // namespace orrery::sql
