// The three-valued logic of conditions (model/sql/truth.h).
#pragma once

#include "model/sql/truth.h"

namespace orrery::sql {

using model::sql::And;
using model::sql::Not;
using model::sql::Or;
using model::sql::ToValue;
using model::sql::Truth;
using model::sql::TruthOf;

}  // namespace orrery::sql
