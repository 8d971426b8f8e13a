#include "api/cassandra/parser/grammar/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "query/lexer/character_class.h"

namespace orrery::cassandra::grammar {
namespace {

bool IsUnreserved(const Token& token) {
  return token.kind == TokenKind::kKeyword && ClassOf(token.keyword) != KeywordClass::kReserved;
}

bool IsFunctionName(const Token& token) {
  if (token.kind == TokenKind::kIdentifier || token.kind == TokenKind::kQuotedName) return true;
  if (token.keyword == Keyword::kToken || token.keyword == Keyword::kCount) return true;
  return IsUnreserved(token) && ClassOf(token.keyword) != KeywordClass::kNotFunction;
}

// Takes the token here as a name, whatever its kind.
ast::Name TakeName(TokenStream& stream) {
  const query::TextPosition position = stream.position();
  if (stream.At(TokenKind::kQuotedName) || stream.At(TokenKind::kString))
    return {.text = stream.TakeUnquoted(), .position = position};
  std::string text = query::ToLower(stream.text());
  stream.Skip();
  return {.text = std::move(text), .position = position};
}

void RefuseMarker(TokenStream& stream, std::string_view what) {
  if (stream.At(Symbol::kQuestion))
    stream.Fail(stream.position(), fmt::format("Bind variables cannot be used for {} names", what));
}

}  // namespace

bool IsReservedTypeName(std::string_view name) {
  constexpr std::string_view kReserved[] = {"byte",     "complex", "enum",     "date",
                                            "interval", "macaddr", "bitstring"};
  return std::ranges::find(kReserved, name) != std::end(kReserved);
}

bool AtName(const TokenStream& stream, size_t ahead) {
  const Token& token = stream.Peek(ahead);
  return token.kind == TokenKind::kIdentifier || token.kind == TokenKind::kQuotedName ||
         IsUnreserved(token);
}

ast::Name ParseName(TokenStream& stream) {
  if (AtName(stream)) return TakeName(stream);
  stream.FailNoViable();
  return {};
}

bool AtColumnName(const TokenStream& stream, size_t ahead) {
  return AtName(stream, ahead) || stream.At(TokenKind::kEmptyQuotedName, ahead);
}

ast::Name ParseColumnName(TokenStream& stream) {
  if (!stream.At(TokenKind::kEmptyQuotedName)) return ParseName(stream);
  const query::TextPosition position = stream.position();
  stream.Skip();
  return {.text = "", .position = position};
}

std::vector<ast::Name> ParseColumnNames(TokenStream& stream) {
  std::vector<ast::Name> names;
  stream.Expect(Symbol::kLeftParen);
  do {
    names.push_back(ParseColumnName(stream));
  } while (stream.Accept(Symbol::kComma));
  stream.Expect(Symbol::kRightParen);
  return names;
}

ast::Name ParseKeyspaceName(TokenStream& stream) {
  RefuseMarker(stream, "keyspace");
  return ParseName(stream);
}

ast::QualifiedName ParseQualifiedName(TokenStream& stream, std::string_view what) {
  RefuseMarker(stream, stream.At(Symbol::kDot, 1) ? "keyspace" : what);
  ast::Name first = ParseName(stream);
  if (!stream.Accept(Symbol::kDot)) return {.keyspace = "", .name = std::move(first)};
  RefuseMarker(stream, what);
  return {.keyspace = std::move(first.text), .name = ParseName(stream)};
}

bool AtUserTypeName(const TokenStream& stream, size_t ahead) {
  const Token& token = stream.Peek(ahead);
  if (token.kind != TokenKind::kKeyword) return AtName(stream, ahead);
  return ClassOf(token.keyword) == KeywordClass::kBasic || token.keyword == Keyword::kKey;
}

ast::QualifiedName ParseUserTypeName(TokenStream& stream) {
  ast::QualifiedName type;
  if (AtName(stream) && stream.At(Symbol::kDot, 1)) {
    type.keyspace = TakeName(stream).text;
    stream.Skip();
  }
  if (!AtUserTypeName(stream)) {
    stream.FailNoViable();
    return type;
  }
  const bool quoted = stream.At(TokenKind::kQuotedName);
  type.name = TakeName(stream);
  if (!quoted && IsReservedTypeName(type.name.text))
    stream.Fail(type.name.position,
                fmt::format("Invalid (reserved) user type name {}", type.name.text));
  return type;
}

ast::Name ParseFunctionNameAlone(TokenStream& stream) {
  if (IsFunctionName(stream.Peek())) return TakeName(stream);
  stream.FailNoViable();
  return {};
}

ast::QualifiedName ParseFunctionName(TokenStream& stream) {
  ast::QualifiedName function;
  if (stream.At(Symbol::kDot, 1)) {
    function.keyspace = ParseKeyspaceName(stream).text;
    stream.Accept(Symbol::kDot);
  }
  function.name = ParseFunctionNameAlone(stream);
  return function;
}

bool AtFunctionCall(const TokenStream& stream, size_t ahead) {
  if (stream.At(Symbol::kLeftParen, ahead + 1)) return IsFunctionName(stream.Peek(ahead));
  return AtName(stream, ahead) && stream.At(Symbol::kDot, ahead + 1) &&
         IsFunctionName(stream.Peek(ahead + 2)) && stream.At(Symbol::kLeftParen, ahead + 3);
}

bool AtRoleName(const TokenStream& stream, size_t ahead) {
  return AtName(stream, ahead) || stream.At(TokenKind::kString, ahead);
}

ast::Name ParseRoleName(TokenStream& stream) {
  RefuseMarker(stream, "role");
  if (AtRoleName(stream)) return TakeName(stream);
  stream.FailNoViable();
  return {};
}

std::vector<std::pair<ast::Name, ast::Name>> ParseRenames(TokenStream& stream) {
  std::vector<std::pair<ast::Name, ast::Name>> renames;
  do {
    ast::Name from = ParseName(stream);
    stream.Expect(Keyword::kTo);
    renames.emplace_back(std::move(from), ParseName(stream));
  } while (stream.Accept(Keyword::kAnd));
  return renames;
}

bool AcceptIfNotExists(TokenStream& stream) {
  if (!stream.Accept(Keyword::kIf)) return false;
  stream.Expect(Keyword::kNot);
  stream.Expect(Keyword::kExists);
  return true;
}

bool AcceptIfExists(TokenStream& stream) {
  if (!stream.Accept(Keyword::kIf)) return false;
  stream.Expect(Keyword::kExists);
  return true;
}

}  // namespace orrery::cassandra::grammar
