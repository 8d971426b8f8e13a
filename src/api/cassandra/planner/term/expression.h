// A term of a statement, planned: its type is known, its names are looked up, and all that is left
// is to compute it, once for a statement or once for each row.
//
// Immutable after planning and shared by all executions; thread-safe. term_planner.h makes them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/protocol/body/primitives.h"
#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/types/type.h"

namespace orrery::cassandra {

struct FunctionContext;
struct RowValues;

// The value of a term: bytes, null, or (a bound value only) "leave it as it is".
struct TermValue {
  enum class State : uint8_t { kValue, kNull, kUnset };
  State state = State::kNull;
  std::string bytes;  // of kValue

  static TermValue Of(std::string value) { return {State::kValue, std::move(value)}; }
  static TermValue Null() { return {State::kNull, {}}; }
  static TermValue Unset() { return {State::kUnset, {}}; }
  static TermValue From(std::optional<std::string> value) {
    return value.has_value() ? Of(*std::move(value)) : Null();
  }

  bool has_value() const { return state == State::kValue; }
  bool is_null() const { return state == State::kNull; }
  bool is_unset() const { return state == State::kUnset; }
  // Nothing for null and unset.
  std::optional<std::string_view> view() const {
    return has_value() ? std::optional<std::string_view>(bytes) : std::nullopt;
  }
};

// Everything that a term's value may depend on. One per execution, used by one thread at a time.
struct Evaluation {
  std::span<const BoundValue> values;  // of the statement's markers, by number
  FunctionContext* functions = nullptr;
  const RowValues* row = nullptr;         // while rows are examined
  std::span<const TermValue> aggregates;  // results, by AggregateCall's place in the plan
};

class Expression {
 public:
  explicit Expression(TypePtr type) : type_(std::move(type)) {}
  virtual ~Expression() = default;

  const TypePtr& type() const { return type_; }
  // The bytes are valid for the type: bound values are validated here.
  virtual CqlResult<TermValue> Evaluate(const Evaluation& evaluation) const = 0;

  // The number of the marker that this term is, if it is one and nothing else.
  virtual std::optional<uint16_t> marker() const { return std::nullopt; }
  // Returns whether it is the same in every execution: made of constants and pure functions.
  virtual bool is_constant() const { return false; }

 private:
  const TypePtr type_;
};
using ExpressionPtr = std::unique_ptr<const Expression>;

}  // namespace orrery::cassandra
