#include "api/sql/parser/ast/operator.h"

#include <cstddef>

namespace orrery::sql::ast {
namespace {

struct Entry {
  std::string_view text;
  Precedence precedence = Precedence::kPrimary;
};

// Indexed by operator.
constexpr Entry kBinary[] = {
    {"??", Precedence::kCoalesce}, {"=", Precedence::kEquality},  {"!=", Precedence::kEquality},
    {"<", Precedence::kRelation},  {"<=", Precedence::kRelation}, {">", Precedence::kRelation},
    {">=", Precedence::kRelation}, {"||", Precedence::kConcat},   {"|", Precedence::kBitOr},
    {"^", Precedence::kBitXor},    {"&", Precedence::kBitAnd},    {"<<", Precedence::kShift},
    {">>", Precedence::kShift},    {">>>", Precedence::kShift},   {"+", Precedence::kSum},
    {"-", Precedence::kSum},       {"*", Precedence::kProduct},   {"/", Precedence::kProduct},
    {"%", Precedence::kProduct},
};

}  // namespace

Precedence PrecedenceOf(BinaryOperator op) { return kBinary[static_cast<size_t>(op)].precedence; }

Precedence PrecedenceOf(LogicalOperator op) {
  return op == LogicalOperator::kAnd ? Precedence::kAnd : Precedence::kOr;
}

Precedence PrecedenceOf(UnaryOperator op) {
  return op == UnaryOperator::kNot ? Precedence::kNot : Precedence::kSign;
}

std::string_view OperatorText(BinaryOperator op) { return kBinary[static_cast<size_t>(op)].text; }

std::string_view OperatorText(LogicalOperator op) {
  return op == LogicalOperator::kAnd ? "AND" : "OR";
}

std::string_view OperatorText(UnaryOperator op) {
  constexpr std::string_view kTexts[] = {"NOT", "-", "+", "~"};
  return kTexts[static_cast<size_t>(op)];
}

}  // namespace orrery::sql::ast
