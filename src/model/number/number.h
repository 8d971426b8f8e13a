// Numbers of any kind as the one kind that SQL knows.
#pragma once

#include "model/value.h"

namespace orrery::model {

// The nearest double; infinity beyond its range. REQUIRES: a number.
double ToDouble(const Value& number);

// A whole number that fits int32 or int64 as such, anything else as a double: the form that JSON
// text with the same digits is read as.
Value NumberFromDouble(double number);

// The sum: exact while both are integers and the sum fits int64, else the nearest double (int32
// where it fits); undefined when that is no finite number. REQUIRES: two numbers.
Value Add(const Value& a, const Value& b);

}  // namespace orrery::model
