// An Argument is what a call passes, as far as choosing the function needs it.
//
// It may have no type of its own: a constant fits several, a bind marker any. So it is asked, for
// each type that a function might want, how well it fits; functions that are made for their
// arguments' types (function_template.h) need the one type that it is best taken as.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "api/cassandra/types/assignment.h"
#include "api/cassandra/types/type.h"

namespace orrery::cassandra {

using ArgumentTest = std::function<Assignability(const Type& receiver)>;

struct Argument {
  std::string text;   // as the statement has it, for error texts
  TypePtr type;       // a column's, a cast's, a constant's preferred one; null when nobody can say
  ArgumentTest test;  // never empty
  std::optional<uint32_t> literal_size;  // of a list literal, which may also be a vector
};

// Of a value whose type is known: a column, the result of a call.
inline Argument TypedArgument(std::string text, TypePtr type) {
  ArgumentTest test = [type](const Type& receiver) { return TestAssignment(*type, receiver); };
  return {std::move(text), std::move(type), std::move(test), std::nullopt};
}

// Of a bind marker: anything may come.
inline Argument UntypedArgument(std::string text) {
  return {std::move(text), nullptr, [](const Type&) { return Assignability::kWeak; }, std::nullopt};
}

}  // namespace orrery::cassandra
