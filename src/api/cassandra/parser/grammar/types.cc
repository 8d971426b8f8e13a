#include "api/cassandra/parser/grammar/types.h"

#include <fmt/format.h>

#include <charconv>

#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/print/print.h"

namespace orrery::cassandra::grammar {
namespace {

using ast::TypeConstructor;

struct ConstructorShape {
  TypeConstructor constructor = TypeConstructor::kList;
  size_t parameters = 1;  // types between the angle brackets; a tuple has at least that many
};

std::optional<ConstructorShape> FindConstructor(Keyword keyword) {
  switch (keyword) {
    case Keyword::kList:
      return ConstructorShape{TypeConstructor::kList};
    case Keyword::kSet:
      return ConstructorShape{TypeConstructor::kSet};
    case Keyword::kMap:
      return ConstructorShape{TypeConstructor::kMap, 2};
    case Keyword::kTuple:
      return ConstructorShape{TypeConstructor::kTuple};
    case Keyword::kFrozen:
      return ConstructorShape{TypeConstructor::kFrozen};
    case Keyword::kVector:
      return ConstructorShape{TypeConstructor::kVector};
    default:
      return std::nullopt;
  }
}

// Nearly all of these words are also good names, so the bracket decides.
bool AtConstructor(const TokenStream& stream, size_t ahead) {
  return stream.At(Symbol::kLess, ahead + 1) && FindConstructor(stream.Peek(ahead).keyword);
}

int32_t ParseDimension(TokenStream& stream) {
  stream.Expect(Symbol::kComma);
  int32_t dimension = 0;
  const std::string_view text = stream.text();
  if (!stream.At(TokenKind::kInteger) ||
      std::from_chars(text.data(), text.data() + text.size(), dimension).ec != std::errc()) {
    stream.FailMismatch("INTEGER");
    return 0;
  }
  stream.Skip();
  return dimension;
}

void CheckCanBeFrozen(TokenStream& stream, const ast::RawType& type) {
  if (std::holds_alternative<ast::ConstructedType>(type.type) ||
      std::holds_alternative<ast::UserType>(type.type))
    return;
  stream.Fail(type.position,
              fmt::format("frozen<> is only allowed on collections, tuples, and user-defined types "
                          "(got {})",
                          PrintType(type)));
}

ast::ConstructedType ParseConstructedType(TokenStream& stream) {
  const ConstructorShape shape = *FindConstructor(stream.Peek().keyword);
  ast::ConstructedType type{.constructor = shape.constructor, .parameters = {}};
  stream.Skip();
  stream.Expect(Symbol::kLess);
  type.parameters.push_back(ParseType(stream));
  for (size_t i = 1; i < shape.parameters; ++i) {
    stream.Expect(Symbol::kComma);
    type.parameters.push_back(ParseType(stream));
  }
  if (shape.constructor == TypeConstructor::kTuple) {
    while (stream.Accept(Symbol::kComma)) type.parameters.push_back(ParseType(stream));
  }
  if (shape.constructor == TypeConstructor::kVector) type.dimension = ParseDimension(stream);
  stream.Expect(Symbol::kGreater);
  if (shape.constructor == TypeConstructor::kFrozen && !stream.failed())
    CheckCanBeFrozen(stream, type.parameters[0]);
  return type;
}

}  // namespace

std::optional<ast::NativeType> FindNativeType(Keyword keyword) {
  using ast::NativeType;
  switch (keyword) {
    case Keyword::kAscii:
      return NativeType::kAscii;
    case Keyword::kBigint:
      return NativeType::kBigint;
    case Keyword::kBlob:
      return NativeType::kBlob;
    case Keyword::kBoolean:
      return NativeType::kBoolean;
    case Keyword::kCounter:
      return NativeType::kCounter;
    case Keyword::kDate:
      return NativeType::kDate;
    case Keyword::kDecimal:
      return NativeType::kDecimal;
    case Keyword::kDouble:
      return NativeType::kDouble;
    case Keyword::kDuration:
      return NativeType::kDuration;
    case Keyword::kFloat:
      return NativeType::kFloat;
    case Keyword::kInet:
      return NativeType::kInet;
    case Keyword::kInt:
      return NativeType::kInt;
    case Keyword::kSmallint:
      return NativeType::kSmallint;
    case Keyword::kText:
      return NativeType::kText;
    case Keyword::kTime:
      return NativeType::kTime;
    case Keyword::kTimestamp:
      return NativeType::kTimestamp;
    case Keyword::kTimeuuid:
      return NativeType::kTimeuuid;
    case Keyword::kTinyint:
      return NativeType::kTinyint;
    case Keyword::kUuid:
      return NativeType::kUuid;
    case Keyword::kVarchar:
      return NativeType::kVarchar;
    case Keyword::kVarint:
      return NativeType::kVarint;
    default:
      return std::nullopt;
  }
}

ast::RawType ParseType(TokenStream& stream) {
  TokenStream::Level level(stream);
  ast::RawType type{.position = stream.position(), .type = {}};
  if (stream.At(Symbol::kDot, 1)) {
    type.type = ast::UserType{ParseUserTypeName(stream)};
  } else if (const auto native = FindNativeType(stream.Peek().keyword)) {
    stream.Skip();
    type.type = *native;
  } else if (AtConstructor(stream, 0)) {
    type.type = ParseConstructedType(stream);
  } else if (stream.At(TokenKind::kString)) {
    type.type = ast::CustomType{stream.TakeUnquoted()};
  } else {
    type.type = ast::UserType{ParseUserTypeName(stream)};
  }
  return type;
}

ast::NativeType ParseNativeType(TokenStream& stream) {
  const auto native = FindNativeType(stream.Peek().keyword);
  if (!native) {
    stream.FailNoViable();
    return {};
  }
  stream.Skip();
  return *native;
}

std::vector<ast::RawType> ParseTypeList(TokenStream& stream) {
  std::vector<ast::RawType> types;
  stream.Expect(Symbol::kLeftParen);
  if (stream.Accept(Symbol::kRightParen)) return types;
  do {
    types.push_back(ParseType(stream));
  } while (stream.Accept(Symbol::kComma));
  stream.Expect(Symbol::kRightParen);
  return types;
}

size_t CountTypeTokens(const TokenStream& stream, size_t ahead) {
  if (AtConstructor(stream, ahead)) {
    // Nothing but types, commas and a vector's dimension stands between the brackets, so counting
    // them finds the end without reading what is inside.
    size_t open = 0;
    for (size_t count = 1;; ++count) {
      const Token& token = stream.Peek(ahead + count);
      if (token.symbol == Symbol::kLess) ++open;
      if (token.symbol == Symbol::kGreater && --open == 0) return count + 1;
      const bool fits = token.kind == TokenKind::kKeyword || token.kind == TokenKind::kIdentifier ||
                        token.kind == TokenKind::kQuotedName || token.kind == TokenKind::kString ||
                        token.kind == TokenKind::kInteger || token.symbol == Symbol::kLess ||
                        token.symbol == Symbol::kGreater || token.symbol == Symbol::kComma ||
                        token.symbol == Symbol::kDot;
      if (!fits) return 0;
    }
  }
  if (AtName(stream, ahead) && stream.At(Symbol::kDot, ahead + 1))
    return AtUserTypeName(stream, ahead + 2) ? 3 : 0;
  const bool is_type = FindNativeType(stream.Peek(ahead).keyword) ||
                       AtUserTypeName(stream, ahead) || stream.At(TokenKind::kString, ahead);
  return is_type ? 1 : 0;
}

}  // namespace orrery::cassandra::grammar
