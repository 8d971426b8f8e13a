#include "api/cassandra/parser/parser.h"

#include <utility>

#include "api/cassandra/parser/grammar/relations.h"
#include "api/cassandra/parser/grammar/statements.h"
#include "api/cassandra/parser/grammar/terms.h"
#include "api/cassandra/parser/grammar/token_stream.h"
#include "api/cassandra/parser/grammar/types.h"
#include "api/cassandra/parser/token/lexer.h"

namespace orrery::cassandra {
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
  if (!stream.At(TokenKind::kEnd)) stream.FailMismatch("EOF");
  if (stream.failed()) return std::unexpected(stream.TakeError());
  return tree;
}

}  // namespace

Parsed<ParsedStatement> ParseStatement(std::string_view text, const ParserLimits& limits) {
  return ParseWhole(text, limits, [](TokenStream& stream) {
    ParsedStatement parsed{.statement = grammar::ParseStatement(stream), .markers = {}};
    while (stream.Accept(Symbol::kSemicolon)) {
    }
    parsed.markers = stream.TakeMarkerNames();
    return parsed;
  });
}

Parsed<ast::RawType> ParseType(std::string_view text, const ParserLimits& limits) {
  return ParseWhole(text, limits, [](TokenStream& stream) { return grammar::ParseType(stream); });
}

Parsed<ast::Term> ParseTerm(std::string_view text, const ParserLimits& limits) {
  return ParseWhole(text, limits, [](TokenStream& stream) { return grammar::ParseTerm(stream); });
}

Parsed<ast::WhereClause> ParseWhere(std::string_view text, const ParserLimits& limits) {
  return ParseWhole(text, limits, [](TokenStream& stream) {
    return stream.At(TokenKind::kEnd) ? ast::WhereClause{} : grammar::ParseWhere(stream);
  });
}

Parsed<ast::Term> ParseSelection(std::string_view text, const ParserLimits& limits) {
  return ParseWhole(text, limits, [](TokenStream& stream) {
    return grammar::ParseTerm(stream, grammar::TermPlace::kSelection);
  });
}

}  // namespace orrery::cassandra
