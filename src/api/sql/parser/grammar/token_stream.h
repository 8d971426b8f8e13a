// A TokenStream is what the rules of the grammar read from: the tokens of one text and the place
// reached in them, what was used of the limits, and the first error.
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
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/sql/parser/limits.h"
#include "api/sql/parser/query_error.h"
#include "api/sql/parser/token/token.h"
#include "query/lexer/nesting.h"

namespace orrery::sql::grammar {

class TokenStream {
 public:
  // REQUIRES: the last of `tokens` is the end.
  TokenStream(std::string_view text, std::span<const Token> tokens, const ParserLimits& limits);

  // Looking. Beyond the end is the end.
  const Token& Peek(size_t ahead = 0) const;
  bool At(TokenKind kind, size_t ahead = 0) const { return Peek(ahead).kind == kind; }
  bool At(Keyword keyword, size_t ahead = 0) const { return Peek(ahead).keyword == keyword; }
  bool At(Symbol symbol, size_t ahead = 0) const { return Peek(ahead).symbol == symbol; }
  // The text of the token here, as it was written.
  std::string_view text() const { return Peek().TextIn(text_); }
  // Where the token here starts, and the range from such a start to the end of the last one taken.
  uint32_t start() const { return Peek().range.start; }
  SourceRange RangeFrom(uint32_t start) const;

  // Taking what is there. Accept: only if it is the one named, and says whether it was.
  // Expect: fails if it is not.
  void Skip();
  bool Accept(Keyword keyword);
  bool Accept(Symbol symbol);
  void Expect(Keyword keyword);
  void Expect(Symbol symbol);
  // What a string says; fails if there is none or if it is ill-escaped.
  std::string ExpectString();

  // Failing. Only the first failure counts.
  void FailHere() { FailNear(Peek().range); }
  void FailNear(SourceRange range);
  bool failed() const { return error_.has_value(); }
  QueryError TakeError() { return std::move(*error_); }  // REQUIRES: failed()

  // A rule that may contain itself keeps a Level while it runs; too many of them fail the stream.
  class Level {
   public:
    explicit Level(TokenStream& stream);

   private:
    query::NestingLevel level_;
  };
  // Counts a node of the tree with `depth` nodes on its longest way down, itself included; too many
  // nodes and too long a way fail the stream.
  void CountNode(uint32_t depth);

 private:
  void FailLimit(uint32_t maximum, std::string_view of_what);
  void SetError(QueryError error);

  const std::string_view text_;
  const std::span<const Token> tokens_;
  const ParserLimits limits_;

  size_t index_ = 0;
  query::Nesting nesting_;
  uint32_t nodes_ = 0;
  std::optional<QueryError> error_;
};

}  // namespace orrery::sql::grammar
