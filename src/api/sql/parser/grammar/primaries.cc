#include <optional>
#include <utility>

#include "api/sql/parser/grammar/build.h"
#include "api/sql/parser/grammar/expressions.h"
#include "api/sql/parser/grammar/names.h"
#include "api/sql/parser/grammar/queries.h"

namespace orrery::sql::grammar {
namespace {

using ast::Expression;
using ast::SubqueryKind;

// Takes the token here, whose text is all of a node.
template <typename Node>
Expression BuildFromText(TokenStream& stream) {
  const uint32_t start = stream.start();
  Node node{std::string(stream.text())};
  stream.Skip();
  return Build(stream, start, std::move(node));
}

template <typename Node>
Expression BuildFromToken(TokenStream& stream, Node node) {
  const uint32_t start = stream.start();
  stream.Skip();
  return Build(stream, start, std::move(node));
}

Expression ParsePlaceholder(TokenStream& stream) {
  const std::string_view braced = stream.text();
  return BuildFromToken(stream, ast::Placeholder{std::string(braced.substr(1, braced.size() - 2))});
}

Expression ParseStringLiteral(TokenStream& stream) {
  const uint32_t start = stream.start();
  ast::String literal{stream.ExpectString()};
  return Build(stream, start, std::move(literal));
}

Expression ParseArray(TokenStream& stream) {
  const uint32_t start = stream.start();
  ast::ArrayConstructor array;
  stream.Expect(Symbol::kLeftBracket);
  if (!stream.At(Symbol::kRightBracket)) array.elements = ParseExpressions(stream);
  stream.Expect(Symbol::kRightBracket);
  return Build(stream, start, std::move(array));
}

ast::ObjectProperty ParseProperty(TokenStream& stream) {
  std::string name = stream.At(TokenKind::kString) ? stream.ExpectString() : ParseWord(stream).text;
  stream.Expect(Symbol::kColon);
  return {.name = std::move(name), .value = ParseExpression(stream)};
}

Expression ParseObject(TokenStream& stream) {
  const uint32_t start = stream.start();
  ast::ObjectConstructor object;
  stream.Expect(Symbol::kLeftBrace);
  if (!stream.At(Symbol::kRightBrace)) {
    do {
      object.properties.push_back(ParseProperty(stream));
    } while (stream.Accept(Symbol::kComma));
  }
  stream.Expect(Symbol::kRightBrace);
  return Build(stream, start, std::move(object));
}

// The keyword, if any, is taken already and stands at `start`.
Expression ParseSubquery(TokenStream& stream, uint32_t start, SubqueryKind kind) {
  stream.Expect(Symbol::kLeftParen);
  ast::Query query = ParseQuery(stream);
  stream.Expect(Symbol::kRightParen);
  return Build(stream, start, ast::Subquery{kind, ast::MakeQueryPtr(std::move(query))});
}

Expression ParseParentheses(TokenStream& stream) {
  if (stream.At(Keyword::kSelect, 1))
    return ParseSubquery(stream, stream.start(), SubqueryKind::kScalar);
  stream.Expect(Symbol::kLeftParen);
  Expression inner = ParseExpression(stream);
  stream.Expect(Symbol::kRightParen);
  return inner;
}

// Returns the kind of a query in parentheses behind the keyword.
std::optional<SubqueryKind> SubqueryKindOf(Keyword keyword) {
  switch (keyword) {
    case Keyword::kExists:
      return SubqueryKind::kExists;
    case Keyword::kArray:
      return SubqueryKind::kArray;
    case Keyword::kAll:
      return SubqueryKind::kAll;
    case Keyword::kFirst:
      return SubqueryKind::kFirst;
    case Keyword::kLast:
      return SubqueryKind::kLast;
    default:
      return std::nullopt;
  }
}

Expression ParseCall(TokenStream& stream, bool is_user_defined) {
  const uint32_t start = stream.start();
  if (is_user_defined) {
    stream.Expect(Keyword::kUdf);
    stream.Expect(Symbol::kDot);
  }
  ast::FunctionCall call{
      .function = ParseWord(stream), .is_user_defined = is_user_defined, .arguments = {}};
  stream.Expect(Symbol::kLeftParen);
  if (!stream.At(Symbol::kRightParen)) call.arguments = ParseExpressions(stream);
  stream.Expect(Symbol::kRightParen);
  return Build(stream, start, std::move(call));
}

Expression ParseWordExpression(TokenStream& stream) {
  const Keyword keyword = stream.Peek().keyword;
  switch (keyword) {
    case Keyword::kTrue:
    case Keyword::kFalse:
      return BuildFromToken(stream, ast::Boolean{keyword == Keyword::kTrue});
    case Keyword::kNull:
      return BuildFromToken(stream, ast::Null());
    case Keyword::kUndefined:
      return BuildFromToken(stream, ast::Undefined());
    default:
      break;
  }
  const auto kind = SubqueryKindOf(keyword);
  if (kind && stream.At(Symbol::kLeftParen, 1) && stream.At(Keyword::kSelect, 2)) {
    const uint32_t start = stream.start();
    stream.Skip();
    return ParseSubquery(stream, start, *kind);
  }
  if (!AtName(stream)) {
    stream.FailHere();
    return {};
  }
  if (stream.At(Symbol::kLeftParen, 1)) return ParseCall(stream, false);
  const bool is_user_defined = keyword == Keyword::kUdf && stream.At(Symbol::kDot, 1) &&
                               stream.At(TokenKind::kWord, 2) && stream.At(Symbol::kLeftParen, 3);
  if (is_user_defined) return ParseCall(stream, true);
  return BuildFromText<ast::Identifier>(stream);
}

Expression ParseSimple(TokenStream& stream) {
  switch (stream.Peek().kind) {
    case TokenKind::kWord:
      return ParseWordExpression(stream);
    case TokenKind::kNumber:
      return BuildFromText<ast::Number>(stream);
    case TokenKind::kParameter:
      return BuildFromText<ast::Parameter>(stream);
    case TokenKind::kString:
      return ParseStringLiteral(stream);
    case TokenKind::kPlaceholder:
      return ParsePlaceholder(stream);
    default:
      break;
  }
  if (stream.At(Symbol::kLeftParen)) return ParseParentheses(stream);
  if (stream.At(Symbol::kLeftBracket)) return ParseArray(stream);
  if (stream.At(Symbol::kLeftBrace)) return ParseObject(stream);
  stream.FailHere();
  return {};
}

}  // namespace

Expression ParsePrimary(TokenStream& stream) {
  const uint32_t start = stream.start();
  Expression value = ParseSimple(stream);
  return ParseAccesses(stream, start, std::move(value));
}

Expression ParseAccesses(TokenStream& stream, uint32_t start, Expression value) {
  while (true) {
    if (stream.Accept(Symbol::kDot)) {
      std::string name = ParseWord(stream).text;
      value = Build(stream, start, ast::PropertyAccess{Owned(std::move(value)), std::move(name)});
    } else if (stream.Accept(Symbol::kLeftBracket)) {
      TokenStream::Level level(stream);
      Expression index = ParseExpression(stream);
      stream.Expect(Symbol::kRightBracket);
      if (auto* name = std::get_if<ast::String>(&index.node)) {
        value = Build(stream, start,
                      ast::PropertyAccess{Owned(std::move(value)), std::move(name->text)});
      } else {
        value = Build(stream, start,
                      ast::IndexAccess{Owned(std::move(value)), Owned(std::move(index))});
      }
    } else {
      return value;
    }
  }
}

}  // namespace orrery::sql::grammar
