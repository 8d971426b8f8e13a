// =, !=, <, <=, >, >=, IN and BETWEEN.
//
// Values of different types do not compare: the result is undefined, as it is with undefined on
// either side. Numbers compare as IEEE doubles, strings by their UTF-8 bytes (the order of their
// code points), false before true. Arrays and objects are equal when all in them is, an object's
// fields in any order; they have no order among themselves, so < and its kin are undefined.
//
// model/compare.h defines how ORDER BY arranges values of all types.
#pragma once

#include <span>

#include "model/sql/truth.h"
#include "model/value.h"

namespace orrery::model::sql {

Truth Equal(const Value& a, const Value& b);
inline Truth NotEqual(const Value& a, const Value& b) { return Not(Equal(a, b)); }
Truth Less(const Value& a, const Value& b);
Truth LessOrEqual(const Value& a, const Value& b);
inline Truth Greater(const Value& a, const Value& b) { return Less(b, a); }
inline Truth GreaterOrEqual(const Value& a, const Value& b) { return LessOrEqual(b, a); }

// As the = of each, joined by OR.
Truth In(const Value& value, std::span<const Value> list);
// Both bounds are included.
Truth Between(const Value& value, const Value& low, const Value& high);

// Returns whether both are of one type and equal: Equal without its third answer. Undefined equals
// undefined here, so that absent fields do not tell two objects apart.
bool DeepEqual(const Value& a, const Value& b);

}  // namespace orrery::model::sql
