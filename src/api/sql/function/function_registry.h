// Finds the built-in function that a name in a query means, in any case of letters.
//
// Aggregates (aggregate/accumulator.h) are not here: they are no functions of one row's values. Nor
// are FULLTEXTSCORE and RRF, which only rank.
//
// Immutable after construction, so thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/sql/function/function.h"

namespace orrery::sql {

class FunctionRegistry {
 public:
  // All of native/native_functions.h.
  FunctionRegistry();

  // Null when there is none of that name. Lives as long as the program.
  const Function* Find(std::string_view name) const;

  // By name, for lists and for tests.
  std::vector<const Function*> All() const;

 private:
  std::unordered_map<std::string_view, const Function*> functions_;
};

}  // namespace orrery::sql
