// The comparisons of a value with a constant (model/match/comparison.h).
#pragma once

#include "model/match/comparison.h"

namespace orrery::query {

using model::Comparison;

}  // namespace orrery::query
