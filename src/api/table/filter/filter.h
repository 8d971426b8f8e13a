// A Filter is the tree of a $filter expression.
//
//   filter     := or
//   or         := and ("or" and)*
//   and        := unary ("and" unary)*
//   unary      := "not" unary | comparison
//   comparison := operand (("eq" | "ne" | "gt" | "ge" | "lt" | "le") operand)?
//   operand    := "(" filter ")" | property | literal
//
// A comparison is true only of values that can be compared: numbers with numbers, other values with
// those of their type. A property that the entity lacks compares with nothing. A property alone is
// true if it is a Boolean and true. Immutable, so thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "api/table/entity/edm_value.h"
#include "query/predicate/comparison.h"

namespace orrery::table {

using query::Comparison;

struct FilterProperty {
  std::string name;
};
using FilterOperand = std::variant<FilterProperty, EdmValue>;

struct Filter {
  enum class Kind : uint8_t { kAnd, kOr, kNot, kCompare, kOperand };
  Kind kind = Kind::kOperand;
  // kAnd, kOr: both; kNot: the first.
  std::unique_ptr<Filter> left{};
  std::unique_ptr<Filter> right{};
  // kCompare: both; kOperand: the first.
  std::optional<FilterOperand> a{};
  std::optional<FilterOperand> b{};
  Comparison comparison = Comparison::kEqual;
  bool is_unequal = false;  // "ne"; then `comparison` does not count
};

// The comparison with its sides exchanged: what "5 lt a" says of a.
Comparison Mirrored(Comparison comparison);

// Gives a filter the properties of one entity.
class PropertyReader {
 public:
  virtual ~PropertyReader() = default;
  // Returns nullopt if the entity has no such property.
  virtual std::optional<EdmValue> Read(const std::string& name) const = 0;
};

bool Holds(const Filter& filter, const PropertyReader& entity);

}  // namespace orrery::table
