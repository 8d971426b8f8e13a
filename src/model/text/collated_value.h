// A value whose strings are replaced by their keys in an order of strings: values that are equal
// under the collation become equal, and others come in its order. Pure.
#pragma once

#include "model/text/text_collator.h"
#include "model/value.h"

namespace orrery::model {

// Strings within arrays and objects as well; names of fields stay.
Value CollatedValue(const Value& value, const TextCollator& collator);

}  // namespace orrery::model
