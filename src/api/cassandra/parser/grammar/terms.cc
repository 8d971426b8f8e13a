#include "api/cassandra/parser/grammar/terms.h"

#include <optional>

#include "api/cassandra/parser/grammar/names.h"

namespace orrery::cassandra::grammar {
namespace {

using ast::ArithmeticOperator;
using ast::Term;

std::optional<ArithmeticOperator> ProductOperator(Symbol symbol) {
  switch (symbol) {
    case Symbol::kStar:
      return ArithmeticOperator::kMultiply;
    case Symbol::kSlash:
      return ArithmeticOperator::kDivide;
    case Symbol::kPercent:
      return ArithmeticOperator::kModulo;
    default:
      return std::nullopt;
  }
}

std::optional<ArithmeticOperator> SumOperator(const TokenStream& stream, TermPlace place) {
  if (stream.At(Symbol::kMinus)) return ArithmeticOperator::kSubtract;
  if (!stream.At(Symbol::kPlus)) return std::nullopt;
  // SET l = [1] + l: the second summand is no term, and the sum no expression.
  if (place == TermPlace::kValue && AtColumnName(stream, 1) && !AtFunctionCall(stream, 1) &&
      !stream.At(Keyword::kCast, 1))
    return std::nullopt;
  return ArithmeticOperator::kAdd;
}

Term Combine(ArithmeticOperator op, Term left, Term right) {
  const query::TextPosition position = left.position;
  return {.position = position,
          .node = ast::Arithmetic{.op = op,
                                  .left = std::make_unique<Term>(std::move(left)),
                                  .right = std::make_unique<Term>(std::move(right))}};
}

Term ParseFactor(TokenStream& stream, TermPlace place) {
  const query::TextPosition position = stream.position();
  if (stream.Accept(Symbol::kMinus)) {
    stream.CountOperator();
    // Only a selection may negate twice.
    TokenStream::Level level(stream);
    Term operand = place == TermPlace::kSelection ? ParseFactor(stream, place)
                                                  : ParseSimpleTerm(stream, place);
    return {.position = position,
            .node = ast::Negation{std::make_unique<Term>(std::move(operand))}};
  }
  Term term = ParseSimpleTerm(stream, place);
  return place == TermPlace::kSelection ? ParseAccesses(stream, std::move(term)) : std::move(term);
}

Term ParseProduct(TokenStream& stream, TermPlace place) {
  Term left = ParseFactor(stream, place);
  while (const auto op = ProductOperator(stream.Peek().symbol)) {
    stream.Skip();
    stream.CountOperator();
    left = Combine(*op, std::move(left), ParseFactor(stream, place));
  }
  return left;
}

}  // namespace

Term ParseTerm(TokenStream& stream, TermPlace place) {
  TokenStream::Level level(stream);
  Term left = ParseProduct(stream, place);
  while (const auto op = SumOperator(stream, place)) {
    stream.Skip();
    stream.CountOperator();
    left = Combine(*op, std::move(left), ParseProduct(stream, place));
  }
  return left;
}

bool AtMarker(const TokenStream& stream) {
  return stream.At(Symbol::kQuestion) || stream.At(Symbol::kColon);
}

Term ParseMarker(TokenStream& stream) {
  const query::TextPosition position = stream.position();
  if (stream.Accept(Symbol::kQuestion)) return {.position = position, .node = stream.AddMarker("")};
  stream.Expect(Symbol::kColon);
  std::string name = ParseName(stream).text;
  return {.position = position, .node = stream.AddMarker(std::move(name))};
}

Term ParseIntegerOrMarker(TokenStream& stream) {
  if (!stream.At(TokenKind::kInteger) && !AtMarker(stream)) {
    stream.FailNoViable();
    return {};
  }
  return ParseSimpleTerm(stream, TermPlace::kValue);
}

Term ParseStringOrMarker(TokenStream& stream) {
  if (!stream.At(TokenKind::kString) && !AtMarker(stream)) {
    stream.FailNoViable();
    return {};
  }
  return ParseSimpleTerm(stream, TermPlace::kValue);
}

std::vector<Term> ParseTermsUntil(TokenStream& stream, Symbol close, TermPlace place) {
  std::vector<Term> terms;
  if (stream.Accept(close)) return terms;
  do {
    terms.push_back(ParseTerm(stream, place));
  } while (stream.AcceptComma(terms.size()));
  stream.Expect(close);
  return terms;
}

Term ParseAccesses(TokenStream& stream, Term value) {
  const query::TextPosition position = value.position;
  while (true) {
    if (stream.Accept(Symbol::kDot)) {
      stream.CountOperator();
      auto inner = std::make_unique<Term>(std::move(value));
      value = {.position = position, .node = ast::FieldAccess{std::move(inner), ParseName(stream)}};
    } else if (stream.Accept(Symbol::kLeftBracket)) {
      stream.CountOperator();
      auto inner = std::make_unique<Term>(std::move(value));
      ast::TermPtr from;
      ast::TermPtr to;
      if (!stream.At(Symbol::kRange)) from = std::make_unique<Term>(ParseTerm(stream));
      if (stream.Accept(Symbol::kRange)) {
        if (!from || !stream.At(Symbol::kRightBracket))
          to = std::make_unique<Term>(ParseTerm(stream));
        value = {.position = position,
                 .node = ast::SliceAccess{std::move(inner), std::move(from), std::move(to)}};
      } else {
        value = {.position = position,
                 .node = ast::ElementAccess{std::move(inner), std::move(from)}};
      }
      stream.Expect(Symbol::kRightBracket);
    } else {
      return value;
    }
  }
}

}  // namespace orrery::cassandra::grammar
