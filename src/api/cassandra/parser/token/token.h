// The tokens of CQL: what the lexer makes of the text and the grammar reads.
//
// A token is a small value that points into the text by offset; it owns nothing. Names and strings
// still have their quotes and escapes: TokenStream takes them off when a rule uses them.
#pragma once

#include <cstdint>
#include <string_view>

#include "api/cassandra/parser/token/keyword.h"
#include "api/cassandra/parser/token/symbol.h"
#include "query/lexer/text_position.h"

namespace orrery::cassandra {

enum class TokenKind : uint8_t {
  kEnd,              // after the last one
  kIdentifier,       // a word that is no keyword
  kKeyword,          // Token::keyword says which
  kQuotedName,       // "Name"
  kEmptyQuotedName,  // "", a column's name in some old tables
  kSymbol,           // Token::symbol says which
  kString,           // 'text' or $$text$$
  kInteger,          // 1, -1
  kFloat,            // 1.5, 1e3
  kBoolean,          // true, false
  kDuration,         // 1h30m, P1Y2M, PT5S, P0001-02-03T04:05:06
  kUuid,
  kHex,       // 0xCAFE
  kNan,       // NaN, -NaN
  kInfinity,  // Infinity, -Infinity
};

struct Token {
  uint32_t offset = 0;  // of its first byte in the text
  uint32_t length = 0;  // in bytes
  query::TextPosition position;
  TokenKind kind = TokenKind::kEnd;
  Keyword keyword = Keyword::kNone;
  Symbol symbol = Symbol::kNone;

  std::string_view TextIn(std::string_view text) const { return text.substr(offset, length); }
};

}  // namespace orrery::cassandra
