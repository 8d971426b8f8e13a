// The operators of expressions and how tightly each holds its operands. The grammar reads by this
// table and the printer sets parentheses by it.
#pragma once

#include <cstdint>
#include <string_view>

namespace orrery::sql::ast {

// From the loosest to the tightest.
enum class Precedence : uint8_t {
  kConditional,  // a ? b : c
  kCoalesce,     // ??
  kOr,
  kAnd,
  kNot,
  kEquality,   // = != <>
  kRelation,   // < <= > >=
  kPredicate,  // IN, BETWEEN, LIKE
  kConcat,     // ||
  kBitOr,
  kBitXor,
  kBitAnd,
  kShift,
  kSum,
  kProduct,
  kSign,     // - + ~ before an operand
  kPrimary,  // what needs no parentheses anywhere
};

constexpr Precedence Tighter(Precedence precedence) {
  return static_cast<Precedence>(static_cast<uint8_t>(precedence) + 1);
}

enum class BinaryOperator : uint8_t {
  kCoalesce,
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kConcat,
  kBitOr,
  kBitXor,
  kBitAnd,
  kShiftLeft,
  kShiftRight,
  kShiftRightUnsigned,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
};

enum class LogicalOperator : uint8_t { kAnd, kOr };

enum class UnaryOperator : uint8_t { kNot, kMinus, kPlus, kBitNot };

Precedence PrecedenceOf(BinaryOperator op);
Precedence PrecedenceOf(LogicalOperator op);
Precedence PrecedenceOf(UnaryOperator op);

// As it is written, without blanks.
std::string_view OperatorText(BinaryOperator op);
std::string_view OperatorText(LogicalOperator op);
std::string_view OperatorText(UnaryOperator op);

}  // namespace orrery::sql::ast
