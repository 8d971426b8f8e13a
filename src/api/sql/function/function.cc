#include "api/sql/function/function.h"

#include "base/check.h"

namespace orrery::sql {

Result<Value> Function::Call(Arguments arguments, const CallContext& context) const {
  ORRERY_CHECK(Takes(arguments.size()));
  return body(arguments, context);
}

}  // namespace orrery::sql
