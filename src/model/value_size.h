// Estimates how many bytes a value takes, in memory or as text: what bounds on results count.
#pragma once

#include <cstddef>

#include "model/value.h"

namespace orrery::model {

// At least one byte for each value in it, and all bytes of its strings and names.
size_t ApproximateBytes(const Value& value);

}  // namespace orrery::model
