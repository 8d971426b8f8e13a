// A TokenStream is what the rules of the grammar read from: the tokens of one text and the place
// reached in them, the bind markers seen so far, and the first error.
//
// Errors stick, as in an input stream: the first one is kept and the stream jumps to its end, where
// no token but the end is ever seen again. So a rule need not ask after every step whether it went
// well; it goes on, takes nothing, and returns something that nobody will look at, because the
// entry points (parser.h) ask failed() once. Loops in rules must therefore end at the end of the
// stream.
//
// Not thread-safe: one per parse. The text and the tokens must outlive it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/parser/ast/term.h"
#include "api/cassandra/parser/limits.h"
#include "api/cassandra/parser/syntax_error.h"
#include "api/cassandra/parser/token/token.h"
#include "query/lexer/nesting.h"

namespace orrery::cassandra::grammar {

class TokenStream {
 public:
  // REQUIRES: the last of `tokens` is the end.
  TokenStream(std::string_view text, std::span<const Token> tokens, const ParserLimits& limits);

  // Looking. Beyond the end is the end.
  const Token& Peek(size_t ahead = 0) const;
  bool At(TokenKind kind, size_t ahead = 0) const { return Peek(ahead).kind == kind; }
  bool At(Keyword keyword, size_t ahead = 0) const { return Peek(ahead).keyword == keyword; }
  bool At(Symbol symbol, size_t ahead = 0) const { return Peek(ahead).symbol == symbol; }
  query::TextPosition position() const { return Peek().position; }
  // The text of the token here, as it was written.
  std::string_view text() const { return Peek().TextIn(text_); }

  // Taking what is there. Accept: only if it is the one named, and says whether it was.
  // Expect: fails if it is not.
  void Skip();
  bool Accept(Keyword keyword);
  bool Accept(Symbol symbol);
  bool Accept(Keyword first, Keyword second);  // both or neither
  void Expect(Keyword keyword);
  void Expect(Symbol symbol);
  // The content of a string or quoted name, without quotes and escapes.
  std::string TakeUnquoted();
  std::string ExpectString();

  // Failing. Only the first failure counts.
  void FailNoViable();                                           // nothing fits here
  void FailMismatch(std::string_view expected);                  // only `expected` does
  void Fail(query::TextPosition position, std::string message);  // in these words
  bool failed() const { return error_.has_value(); }
  SyntaxError TakeError() { return std::move(*error_); }  // REQUIRES: failed()

  // The next marker, with a name or without. Fails when there are too many.
  ast::BindMarker AddMarker(std::string name);
  std::vector<std::string> TakeMarkerNames() { return std::move(marker_names_); }

  // A rule that may contain itself keeps a Level while it runs; too many of them fail the stream.
  class Level {
   public:
    explicit Level(TokenStream& stream);

   private:
    query::NestingLevel level_;
  };
  // Counts an operator of the expression that the outermost Level is for; too many fail the stream.
  void CountOperator();

 private:
  void SetError(SyntaxError error);

  const std::string_view text_;
  const std::span<const Token> tokens_;
  const ParserLimits limits_;

  size_t index_ = 0;
  query::Nesting nesting_;
  uint32_t operators_ = 0;
  std::vector<std::string> marker_names_;
  std::optional<SyntaxError> error_;
};

}  // namespace orrery::cassandra::grammar
