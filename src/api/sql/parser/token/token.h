// The tokens of the query language: what the lexer makes of the text and the grammar reads.
//
// A token is a small value that points into the text by offset; it owns nothing. Strings still have
// their quotes and escapes: TokenStream takes them off when a rule uses them.
#pragma once

#include <cstdint>
#include <string_view>

#include "api/sql/parser/ast/source_range.h"
#include "api/sql/parser/token/keyword.h"
#include "api/sql/parser/token/symbol.h"

namespace orrery::sql {

enum class TokenKind : uint8_t {
  kEnd,          // after the last one
  kWord,         // Token::keyword says which keyword, if any
  kSymbol,       // Token::symbol says which
  kString,       // 'text' or "text"
  kNumber,       // 1, 1.5, .5, 1e3, 0xFF
  kParameter,    // @name
  kPlaceholder,  // {documentdb-...}, see ast::Placeholder
};

struct Token {
  SourceRange range = {};
  TokenKind kind = TokenKind::kEnd;
  Keyword keyword = Keyword::kNone;
  Symbol symbol = Symbol::kNone;

  std::string_view TextIn(std::string_view text) const {
    return text.substr(range.start, range.end - range.start);
  }
};

}  // namespace orrery::sql
