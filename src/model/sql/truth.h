// The three-valued logic of conditions: true, false, undefined.
//
// Only a boolean is true or false; every other value counts as undefined. A condition holds when it
// is true.
#pragma once

#include <cstdint>

#include "model/value.h"

namespace orrery::model::sql {

enum class Truth : uint8_t { kFalse, kTrue, kUndefined };

inline Truth TruthOf(const Value& value) {
  if (value.kind() != Kind::kBool) return Truth::kUndefined;
  return value.AsBool() ? Truth::kTrue : Truth::kFalse;
}
inline Truth TruthOf(bool value) { return value ? Truth::kTrue : Truth::kFalse; }

inline Value ToValue(Truth truth) {
  if (truth == Truth::kUndefined) return Value::Undefined();
  return Value::Bool(truth == Truth::kTrue);
}

// One false makes it false, whatever the other.
inline Truth And(Truth a, Truth b) {
  if (a == Truth::kFalse || b == Truth::kFalse) return Truth::kFalse;
  return a == Truth::kTrue && b == Truth::kTrue ? Truth::kTrue : Truth::kUndefined;
}

// One true makes it true, whatever the other.
inline Truth Or(Truth a, Truth b) {
  if (a == Truth::kTrue || b == Truth::kTrue) return Truth::kTrue;
  return a == Truth::kFalse && b == Truth::kFalse ? Truth::kFalse : Truth::kUndefined;
}

inline Truth Not(Truth a) {
  if (a == Truth::kUndefined) return Truth::kUndefined;
  return a == Truth::kTrue ? Truth::kFalse : Truth::kTrue;
}

}  // namespace orrery::model::sql
