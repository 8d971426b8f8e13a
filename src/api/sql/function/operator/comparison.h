// =, !=, <, <=, >, >=, IN and BETWEEN (model/sql/comparison.h).
#pragma once

#include "api/sql/function/operator/truth.h"
#include "model/sql/comparison.h"

namespace orrery::sql {

using model::sql::Between;
using model::sql::DeepEqual;
using model::sql::Equal;
using model::sql::Greater;
using model::sql::GreaterOrEqual;
using model::sql::In;
using model::sql::Less;
using model::sql::LessOrEqual;
using model::sql::NotEqual;

}  // namespace orrery::sql
