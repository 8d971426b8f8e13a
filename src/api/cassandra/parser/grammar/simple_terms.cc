#include <optional>

#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/terms.h"
#include "api/cassandra/parser/grammar/types.h"

namespace orrery::cassandra::grammar {
namespace {

using ast::ConstantKind;
using ast::Term;

std::optional<ConstantKind> ConstantKindOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kString:
      return ConstantKind::kString;
    case TokenKind::kInteger:
      return ConstantKind::kInteger;
    case TokenKind::kFloat:
      return ConstantKind::kFloat;
    case TokenKind::kBoolean:
      return ConstantKind::kBoolean;
    case TokenKind::kUuid:
      return ConstantKind::kUuid;
    case TokenKind::kHex:
      return ConstantKind::kHex;
    case TokenKind::kDuration:
      return ConstantKind::kDuration;
    case TokenKind::kNan:
      return ConstantKind::kNan;
    case TokenKind::kInfinity:
      return ConstantKind::kInfinity;
    default:
      return std::nullopt;
  }
}

// Returns whether the parenthesis here opens a type hint, "(int) x", rather than a tuple.
bool AtTypeHint(const TokenStream& stream, TermPlace place) {
  const size_t type = CountTypeTokens(stream, 1);
  if (type == 0 || !stream.At(Symbol::kRightParen, type + 1)) return false;
  const size_t after = type + 2;
  // SELECT (a) AS b: AS could be a column's name, but not when a name follows it.
  if (stream.At(Keyword::kAs, after) && AtName(stream, after + 1)) return false;
  return !stream.At(Symbol::kMinus, after) && AtTermStart(stream, place, after);
}

Term ParseUdtLiteral(TokenStream& stream, query::TextPosition position) {
  ast::UdtLiteral literal;
  do {
    ast::Name field = ParseName(stream);
    stream.Expect(Symbol::kColon);
    literal.fields.push_back({std::move(field), ParseTerm(stream)});
  } while (stream.Accept(Symbol::kComma));
  stream.Expect(Symbol::kRightBrace);
  return {.position = position, .node = std::move(literal)};
}

Term ParseBraces(TokenStream& stream, TermPlace place) {
  const query::TextPosition position = stream.position();
  stream.Expect(Symbol::kLeftBrace);
  if (stream.Accept(Symbol::kRightBrace)) return {.position = position, .node = ast::SetLiteral{}};
  if (place == TermPlace::kValue && AtName(stream) && stream.At(Symbol::kColon, 1))
    return ParseUdtLiteral(stream, position);

  Term first = ParseTerm(stream, place);
  if (!stream.Accept(Symbol::kColon)) {
    ast::SetLiteral set;
    set.elements.push_back(std::move(first));
    while (stream.AcceptComma(set.elements.size()))
      set.elements.push_back(ParseTerm(stream, place));
    stream.Expect(Symbol::kRightBrace);
    return {.position = position, .node = std::move(set)};
  }
  ast::MapLiteral map;
  map.entries.push_back({std::move(first), ParseTerm(stream, place)});
  while (stream.AcceptComma(map.entries.size())) {
    Term key = ParseTerm(stream, place);
    stream.Expect(Symbol::kColon);
    map.entries.push_back({std::move(key), ParseTerm(stream, place)});
  }
  stream.Expect(Symbol::kRightBrace);
  return {.position = position, .node = std::move(map)};
}

}  // namespace

bool AtConstant(const TokenStream& stream, size_t ahead) {
  return ConstantKindOf(stream.Peek(ahead).kind).has_value();
}

ast::Constant TakeConstant(TokenStream& stream) {
  const ConstantKind kind = *ConstantKindOf(stream.Peek().kind);
  if (kind == ConstantKind::kString) return {.kind = kind, .text = stream.TakeUnquoted()};
  std::string text(stream.text());
  stream.Skip();
  return {.kind = kind, .text = std::move(text)};
}

bool AtTermStart(const TokenStream& stream, TermPlace place, size_t ahead) {
  if (AtConstant(stream, ahead)) return true;
  switch (stream.Peek(ahead).symbol) {
    case Symbol::kLeftParen:
    case Symbol::kLeftBracket:
    case Symbol::kLeftBrace:
    case Symbol::kQuestion:
    case Symbol::kColon:
    case Symbol::kMinus:
      return true;
    default:
      break;
  }
  if (stream.At(Keyword::kNull, ahead) || AtFunctionCall(stream, ahead)) return true;
  if (place == TermPlace::kSelection) return AtName(stream, ahead);
  return stream.At(Keyword::kCast, ahead) && stream.At(Symbol::kLeftParen, ahead + 1);
}

Term ParseSimpleTerm(TokenStream& stream, TermPlace place) {
  const query::TextPosition position = stream.position();
  if (AtConstant(stream)) return {.position = position, .node = TakeConstant(stream)};
  if (AtMarker(stream)) return ParseMarker(stream);
  if (stream.Accept(Keyword::kNull)) return {.position = position, .node = ast::Null{}};
  if (AtCall(stream, place)) return ParseCall(stream, place);
  if (stream.At(Symbol::kLeftParen)) return ParseParentheses(stream, place);
  if (stream.At(Symbol::kLeftBracket) || stream.At(Symbol::kLeftBrace))
    return ParseCollectionLiteral(stream, place);
  if (place == TermPlace::kSelection && AtName(stream))
    return {.position = position, .node = ast::ColumnReference{ParseName(stream).text}};
  stream.FailNoViable();
  return {};
}

Term ParseCollectionLiteral(TokenStream& stream, TermPlace place) {
  const query::TextPosition position = stream.position();
  if (!stream.Accept(Symbol::kLeftBracket)) return ParseBraces(stream, place);
  return {.position = position,
          .node = ast::ListLiteral{ParseTermsUntil(stream, Symbol::kRightBracket, place)}};
}

Term ParseParentheses(TokenStream& stream, TermPlace place) {
  const query::TextPosition position = stream.position();
  if (AtTypeHint(stream, place)) {
    TokenStream::Level level(stream);
    stream.Expect(Symbol::kLeftParen);
    ast::RawType type = ParseType(stream);
    stream.Expect(Symbol::kRightParen);
    auto term = std::make_unique<Term>(ParseSimpleTerm(stream, place));
    return {.position = position, .node = ast::TypeHint{std::move(type), std::move(term)}};
  }
  stream.Expect(Symbol::kLeftParen);
  if (stream.At(Symbol::kRightParen)) stream.FailNoViable();
  return {.position = position,
          .node = ast::TupleLiteral{ParseTermsUntil(stream, Symbol::kRightParen, place)}};
}

}  // namespace orrery::cassandra::grammar
