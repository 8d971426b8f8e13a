// USING TIMESTAMP and TTL.
#pragma once

#include <cstdint>
#include <optional>

#include "api/cassandra/parser/ast/modification.h"
#include "api/cassandra/planner/term/term_planner.h"

namespace orrery::cassandra {

inline constexpr int32_t kTtlSecondsMax = 20 * 365 * 24 * 60 * 60;

struct Attributes {
  ExpressionPtr timestamp;  // null: not said
  ExpressionPtr ttl;
};

struct BoundAttributes {
  std::optional<int64_t> timestamp_us;
  std::optional<int32_t> ttl_s;  // 0: none, also against the table's default
};

CqlResult<Attributes> PlanAttributes(const ast::UsingClause& clause, const Receiver& table,
                                     TermPlanner& terms);
CqlResult<BoundAttributes> BindAttributes(const Attributes& attributes,
                                          const Evaluation& evaluation);

}  // namespace orrery::cassandra
