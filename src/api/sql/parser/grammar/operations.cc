#include <optional>
#include <utility>

#include "api/sql/parser/grammar/build.h"
#include "api/sql/parser/grammar/expressions.h"

namespace orrery::sql::grammar {
namespace {

using ast::BinaryOperator;
using ast::Expression;
using ast::LogicalOperator;
using ast::Precedence;
using ast::UnaryOperator;

std::optional<BinaryOperator> BinaryOperatorAt(const TokenStream& stream) {
  switch (stream.Peek().symbol) {
    case Symbol::kCoalesce:
      return BinaryOperator::kCoalesce;
    case Symbol::kEqual:
      return BinaryOperator::kEqual;
    case Symbol::kNotEqual:
    case Symbol::kLessGreater:
      return BinaryOperator::kNotEqual;
    case Symbol::kLess:
      return BinaryOperator::kLess;
    case Symbol::kLessOrEqual:
      return BinaryOperator::kLessOrEqual;
    case Symbol::kGreater:
      return BinaryOperator::kGreater;
    case Symbol::kGreaterOrEqual:
      return BinaryOperator::kGreaterOrEqual;
    case Symbol::kConcat:
      return BinaryOperator::kConcat;
    case Symbol::kBar:
      return BinaryOperator::kBitOr;
    case Symbol::kCaret:
      return BinaryOperator::kBitXor;
    case Symbol::kAmpersand:
      return BinaryOperator::kBitAnd;
    case Symbol::kShiftLeft:
      return BinaryOperator::kShiftLeft;
    case Symbol::kShiftRight:
      return BinaryOperator::kShiftRight;
    case Symbol::kShiftRightUnsigned:
      return BinaryOperator::kShiftRightUnsigned;
    case Symbol::kPlus:
      return BinaryOperator::kAdd;
    case Symbol::kMinus:
      return BinaryOperator::kSubtract;
    case Symbol::kStar:
      return BinaryOperator::kMultiply;
    case Symbol::kSlash:
      return BinaryOperator::kDivide;
    case Symbol::kPercent:
      return BinaryOperator::kModulo;
    default:
      return std::nullopt;
  }
}

std::optional<LogicalOperator> LogicalOperatorAt(const TokenStream& stream) {
  if (stream.At(Keyword::kAnd)) return LogicalOperator::kAnd;
  if (stream.At(Keyword::kOr)) return LogicalOperator::kOr;
  return std::nullopt;
}

std::optional<UnaryOperator> SignAt(const TokenStream& stream) {
  switch (stream.Peek().symbol) {
    case Symbol::kMinus:
      return UnaryOperator::kMinus;
    case Symbol::kPlus:
      return UnaryOperator::kPlus;
    case Symbol::kTilde:
      return UnaryOperator::kBitNot;
    default:
      return std::nullopt;
  }
}

// NOT takes a whole comparison wherever it stands: "a = NOT b = c" is "a = (NOT (b = c))".
Expression ParseOperand(TokenStream& stream) {
  const uint32_t start = stream.start();
  if (stream.Accept(Keyword::kNot)) {
    Expression operand = ParseOperation(stream, ast::Tighter(Precedence::kNot));
    return Build(stream, start, ast::Unary{UnaryOperator::kNot, Owned(std::move(operand))});
  }
  if (const auto sign = SignAt(stream)) {
    TokenStream::Level level(stream);
    stream.Skip();
    Expression operand = ParseOperand(stream);
    return Build(stream, start, ast::Unary{*sign, Owned(std::move(operand))});
  }
  return ParsePrimary(stream);
}

// All further operands of one AND or OR.
Expression ParseLogical(TokenStream& stream, uint32_t start, LogicalOperator op, Expression first) {
  ast::Logical logical{.op = op, .operands = {}};
  logical.operands.push_back(std::move(first));
  while (LogicalOperatorAt(stream) == op) {
    stream.Skip();
    logical.operands.push_back(ParseOperation(stream, ast::Tighter(PrecedenceOf(op))));
  }
  return Build(stream, start, std::move(logical));
}

}  // namespace

Expression ParseExpression(TokenStream& stream) {
  TokenStream::Level level(stream);
  const uint32_t start = stream.start();
  Expression condition = ParseOperation(stream, ast::Tighter(Precedence::kConditional));
  if (!stream.Accept(Symbol::kQuestion)) return condition;
  Expression yes = ParseExpression(stream);
  stream.Expect(Symbol::kColon);
  Expression no = ParseExpression(stream);
  return Build(
      stream, start,
      ast::Conditional{Owned(std::move(condition)), Owned(std::move(yes)), Owned(std::move(no))});
}

std::vector<Expression> ParseExpressions(TokenStream& stream) {
  std::vector<Expression> expressions;
  do {
    expressions.push_back(ParseExpression(stream));
  } while (stream.Accept(Symbol::kComma));
  return expressions;
}

Expression ParseOperation(TokenStream& stream, Precedence floor) {
  TokenStream::Level level(stream);
  const uint32_t start = stream.start();
  Expression left = ParseOperand(stream);
  while (true) {
    if (const auto op = BinaryOperatorAt(stream); op && PrecedenceOf(*op) >= floor) {
      stream.Skip();
      Expression right = ParseOperation(stream, ast::Tighter(PrecedenceOf(*op)));
      left =
          Build(stream, start, ast::Binary{*op, Owned(std::move(left)), Owned(std::move(right))});
    } else if (const auto logical = LogicalOperatorAt(stream);
               logical && PrecedenceOf(*logical) >= floor) {
      left = ParseLogical(stream, start, *logical, std::move(left));
    } else if (AtPredicate(stream) && Precedence::kPredicate >= floor) {
      left = ParsePredicate(stream, start, std::move(left));
    } else {
      return left;
    }
  }
}

}  // namespace orrery::sql::grammar
