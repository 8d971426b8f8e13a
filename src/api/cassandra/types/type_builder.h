// Short ways to write types in tests. Included by tests and the fuzz target only.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "api/cassandra/types/type.h"

namespace orrery::cassandra::testing {

inline TypePtr Native(TypeKind kind) { return Type::Native(kind); }
inline TypePtr Int() { return Type::Native(TypeKind::kInt); }
inline TypePtr Text() { return Type::Native(TypeKind::kText); }

inline TypePtr ListOf(TypePtr element, Cells cells = Cells::kFrozen) {
  return Type::List(std::move(element), cells).value();
}
inline TypePtr SetOf(TypePtr element, Cells cells = Cells::kFrozen) {
  return Type::Set(std::move(element), cells).value();
}
inline TypePtr MapOf(TypePtr key, TypePtr value, Cells cells = Cells::kFrozen) {
  return Type::Map(std::move(key), std::move(value), cells).value();
}
inline TypePtr TupleOf(TypeList elements) { return Type::Tuple(std::move(elements)).value(); }
inline TypePtr VectorOf(TypePtr element, uint32_t dimension) {
  return Type::Vector(std::move(element), dimension).value();
}
inline TypePtr Udt(std::string name, std::vector<std::string> fields, TypeList types,
                   Cells cells = Cells::kFrozen) {
  return Type::User({"ks", std::move(name), std::move(fields), std::move(types)}, cells).value();
}

}  // namespace orrery::cassandra::testing
