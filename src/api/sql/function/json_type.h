// The types that the SQL query language tells values apart by (model/sql/json_type.h).
#pragma once

#include "model/sql/json_type.h"

namespace orrery::sql {

using model::sql::IsPrimitive;
using model::sql::JsonType;
using model::sql::TypeOf;

}  // namespace orrery::sql
