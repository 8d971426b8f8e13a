// =, !=, <, <=, >, >=, IN and BETWEEN.
//
// Values of different types do not compare: the result is undefined, as it is with undefined on
// either side. Numbers compare as IEEE doubles, strings by their UTF-8 bytes (the order of their
// code points), false before true. Arrays and objects are equal when all in them is, an object's
// fields in any order; they have no order among themselves, so < and its kin are undefined.
//
// How ORDER BY arranges values of all types is model/compare.h's to say.
#pragma once

#include <span>

#include "api/sql/function/operator/truth.h"
#include "model/value.h"

namespace orrery::sql {

Truth Equal(const model::Value& a, const model::Value& b);
inline Truth NotEqual(const model::Value& a, const model::Value& b) { return Not(Equal(a, b)); }
Truth Less(const model::Value& a, const model::Value& b);
Truth LessOrEqual(const model::Value& a, const model::Value& b);
inline Truth Greater(const model::Value& a, const model::Value& b) { return Less(b, a); }
inline Truth GreaterOrEqual(const model::Value& a, const model::Value& b) {
  return LessOrEqual(b, a);
}

// As the = of each, joined by OR.
Truth In(const model::Value& value, std::span<const model::Value> list);
// Both bounds are included.
Truth Between(const model::Value& value, const model::Value& low, const model::Value& high);

// Whether both are of one type and equal: Equal without its third answer. Undefined equals
// undefined here, so that absent fields do not tell two objects apart.
bool DeepEqual(const model::Value& a, const model::Value& b);

}  // namespace orrery::sql
