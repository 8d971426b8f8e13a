// A traversal as a program: what text (parser/) and bytecode on the wire (protocol/) both become.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/gremlin/value/value.h"
#include "base/status.h"

namespace orrery::gremlin {

// One call in a chain, such as has('age', gt(29)). Names are those of the wire: "in", not "in_".
struct Instruction {
  std::string name;
  Values args;
};

struct Bytecode {
  std::vector<Instruction> source;  // g.withX()
  std::vector<Instruction> steps;
};

enum class Comparison : uint8_t {
  kEq,
  kNeq,
  kLt,
  kLte,
  kGt,
  kGte,
  kInside,
  kOutside,
  kBetween,
  kWithin,
  kWithout,
  kContaining,
  kNotContaining,
  kStartingWith,
  kNotStartingWith,
  kEndingWith,
  kNotEndingWith,
  kRegex,
  kNotRegex,
  kTypeOf,
  kAnd,
  kOr,
  kNot,
};

// Returns false if no predicate has that name.
[[nodiscard]] bool ComparisonOf(std::string_view name, Comparison& comparison);
std::string_view ComparisonName(Comparison comparison);

struct Predicate {
  Comparison comparison = Comparison::kEq;
  Values values;                                          // of within and without: all candidates
  std::vector<std::shared_ptr<const Predicate>> parts{};  // of and, or, not
};

// The predicate of that name. One collection as the only argument of within, without, between and
// the like, and of and, or, is spread. kInvalidArgument if there is no such predicate, or the
// arguments are not its own.
Result<Value> MakePredicate(std::string_view name, Values args);

// A strategy with its settings, or its name alone.
struct Strategy {
  std::string name;  // "SubgraphStrategy"
  ValueMap settings;
};

}  // namespace orrery::gremlin
