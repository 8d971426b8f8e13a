// Bodies of functions made of plain C++ functions: each checks its arguments' types, and is
// undefined where one is wrong.
#pragma once

#include "api/sql/function/argument.h"

namespace orrery::sql {

// double F(double)
template <auto F>
Result<Value> OfNumber(Arguments arguments, const CallContext&) {
  const auto number = NumberOf(arguments[0]);
  return number ? model::NumberFromDouble(F(*number)) : Value::Undefined();
}

// double F(double, double)
template <auto F>
Result<Value> OfTwoNumbers(Arguments arguments, const CallContext&) {
  const auto a = NumberOf(arguments[0]);
  const auto b = NumberOf(arguments[1]);
  return a && b ? model::NumberFromDouble(F(*a, *b)) : Value::Undefined();
}

// bool F(const Value&)
template <auto F>
Result<Value> OfAnything(Arguments arguments, const CallContext&) {
  return Value::Bool(F(arguments[0]));
}

// Result<Value> or Value F(const std::string&)
template <auto F>
Result<Value> OfText(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  if (text == nullptr) return Value::Undefined();
  return F(*text);
}

}  // namespace orrery::sql
