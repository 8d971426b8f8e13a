#include "api/sql/parser/parser.h"

#include <utility>

#include "api/sql/parser/grammar/expressions.h"
#include "api/sql/parser/grammar/queries.h"
#include "api/sql/parser/grammar/token_stream.h"
#include "api/sql/parser/token/lexer.h"

namespace orrery::sql {
namespace {

using grammar::TokenStream;

// Applies `rule` to the whole of `text`.
template <typename Rule>
auto ParseWhole(std::string_view text, const ParserLimits& limits, Rule rule)
    -> Parsed<decltype(rule(std::declval<TokenStream&>()))> {
  const auto tokens = Tokenize(text, limits);
  if (!tokens) return std::unexpected(tokens.error());
  TokenStream stream(text, *tokens, limits);
  auto tree = rule(stream);
  if (!stream.At(TokenKind::kEnd)) stream.FailHere();
  if (stream.failed()) return std::unexpected(stream.TakeError());
  return tree;
}

}  // namespace

Parsed<ast::Query> ParseQuery(std::string_view text, const ParserLimits& limits) {
  return ParseWhole(text, limits, [](TokenStream& stream) { return grammar::ParseQuery(stream); });
}

Parsed<ast::Expression> ParseExpression(std::string_view text, const ParserLimits& limits) {
  return ParseWhole(text, limits,
                    [](TokenStream& stream) { return grammar::ParseExpression(stream); });
}

}  // namespace orrery::sql
