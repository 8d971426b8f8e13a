#include <utility>

#include "api/sql/parser/grammar/build.h"
#include "api/sql/parser/grammar/expressions.h"

namespace orrery::sql::grammar {
namespace {

using ast::Expression;

// Operands hold tighter than the predicate: the AND of BETWEEN is not an operator.
ast::ExpressionPtr ParseOperandOfPredicate(TokenStream& stream) {
  return Owned(ParseOperation(stream, ast::Tighter(ast::Precedence::kPredicate)));
}

Expression ParseIn(TokenStream& stream, uint32_t start, bool negated, Expression value) {
  ast::In in{.negated = negated, .value = Owned(std::move(value)), .candidates = {}};
  stream.Expect(Symbol::kLeftParen);
  in.candidates = ParseExpressions(stream);
  stream.Expect(Symbol::kRightParen);
  return Build(stream, start, std::move(in));
}

Expression ParseBetween(TokenStream& stream, uint32_t start, bool negated, Expression value) {
  ast::Between between{.negated = negated, .value = Owned(std::move(value)), .low = {}, .high = {}};
  between.low = ParseOperandOfPredicate(stream);
  stream.Expect(Keyword::kAnd);
  between.high = ParseOperandOfPredicate(stream);
  return Build(stream, start, std::move(between));
}

Expression ParseLike(TokenStream& stream, uint32_t start, bool negated, Expression value) {
  ast::Like like{.negated = negated,
                 .value = Owned(std::move(value)),
                 .pattern = ParseOperandOfPredicate(stream),
                 .escape = {}};
  if (stream.Accept(Keyword::kEscape)) like.escape = stream.ExpectString();
  return Build(stream, start, std::move(like));
}

}  // namespace

bool AtPredicate(const TokenStream& stream) {
  const size_t ahead = stream.At(Keyword::kNot) ? 1 : 0;
  return stream.At(Keyword::kIn, ahead) || stream.At(Keyword::kBetween, ahead) ||
         stream.At(Keyword::kLike, ahead);
}

Expression ParsePredicate(TokenStream& stream, uint32_t start, Expression value) {
  const bool negated = stream.Accept(Keyword::kNot);
  if (stream.Accept(Keyword::kIn)) return ParseIn(stream, start, negated, std::move(value));
  if (stream.Accept(Keyword::kBetween))
    return ParseBetween(stream, start, negated, std::move(value));
  stream.Expect(Keyword::kLike);
  return ParseLike(stream, start, negated, std::move(value));
}

}  // namespace orrery::sql::grammar
