// A TokenStream is what the rules of the SQL grammar read from (query/lexer/token_stream.h): it
// adds ranges of the text, what was used of the limits, and Cosmos DB's errors.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "api/sql/parser/limits.h"
#include "api/sql/parser/query_error.h"
#include "api/sql/parser/token/token.h"
#include "query/lexer/token_stream.h"

namespace orrery::sql::grammar {

class TokenStream : public query::TokenStream<TokenStream, Token, QueryError> {
 public:
  // REQUIRES: the last of `tokens` is the end.
  TokenStream(std::string_view text, std::span<const Token> tokens, const ParserLimits& limits)
      : query::TokenStream<TokenStream, Token, QueryError>(text, tokens, limits.nesting_max),
        limits_(limits) {}

  // The start of the current token, and the range from such a start to the end of the last one
  // taken.
  uint32_t start() const { return Peek().range.start; }
  SourceRange RangeFrom(uint32_t start) const;

  // Returns the value of a string; fails if there is none or if it is ill-escaped.
  std::string ExpectString();

  // Failing. Only the first failure counts.
  void FailHere() { FailNear(Peek().range); }
  void FailNear(SourceRange range);
  void FailCount(CountClause clause);  // of the token here
  void FailExpected(Keyword) { FailHere(); }
  void FailExpected(Symbol) { FailHere(); }
  void FailNesting() { FailLimit(limits_.nesting_max, "levels of nesting"); }

  // Counts a node of the tree with `depth` nodes on its longest way down, itself included; too many
  // nodes and too long a way fail the stream.
  void CountNode(uint32_t depth);

 private:
  void FailLimit(uint32_t maximum, std::string_view of_what);

  const ParserLimits limits_;
  uint32_t nodes_ = 0;
};

}  // namespace orrery::sql::grammar
