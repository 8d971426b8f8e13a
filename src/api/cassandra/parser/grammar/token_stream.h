// A TokenStream is what the rules of CQL's grammar read from (query/lexer/token_stream.h): it adds
// the bind markers seen so far, what was used of the limits, and Cassandra's errors.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/parser/ast/term.h"
#include "api/cassandra/parser/limits.h"
#include "api/cassandra/parser/syntax_error.h"
#include "api/cassandra/parser/token/token.h"
#include "query/lexer/token_stream.h"

namespace orrery::cassandra::grammar {

class TokenStream : public query::TokenStream<TokenStream, Token, SyntaxError> {
  using Base = query::TokenStream<TokenStream, Token, SyntaxError>;

 public:
  // REQUIRES: the last of `tokens` is the end.
  TokenStream(std::string_view text, std::span<const Token> tokens, const ParserLimits& limits)
      : Base(text, tokens, limits.nesting_max), limits_(limits) {}

  query::TextPosition position() const { return Peek().position; }

  // The content of a string or quoted name, without quotes and escapes.
  std::string TakeUnquoted();
  std::string ExpectString();

  // Failing. Only the first failure counts.
  void FailNoViable();                                           // nothing fits here
  void FailMismatch(std::string_view expected);                  // only `expected` does
  void Fail(query::TextPosition position, std::string message);  // in these words
  void FailExpected(Keyword keyword);
  void FailExpected(Symbol symbol);
  void FailNesting();

  // The next marker, with a name or without. Fails when there are too many.
  ast::BindMarker AddMarker(std::string name);
  std::vector<std::string> TakeMarkerNames() { return std::move(marker_names_); }

  class Level : public Base::Level {
   public:
    explicit Level(TokenStream& stream) : Base::Level(stream) {
      if (stream.depth() == 1) stream.operators_ = 0;
    }
  };
  // Returns whether the list, which has so many elements, goes on behind a comma. Too many fail the
  // stream.
  bool AcceptComma(size_t elements) { return Accept(Symbol::kComma) && CheckElements(elements); }
  bool CheckElements(size_t elements);
  // Counts an operator of the expression that the outermost Level is for; too many fail the stream.
  void CountOperator();

 private:
  const ParserLimits limits_;
  uint32_t operators_ = 0;
  std::vector<std::string> marker_names_;
};

}  // namespace orrery::cassandra::grammar
