// Builds objects from values at paths.
#pragma once

#include <span>
#include <string>

#include "model/value.h"

namespace orrery::model {

// Puts the value at the path below `object`, and objects on the way where there are none. Does
// nothing where something else is in the way. REQUIRES: an object, and one step at least.
void SetAt(Value& object, std::span<const std::string> steps, Value value);

}  // namespace orrery::model
