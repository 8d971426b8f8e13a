// The identity of values for DISTINCT, GROUP BY and the set functions (model/sql/identity.h).
#pragma once

#include "model/sql/identity.h"

namespace orrery::sql {

using model::sql::AppendIdentity;
using model::sql::IdentityOf;

}  // namespace orrery::sql
