// Expressions as JSON, for the admin interface and for conditions of patches.
//
//   null, true, 1, "a"                       themselves
//   {"path": "/a/b"}                         a reference
//   {"field": "/a/b"}                        the same, through objects only
//   {"literal": anything}                    any value, also arrays and objects
//   {"object": {"x": expression, ...}}       an object made here
//   {"=": [expression, expression]}          any operator of Operators(), by its name
//   {"not": expression}                      one operand may stand without its array
#pragma once

#include "base/status.h"
#include "model/expression/expression.h"
#include "model/value.h"

namespace orrery::model {

// kInvalidArgument says which part is wrong.
Result<Expression> ExpressionFromJson(const Value& json);
Value ExpressionToJson(const Expression& expression);

}  // namespace orrery::model
