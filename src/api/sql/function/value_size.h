// The estimate of a value's size that bounds on results of the query language count by.
#pragma once

#include "model/value_size.h"

namespace orrery::sql {

using model::ApproximateBytes;

}  // namespace orrery::sql
