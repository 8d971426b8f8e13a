#include <optional>

#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/terms.h"
#include "api/cassandra/parser/grammar/types.h"

namespace orrery::cassandra::grammar {
namespace {

using ast::Term;

std::optional<ast::CellAttributeKind> FindCellAttribute(Keyword keyword) {
  switch (keyword) {
    case Keyword::kWritetime:
      return ast::CellAttributeKind::kWritetime;
    case Keyword::kMaxwritetime:
      return ast::CellAttributeKind::kMaxWritetime;
    case Keyword::kTtl:
      return ast::CellAttributeKind::kTtl;
    default:
      return std::nullopt;
  }
}

bool AtCountRows(const TokenStream& stream) {
  return stream.At(Keyword::kCount) && stream.At(Symbol::kLeftParen, 1) &&
         stream.At(Symbol::kStar, 2);
}

Term ParseCast(TokenStream& stream, TermPlace place) {
  TokenStream::Level level(stream);
  const query::TextPosition position = stream.position();
  stream.Expect(Keyword::kCast);
  stream.Expect(Symbol::kLeftParen);
  Term term =
      place == TermPlace::kSelection ? ParseTerm(stream, place) : ParseSimpleTerm(stream, place);
  stream.Expect(Keyword::kAs);
  const ast::NativeType type = ParseNativeType(stream);
  stream.Expect(Symbol::kRightParen);
  return {.position = position, .node = ast::Cast{std::make_unique<Term>(std::move(term)), type}};
}

Term ParseCellAttribute(TokenStream& stream, ast::CellAttributeKind kind) {
  const query::TextPosition position = stream.position();
  stream.Skip();
  stream.Expect(Symbol::kLeftParen);
  TokenStream::Level level(stream);
  const query::TextPosition column_position = stream.position();
  Term column{.position = column_position, .node = ast::ColumnReference{ParseName(stream).text}};
  auto cell = std::make_unique<Term>(ParseAccesses(stream, std::move(column)));
  stream.Expect(Symbol::kRightParen);
  return {.position = position, .node = ast::CellAttribute{kind, std::move(cell)}};
}

}  // namespace

bool AtCall(const TokenStream& stream, TermPlace place) {
  if (AtFunctionCall(stream)) return true;
  if (!stream.At(Symbol::kLeftParen, 1)) return false;
  if (stream.At(Keyword::kCast)) return true;
  return place == TermPlace::kSelection && FindCellAttribute(stream.Peek().keyword).has_value();
}

Term ParseCall(TokenStream& stream, TermPlace place) {
  if (stream.At(Keyword::kCast) && stream.At(Symbol::kLeftParen, 1))
    return ParseCast(stream, place);
  const query::TextPosition position = stream.position();
  if (place == TermPlace::kSelection) {
    if (const auto kind = FindCellAttribute(stream.Peek().keyword);
        kind && stream.At(Symbol::kLeftParen, 1))
      return ParseCellAttribute(stream, *kind);
    if (AtCountRows(stream)) {
      for (int i = 0; i < 3; ++i) stream.Skip();
      stream.Expect(Symbol::kRightParen);
      return {.position = position, .node = ast::CountRows{}};
    }
  }
  ast::FunctionCall call{.function = ParseFunctionName(stream), .arguments = {}};
  stream.Expect(Symbol::kLeftParen);
  call.arguments = ParseTermsUntil(stream, Symbol::kRightParen, place);
  return {.position = position, .node = std::move(call)};
}

}  // namespace orrery::cassandra::grammar
