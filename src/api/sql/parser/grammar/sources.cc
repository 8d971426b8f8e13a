#include <utility>

#include "api/sql/parser/grammar/build.h"
#include "api/sql/parser/grammar/expressions.h"
#include "api/sql/parser/grammar/names.h"
#include "api/sql/parser/grammar/queries.h"

namespace orrery::sql::grammar {
namespace {

ast::QueryPtr ParseParenthesizedQuery(TokenStream& stream) {
  stream.Expect(Symbol::kLeftParen);
  ast::QueryPtr query = ast::MakeQueryPtr(ParseQuery(stream));
  stream.Expect(Symbol::kRightParen);
  return query;
}

// A name and accesses to it.
ast::Expression ParsePath(TokenStream& stream) {
  const uint32_t start = stream.start();
  ast::Expression root = Build(stream, start, ast::Identifier{ParseName(stream).text});
  return ParseAccesses(stream, start, std::move(root));
}

ast::Source ParseSource(TokenStream& stream) {
  TokenStream::Level level(stream);
  ast::Source source;
  if (AtName(stream) && stream.At(Keyword::kIn, 1)) {
    source.is_iterated = true;
    source.alias = ParseName(stream);
    stream.Expect(Keyword::kIn);
  }
  if (stream.At(Symbol::kLeftParen) && stream.At(Keyword::kSelect, 1)) {
    source.collection = ParseParenthesizedQuery(stream);
  } else if (source.is_iterated) {
    source.collection = ParsePrimary(stream);
  } else {
    source.collection = ParsePath(stream);
  }
  if (!source.is_iterated && (stream.Accept(Keyword::kAs) || AtName(stream)))
    source.alias = ParseName(stream);
  return source;
}

}  // namespace

std::vector<ast::Source> ParseSources(TokenStream& stream) {
  std::vector<ast::Source> sources;
  do {
    sources.push_back(ParseSource(stream));
  } while (stream.Accept(Keyword::kJoin));
  return sources;
}

}  // namespace orrery::sql::grammar
