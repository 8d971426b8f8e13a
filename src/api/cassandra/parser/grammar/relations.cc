#include "api/cassandra/parser/grammar/relations.h"

#include <optional>

#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/terms.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra::grammar {
namespace {

using ast::Relation;
using ast::RelationOperator;

std::optional<RelationOperator> FindComparison(Symbol symbol) {
  switch (symbol) {
    case Symbol::kEqual:
      return RelationOperator::kEqual;
    case Symbol::kNotEqual:
      return RelationOperator::kNotEqual;
    case Symbol::kLess:
      return RelationOperator::kLess;
    case Symbol::kLessOrEqual:
      return RelationOperator::kLessOrEqual;
    case Symbol::kGreater:
      return RelationOperator::kGreater;
    case Symbol::kGreaterOrEqual:
      return RelationOperator::kGreaterOrEqual;
    default:
      return std::nullopt;
  }
}

RelationOperator ParseComparison(TokenStream& stream) {
  const auto op = FindComparison(stream.Peek().symbol);
  if (!op) {
    stream.FailNoViable();
    return RelationOperator::kEqual;
  }
  stream.Skip();
  return *op;
}

// Parses what follows IN: a marker for the whole list, or the list, which may be empty.
Relation::Right ParseInValues(TokenStream& stream) {
  if (AtMarker(stream)) return ParseMarker(stream);
  stream.Expect(Symbol::kLeftParen);
  return ParseTermsUntil(stream, Symbol::kRightParen, TermPlace::kValue);
}

struct Comparison {
  RelationOperator op = RelationOperator::kEqual;
  Relation::Right right;
};

// Parses what relations of whole columns and conditions share.
Comparison ParseColumnComparison(TokenStream& stream) {
  if (stream.Accept(Keyword::kIn))
    return {.op = RelationOperator::kIn, .right = ParseInValues(stream)};
  if (stream.Accept(Keyword::kContains)) {
    const bool key = stream.Accept(Keyword::kKey);
    return {.op = key ? RelationOperator::kContainsKey : RelationOperator::kContains,
            .right = ParseTerm(stream)};
  }
  const RelationOperator op = ParseComparison(stream);
  return {.op = op, .right = ParseTerm(stream)};
}

Comparison ParsePartComparison(TokenStream& stream) {
  if (stream.Accept(Keyword::kIn))
    return {.op = RelationOperator::kIn, .right = ParseInValues(stream)};
  const RelationOperator op = ParseComparison(stream);
  return {.op = op, .right = ParseTerm(stream)};
}

Comparison ParseRelationComparison(TokenStream& stream) {
  if (stream.Accept(Keyword::kLike))
    return {.op = RelationOperator::kLike, .right = ParseTerm(stream)};
  if (stream.Accept(Keyword::kIs)) {
    stream.Expect(Keyword::kNot);
    stream.Expect(Keyword::kNull);
    return {.op = RelationOperator::kIsNotNull, .right = std::monostate{}};
  }
  return ParseColumnComparison(stream);
}

bool AtTupleOrMarker(const TokenStream& stream) {
  return stream.At(Symbol::kLeftParen) || AtMarker(stream);
}

// Beside a tuple of columns stand tuples and markers only.
Comparison ParseTupleComparison(TokenStream& stream) {
  if (!stream.Accept(Keyword::kIn)) {
    const RelationOperator op = ParseComparison(stream);
    if (!AtTupleOrMarker(stream)) stream.FailNoViable();
    return {.op = op, .right = ParseSimpleTerm(stream, TermPlace::kValue)};
  }
  if (AtMarker(stream)) return {.op = RelationOperator::kIn, .right = ParseMarker(stream)};
  std::vector<ast::Term> tuples;
  stream.Expect(Symbol::kLeftParen);
  if (!stream.Accept(Symbol::kRightParen)) {
    do {
      if (!AtTupleOrMarker(stream)) stream.FailNoViable();
      tuples.push_back(ParseTerm(stream));
    } while (stream.AcceptComma(tuples.size()));
    stream.Expect(Symbol::kRightParen);
  }
  return {.op = RelationOperator::kIn, .right = std::move(tuples)};
}

// "(a)" and "(a, b)" are columns; anything else in parentheses is a relation.
bool AtColumnTuple(const TokenStream& stream) {
  return stream.At(Symbol::kLeftParen) && AtColumnName(stream, 1) &&
         (stream.At(Symbol::kComma, 2) || stream.At(Symbol::kRightParen, 2));
}

Relation ParseRelation(TokenStream& stream) {
  Relation relation{.position = stream.position(), .left = {}, .op = {}, .right = {}};
  Comparison comparison;
  if (AtColumnTuple(stream)) {
    relation.left = ast::ColumnTuple{ParseColumnNames(stream)};
    comparison = ParseTupleComparison(stream);
  } else if (stream.Accept(Symbol::kLeftParen)) {
    TokenStream::Level level(stream);
    relation = ParseRelation(stream);
    stream.Expect(Symbol::kRightParen);
    return relation;
  } else if (stream.Accept(Keyword::kToken)) {
    relation.left = ast::TokenOfColumns{ParseColumnNames(stream)};
    comparison.op = ParseComparison(stream);
    comparison.right = ParseTerm(stream);
  } else if (AtFunctionCall(stream)) {
    // Cassandra has none of these; COSMOS_CHANGEFEED_START_TIME() = '...' is one.
    ast::Term call = ParseCall(stream, TermPlace::kValue);
    if (auto* function = std::get_if<ast::FunctionCall>(&call.node))
      relation.left = std::move(*function);
    comparison.op = ParseComparison(stream);
    comparison.right = ParseTerm(stream);
  } else {
    ast::Name column = ParseColumnName(stream);
    if (stream.Accept(Symbol::kLeftBracket)) {
      ast::Term key = ParseTerm(stream);
      stream.Expect(Symbol::kRightBracket);
      relation.left = ast::MapEntry{std::move(column), std::move(key)};
      comparison.op = ParseComparison(stream);
      comparison.right = ParseTerm(stream);
    } else {
      relation.left = std::move(column);
      comparison = ParseRelationComparison(stream);
    }
  }
  relation.op = comparison.op;
  relation.right = std::move(comparison.right);
  return relation;
}

// expr(index, term): "expr" is no keyword, only this spelling with the parenthesis counts.
bool AtIndexExpression(const TokenStream& stream) {
  return stream.At(TokenKind::kIdentifier) && stream.At(Symbol::kLeftParen, 1) &&
         query::EqualsIgnoringCase(stream.text(), "expr");
}

ast::Restriction ParseRestriction(TokenStream& stream) {
  if (!AtIndexExpression(stream)) return ParseRelation(stream);
  stream.Skip();
  stream.Expect(Symbol::kLeftParen);
  ast::Name index = ParseName(stream);
  stream.Expect(Symbol::kComma);
  ast::Term value = ParseTerm(stream);
  stream.Expect(Symbol::kRightParen);
  return ast::IndexExpression{std::move(index), std::move(value)};
}

ast::Condition ParseCondition(TokenStream& stream) {
  ast::Condition condition{.column = ParseColumnName(stream), .part = {}, .op = {}, .right = {}};
  condition.part = ParseColumnPart(stream);
  Comparison comparison = std::holds_alternative<std::monostate>(condition.part)
                              ? ParseColumnComparison(stream)
                              : ParsePartComparison(stream);
  condition.op = comparison.op;
  condition.right = std::move(comparison.right);
  return condition;
}

}  // namespace

ast::WhereClause ParseWhere(TokenStream& stream) {
  ast::WhereClause where;
  do {
    where.push_back(ParseRestriction(stream));
  } while (stream.Accept(Keyword::kAnd));
  return where;
}

ast::IfClause ParseIf(TokenStream& stream) {
  ast::IfClause clause;
  if (!stream.Accept(Keyword::kIf)) return clause;
  // A column may be called "exists".
  if (stream.At(Keyword::kExists) && !FindComparison(stream.Peek(1).symbol)) {
    stream.Skip();
    clause.exists = true;
    return clause;
  }
  do {
    clause.conditions.push_back(ParseCondition(stream));
  } while (stream.Accept(Keyword::kAnd));
  return clause;
}

ast::ColumnPart ParseColumnPart(TokenStream& stream) {
  if (stream.Accept(Symbol::kDot)) return ParseName(stream);
  if (!stream.Accept(Symbol::kLeftBracket)) return std::monostate{};
  ast::Term element = ParseTerm(stream);
  stream.Expect(Symbol::kRightBracket);
  return element;
}

}  // namespace orrery::cassandra::grammar
