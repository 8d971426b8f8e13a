#include "api/cassandra/planner/modification/attributes.h"

#include <fmt/core.h>

#include "base/bytes.h"

namespace orrery::cassandra {

CqlResult<Attributes> PlanAttributes(const ast::UsingClause& clause, const Receiver& table,
                                     TermPlanner& terms) {
  Attributes attributes;
  if (clause.timestamp.has_value()) {
    CQL_ASSIGN(attributes.timestamp,
               terms.PlanValue(*clause.timestamp,
                               PartOf(table, "[timestamp]", Type::Native(TypeKind::kBigint))));
  }
  if (clause.ttl.has_value()) {
    CQL_ASSIGN(attributes.ttl,
               terms.PlanValue(*clause.ttl, PartOf(table, "[ttl]", Type::Native(TypeKind::kInt))));
  }
  return attributes;
}

CqlResult<BoundAttributes> BindAttributes(const Attributes& attributes,
                                          const Evaluation& evaluation) {
  BoundAttributes bound;
  if (attributes.timestamp != nullptr) {
    CQL_ASSIGN(const TermValue value, attributes.timestamp->Evaluate(evaluation));
    if (value.is_null() || (value.has_value() && value.bytes.empty()))
      return Invalid("Invalid null value of timestamp");
    if (value.has_value())
      bound.timestamp_us = static_cast<int64_t>(LoadBigEndian<uint64_t>(value.bytes.data()));
    if (bound.timestamp_us == INT64_MIN) {
      return Invalid(
          fmt::format("Out of bound timestamp, must be in [{}, {}]", INT64_MIN + 1, INT64_MAX));
    }
  }
  if (attributes.ttl != nullptr) {
    CQL_ASSIGN(const TermValue value, attributes.ttl->Evaluate(evaluation));
    if (value.is_unset()) return bound;
    bound.ttl_s = 0;
    if (value.has_value() && !value.bytes.empty())
      bound.ttl_s = static_cast<int32_t>(LoadBigEndian<uint32_t>(value.bytes.data()));
    if (*bound.ttl_s < 0) {
      return Invalid(fmt::format("A TTL must be greater or equal to 0, but was {}", *bound.ttl_s));
    }
    if (*bound.ttl_s > kTtlSecondsMax) {
      return Invalid(fmt::format("ttl is too large. requested ({}) maximum ({})", *bound.ttl_s,
                                 kTtlSecondsMax));
    }
  }
  return bound;
}

}  // namespace orrery::cassandra
