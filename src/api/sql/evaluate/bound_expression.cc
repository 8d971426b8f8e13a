#include "api/sql/evaluate/bound_expression.h"

namespace orrery::sql {

Result<Truth> Holds(const BoundExpression& condition, Frame& frame) {
  model::Value scratch;
  ORRERY_ASSIGN(const model::Value* value, condition.Evaluate(frame, scratch));
  return TruthOf(*value);
}

}  // namespace orrery::sql
