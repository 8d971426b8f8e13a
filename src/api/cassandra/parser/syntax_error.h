// A SyntaxError says where a CQL text stops making sense, in the text of Cassandra's own parser:
//
//   line 1:9 no viable alternative at input 'FORM' (SELECT * [FORM] t)
//   line 1:14 mismatched input 'x' expecting K_FROM (SELECT a, b [x] c...)
//
// It is a type of its own, not an Error, because CQL tells a text that cannot be read (0x2000) from
// one that asks for something wrong (0x2200).
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "api/cassandra/parser/token/token.h"
#include "base/status.h"
#include "query/lexer/text_position.h"

namespace orrery::cassandra {

struct SyntaxError {
  query::TextPosition position;
  std::string message;  // complete, with the position in it where Cassandra has it there

  Error ToError() const { return {Code::kInvalidArgument, message}; }
};

template <typename T>
using Parsed = std::expected<T, SyntaxError>;

// "line 3:7 " and `message`.
SyntaxError ErrorAt(query::TextPosition position, std::string_view message);

// The input at tokens[index] fits no rule.
// REQUIRES: `tokens` are those of `text`, the last one is the end, and index is one of them.
SyntaxError NoViableAlternative(std::string_view text, std::span<const Token> tokens, size_t index);

// Only `expected` would have fitted there.
SyntaxError MismatchedInput(std::string_view text, std::span<const Token> tokens, size_t index,
                            std::string_view expected);

}  // namespace orrery::cassandra
